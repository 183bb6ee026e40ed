# The summaries that broom users know, with the same columns for models, tuned and automatic ones.

#' @importFrom generics tidy
#' @export
generics::tidy

#' @importFrom generics glance
#' @export
generics::glance

#' @importFrom generics augment
#' @export
generics::augment

#' Tidy summaries of a randomized network
#'
#' `tidy()` of a model gives the coefficients of its readout. `tidy()` of a tuned or automatic model
#' gives every combination that was tried, best first. `glance()` gives one line about the model,
#' and `augment()` the data with predictions beside them.
#'
#' For tuned and automatic models `tidy()` has the columns of `$results`: the arguments that were
#' tried, `metric`, its `mean` and standard error `se`, and the `rmse` of the scores. For all models
#' `glance()` has `model`, `task`, `nobs`, `features`, `hidden` (number of nodes in all), `init`,
#' `lambda` (`NA` where outputs or readouts have several; `$lambda` has them all), `resampling`,
#' `metric`, `mean`, `se`, `seconds`, `combinations` and `members`; the last two are 1 for a model
#' that was fitted once. [cawi_auto()] compares candidates by the `rmse` of their scores, for
#' classes too; the `metric` of its `glance()` is the accuracy then.
#'
#' @param x A model, or the result of [cawi_tune()] or [cawi_auto()].
#' @param new_data Data to predict.
#' @param ... Not used.
#' @return A data frame. Predictions are in `.pred`, or for classes in `.pred_class` and
#'   `.pred_<class>`; several outputs are `.pred_<output>`, named as [predict()][predict.cawi_model]
#'   names its columns.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 20, seed = 1)
#' head(tidy(fit))
#' glance(fit)
#' head(augment(fit, iris))
#' @name tidy.cawi_model
#' @export
tidy.cawi_model <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_model(x, "x")
  sound(x, "x", {
    parts <- coef(x)
    if (!is.list(parts)) parts <- list(parts)
    outputs <- output_labels(x)
    do.call(rbind, lapply(seq_along(parts), function(k) {
      data.frame(readout = k, term = rep(rownames(parts[[k]]), x$outputs),
                 output = rep(outputs, each = nrow(parts[[k]])), estimate = as.vector(parts[[k]]))
    }))
  })
}

# A single output without a name is `y`.
output_labels <- function(x) if (is.null(x$output_names)) "y" else x$output_names

#' @rdname tidy.cawi_model
#' @export
glance.cawi_model <- function(x, ...) {
  check_dots(rlang::enquos(...))
  x <- check_model(x, "x")
  sound(x, "x", {
    glance_row(
      x$spec$model, x, features = length(x$network$center), hidden = sum(x$spec$hidden),
      init = drawn_init(x),
      resampling = if (is.null(x$loo)) NA_character_ else held_out_by(x),
      metric = if (is.null(x$loo)) NA_character_ else x$loo$name,
      mean = if (is.null(x$loo)) NA_real_ else x$loo$value, seconds = sum(x$seconds),
      lambda = common_penalty(x$lambda)
    )
  })
}

# The figure of a source is that of its sampled rows on folds.
held_out_by <- function(x) {
  if (is.null(x$source)) "exact leave-one-out" else paste(x$source$folds, "folds")
}

# One line with the columns that all have.
glance_row <- function(model, x, ..., se = NA_real_, combinations = 1L, members = 1L) {
  own <- list(...)
  columns <- c(
    list(model = model, task = x$task, nobs = x$nobs),
    own[c("features", "hidden", "init", "lambda", "resampling", "metric", "mean")],
    list(se = se), own["seconds"], list(combinations = combinations, members = members)
  )
  as.data.frame(columns)
}

# NA where outputs or readouts have several.
common_penalty <- function(lambda) {
  values <- unique(unlist(lambda, use.names = FALSE))
  if (length(values) == 1L) values else NA_real_
}

# The distribution of the weights by the name that `init` has for it.
drawn_init <- function(x) {
  if (is_given(x$spec$init)) return("given")
  if (is_gradient(x$spec)) return("gradient")
  family <- layer_families(x)
  if (length(family) == 0L || family[1L] == "independence") "iid" else family[1L]
}

#' @rdname tidy.cawi_model
#' @export
augment.cawi_model <- function(x, new_data, ...) {
  augment_with(x, given_new_data(new_data, rlang::enquos(...), c("x", "new_data")))
}

#' @rdname tidy.cawi_model
#' @export
augment.cawi_tuned <- augment.cawi_model

#' @rdname tidy.cawi_model
#' @export
augment.cawi_auto <- augment.cawi_model

augment_with <- function(x, new_data) {
  if (is_source(new_data)) {
    message <- paste("{.fn augment} is for rows in memory; {.code predict(to = )} writes those of",
                     "a source.")
    abort_argument("new_data", message, caller_env())
  }
  if (is_sparse(new_data)) {
    message <- c("{.arg new_data} is sparse: predictions cannot stand beside its columns.",
                 i = "{.fn predict} gives them alone.")
    abort_argument("new_data", message, caller_env())
  }
  predicted <- predict(x, new_data)
  added <- if (is.factor(predicted)) {
    prob <- predict(x, new_data, type = "prob")
    colnames(prob) <- paste0(".pred_", colnames(prob))
    data.frame(.pred_class = predicted, prob, check.names = FALSE)
  } else {
    value <- as.matrix(predicted)
    colnames(value) <- if (ncol(value) == 1L) ".pred" else paste0(".pred_", colnames(value))
    as.data.frame(value)
  }
  # A plain vector is one row.
  if (is.null(dim(new_data)) && is.atomic(new_data)) new_data <- t(new_data)
  # Of a matrix that says it is some kind of table, the numbers and names are meant.
  if (is.matrix(new_data)) new_data <- unclass(new_data)
  data <- as.data.frame(unclass_table(new_data))
  if (nrow(data) != nrow(added)) {
    abort_argument("new_data", "{.arg new_data} must be a data frame or a matrix.", caller_env())
  }
  names <- c(names(data), names(added))
  twice <- intersect(names[duplicated(names)], names(added))
  if (length(twice) > 0L) {
    message <- paste("{.arg new_data} or a class has the name of a column of predictions:",
                     "{.val {twice}}.")
    message <- c(message, i = "Rename it, or take {.fn predict}.")
    abort_argument("new_data", message, caller_env())
  }
  cbind(data, added)
}

unclass_table <- function(x) if (inherits(x, "table")) unclass(x) else x
