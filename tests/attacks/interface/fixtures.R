# Objects that methods are called with, by name: each is made once per process from its expression,
# and a script of a failure begins with the expressions of those that it uses.

model_fixtures <- alist(
  fit_class = cawi_rvfl(mat(30), cls(30), hidden = 5, seed = 1),
  fit_two = cawi_elm(two ~ a + b + g + o, frame(30), hidden = 6, seed = 2),
  fit_number = cawi_elm(mat(30), num(30), hidden = 5, seed = 1),
  fit_outputs = cawi_drvfl(mat(30), outs(30), hidden = c(4, 3), seed = 3),
  fit_layers = cawi_edrvfl(cls ~ a + b + k + l, frame(30), hidden = c(4, 3), seed = 4),
  fit_broad = cawi_bls(y ~ a + b + g + offset(z), frame(30), windows = 2, nodes = 2,
                       enhancement = 3, seed = 5),
  fit_computed = cawi_rvfl(log(y + 3) ~ poly(a, 2) + b:g, frame(30), hidden = 4, seed = 6),
  fit_infinite = cawi_rvfl(mat(25), num(25), hidden = Inf, activation = "sine", bias = "phase",
                           marginal = "normal", spread = 1, seed = 7),
  fit_kernel = cawi_elm(cls ~ a + b + g, frame(30), hidden = Inf, activation = "sine",
                        bias = "phase", marginal = "normal", spread = 1, seed = 8),
  fit_omit = cawi_rvfl(cls ~ a + b + g, poke(frame(30), 30, NA), hidden = 4, na_action = "omit",
                       seed = 9),
  fit_impute = cawi_rvfl(y ~ a + b + k, poke(frame(30), 30, NA), hidden = 4,
                         na_action = "impute", case_weights = w, seed = 10),
  fit_balanced = cawi_elm(mat(30), cls(30, 2), hidden = 4, class_weights = "balanced", seed = 11),
  fit_unused = cawi_rvfl(mat(30), leveled(cls(30), "unused"), hidden = 4, seed = 12),
  fit_ordered = cawi_rvfl(mat(30), leveled(cls(30), "ordered"), hidden = 4, standardize = "ranks",
                          seed = 13),
  fit_names = cawi_rvfl(named(mat(30), "html"), leveled(cls(30), "utf8"), hidden = 4, seed = 14),
  fit_plain = cawi_rvfl(named(mat(30), "none"), num(30), hidden = 4, intercept = FALSE, seed = 15),
  fit_sparse = cawi_elm(sparse(30), cls(30), hidden = 5, seed = 16),
  fit_source = cawi_rvfl(cls ~ a + b + g, cawi_source(frame(40), chunk = 9, folds = 3), hidden = 4,
                         seed = 17),
  fit_streamed = cawi_elm(y ~ a + b, cawi_source(cut_rows(frame(40), 3)), hidden = 4, seed = 18),
  fit_lean = cawi_rvfl(mat(30), cls(30), hidden = 5, keep_data = FALSE, seed = 19),
  fit_trimmed = cawi_trim(cawi_rvfl(cls ~ a + b + g, frame(30), hidden = 5, seed = 20)),
  fit_copula = cawi_rvfl(mat(30), num(30), hidden = 5, init = "gaussian", strength = 0.5,
                         scale = 1, seed = 21),
  fit_updated = update(cawi_elm(mat(30), cls(30), hidden = 4, lambda = 1, seed = 22),
                       new_x = mat(12, 3, 5), new_y = cls(12, 5)),
  fit_tuned = cawi_tune(mat(30), cls(30), grid = cawi_grid(hidden = c(3, 5), lambda = c(0.1, 1)),
                        seed = 23),
  fit_tuned_number = cawi_tune(y ~ a + b + g, frame(30), model = "elm", resampling = 3,
                               grid = cawi_grid(hidden = 3, spread = c(1, 2), lambda = c(0.1, 1)),
                               seed = 24),
  fit_auto = cawi_auto(mat(24), cls(24), budget = 2, draws = 1, models = "rvfl", hidden = 4,
                       seed = 25),
  fit_auto_number = cawi_auto(y ~ a + b + g, frame(24), budget = 2, draws = 1, models = "elm",
                              hidden = 4, seed = 26)
)

other_fixtures <- alist(
  copula_gaussian = cawi_copula(mat(30), "gaussian"),
  copula_t = cawi_copula(mat(30), "t"),
  copula_clayton = cawi_copula_from("clayton", dim = 2, theta = 2),
  copula_frank = cawi_copula(mat(30, 2), "frank"),
  copula_gumbel = cawi_copula_from("gumbel", dim = 4, tau = 0.4),
  copula_mpl = cawi_copula(mat(30, 2), "clayton", method = "mpl"),
  copula_free = cawi_copula_from("independence", dim = 3),
  grid_small = cawi_grid(hidden = c(3, 5), lambda = c(0.1, 1)),
  grid_mixed = cawi_grid(activation = c("sine", "relu"), init = list("iid", copula_gaussian)),
  importance_class = cawi_importance(fit_class),
  importance_number = cawi_importance(fit_number, method = "permutation", repeats = 2, seed = 1),
  effects_class = cawi_effects(fit_two),
  effects_number = cawi_effects(fit_number, method = "pdp", points = 4),
  diagnosis = cawi_diagnose(fit_class, draws = 2, seed = 1),
  selection = cawi_select(mat(30), c("gaussian", "frank")),
  statistics_class = cawi_statistics(fit_class, mat(20, 3, 4), cls(20, 4)),
  statistics_own = cawi_statistics(fit_number),
  source_frame = cawi_source(frame(30), chunk = 8),
  source_shards = cawi_source(list(cawi_source(frame(20)), function() cawi_source(frame(12, 2)))),
  comparison = cawi_compare(mat(12), seed = 1),
  recorded = cawi_recorded("equal"),
  bench_small = cawi_benchmark(list(one = list(x = mat(24), y = cls(24)),
                                    two = list(x = mat(20, 2, 3), y = cls(20, 3, 2))),
                               init = c("iid", "gaussian"), folds = 2,
                               grid = cawi_grid(hidden = 3, lambda = c(0.1, 1))),
  dataset = cawi_read_table(text_file(csv_text(frame(20)[c("a", "b", "cls")]))),
  sparse_rows = fit_sparse$data$x,
  summary_class = summary(fit_class),
  summary_auto = summary(fit_auto),
  summary_copula = summary(copula_t),
  summary_bench = summary(recorded, seed = 1)
)

# The expressions of some fixtures and of those that they are made from, in order.
fixture_expressions <- function(names) {
  all <- c(model_fixtures, other_fixtures)
  needed <- character()
  while (length(names) > 0L) {
    needed <- union(names, needed)
    names <- setdiff(intersect(unlist(lapply(all[names], all.names)), names(all)), needed)
  }
  all[names(all) %in% needed]
}

make_fixtures <- function(env) {
  all <- c(model_fixtures, other_fixtures)
  for (name in names(all)) assign(name, eval(all[[name]], env), envir = env)
}

# New data that a fixture understands: all know the columns of frame(), or have those of mat().
fixture_rows <- function(name, n = rows()) {
  s <- whole(1, 9)
  by_place <- name %in% c("fit_plain", "fit_names")
  of_matrix <- !any(all.names(model_fixtures[[name]]) %in% c("frame", "source"))
  if (name == "fit_names") return(bquote(named(mat(.(n), 3, .(s)), "html")))
  if (by_place) return(bquote(unname(mat(.(n), 3, .(s)))))
  if (name == "fit_sparse") return(bquote(sparse(.(n), 3, .(s), .(pick(c("C", "R", "T", "zero"))))))
  if (of_matrix && chance(0.7)) return(bquote(mat(.(n), 3, .(s))))
  bquote(frame(.(n), .(s)))
}

# The response that belongs to the rows above.
fixture_response <- function(name, like) {
  n <- like[[if (like[[1L]] == quote(named)) 2L else 1L]]
  n <- if (is.call(n)) n[[2L]] else like[[2L]]
  if (is.call(n)) n <- n[[2L]]
  s <- whole(1, 9)
  used <- all.names(model_fixtures[[name]])
  if ("outs" %in% used) return(bquote(outs(.(n), .(s))))
  if ("two" %in% used) return(bquote(u(.(n), .(s)) > 0.5))
  if (any(c("num", "y") %in% used)) return(bquote(num(.(n), .(s))))
  e <- bquote(cls(.(n), .(s)))
  if (name == "fit_names") bquote(leveled(.(e), "utf8")) else e
}

has_formula <- function(name) "~" %in% all.names(model_fixtures[[name]])

fixture_task <- function(name) {
  used <- all.names(model_fixtures[[name]])
  if (any(c("num", "y", "outs") %in% used)) "regression" else "classification"
}
