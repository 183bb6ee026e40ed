#' @export
print.cawi_tuned <- function(x, n = 5, ...) {
  check_dots(rlang::enquos(...))
  n <- check_count(n, "n", min = 0)
  x <- check_tuned(x, "x")
  sound(x, "x", {
    cat(sprintf("<cawi_tuned> %s, %s combinations by %s\n", model_labels[[x$model]],
                format(nrow(x$results), big.mark = ",", decimal.mark = "."), x$resampling))
    cat(sprintf("  chosen: %s\n", configuration_text(x)))
    rule <- if (x$one_se) ", the simplest within one standard error" else ""
    cat(sprintf("  %s %s (se %s)%s\n", metric_label(x$metric), number_text(x$chosen$mean, 4),
                number_text(x$chosen$se, 2), rule))
    cat_code(x$fit)
    cat_trimmed(x$fit)
    if (n > 0 && nrow(x$results) > 1L) {
      cat("\nBest combinations:\n")
      print(utils::head(sorted_results(x), n), row.names = FALSE, digits = 4)
    }
    invisible(x)
  })
}

#' @export
summary.cawi_tuned <- function(object, ...) {
  check_dots(rlang::enquos(...))
  sorted_results(check_tuned(object))
}

sorted_results <- function(x) {
  loss <- if (x$maximize) -x$results$mean else x$results$mean
  table <- x$results[order(loss, x$results$rmse, x$results$columns, -x$results$lambda), ]
  rownames(table) <- NULL
  table
}

metric_label <- function(metric) {
  c(accuracy = "accuracy", log_loss = "log-loss", brier = "Brier score", auc = "AUC",
    rmse = "RMSE", metric = "metric")[[metric]]
}

# The chosen values in words, those of the grid only.
configuration_text <- function(x) {
  axes <- names(x$grid)[lengths(x$grid) > 1L]
  if (length(axes) == 0L) return("the only one")
  values <- vapply(axes, function(axis) {
    value <- if (axis == "lambda") x$fit$lambda else x$chosen[[axis]]
    value <- unique(as.vector(value))
    if (is.numeric(value)) number_text(value) else as.character(value)
  }, character(1))
  paste(axes, values, collapse = ", ")
}

#' Predictions of a tuned model
#'
#' Predictions of the chosen model, which was fitted to all rows.
#'
#' @param object A `cawi_tuned` from [cawi_tune()].
#' @param new_data,type,threads,level,to,... As for [predict.cawi_model()].
#' @return As for [predict.cawi_model()].
#' @examples
#' grid <- cawi_grid(hidden = c(10, 20), lambda = 10^(-2:2))
#' tuned <- cawi_tune(Species ~ ., iris, grid = grid, seed = 1)
#' predict(tuned, iris[c(1, 51, 101), ], type = "prob")
#' @export
predict.cawi_tuned <- function(object, new_data, type = NULL, threads = NULL, level = 0.9,
                               to = NULL, ...) {
  new_data <- given_new_data(new_data, rlang::enquos(...))
  stats::predict(check_tuned(object)$fit, new_data, type = type, threads = threads, level = level,
                 to = to)
}

check_tuned <- function(object, arg = "object", call = caller_env()) {
  check_data_only(object, arg, call)
  object <- migrated(object, "tuned")
  if (!holds(is_tuned(object))) abort_damaged(arg, broken_parts, object, call)
  object$fit <- check_model(object$fit, arg, call)
  invisible(object)
}

is_tuned <- function(object) {
  figures <- c("combination", "columns", "mean", "rmse", "lambda")
  table <- object$results
  identical(object$format, model_format) && inherits(object$fit, "cawi_model") &&
    is_number_frame(table, figures) && is.numeric(table$se) &&
    is_sound_frame(object$chosen, names(table)) &&
    is_row_of(object$chosen, table, c(figures, "se")) &&
    inherits(object$grid, "cawi_grid") && sound_trimmed(object) &&
    (is_trimmed(object, "sources") || is.null(grid_problem(object$grid))) &&
    has_axes(table, object$grid) && is_row_of(object$chosen, table, names(object$grid)) &&
    is_flag(object$maximize) && is_flag(object$one_se) && is_count(object$seconds) &&
    is_word(object$metric, c(metric_names, "metric")) &&
    identical(object$model, object$fit$spec$model) && is_string(object$resampling)
}

# Every value of an axis is one of its grid.
has_axes <- function(table, grid) {
  of_grid <- function(axis) all(table[[axis]] %in% shown_values(grid[[axis]]))
  all(names(grid) %in% names(table)) && all(vapply(names(grid), of_grid, logical(1)))
}

# Is the one line of a table what the line of the same combination is in another?
is_row_of <- function(chosen, table, columns) {
  line <- match(chosen$combination, table$combination)
  nrow(chosen) == 1L && !is.na(line) &&
    isTRUE(all.equal(as.list(chosen)[columns], as.list(table[line, ])[columns]))
}

#' @export
coef.cawi_tuned <- function(object, ...) coef(check_tuned(object)$fit, ...)

#' @export
fitted.cawi_tuned <- function(object, ...) stats::fitted(check_tuned(object)$fit, ...)

#' @export
residuals.cawi_tuned <- function(object, ...) stats::residuals(check_tuned(object)$fit, ...)

# The chosen model goes on learning. The results stay as they were when it was chosen.
#' @export
update.cawi_tuned <- function(object, ...) {
  object <- check_tuned(object)
  stats::update(object$fit, ...)
}

#' @importFrom generics tidy
#' @rdname tidy.cawi_model
#' @export
tidy.cawi_tuned <- function(x, ...) {
  check_dots(rlang::enquos(...))
  sorted_results(check_tuned(x, "x"))
}

#' @importFrom generics glance
#' @rdname tidy.cawi_model
#' @export
glance.cawi_tuned <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_tuned(x, "x")
  sound(x, "x", {
    fit <- x$fit
    glance_row(
      x$model, fit, features = length(fit$network$center), hidden = sum(fit$spec$hidden),
      init = drawn_init(fit), resampling = x$resampling, metric = x$metric, mean = x$chosen$mean,
      se = x$chosen$se, seconds = x$seconds, lambda = common_penalty(fit$lambda),
      combinations = nrow(x$results)
    )
  })
}
