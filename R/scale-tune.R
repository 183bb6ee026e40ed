# Penalties of a source: one fit has the exact errors of all of them on every fold.

tune_source <- function(asked, model, grid, fixed, tuning, call) {
  clock <- clock_seconds()
  check_source_tuning(tuning, call)
  grid <- complete_grid(if (is.null(grid)) cawi_grid() else grid, model, fixed, call)
  several <- setdiff(names(grid)[lengths(grid) > 1L], "lambda")
  if (length(several) > 0L) {
    message <- "A {.cls cawi_source} is tuned over {.arg lambda} alone, not over {.arg {several}}."
    hint <- "Each other value would read all rows again; tune on a sample, then fit the source."
    abort_argument("grid", c(message, i = hint), call)
  }
  values <- lapply(unclass(grid), function(axis) if (is.list(axis)) axis[[1L]] else axis)
  arguments <- utils::modifyList(fixed, values, keep.null = TRUE)
  arguments <- c(arguments, Filter(Negate(is.null), tuning[c("seed", "threads", "checkpoint")]))
  given <- complete_arguments(model, arguments, call)
  asked_for <- asked[c("x", "case_weights", "intercept")]
  done <- keep_generator(rethrow_core_errors(
    fit_source_parts(model, asked_for, asked$source, given, call), call
  ))
  tuned <- source_results(done, grid)
  best <- tuned$results[last_least(tuned$results$mean), ]
  structure(
    list(format = model_format, version = own_version(),
         model = model, results = tuned$results, parts = tuned$parts, chosen = best,
         best = utils::modifyList(arguments, list(lambda = best$lambda)), fit = done$object,
         grid = grid, metric = "rmse", maximize = FALSE,
         resampling = source_resampling(asked$source),
         folds = NULL, one_se = FALSE, seed = done$object$seed,
         seconds = clock_seconds() - clock),
    class = "cawi_tuned"
  )
}

source_resampling <- function(source) {
  if (source$loo) "exact leave-one-out" else paste(source$folds, "folds of a source")
}

# Sums know squared errors on their folds, and nothing else.
check_source_tuning <- function(tuning, call) {
  refuse <- function(arg, text) {
    abort_argument(arg, paste("{.arg {arg}} must be", text, "for a {.cls cawi_source}."), call)
  }
  if (!is.null(tuning$metric) && !identical(tuning$metric, "rmse")) {
    refuse("metric", "{.val rmse}")
  }
  if (tuning$one_se) refuse("one_se", "FALSE")
  if (!identical(tuning$resampling, "loo")) {
    refuse("resampling", "left out (the source has its {.arg folds})")
  }
}

# One line per penalty. Errors are means over outputs and readouts, in the unit of a single output.
source_results <- function(done, grid) {
  errors <- done$errors
  unit <- error_unit(done$targets)
  rmse <- function(squared, weight) {
    sqrt(Reduce(`+`, lapply(squared, rowMeans)) / length(squared) / weight) * unit
  }
  table <- as.data.frame(grid)
  table$combination <- seq_len(nrow(table))
  table$columns <- network_columns(done$object$network)
  table$metric <- "rmse"
  table$mean <- table$rmse <- rmse(errors$squared, errors$weight)
  parts <- lapply(seq_along(errors$folds[[1L]]), function(k) {
    squared <- lapply(errors$folds, function(readout) readout[[k]]$squared_error)
    rmse(squared, errors$folds[[1L]][[k]]$weight)
  })
  # A third pass has no folds.
  spread <- if (length(parts) > 0L) apply(do.call(cbind, parts), 1L, stats::sd) else NA_real_
  table$se <- spread / sqrt(max(length(parts), 1L))
  parts <- do.call(rbind, lapply(seq_along(parts), function(k) {
    data.frame(combination = table$combination, rep = 1, fold = k, mean = parts[[k]],
               metric = "rmse")
  }))
  list(results = table[c(names(grid), "combination", "columns", "metric", "mean", "se", "rmse")],
       parts = parts)
}
