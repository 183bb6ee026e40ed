#' Choose a copula family
#'
#' Compares families on the same data. The default criterion is the held-out pseudo-log-likelihood:
#' rows are split into folds, each family is fitted to the other folds, and the held-out rows,
#' ranked among the rows that were fitted, are scored by its density.
#'
#' @details
#' A richer family must earn its place. It contains simpler ones: all contain independence, and t
#' contains the Gaussian family. A family that does not make the held-out rows at least `exp(2)`
#' times as likely as every family that it contains comes after all families that do.
#'
#' Matrices made of pairwise tau are often nearly singular, with ties or strong dependence, and
#' would call held-out rows impossible. The elliptical families are therefore compared with `R`
#' shrunk toward the identity by the amount that gives the fitted rows the highest Gaussian
#' pseudo-likelihood. A family that does not apply (Archimedean ones without positive mean tau)
#' scores as the independence copula; maximum pseudo-likelihood leaves elliptical families out where
#' there are too few rows.
#'
#' The margins are ranks, so the formula of AIC has no exact justification here (Grønneberg and
#' Hjort, 2014); the default is therefore cross-validation. AIC and BIC count `d (d - 1) / 2`
#' parameters for elliptical families and mean little when the number of rows is near the number of
#' columns. Archimedean families have one parameter for all pairs, so with many columns elliptical
#' ones usually win.
#'
#' The split is fixed: the choice depends on the data alone and does not touch R's random numbers.
#'
#' @inheritParams cawi_copula
#' @param families Names of the families to compare; by default all:
#'   `r quoted_names(family_names)`.
#' @param criterion `"xv"`, mean held-out log-density per row, larger is better; `"aic"` or `"bic"`,
#'   smaller is better.
#' @param folds Number of folds for `"xv"`.
#' @param max_rows At most so many rows, taken at random, enter `"xv"`.
#' @param ... Not used.
#' @return A data frame, best first, of class `cawi_selection`: `family`, the criterion (for
#'   `"xv"` the mean held-out log-density, which is the gain over independence, with its standard
#'   error `se`; otherwise with `loglik`) and the number of `parameters`.
#' @references
#' Genest, C., Ghoudi, K. and Rivest, L.-P. (1995). A semiparametric estimation procedure of
#' dependence parameters in multivariate families of distributions. *Biometrika* 82, 543-552.
#'
#' Grønneberg, S. and Hjort, N. L. (2014). The copula information criteria. *Scandinavian Journal
#' of Statistics* 41, 436-459.
#' @examples
#' cawi_select(iris[, 1:4])
#' cawi_select(iris[, 1:4], families = c("gaussian", "clayton"), criterion = "bic")
#' @export
cawi_select <- function(x, families = NULL, criterion = c("xv", "aic", "bic"),
                        method = c("itau", "mpl"), reflect = FALSE, folds = 5, max_rows = 5000,
                        threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_given(x, "x")
  criterion <- check_choice(criterion, c("xv", "aic", "bic"), "criterion")
  method <- check_choice(method, c("itau", "mpl"), "method")
  reflect <- check_flag(reflect, "reflect")
  families <- if (is.null(families)) family_names else check_families(families)
  x <- check_matrix(x)
  threads <- resolve_threads(threads)
  folds <- check_count(folds, "folds", min = 2)
  max_rows <- check_count(max_rows, "max_rows", min = 20)
  # A training fold needs two rows for tau.
  if (nrow(x) < 4L) {
    abort_argument("x", "{.arg x} must have at least 4 rows to compare families, not {nrow(x)}.",
                   environment())
  }
  check_memory(kendall_bytes(x))
  folds <- min(folds, nrow(x) %/% 2)
  if (method == "mpl") families <- drop_elliptical(families, x, folds, criterion, environment())
  how <- list(method = method, reflect = reflect, threads = threads)
  table <- rethrow_core_errors(
    if (criterion == "xv") {
      select_held_out(x, families, how, folds, max_rows)
    } else {
      select_by_information(x, families, how, criterion)
    },
    environment(), copula_bytes(x)
  )
  rownames(table) <- NULL
  structure(table, class = c("cawi_selection", "data.frame"))
}

# Maximum pseudo-likelihood of a correlation matrix needs more rows than columns.
drop_elliptical <- function(names, x, folds, criterion, call) {
  rows <- if (criterion == "xv") floor(nrow(x) * (folds - 1) / folds) else nrow(x)
  elliptical <- vapply(names, family_is, logical(1), kind = "elliptical")
  if (rows > ncol(x) || !any(elliptical)) return(names)
  warn_topic(
    "method",
    "Too few rows for {.arg method} {.val mpl}: leaving out {.val {names[elliptical]}}.", call
  )
  if (all(elliptical)) "independence" else names[!elliptical]
}

# `how` says how each family is fitted: method, reflect and threads.
select_by_information <- function(x, families, how, criterion) {
  sample <- copula_sample(x, how$reflect, how$threads)
  loglik <- vapply(families, function(family) {
    fit_family(sample, family, how$method, "score", how$threads)$loglik
  }, numeric(1))
  count <- vapply(families, parameter_count, numeric(1), d = sum(!sample$constant))
  penalty <- if (criterion == "aic") 2 else log(nrow(x))
  table <- data.frame(family = families, value = penalty * count - 2 * loglik, loglik = loglik,
                      parameters = count)
  names(table)[2L] <- criterion
  table[order(table[[criterion]], table$parameters), ]
}

select_held_out <- function(x, families, how, folds, max_rows) {
  rows <- permutation_cpp(0, nrow(x))[seq_len(min(nrow(x), max_rows))]
  x <- x[rows, , drop = FALSE]
  fold <- rep_len(seq_len(folds), nrow(x))
  scores <- matrix(0, nrow(x), length(families), dimnames = list(NULL, families))
  step <- progress_steps(folds, "Comparing families")
  on.exit(step(done = TRUE))
  for (k in seq_len(folds)) {
    held <- fold == k
    scores[held, ] <- score_held_out(x[!held, , drop = FALSE], x[held, , drop = FALSE], families,
                                     how)
    step()
  }
  table <- data.frame(
    family = families,
    # The independence copula scores zero everywhere: these are gains over it.
    xv = colMeans(scores),
    se = apply(scores, 2, stats::sd) / sqrt(nrow(x)),
    parameters = vapply(families, parameter_count, numeric(1), d = sum(!constant_columns(x)))
  )
  table[parsimonious_order(scores), ]
}

score_held_out <- function(train, held, families, how) {
  sample <- copula_sample(train, how$reflect, how$threads)
  active <- !sample$constant
  if (sum(active) < 2L) return(matrix(0, nrow(held), length(families)))
  u <- pseudo_obs_against_cpp(train, held, how$threads)
  vapply(families, function(family) {
    fit <- fit_family(sample, family, how$method, "score", how$threads)
    if (fit$family == "independence") return(numeric(nrow(u)))
    copula <- core_list(fit$family, sum(active), fit$theta, fit$cor[active, active, drop = FALSE],
                        fit$df, fit$flipped[active])
    log_density_cpp(copula, u[, active, drop = FALSE], how$threads)
  }, numeric(nrow(u)))
}

# Best first among the families that make the held-out rows exp(2) times as likely as every family
# they contain, then the others: chance alone rarely gives one more parameter that much.
parsimonious_order <- function(scores) {
  total <- colSums(scores)
  earned <- vapply(names(total), function(family) {
    simpler <- intersect(contained_families(family), names(total))
    all(total[[family]] - total[simpler] >= 2)
  }, logical(1))
  order(!earned, -total)
}

contained_families <- function(family) {
  simpler <- families[[family]]$nested
  if (is.null(simpler)) character() else c(simpler, contained_families(simpler))
}

#' @export
print.cawi_selection <- function(x, digits = 4, ...) {
  check_dots(rlang::enquos(...))
  digits <- check_count(digits, "digits", min = 1, max = 22)
  check_data_only(x, "x")
  # Some of its rows or columns are a table like any other.
  if (!is_plain_frame(x) || !all(vapply(unclass(x), function(v) is.null(dim(v)), NA))) {
    abort_argument("x", "{.arg x} is damaged: it is no data frame.", environment())
  }
  print(structure(x, class = "data.frame"), digits = digits, row.names = FALSE)
  invisible(x)
}
