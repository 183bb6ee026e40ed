#' @export
print.cawi_tuned <- function(x, n = 5, ...) {
  cat(sprintf("<cawi_tuned> %s, %s combinations by %s\n", model_labels[[x$model]],
              format(nrow(x$results), big.mark = ","), x$resampling))
  cat(sprintf("  chosen: %s\n", configuration_text(x)))
  cat(sprintf("  %s %s (se %s)%s\n", metric_label(x$metric), number_text(x$best$mean, 4),
              number_text(x$best$se, 2), if (x$one_se) ", the simplest within one standard error" else ""))
  if (n > 0 && nrow(x$results) > 1L) {
    cat("\nBest combinations:\n")
    print(utils::head(sorted_results(x), n), row.names = FALSE, digits = 4)
  }
  invisible(x)
}

#' @export
summary.cawi_tuned <- function(object, ...) sorted_results(object)

sorted_results <- function(x) {
  loss <- if (x$maximize) -x$results$mean else x$results$mean
  table <- x$results[order(loss, x$results$squared, x$results$columns, -x$results$lambda), ]
  table$rmse <- sqrt(table$squared)
  table$row <- table$squared <- NULL
  names(table)[names(table) == "mean"] <- x$metric
  if (x$metric == "rmse") table <- table[!duplicated(names(table))]
  rownames(table) <- NULL
  table
}

metric_label <- function(metric) {
  c(accuracy = "accuracy", log_loss = "log-loss", brier = "Brier score", rmse = "RMSE",
    metric = "metric")[[metric]]
}

# The chosen values in words, those of the grid only.
configuration_text <- function(x) {
  axes <- names(x$grid)[lengths(x$grid) > 1L]
  if (length(axes) == 0L) return("the only one")
  values <- vapply(axes, function(axis) {
    value <- x$best[[axis]]
    if (is.numeric(value)) format(signif(value, 3), drop0trailing = TRUE) else as.character(value)
  }, character(1))
  paste(axes, values, collapse = ", ")
}

#' Predictions of a tuned model
#'
#' The chosen model was fitted to all rows; these are its predictions.
#'
#' @param object A `cawi_tuned` from [cawi_tune()].
#' @param new_data,type,threads,... As for [predict.cawi_model()].
#' @return As for [predict.cawi_model()].
#' @examples
#' grid <- cawi_grid(hidden = c(10, 20), lambda = 10^(-2:2))
#' tuned <- cawi_tune(iris[, 1:4], iris$Species, grid = grid, seed = 1)
#' predict(tuned, iris[c(1, 51, 101), 1:4], type = "prob")
#' @export
predict.cawi_tuned <- function(object, new_data, type = NULL, threads = NULL, ...) {
  if (!is.list(object) || !inherits(object$fit, "cawi_model")) {
    abort_argument("object", "{.arg object} is damaged: it has no model.", environment())
  }
  if (missing(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", environment())
  stats::predict(object$fit, new_data, type = type, threads = threads, ...)
}

#' @importFrom generics tidy
#' @export
tidy.cawi_tuned <- function(x, ...) sorted_results(x)

#' @importFrom generics glance
#' @export
glance.cawi_tuned <- function(x, ...) {
  data.frame(model = x$model, combinations = nrow(x$results), resampling = x$resampling,
             metric = x$metric, mean = x$best$mean, se = x$best$se, seconds = x$seconds)
}
