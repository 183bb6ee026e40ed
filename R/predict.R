#' Predictions of a randomized network
#'
#' @param object A `cawi_model`.
#' @param new_data A data frame or matrix with the features of the training data, in any order;
#'   further columns are ignored. `newdata` is understood too.
#' @param type `"class"` (the default for classification), `"prob"`, `"score"` (what the readout
#'   gives), or `"numeric"` (the default for regression).
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used; a misspelt argument is an error.
#' @return One result per row, in order: a factor, a matrix of probabilities or of scores, or a numeric
#'   vector (a matrix for several outputs). Rows with missing values are `NA` under
#'   `na_action = "omit"`. A factor has all levels that the response had, ordered if it was; a level
#'   without training rows has probability zero and no score.
#'
#' Probabilities come from the scores by a curve per class that is fitted to the exact leave-one-out
#' scores of the training data: the logit of class k is `slope * s + bend * asinh(s / 0.15) + shift` of
#' its score `s`, with parameters that are drawn toward those of the other classes where a class has few
#' rows. So they hold for rare classes too. They sum to one, and the most probable class is the class
#' predicted; it may differ from the class of the largest score.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, seed = 1)
#' predict(fit, iris[c(1, 51, 101), 4:1])
#' round(predict(fit, iris[c(1, 51, 101), ], type = "prob"), 3)
#' @export
predict.cawi_model <- function(object, new_data, type = NULL, threads = NULL, ...) {
  new_data <- given_new_data(new_data, list(...))
  check_model(object)
  sound(object, "object", {
    type <- check_predict_type(object, type)
    data <- forge_new_data(object, new_data)
    as_prediction(object, complete_scores(object, data$x, resolve_threads(threads)), type, data)
  })
}

# `newdata` is what other packages call it.
given_new_data <- function(new_data, dots, own = c("object", "new_data", "type", "threads"), call = caller_env()) {
  check_dots(dots, "newdata", call, own)
  if (!missing(new_data) && "newdata" %in% names(dots)) {
    abort_argument("new_data", "{.arg new_data} and {.arg newdata} are the same: give one of them.", call)
  }
  if (missing(new_data)) new_data <- dots$newdata
  if (is.null(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", call)
  new_data
}

check_predict_type <- function(object, type, call = caller_env()) {
  choices <- if (object$task == "classification") c("class", "prob", "score") else c("numeric", "score")
  if (is.null(type)) return(choices[1L])
  check_choice(type, choices, "type", call)
}

complete_scores <- function(object, x, threads, call = caller_env()) {
  scores <- on_complete_rows(x, object$outputs, function(part) model_scores(object, part, threads), call)
  check_scores(scores, x, object, call)
  colnames(scores) <- object$output_names
  scores
}

# Features so far from the training data that a score leaves the range of numbers have no answer.
check_scores <- function(scores, x, object, call) {
  if (is.finite(sum(scores))) return(invisible())
  lost <- which(rowSums(!is.finite(scores)) > 0 & rowSums(is.na(x)) == 0)
  if (length(lost) == 0L) return(invisible())
  distance <- abs((x[lost[1L], ] - object$network$center) / object$network$scale)
  far <- which.max(replace(distance, is.na(distance), Inf))
  column <- if (is.null(object$feature_names)) paste(far) else object$feature_names[far]
  abort_argument(
    "new_data",
    "Row {lost[1L]} of {.arg new_data} is too far from the training data to be predicted, in column {.val {column}}.",
    call
  )
}

# f of the rows without holes, NA for the others.
on_complete_rows <- function(x, columns, f, call = caller_env()) {
  complete <- if (is.finite(sum(x))) rep(TRUE, nrow(x)) else rowSums(is.na(x)) == 0
  if (all(complete) && nrow(x) > 0L) return(rethrow_core_errors(f(x), call, 8 * nrow(x) * columns))
  result <- matrix(NA_real_, nrow(x), columns)
  if (any(complete)) result[complete, ] <- rethrow_core_errors(f(x[complete, , drop = FALSE]), call)
  result
}

# `data` may have an offset of the rows; NULL is the type that the task has first.
as_prediction <- function(object, scores, type, data = NULL, call = caller_env()) {
  if (is.null(type)) type <- if (object$task == "classification") "class" else "numeric"
  if (!is.null(data$offset)) scores <- scores + data$offset
  switch(type,
    score = scores,
    numeric = if (ncol(scores) == 1L) unname(scores[, 1L]) else scores,
    class = predicted_class(object, scores),
    prob = class_probabilities(object, scores, call)
  )
}

# The most probable class; without a calibration the one of the largest score.
predicted_class <- function(object, scores) {
  if (!is.null(object$calibration)) scores <- known_probabilities(object, scores)
  factor(object$levels[best_class(scores)], object$outcome$levels, ordered = object$outcome$ordered)
}

# First of equals, NA for rows without scores.
best_class <- function(scores) {
  best <- rep(NA_integer_, nrow(scores))
  known <- !is.na(scores[, 1L])
  if (any(known)) best[known] <- max.col(scores[known, , drop = FALSE], "first")
  best
}

class_probabilities <- function(object, scores, call) {
  if (is.null(object$calibration)) {
    abort_argument(
      "type", paste("Probabilities need leave-one-out scores, which a singular problem does not have;",
                    "use a positive {.arg lambda}."), call
    )
  }
  # A level that no row of the training data had is known, and has no probability.
  result <- matrix(0, nrow(scores), length(object$outcome$levels), dimnames = list(NULL, object$outcome$levels))
  result[, match(object$levels, object$outcome$levels)] <- known_probabilities(object, scores)
  result[is.na(scores[, 1L]), ] <- NA_real_
  result
}

known_probabilities <- function(object, scores) {
  known <- !is.na(scores[, 1L])
  if (any(known)) scores[known, ] <- apply_calibration(object$calibration, scores[known, , drop = FALSE])
  scores
}

# An edited or damaged model is caught here, before any C++ runs.
check_model <- function(object, arg = "object", call = caller_env()) {
  # A check that itself fails on a damaged list has found damage too.
  problem <- tryCatch(model_problem(object), error = function(e) "its parts are not what they should be")
  if (!is.null(problem)) abort_damaged(arg, problem, object, call)
  invisible(object)
}

# What a check of the parts misses shows itself where they are used.
sound <- function(object, arg, code, call = caller_env()) {
  force(call)
  tryCatch(code, error = function(e) {
    if (inherits(e, "cawi_error")) stop(e)
    if (is_memory_error(e)) abort_memory(NULL, conditionMessage(e), call)
    abort_damaged(arg, "its parts are not what they should be", object, call)
  })
}

abort_damaged <- function(arg, problem, object, call) {
  version <- if (is.list(object)) unclass(object)$version
  made <- is.character(version) && length(version) == 1L && !is.na(version) &&
    version != as.character(utils::packageVersion("cawi"))
  abort_argument(
    arg,
    c("{.arg {arg}} is damaged or not a model of this version: {problem}.",
      i = if (made) "It was made by release {version}."), call
  )
}

model_problem <- function(object) {
  if (!inherits(object, "cawi_model") || !is.list(object)) return("it is not a cawi_model")
  if (!identical(object$format, model_format)) return("its format is not the one expected")
  known <- is.character(object$spec$model) && object$spec$model %in% names(model_labels) &&
    object$spec$na_action %in% na_actions && object$spec$marginal %in% marginal_names &&
    is.numeric(object$spec$hidden) && length(object$spec$hidden) == length(object$network$layers)
  if (!isTRUE(known)) return("its arguments are unknown")
  figures <- is_count(object$nobs) && is_finite_vector(object$seconds, 2L) && is_count(object$seed) &&
    is_flag(object$weighted) && (is.null(object$loo) || (is_string(object$loo$text) && is_string(object$loo$name) &&
                                                           is_finite_vector(object$loo$value, 1L)))
  if (!isTRUE(figures)) return("its figures are missing")
  named <- is.null(object$feature_names) || length(object$feature_names) == length(object$network$center)
  if (!named) return("the names of its features do not fit")
  problems <- list(network_problem(object$network), output_problem(object), readout_problem(object),
                   preprocessor_problem(object$preprocessor, length(object$network$center)),
                   data_problem(object$data, object))
  unlist(problems)[1L]
}

# The training data, where they are kept.
data_problem <- function(data, object) {
  if (is.null(data)) return(NULL)
  targets <- data$targets
  rows <- nrow(data$x)
  fits <- is_finite_matrix(data$x, rows) && ncol(data$x) == length(object$network$center) &&
    identical(as.double(targets$rows), as.double(rows)) && identical(targets$task, object$task) &&
    (if (object$task == "regression") is_finite_matrix(targets$values, rows) else
      length(targets$classes) == rows && all(targets$classes %in% seq_along(object$levels)))
  if (!isTRUE(fits)) "its training data do not fit"
}

network_problem <- function(network) {
  if (!is.list(network$layers) || (length(network$layers) == 0L && !isTRUE(network$direct))) {
    return("it has no layers")
  }
  inputs <- length(network$center)
  # The scale of a constant feature is infinite.
  scaled <- is_finite_vector(network$center) && is.double(network$scale) && length(network$scale) == inputs &&
    !anyNA(network$scale) && all(network$scale > 0)
  if (!scaled) return("its scaling is incomplete")
  if (!isTRUE(network$wiring %in% c("stacked", "skip"))) return("its wiring is unknown")
  if (!is_flag(network$direct) || !is_flag(network$intercept)) return("its readout is unknown")
  expected <- inputs
  for (layer in network$layers) {
    if (!is_finite_matrix(layer$weights, expected) || !is_finite_vector(layer$bias, ncol(layer$weights))) {
      return("the sizes of its layers do not fit")
    }
    if (!isTRUE(layer$activation %in% activation_names)) return("an activation is unknown")
    if (!is.null(copula_problem(unclass(layer$copula)))) return("the copula of a layer is damaged")
    expected <- ncol(layer$weights) + if (network$wiring == "skip") inputs else 0L
  }
  NULL
}

output_problem <- function(object) {
  if (!isTRUE(object$task %in% c("classification", "regression"))) return("its task is unknown")
  count <- object$outputs
  if (!is.numeric(count) || length(count) != 1L || is.na(count) || count < 1) return("its outputs are unknown")
  named <- is.null(object$output_names) || (is.character(object$output_names) && length(object$output_names) == count)
  if (!named) return("its outputs have lost names")
  if (object$task == "regression") return(scaling_problem(object))
  if (!is.character(object$levels) || length(object$levels) != count || anyNA(object$levels) ||
        anyDuplicated(object$levels)) {
    return("its classes do not fit")
  }
  outcome <- object$outcome
  known <- is.character(outcome$levels) && all(object$levels %in% outcome$levels) && !anyDuplicated(outcome$levels) &&
    is_flag(outcome$ordered)
  if (!isTRUE(known)) return("its classes do not fit")
  if (!is.null(object$calibration) && !sound_calibration(object$calibration, count)) {
    return("its calibration is damaged")
  }
  NULL
}

scaling_problem <- function(object) {
  fits <- is_finite_vector(object$outcome$center, object$outputs) &&
    is_finite_vector(object$outcome$sd, object$outputs) && all(object$outcome$sd > 0)
  if (!isTRUE(fits)) "the scale of its response is missing"
}

readout_problem <- function(object) {
  columns <- readout_columns(object$network)
  if (!is.list(object$readouts) || length(columns) != length(object$readouts)) return("it lacks readouts")
  for (k in seq_along(columns)) {
    width <- if (is.null(columns[[k]])) network_columns(object$network) else length(columns[[k]])
    readout <- object$readouts[[k]]
    path <- readout$loo$rmse
    if (!is.null(path) && !(is.matrix(path) && nrow(path) %in% c(1L, length(readout$lambda_path)))) return("its path is damaged")
    fits <- identical(readout$columns, columns[[k]]) && is_finite_matrix(readout$coefficients, width) &&
      ncol(readout$coefficients) == object$outputs &&
      is_finite_vector(readout$lambda, if (object$task == "regression") object$outputs else 1L) &&
      all(readout$lambda >= 0)
    if (!isTRUE(fits)) return("its coefficients do not fit its layers")
  }
  NULL
}

preprocessor_problem <- function(preprocessor, inputs) {
  if (!is.list(preprocessor) || !isTRUE(preprocessor$kind %in% c("matrix", "frame", "formula", "recipe"))) {
    return("its preprocessing is missing")
  }
  if (preprocessor$kind != "matrix") return(encoding_problem(preprocessor, inputs))
  fill <- preprocessor$fill
  if (!is.null(fill) && (!is.numeric(fill) || length(fill) != inputs)) return("its imputed values do not fit")
  named <- is.null(preprocessor$names) || length(preprocessor$names) == inputs
  if (!identical(as.integer(preprocessor$columns), inputs) || !named) "its columns do not fit its layers"
}

# Updates need the sums of the readouts as well.
check_statistics <- function(object, call) {
  for (readout in object$readouts) {
    s <- readout$statistics
    if (is.null(s)) {
      abort_argument(
        "object",
        c("{.arg object} has no sums to update: with more columns than rows they would be larger than the data.",
          i = "Fit it with {.code keep_data = TRUE}."), call
      )
    }
    fits <- tryCatch({
      width <- nrow(readout$coefficients)
      s$kind %in% c("gram", "rows") && is_finite_matrix(s$aa, nrow(s$aa)) && ncol(s$aa) == width &&
        is_finite_matrix(s$ay, nrow(s$aa)) && ncol(s$ay) == object$outputs &&
        (s$kind == "rows" || nrow(s$aa) == width) &&
        identical(as.integer(s$ones), free_ones(object$network, width, object$task))
    }, error = function(e) FALSE)
    if (!isTRUE(fits)) {
      abort_argument("object", "{.arg object} is damaged: the sums that updates need do not fit.", call)
    }
  }
}

is_count <- function(x) is.numeric(x) && length(x) == 1L && is.finite(x) && x >= 0
is_flag <- function(x) is.logical(x) && length(x) == 1L && !is.na(x)
is_finite_vector <- function(x, n = length(x)) is.double(x) && length(x) == n && all(is.finite(x))
is_finite_matrix <- function(x, rows) {
  is.double(x) && is.matrix(x) && nrow(x) == rows && ncol(x) > 0L && all(is.finite(x))
}

#' The features that the readout sees
#'
#' The matrix A of a model for given data: the standardised features (with direct links), the hidden
#' nodes of every layer, and the column of ones.
#'
#' @inheritParams predict.cawi_model
#' @param fit A `cawi_model`, or a `cawi_tuned`.
#' @return A matrix with one row per row of `new_data`.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 1, seed = 1)
#' a <- cawi_features(fit, iris)
#' dim(a)
#' y <- model.matrix(~ Species - 1, iris)
#' all.equal(coef(fit), solve(crossprod(a) + diag(ncol(a)), crossprod(a, y)), check.attributes = FALSE)
#' @export
cawi_features <- function(fit, new_data, threads = NULL, ...) {
  if (missing(fit)) abort_argument("fit", "{.arg fit} is missing.", environment())
  if (inherits(fit, "cawi_auto")) {
    abort_argument(
      "fit", "Each member of {.arg fit} has features of its own: give one of {.code fit$members}.", environment()
    )
  }
  if (inherits(fit, "cawi_tuned")) fit <- check_tuned(fit, "fit")$fit
  new_data <- given_new_data(new_data, list(...))
  check_model(fit, "fit")
  x <- forge_new_data(fit, new_data)$x
  threads <- resolve_threads(threads)
  a <- on_complete_rows(x, network_columns(fit$network), function(part) {
    features_cpp(part, fit$network, NULL, threads)
  })
  colnames(a) <- feature_labels(fit)
  a
}

feature_labels <- function(object) readout_labels(object$network, object$feature_names)

# Names of the columns of A.
readout_labels <- function(network, inputs) {
  widths <- vapply(network$layers, function(layer) length(layer$bias), integer(1))
  if (is.null(inputs)) inputs <- paste0("x", seq_along(network$center))
  hidden <- unlist(lapply(seq_along(widths), function(l) paste0("h", l, "_", seq_len(widths[l]))))
  c(if (network$direct) inputs, hidden, if (network$intercept) "(Intercept)")
}
