#' Predictions of a randomized network
#'
#' @param object A `cawi_model`.
#' @param new_data A data frame or matrix with the features of the training data, in any order;
#'   further columns are ignored.
#' @param type `"class"` (the default for classification), `"prob"`, `"score"` (what the readout
#'   gives), or `"numeric"` (the default for regression).
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return One result a row, in order: a factor, a matrix of probabilities or of scores, or a numeric
#'   vector (a matrix for several outputs). Rows with missing values are `NA` under
#'   `na_action = "omit"`.
#'
#' Probabilities are `softmax(t * score)`, the temperature `t` being the one that minimises the
#' log-loss of the leave-one-out scores of the training data. They sum to one, and the most probable
#' class is the class predicted.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, seed = 1)
#' predict(fit, iris[c(1, 51, 101), 4:1])
#' round(predict(fit, iris[c(1, 51, 101), ], type = "prob"), 3)
#' @export
predict.cawi_model <- function(object, new_data, type = NULL, threads = NULL, ...) {
  check_model(object)
  type <- check_predict_type(object, type)
  if (missing(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", environment())
  x <- forge_new_data(object, new_data)
  as_prediction(object, complete_scores(object, x, resolve_threads(threads)), type)
}

check_predict_type <- function(object, type, call = caller_env()) {
  choices <- if (object$task == "classification") c("class", "prob", "score") else c("numeric", "score")
  if (is.null(type)) return(choices[1L])
  check_choice(type, choices, "type", call)
}

# Scores of all rows; rows with holes are NA.
complete_scores <- function(object, x, threads) {
  complete <- if (is.finite(sum(x))) rep(TRUE, nrow(x)) else rowSums(is.na(x)) == 0
  scores <- matrix(NA_real_, nrow(x), object$outputs)
  if (any(complete)) {
    part <- if (all(complete)) x else x[complete, , drop = FALSE]
    scores[complete, ] <- rethrow_core_errors(model_scores(object, part, threads))
  }
  colnames(scores) <- object$output_names
  scores
}

as_prediction <- function(object, scores, type) {
  switch(type,
    score = scores,
    numeric = if (ncol(scores) == 1L) unname(scores[, 1L]) else scores,
    class = factor(object$levels[best_class(scores)], object$levels),
    prob = class_probabilities(object, scores)
  )
}

# First of equals, NA for rows without scores.
best_class <- function(scores) {
  best <- rep(NA_integer_, nrow(scores))
  known <- !is.na(scores[, 1L])
  if (any(known)) best[known] <- max.col(scores[known, , drop = FALSE], "first")
  best
}

class_probabilities <- function(object, scores) {
  if (is.null(object$temperature)) {
    abort_argument(
      "type", "Probabilities need leave-one-out scores, which a singular problem does not have; use a positive {.arg lambda}.",
      caller_env()
    )
  }
  known <- !is.na(scores[, 1L])
  scores[known, ] <- exp(log_softmax(object$temperature * scores[known, , drop = FALSE]))
  scores
}

# An edited or damaged model is caught here, before any C++ runs.
check_model <- function(object, call = caller_env()) {
  bad <- function(what) {
    abort_argument("object", "{.arg object} is damaged or not a model of this version: {what}.", call)
  }
  if (!inherits(object, "cawi_model") || !is.list(object)) bad("it is not a cawi_model")
  if (!identical(object$format, model_format)) bad("its format is not the one expected")
  network <- object$network
  if (!is.list(network) || !is.list(network$layers) || length(network$layers) == 0L) bad("it has no layers")
  inputs <- length(network$center)
  if (!is_finite_vector(network$center) || !is_finite_vector(network$scale, inputs)) bad("its scaling is incomplete")
  if (!isTRUE(network$wiring %in% c("stacked", "skip"))) bad("its wiring is unknown")
  if (!is_flag(network$direct) || !is_flag(network$intercept)) bad("its readout is unknown")
  expected <- inputs
  for (layer in network$layers) {
    if (!is_finite_matrix(layer$weights, expected) || !is_finite_vector(layer$bias, ncol(layer$weights))) {
      bad("the sizes of its layers do not fit")
    }
    if (!isTRUE(layer$activation %in% activation_names)) bad("an activation is unknown")
    expected <- ncol(layer$weights) + if (network$wiring == "skip") inputs else 0L
  }
  check_readouts(object, bad)
  invisible(object)
}

check_readouts <- function(object, bad) {
  if (!is.list(object$readouts) || length(object$readouts) == 0L) bad("it has no readout")
  columns <- readout_columns(object$network)
  if (length(columns) != length(object$readouts)) bad("it lacks readouts")
  for (k in seq_along(columns)) {
    width <- if (is.null(columns[[k]])) network_columns(object$network) else length(columns[[k]])
    readout <- object$readouts[[k]]
    if (!identical(readout$columns, columns[[k]]) || !is_finite_matrix(readout$coefficients, width) ||
          ncol(readout$coefficients) != object$outputs) {
      bad("its coefficients do not fit its layers")
    }
  }
  if (!isTRUE(object$task %in% c("classification", "regression"))) bad("its task is unknown")
  if (object$task == "classification" && length(object$levels) != object$outputs) bad("its classes do not fit")
  if (!is.list(object$preprocessor)) bad("its preprocessing is missing")
}

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
#' @param fit A `cawi_model`.
#' @return A matrix with one row a row of `new_data`.
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 5, lambda = 1, seed = 1)
#' a <- cawi_features(fit, iris)
#' dim(a)
#' y <- model.matrix(~ Species - 1, iris)
#' all.equal(coef(fit), solve(crossprod(a) + diag(ncol(a)), crossprod(a, y)), check.attributes = FALSE)
#' @export
cawi_features <- function(fit, new_data, threads = NULL) {
  check_model(fit)
  x <- forge_new_data(fit, new_data)
  a <- rethrow_core_errors(features_cpp(x, fit$network, NULL, resolve_threads(threads)))
  colnames(a) <- feature_labels(fit)
  a
}

feature_labels <- function(object) {
  widths <- vapply(object$network$layers, function(layer) length(layer$bias), integer(1))
  inputs <- object$feature_names
  if (is.null(inputs)) inputs <- paste0("x", seq_along(object$network$center))
  hidden <- unlist(lapply(seq_along(widths), function(l) paste0("h", l, "_", seq_len(widths[l]))))
  c(if (object$network$direct) inputs, hidden, if (object$network$intercept) "(Intercept)")
}
