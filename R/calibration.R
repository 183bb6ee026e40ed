# Scores become probabilities by a map that is fitted to leave-one-out scores.

# Of a model: NULL where it has no leave-one-out scores.
calibrate <- function(object, targets) {
  scores <- loo_scores(object)
  if (object$task != "classification" || is.null(scores)) return(NULL)
  loo <- object$readouts[[1L]]$loo
  part <- subset_targets(targets, loo$rows)
  fit_calibration(scores, part$classes, if (is.null(loo$counts)) row_weights(part) else loo$counts)
}

fit_calibration <- function(scores, classes, weights) {
  list(kind = "temperature", slope = rep(best_temperature_cpp(scores, classes, weights), ncol(scores)),
       intercept = numeric(ncol(scores)))
}

apply_calibration <- function(calibration, scores) {
  # A product that leaves the range of numbers would make 0 / 0 of a certain class.
  scores <- pmin(pmax(scores, -1e100), 1e100)
  z <- sweep(sweep(scores, 2L, calibration$slope, `*`), 2L, calibration$intercept, `+`)
  exp(log_softmax(z))
}

log_softmax <- function(z) {
  z <- z - z[cbind(seq_len(nrow(z)), max.col(z, "first"))]
  z - log(rowSums(exp(z)))
}

sound_calibration <- function(calibration, classes) {
  fits <- tryCatch(
    is.list(calibration) && is_finite_vector(calibration$slope, classes) && all(calibration$slope >= 0) &&
      is_finite_vector(calibration$intercept, classes),
    error = function(e) FALSE
  )
  isTRUE(fits)
}
