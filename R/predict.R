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
  x <- forge_new_data(object, new_data)$x
  as_prediction(object, complete_scores(object, x, resolve_threads(threads)), type)
}

check_predict_type <- function(object, type, call = caller_env()) {
  choices <- if (object$task == "classification") c("class", "prob", "score") else c("numeric", "score")
  if (is.null(type)) return(choices[1L])
  check_choice(type, choices, "type", call)
}

complete_scores <- function(object, x, threads) {
  scores <- on_complete_rows(x, object$outputs, function(part) model_scores(object, part, threads))
  colnames(scores) <- object$output_names
  scores
}

# f of the rows without holes, NA for the others.
on_complete_rows <- function(x, columns, f, call = caller_env()) {
  complete <- if (is.finite(sum(x))) rep(TRUE, nrow(x)) else rowSums(is.na(x)) == 0
  if (all(complete) && nrow(x) > 0L) return(rethrow_core_errors(f(x), call))
  result <- matrix(NA_real_, nrow(x), columns)
  if (any(complete)) result[complete, ] <- rethrow_core_errors(f(x[complete, , drop = FALSE]), call)
  result
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
      "type", paste("Probabilities need leave-one-out scores, which a singular problem does not have;",
                    "use a positive {.arg lambda}."), caller_env()
    )
  }
  known <- !is.na(scores[, 1L])
  scores[known, ] <- exp(log_softmax(object$temperature * scores[known, , drop = FALSE]))
  scores
}

# An edited or damaged model is caught here, before any C++ runs.
check_model <- function(object, arg = "object", call = caller_env()) {
  # A check that itself fails on a damaged list has found damage too.
  problem <- tryCatch(model_problem(object), error = function(e) "its parts are not what they should be")
  if (!is.null(problem)) {
    abort_argument(arg, "{.arg {arg}} is damaged or not a model of this version: {problem}.", call)
  }
  invisible(object)
}

model_problem <- function(object) {
  if (!inherits(object, "cawi_model") || !is.list(object)) return("it is not a cawi_model")
  if (!identical(object$format, model_format)) return("its format is not the one expected")
  known <- is.character(object$spec$model) && object$spec$model %in% names(model_labels) &&
    object$spec$na_action %in% c("fail", "omit", "impute")
  if (!isTRUE(known)) return("its arguments are unknown")
  problems <- list(network_problem(object$network), output_problem(object), readout_problem(object),
                   preprocessor_problem(object$preprocessor, length(object$network$center)))
  unlist(problems)[1L]
}

network_problem <- function(network) {
  if (!is.list(network$layers) || length(network$layers) == 0L) return("it has no layers")
  inputs <- length(network$center)
  if (!is_finite_vector(network$center) || !is_finite_vector(network$scale, inputs) || any(network$scale <= 0)) {
    return("its scaling is incomplete")
  }
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
  if (!is.null(object$output_names) && length(object$output_names) != count) return("its outputs have lost names")
  if (object$task == "regression") return(NULL)
  if (!is.character(object$levels) || length(object$levels) != count || anyNA(object$levels) ||
        anyDuplicated(object$levels)) {
    return("its classes do not fit")
  }
  t <- object$temperature
  if (!is.null(t) && !(is_finite_vector(t, 1L) && t > 0)) return("its calibration is damaged")
  NULL
}

readout_problem <- function(object) {
  columns <- readout_columns(object$network)
  if (!is.list(object$readouts) || length(columns) != length(object$readouts)) return("it lacks readouts")
  for (k in seq_along(columns)) {
    width <- if (is.null(columns[[k]])) network_columns(object$network) else length(columns[[k]])
    readout <- object$readouts[[k]]
    fits <- identical(readout$columns, columns[[k]]) && is_finite_matrix(readout$coefficients, width) &&
      ncol(readout$coefficients) == object$outputs && is_finite_vector(readout$lambda, 1L) && readout$lambda >= 0
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
    fits <- tryCatch({
      width <- nrow(readout$coefficients)
      s$kind %in% c("gram", "rows") && is_finite_matrix(s$aa, nrow(s$aa)) && ncol(s$aa) == width &&
        is_finite_matrix(s$ay, nrow(s$aa)) && ncol(s$ay) == object$outputs &&
        (s$kind == "rows" || nrow(s$aa) == width)
    }, error = function(e) FALSE)
    if (!isTRUE(fits)) {
      abort_argument("object", "{.arg object} is damaged: the sums that updates need do not fit.", call)
    }
  }
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
  check_model(fit, "fit")
  if (missing(new_data)) abort_argument("new_data", "{.arg new_data} is missing.", environment())
  x <- forge_new_data(fit, new_data)$x
  threads <- resolve_threads(threads)
  a <- on_complete_rows(x, network_columns(fit$network), function(part) {
    features_cpp(part, fit$network, NULL, threads)
  })
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
