#' Predictions of a randomized network
#'
#' Predictions run the terms of the formula or the steps of the recipe that the model has, which
#' `print()` shows, and no other code of the model; see [cawi-package].
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
#' @section Intervals:
#' Intervals are those of the jackknife+ (Barber et al., 2021). Without training row i the model
#' would predict m(i) for a new row, and it would miss row i by r(i), its leave-one-out residual.
#' Both are known exactly, without fitting again. At `level = 0.9` the upper end is the value that
#' 90 % of all `m(i) + abs(r(i))` do not exceed, and one more row that is infinitely large; the
#' lower end likewise. With too few rows for a level an end is infinite. At small levels, where the
#' ends would cross, both are the point between them.
#'
#' If the penalty, the scaling and the weights were fixed before, a new row would be within its
#' interval with a probability of at least `2 * level - 1`, whatever the distribution of the data,
#' and in practice it is about `level`. Here they have seen all rows, so the bound is approximate.
#' `inst/bench/studies/intervals.R` measures the coverage. It holds on average over new rows, not
#' for each kind of row: the intervals of a model have nearly the same width everywhere.
#'
#' Above 2,000 rows residuals of 2,000 rows stand for those of all. Above 20,000 rows ten folds are
#' left out in place of rows (CV+). A model of [cawi_auto()] with more than 2,000 rows has intervals
#' around its prediction, from the leave-one-out residuals alone. Case weights are weights of the
#' rows among the residuals.
#'
#' Intervals need the training rows (`keep_data`): each call computes what it needs from them, which
#' takes about as long as a fit, so predict many rows at once.
#'
#' @section Prediction sets:
#' A set has all classes whose probability is above a threshold (Sadinle, Lei and Wasserman, 2019),
#' and always the most probable class. At `level = 0.9` the threshold is the probability that the
#' true class reaches in 90 % of the training rows, each left out of the fit in turn. So the true
#' class of a new row is in its set with about that probability, on average over all classes; the
#' bound is approximate for the same reasons, and because the whole model predicts the new row.
#' Where the predicted class is right more often than `level`, most sets have one class. With case
#' or class weights the level is that of data with these weights.
#'
#' @param object A `cawi_model`.
#' @param new_data A data frame, matrix or sparse matrix with the features of the training data, in
#'   any order; further columns are ignored. Or a [cawi_source()] of such rows. `newdata` is
#'   understood too.
#' @param type `"class"` (the default for classification), `"prob"`, `"score"` (what the readout
#'   gives) or `"set"` (prediction sets); `"numeric"` (the default for regression), `"score"` or
#'   `"interval"`.
#' @param threads Number of threads; see [cawi-package].
#' @param level Probability with which an interval or a set shall hold the truth.
#' @param to For a [cawi_source()]: where predictions are written, chunk by chunk. A name of a CSV
#'   file (compressed if it ends in `.gz`), or a list of a connection and the name of a new table.
#'   Columns are named as by [augment()][augment.cawi_model]. The number of rows is returned.
#' @param ... Not used; a misspelled argument is an error.
#' @return One result per row, in order: a factor, a matrix of probabilities or of scores, or a
#'   numeric vector. Several outputs are a matrix with their names, `y1`, `y2`, ... if they have
#'   none. Rows with missing values are `NA` under `na_action = "omit"`. A factor has all levels of
#'   the response, and is ordered if the response was; a level without training rows has probability
#'   zero and no score.
#'
#'   Intervals are a data frame with the columns `fit`, `lower` and `upper`, one line per row. With
#'   several outputs it has a column `output` before them and one line per row and output: those of
#'   the first row, then those of the second. Sets are a logical matrix with one column per class,
#'   and their level as attribute `level`.
#' @references
#' Allen, D. M. (1974). The relationship between variable selection and data augmentation and a
#' method for prediction. *Technometrics* 16, 125-127. (leave-one-out in closed form)
#'
#' Barber, R. F., Candes, E. J., Ramdas, A. and Tibshirani, R. J. (2021). Predictive inference with
#' the jackknife+. *Annals of Statistics* 49, 486-507. (intervals)
#'
#' Guo, C., Pleiss, G., Sun, Y. and Weinberger, K. Q. (2017). On calibration of modern neural
#' networks. *ICML*, 1321-1330. (a slope and a shift per class)
#'
#' Platt, J. C. (1999). Probabilistic outputs for support vector machines and comparisons to
#' regularized likelihood methods. In *Advances in Large Margin Classifiers*, 61-74. MIT Press.
#' (probabilities from held-out scores)
#'
#' Sadinle, M., Lei, J. and Wasserman, L. (2019). Least ambiguous set-valued classifiers with
#' bounded error levels. *Journal of the American Statistical Association* 114, 223-234. (sets)
#' @examples
#' fit <- cawi_rvfl(Species ~ ., iris, hidden = 50, seed = 1)
#' predict(fit, iris[c(1, 51, 101), 4:1])
#' round(predict(fit, iris[c(1, 51, 101), ], type = "prob"), 3)
#' predict(fit, iris[c(1, 84, 101), ], type = "set", level = 0.95)
#'
#' cars <- cawi_rvfl(mpg ~ ., mtcars, hidden = 50, seed = 1)
#' predict(cars, mtcars[1:3, ], type = "interval", level = 0.9)
#' @export
predict.cawi_model <- function(object, new_data, type = NULL, threads = NULL, level = 0.9,
                               to = NULL, ...) {
  # Capturing even no arguments takes a while beside the prediction of a row.
  new_data <- given_new_data(new_data, if (...length() > 0L) rlang::enquos(...))
  object <- check_model(object, problem_of = prediction_problem)
  if (is_source(new_data)) {
    asked <- list(type = type, threads = threads, level = level)
    return(predict_source(object, new_data, asked, to, environment()))
  }
  check_no_target(to)
  sound(object, "object", {
    type <- check_predict_type(object, type)
    data <- forge_new_data(object, new_data)
    threads <- resolve_threads(threads)
    scores <- complete_scores(object, data$x, threads)
    if (type %in% conformal_types) return(conformal(object, data, scores, type, level, threads))
    as_prediction(object, scores, type, data)
  })
}

# What holds the truth with a given probability.
conformal_types <- c("interval", "set")

conformal <- function(object, data, scores, type, level, threads, call = caller_env()) {
  if (type == "set") return(class_sets(object, scores, level, threads, call))
  interval_frame(object, data, scores, level, threads, call)
}

# `newdata` is what other packages call it.
given_new_data <- function(new_data, dots,
                           own = c("object", "new_data", "type", "threads", "level", "to"),
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

check_no_target <- function(to, call = caller_env()) {
  if (!is.null(to)) abort_argument("to", "{.arg to} is for rows of a {.cls cawi_source}.", call)
}

check_predict_type <- function(object, type, call = caller_env()) {
  classes <- object$task == "classification"
  choices <- c(if (classes) c("class", "prob") else "numeric", "score",
               if (classes) "set" else "interval")
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
  lost <- which(rowSums(!is.finite(scores)) > 0 & !incomplete_rows(x))
  if (length(lost) == 0L) return(invisible())
  row <- drop(as.matrix(x[lost[1L], , drop = FALSE]))
  distance <- abs((row - object$network$center) / object$network$sd)
  far <- which.max(replace(distance, is.na(distance), Inf))
  column <- if (is.null(object$feature_names)) paste(far) else object$feature_names[far]
  message <- paste("Row {lost[1L]} of {.arg new_data} is too far from the training data to be",
                   "predicted, in column {.val {column}}.")
  abort_argument("new_data", message, call)
}

# f of the rows without holes, NA for the others.
on_complete_rows <- function(x, columns, f, call = caller_env()) {
  complete <- if (all_finite(x)) rep(TRUE, nrow(x)) else !incomplete_rows(x)
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
