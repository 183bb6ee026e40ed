#' Predictions of a randomized network
#'
#' @section Probabilities:
#' Each class has a curve that turns its score into a logit. With the score `s` of class k the logit
#' is `slope * s + bend * asinh(s / 0.15) + shift`, and the probabilities are the softmax of the
#' logits. The parameters of the curves are fitted to the exact leave-one-out scores of the training
#' data. Where a class has few rows, they are drawn toward those of the other classes, so that
#' probabilities of rare classes hold too.
#'
#' Probabilities sum to one. The predicted class is the most probable one; it may differ from the
#' class with the largest score.
#'
#' @param object A `cawi_model`.
#' @param new_data A data frame or matrix with the features of the training data, in any order;
#'   further columns are ignored. `newdata` is understood too.
#' @param type `"class"` (the default for classification), `"prob"`, `"score"` (what the readout
#'   gives), or `"numeric"` (the default for regression).
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used; a misspelled argument is an error.
#' @return One result per row, in order: a factor, a matrix of probabilities or of scores, or a
#'   numeric vector. Several outputs are a matrix with their names, `y1`, `y2`, ... if they have
#'   none. Rows with missing values are `NA` under `na_action = "omit"`. A factor has all levels of
#'   the response, and is ordered if the response was; a level without training rows has probability
#'   zero and no score.
#' @references
#' Allen, D. M. (1974). The relationship between variable selection and data augmentation and a
#' method for prediction. *Technometrics* 16, 125-127. (leave-one-out in closed form)
#'
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *ICML*, 1321-1330. (a slope and a shift per class)
#'
#' Platt, J. C. (1999). Probabilistic outputs for support vector machines and comparisons to
#' regularized likelihood methods. In *Advances in Large Margin Classifiers*, 61-74. MIT Press.
#' (probabilities from held-out scores)
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, seed = 1)
#' predict(fit, iris[c(1, 51, 101), 4:1])
#' round(predict(fit, iris[c(1, 51, 101), ], type = "prob"), 3)
#' @export
predict.cawi_model <- function(object, new_data, type = NULL, threads = NULL, ...) {
  # Capturing even no arguments takes a while beside the prediction of a row.
  new_data <- given_new_data(new_data, if (...length() > 0L) rlang::enquos(...))
  object <- check_model(object, problem_of = prediction_problem)
  sound(object, "object", {
    type <- check_predict_type(object, type)
    data <- forge_new_data(object, new_data)
    as_prediction(object, complete_scores(object, data$x, resolve_threads(threads)), type, data)
  })
}

# `newdata` is what other packages call it.
given_new_data <- function(new_data, dots, own = c("object", "new_data", "type", "threads"),
                           call = caller_env()) {
  check_dots(dots, "newdata", call, own)
  if (!missing(new_data) && "newdata" %in% names(dots)) {
    message <- "{.arg new_data} and {.arg newdata} are the same: give one of them."
    abort_argument("new_data", message, call)
  }
  if (missing(new_data) && "newdata" %in% names(dots)) new_data <- rlang::eval_tidy(dots$newdata)
  if (missing(new_data) || is.null(new_data)) {
    abort_argument("new_data", "{.arg new_data} is missing.", call)
  }
  new_data
}

check_predict_type <- function(object, type, call = caller_env()) {
  classes <- object$task == "classification"
  choices <- if (classes) c("class", "prob", "score") else c("numeric", "score")
  if (is.null(type)) return(choices[1L])
  check_choice(type, choices, "type", call)
}

complete_scores <- function(object, x, threads, call = caller_env()) {
  scores_of <- function(part) model_scores(object, part, threads)
  scores <- on_complete_rows(x, object$outputs, scores_of, call)
  check_scores(scores, x, object, call)
  colnames(scores) <- object$output_names
  scores
}

# Features so far from the training data that a score leaves the range of numbers have no answer.
check_scores <- function(scores, x, object, call) {
  if (is.finite(sum(scores))) return(invisible())
  lost <- which(rowSums(!is.finite(scores)) > 0 & rowSums(is.na(x)) == 0)
  if (length(lost) == 0L) return(invisible())
  distance <- abs((x[lost[1L], ] - object$network$center) / object$network$sd)
  far <- which.max(replace(distance, is.na(distance), Inf))
  column <- if (is.null(object$feature_names)) paste(far) else object$feature_names[far]
  message <- paste("Row {lost[1L]} of {.arg new_data} is too far from the training data to be",
                   "predicted, in column {.val {column}}.")
  abort_argument("new_data", message, call)
}

# f of the rows without holes, NA for the others.
on_complete_rows <- function(x, columns, f, call = caller_env()) {
  complete <- if (all_finite_cpp(x)) rep(TRUE, nrow(x)) else rowSums(is.na(x)) == 0
  if (all(complete) && nrow(x) > 0L) {
    return(rethrow_core_errors(f(x), call, 8 * nrow(x) * columns))
  }
  result <- matrix(NA_real_, nrow(x), columns)
  if (any(complete)) {
    result[complete, ] <- rethrow_core_errors(f(x[complete, , drop = FALSE]), call)
  }
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
  outcome <- object$outcome
  factor(object$levels[best_class(scores)], outcome$levels, ordered = outcome$ordered)
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
    message <- paste("Probabilities need leave-one-out scores, which a singular problem does not",
                     "have; use a positive {.arg lambda}.")
    abort_argument("type", message, call)
  }
  # A level that no row of the training data had is known, and has no probability.
  levels <- object$outcome$levels
  result <- matrix(0, nrow(scores), length(levels), dimnames = list(NULL, levels))
  result[, match(object$levels, levels)] <- known_probabilities(object, scores)
  result[is.na(scores[, 1L]), ] <- NA_real_
  result
}

known_probabilities <- function(object, scores) {
  known <- !is.na(scores[, 1L])
  if (any(known)) {
    scores[known, ] <- apply_calibration(object$calibration, scores[known, , drop = FALSE])
  }
  scores
}

# Mean of the readouts' scores: one for most models, one per layer for ensembles.
model_scores <- function(object, x, threads) {
  coefficients <- lapply(object$readouts, function(readout) readout$coefficients)
  if (is_infinite(object$spec)) return(infinite_scores(object$network, coefficients, x, threads))
  scores_cpp(x, object$network, coefficients, threads)
}
