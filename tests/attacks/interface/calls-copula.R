# Draws of calls: copulas and what they stand on. A draw is the function, its arguments as
# expressions, and the name of the judge of its results.

new_call <- function(fun, args, judge = "none", fixed = character()) {
  list(fun = fun, args = spoiled(args, fixed), judge = judge)
}
ours <- function(name) call("::", quote(cawi), as.name(name))

numeric_x <- function(n = rows(), d = whole(1, 5)) now_and_then(matrix_of(n, d))
copulas <- c("copula_gaussian", "copula_t", "copula_clayton", "copula_frank", "copula_gumbel",
             "copula_mpl", "copula_free")
copula_dims <- c(3, 3, 2, 2, 4, 2, 3)

# A copula, at times with an edited part.
copula_object <- function(name, fixtures) {
  if (chance(0.15)) edited(as.name(name), fixtures[[name]]) else as.name(name)
}

copula_calls <- list(
  cawi_pseudo_obs = function(fixtures) {
    args <- c(list(x = numeric_x()), some_of(list(
      ties = function() pick(c("average", "first", "random")), seed = seed_value,
      threads = threads_value
    )))
    new_call(ours("cawi_pseudo_obs"), args, "pseudo_obs")
  },
  cawi_kendall = function(fixtures) {
    n <- rows()
    args <- c(list(x = numeric_x(n)),
              some_of(list(y = function() numeric_x(n), threads = threads_value), 0.3))
    new_call(ours("cawi_kendall"), args, "kendall")
  },
  cawi_nearest_cor = function(fixtures) {
    r <- pick(alist(diag(3), cor(mat(8, 4)), matrix(c(1, 0.9, -0.9, 0.9, 1, 0.9, -0.9, 0.9, 1), 3),
                    matrix(1, 2, 2), matrix(c(1, -1, -1, 1), 2), matrix(1, 1, 1),
                    cawi_kendall(mat(12, 5)), cor(mat(3, 5)), diag(3) * 2, 2 * mat(3, 3) - 1))
    args <- c(list(r = now_and_then(r, 0.3)),
              some_of(list(floor = function() pick(list(1e-8, 0, 0.1, 0.99, 1)))))
    new_call(ours("cawi_nearest_cor"), args, "correlation")
  },
  cawi_copula = function(fixtures) {
    args <- c(list(x = numeric_x()), some_of(list(
      family = function() pick(c("auto", "iid", "independence", families)),
      method = function() pick(c("itau", "mpl")), reflect = flag, likelihood = flag,
      threads = threads_value
    ), 0.35))
    new_call(ours("cawi_copula"), args, "copula")
  },
  cawi_copula_from = function(fixtures) {
    sane <- pick(list(
      list(family = pick(c("clayton", "frank", "gumbel")), dim = whole(2, 5),
           theta = pick(c(2, 1.1, 30))),
      list(family = pick(c("clayton", "frank", "gumbel")), dim = whole(2, 5),
           tau = pick(c(0.3, 0.01, 0.9))),
      list(family = "gaussian", cor = pick(alist(diag(3), 0.5, cor(mat(9, 3)), -0.9))),
      list(family = "t", cor = pick(alist(diag(2), 0.5)), df = pick(list(4, 1, 0.01, 1e6, Inf))),
      list(family = "independence", dim = whole(1, 5))
    ))
    args <- c(sane, some_of(list(
      dim = function() whole(1, 5), theta = function() pick(list(2, 0.5, -1, 30, 1e-10, 1e10)),
      df = function() pick(list(4, 1, 0.01, 1e6, Inf)), tau = function() {
        pick(list(-0.2, 0, 0.99,
                  1))
      }
    ), 0.08))
    args <- args[!duplicated(names(args))]
    new_call(ours("cawi_copula_from"), args, "copula")
  },
  cawi_density = function(fixtures) {
    at <- whole(1, length(copulas))
    u <- bquote((mat(.(whole(1, 12)), .(copula_dims[at]), .(whole(1, 9))) / 2))
    if (chance(0.2)) u <- pick(alist(c(0.5, 0.5), matrix(c(0, 1, 0.5, 0.5), 2),
                                     cbind(1e-300, 1 - 1e-16)))
    args <- c(list(copula = copula_object(copulas[at], fixtures), u = now_and_then(u)),
              some_of(list(log = flag, threads = threads_value)))
    new_call(ours("cawi_density"), args, "density")
  },
  cawi_select = function(fixtures) {
    args <- c(list(x = numeric_x()), some_of(list(
      families = function() pick(alist(c("gaussian", "frank"), "t", c("clayton", "clayton"))),
      criterion = function() pick(c("xv", "aic", "bic")), reflect = flag,
      method = function() pick(c("itau", "mpl")), folds = function() whole(2, 4),
      max_rows = function() pick(list(10, 5000, 2)), threads = threads_value
    )))
    new_call(ours("cawi_select"), args, "selection")
  },
  cawi_weights = function(fixtures) {
    args <- c(list(copula = copula_object(pick(copulas), fixtures), hidden = whole(1, 6)),
              some_of(list(
      marginal = function() pick(c("uniform", "normal", "cauchy")),
      scale = function() pick(list(1, 0.5, 1e-300, 1e99)),
      strength = function() pick(list(1, 0, 0.5, -1)), seed = seed_value, threads = threads_value
    )))
    new_call(ours("cawi_weights"), args, "weights")
  },
  cawi_compare = function(fixtures) {
    table <- bquote(mat(.(whole(2, 15)), .(whole(2, 4)), .(whole(1, 9))))
    args <- c(list(table = now_and_then(table)), some_of(list(
      baseline = function() pick(c("a", "b")), rope = function() pick(list(0, 0.1, 5)),
      level = function() pick(list(0.95, 0.5, 0.999)), seed = seed_value
    )))
    new_call(ours("cawi_compare"), args, "comparison")
  }
)
