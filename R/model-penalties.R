# A fitted model at other penalties, all from one decomposition of its sums: what fits with these
# penalties and the same weights would predict.

# Predictions, one per penalty, in the order of `lambdas`.
predict_penalties <- function(object, new_data, lambdas, type, threads = NULL,
                              call = caller_env()) {
  check_model(object, problem_of = prediction_problem, call = call)
  lambdas <- check_penalties(lambdas, call)
  type <- check_predict_type(object, type, call)
  check_statistics(object, call)
  run <- new_run(0, threads, call)
  data <- forge_new_data(object, new_data, call = call)
  fits <- penalty_fits(object, lambdas, type %in% c("class", "prob"), run)
  scores <- penalty_scores(object, fits, data$x, run)
  lapply(seq_along(lambdas), function(l) {
    object["calibration"] <- list(fits$calibrations[[l]])
    own <- seq_len(object$outputs) + (l - 1L) * object$outputs
    part <- scores[, own, drop = FALSE]
    colnames(part) <- object$output_names
    if (type == "prob") require_calibration(object, lambdas[l], call)
    as_prediction(object, part, type, data, call)
  })
}

# Any order, and the same one twice: there is one prediction for each.
check_penalties <- function(lambdas, call) {
  lambdas <- plain_number(lambdas)
  if (!is.null(lambdas)) check_lambda(lambdas, call)
  if (!is.numeric(lambdas) || is.matrix(lambdas)) {
    abort_argument("lambda", "The penalties must be a vector of numbers, not {shown(lambdas)}.",
                   call)
  }
  as.double(lambdas)
}

# Coefficients of every readout, the outputs of a penalty side by side, and a calibration per
# penalty. At its own penalty a model is what it is.
penalty_fits <- function(object, lambdas, calibrated, run) {
  statistics <- lapply(object$readouts, function(readout) readout$statistics)
  rows <- penalty_rows(object, statistics, calibrated && object$task == "classification")
  found <- rethrow_core_errors(
    path_fits_cpp(rows$x, object$network, rows$targets, statistics, lambdas, run$threads), run$call
  )
  units <- if (object$task == "regression") wide_units(object$outcome, length(lambdas))
  coefficients <- Map(function(part, known) in_response_units(part$coefficients, units, known$ones),
                      found, statistics)
  scores <- lapply(found, function(part) part$scores)
  calibrations <- penalty_calibrations(scores, lambdas, rows)
  own <- which(vapply(lambdas, function(lambda) all(object$lambda == lambda), logical(1)))
  for (l in own) {
    at <- seq_len(object$outputs) + (l - 1L) * object$outputs
    for (r in seq_along(coefficients)) {
      coefficients[[r]][, at] <- object$readouts[[r]]$coefficients
    }
    calibrations[l] <- list(object$calibration)
  }
  list(coefficients = coefficients, calibrations = calibrations)
}

wide_units <- function(outcome, count) {
  list(center = rep(outcome$center, count), sd = rep(outcome$sd, count))
}

# The rows whose leave-one-out scores are needed: those that a fit at a given penalty would take for
# its calibration. Statistics that are rows themselves need the targets of all of them.
penalty_rows <- function(object, statistics, calibrated) {
  data <- object$data
  dual <- any(vapply(statistics, function(part) part$kind == "rows", logical(1)))
  calibrated <- calibrated && !is.null(data)
  if (!dual && !calibrated) {
    x <- matrix(0, 0L, length(object$network$center))
    return(list(x = x, calibrated = FALSE, targets = list(
      outputs = object$outputs, values = matrix(0, 0L, object$outputs),
      classes = if (object$task == "classification") integer()
    )))
  }
  sample <- if (dual) {
    list(rows = seq_len(nrow(data$x)))
  } else {
    loo_sample(nrow(data$x), data$targets$case_weights)
  }
  targets <- subset_targets(data$targets, sample$rows)
  counts <- sample$counts %||% row_weights(targets)
  list(x = data$x[sample$rows, , drop = FALSE], targets = targets, calibrated = calibrated,
       counts = counts)
}

# NULL without leave-one-out scores, or where they have no numbers. Along the path the parameters
# change smoothly: two of them tell where the next is near.
penalty_calibrations <- function(scores, lambdas, rows) {
  calibrations <- vector("list", length(lambdas))
  if (!rows$calibrated) return(calibrations)
  last <- start <- NULL
  for (l in order(lambdas)) {
    mean <- Reduce(`+`, lapply(scores, function(part) part[, , l])) / length(scores)
    mean <- matrix(mean, nrow(rows$x))
    if (!all_finite_cpp(mean)) next
    found <- fit_calibration(mean, rows$targets$classes, rows$counts, start = start)
    start <- if (is.null(last)) found$parameters else 2 * found$parameters - last
    last <- found$parameters
    calibrations[[l]] <- found
  }
  calibrations
}

# Rows x (outputs * penalties).
penalty_scores <- function(object, fits, x, run) {
  columns <- ncol(fits$coefficients[[1L]])
  check_memory(8 * nrow(x) * columns, run$call)
  object$readouts <- Map(function(readout, coefficients) {
    replace(readout, "coefficients", list(coefficients))
  }, object$readouts, fits$coefficients)
  scores_of <- function(part) model_scores(object, part, run$threads)
  scores <- on_complete_rows(x, columns, scores_of, run$call)
  check_scores(scores, x, object, run$call)
  scores
}

require_calibration <- function(object, lambda, call) {
  if (!is.null(object$calibration)) return(invisible())
  message <- "There are no probabilities at the penalty {lambda}: the model keeps no training rows."
  hint <- "Fit it with {.code keep_data = TRUE}, or with this penalty."
  abort_argument("penalty", c(message, i = hint), call)
}
