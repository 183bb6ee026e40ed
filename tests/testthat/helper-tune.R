# What the tuner must give, the slow way: one fit of the package for every combination and training
# part, its predictions for the rows held out, and losses of single rows in plain R.

# Combinations of few and many columns for the 40 rows of small_x(), in nested and separate
# networks.
peer_grids <- list(
  elm = cawi_grid(hidden = c(9, 60), activation = c("sigmoid", "relu"), lambda = c(0.01, 1)),
  rvfl = cawi_grid(hidden = c(9, 60), inputs = c(1, 3), spread = c(0.5, 2), lambda = c(0.01, 1)),
  drvfl = cawi_grid(hidden = list(6, c(6, 5), c(6, 60)), bias = c("uniform", "data"),
                    lambda = c(0.01, 1)),
  edrvfl = cawi_grid(hidden = list(8, c(6, 5), c(38, 37)), init = c("iid", "clayton"),
                     lambda = c(0.01, 1)),
  bls = cawi_grid(windows = 3, nodes = 2, enhancement = c(5, 40), init = c("iid", "frank"),
                  lambda = c(0.01, 1))
)

# Arguments of every combination in the order of the table.
combinations <- function(grid) {
  grid <- unclass(grid)
  place <- expand.grid(lapply(grid, seq_along))
  lapply(seq_len(nrow(place)), function(i) {
    stats::setNames(lapply(names(grid), function(axis) grid[[axis]][[place[i, axis]]]), names(grid))
  })
}

fit_combination <- function(model, x, y, arguments, ...) {
  do.call(paste0("cawi_", model), c(list(x, y), arguments, list(...)))
}

take <- function(y, rows) if (is.matrix(y)) y[rows, , drop = FALSE] else y[rows]

# Losses of every row from scores and the fit that made them. `y` may have classes the fit does not
# know. Several outputs are judged in units of their own.
row_losses <- function(scores, fit, y, units = 1) {
  if (!is.factor(y)) return(list(rmse = rowMeans(sweep(scores - as.matrix(y), 2, units, `/`)^2)))
  truth <- match(as.character(y), fit$levels)
  target <- matrix(0, length(y), ncol(scores))
  known <- !is.na(truth)
  target[cbind(which(known), truth[known])] <- 1
  prob <- softmax(temperature_of(fit) * scores)
  p <- rep(0, length(y))
  p[known] <- prob[cbind(which(known), truth[known])]
  list(rmse = rowMeans((scores - target)^2),
       accuracy = as.numeric(known & max.col(scores, "first") == truth),
       log_loss = -log(pmax(p, 1e-15)), brier = rowSums(prob^2) - 2 * p + 1)
}

# The grid has one temperature per combination, from the leave-one-out scores of its training rows.
temperature_of <- function(fit) {
  targets <- subset_targets(fit$data$targets, loo_rows(fit))
  best_temperature_cpp(loo_scores(fit), targets$classes, row_weights(targets))
}

output_units <- function(y, w = rep(1, NROW(y))) {
  if (!is.matrix(y) || ncol(y) == 1) return(1)
  apply(y, 2, function(v) sqrt(sum(w * (v - sum(w * v) / sum(w))^2) / sum(w)))
}

metric_mean <- function(metric, losses, w) {
  value <- sum(w * losses[[metric]]) / sum(w)
  if (metric == "rmse") sqrt(value) else value
}

# Metrics of one combination: leave-one-out (part NULL) or of a fit without the rows of a part.
peer_metrics <- function(model, x, y, arguments, seed, metrics, part = NULL,
                         case_weights = NULL, ...) {
  case <- if (is.null(case_weights)) rep(1, nrow(x)) else case_weights
  train <- setdiff(seq_len(nrow(x)), part)
  fit <- fit_combination(model, x[train, , drop = FALSE], take(y, train), arguments, seed = seed,
                         case_weights = case_weights[train], ...)
  if (is.null(part)) {
    losses <- row_losses(loo_scores(fit), fit, y, output_units(y, case))
    part <- train
  } else {
    losses <- row_losses(unname(predict(fit, x[part, , drop = FALSE], type = "score")), fit,
                         take(y, part), output_units(y, case))
  }
  vapply(metrics, metric_mean, numeric(1), losses, case[part])
}

# All combinations: a matrix with one row each.
peer_table <- function(model, x, y, grid, seed, metrics, part = NULL, case_weights = NULL, ...) {
  rows <- lapply(combinations(grid), function(arguments) {
    peer_metrics(model, x, y, arguments, seed, metrics, part, case_weights, ...)
  })
  do.call(rbind, rows)
}

metrics_of <- function(y) if (is.factor(y)) c("accuracy", "rmse", "log_loss", "brier") else "rmse"

# Expects that every metric of the tuner, by leave-one-out and on folds, is that of separate fits.
expect_peers <- function(model, x, y, grid, fold = rep_len(1:3, nrow(x)), case_weights = NULL,
                         seed = 7, ..., tolerance = 1e-8) {
  metrics <- metrics_of(y)
  wanted <- peer_table(model, x, y, grid, seed, metrics, NULL, case_weights, ...)
  parts <- lapply(sort(unique(fold)), function(f) {
    peer_table(model, x, y, grid, seed, metrics, which(fold == f), case_weights, ...)
  })
  tune <- function(resampling, metric) {
    cawi_tune(x, y, model, grid, resampling = resampling, metric = metric, seed = seed,
              case_weights = case_weights, ...)
  }
  for (metric in metrics) {
    loo <- tune("loo", metric)
    expect_identical(nrow(loo$results), nrow(wanted))
    expect_lt(max(abs(loo$results$mean - wanted[, metric])), tolerance)
    held <- tune(fold, metric)
    for (i in seq_along(parts)) {
      found <- held$parts$mean[held$parts$fold == sort(unique(fold))[i]]
      expect_identical(length(found), nrow(parts[[i]]))
      expect_lt(max(abs(found - parts[[i]][, metric])), tolerance)
    }
    each <- do.call(cbind, lapply(parts, function(part) part[, metric]))
    expect_equal(held$results$mean, unname(rowMeans(each)), tolerance = tolerance)
  }
}

# A tuned grid without its clock.
same_tuned <- function(tuned) {
  tuned$seconds <- NULL
  tuned$fit <- timeless(tuned$fit)
  tuned
}

# The beginning of an automatic search.
search_of <- function(x, y, inits = "iid", limit = FALSE) {
  models <- if (limit) c("rvfl", "elm") else "rvfl"
  limits <- list(hidden = 10, draws = 1, models = models, inits = inits, limit = limit,
                 fixed = list(na_action = "fail", standardize = TRUE))
  new_search(input_of(x, y), limits, new_run(1, 1, environment()))
}
