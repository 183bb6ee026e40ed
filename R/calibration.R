# Scores become probabilities by curves that are fitted to leave-one-out scores; the core's calibration.hpp says which.

# Of a model: NULL where it has no leave-one-out scores.
calibrate <- function(object, targets) {
  scores <- loo_scores(object)
  if (object$task != "classification" || is.null(scores)) return(NULL)
  loo <- object$readouts[[1L]]$loo
  part <- subset_targets(targets, loo$rows)
  fit_calibration(scores, part$classes, if (is.null(loo$counts)) row_weights(part) else loo$counts)
}

# Scores estimate 0 or 1; those far outside say no more than these.
score_range <- c(-1, 2)
# Rows that are enough for the curves.
most_calibration_rows <- 5000L

# More classes than this share one slope: curves of their own cost the cube of their number, and have few rows each.
most_curves <- 100L

# Scores are rows x classes; classes are 1, 2, ...; weights are positive.
fit_calibration <- function(scores, classes, weights) {
  kept <- thin_rows(classes, weights, ncol(scores))
  range <- pmin(pmax(range(scores), score_range[1L]), score_range[2L])
  scores <- unname(scores[kept$rows, , drop = FALSE])
  scores[] <- pmin(pmax(scores, range[1L]), range[2L])
  parameters <- if (ncol(scores) <= most_curves) {
    calibration_cpp(scores, classes[kept$rows], kept$weights)
  } else {
    cbind(rep(best_temperature_cpp(scores, classes[kept$rows], kept$weights), ncol(scores)), 0, 0)
  }
  dimnames(parameters) <- list(NULL, c("slope", "bend", "shift"))
  # Where a class is on average less likely the higher its score, the scores know nothing; the shares remain.
  if (mean(parameters %*% c(1, asinh(1 / 0.15), 0)) <= 0) {
    share <- vapply(seq_len(ncol(scores)), function(k) sum(kept$weights[classes[kept$rows] == k]), numeric(1))
    parameters[] <- cbind(0, 0, log(share + 0.5))
  }
  list(parameters = parameters, range = range)
}

apply_calibration <- function(calibration, scores) {
  scores[] <- pmin(pmax(scores, calibration$range[1L]), calibration$range[2L])
  curve <- function(values, kind) values * rep(calibration$parameters[, kind], each = nrow(scores))
  exp(log_softmax(curve(scores, 1L) + curve(asinh(scores / 0.15), 2L) + curve(matrix(1, nrow(scores), ncol(scores)), 3L)))
}

# Of many rows, an even part of each large class, weighted up to the class's whole weight; small classes stay.
thin_rows <- function(classes, weights, count) {
  if (length(classes) <= most_calibration_rows) return(list(rows = seq_along(classes), weights = weights))
  own <- split(seq_along(classes), classes)
  most <- thin_level(lengths(own), most_calibration_rows)
  thin <- lapply(own, function(rows) {
    if (length(rows) > most) rows[round(seq(1, length(rows), length.out = most))] else rows
  })
  scale <- mapply(function(rows, part) sum(weights[rows]) / sum(weights[part]), own, thin)
  rows <- unlist(thin, use.names = FALSE)
  list(rows = rows, weights = weights[rows] * rep(scale, lengths(thin)))
}

# The most rows of a class that keep all classes within a total.
thin_level <- function(sizes, total) {
  level <- total / length(sizes)
  repeat {
    fits <- sizes <= level
    higher <- (total - sum(sizes[fits])) / sum(!fits)
    if (higher <= level) return(max(1, floor(level)))
    level <- higher
  }
}

log_softmax <- function(z) {
  z <- z - z[cbind(seq_len(nrow(z)), max.col(z, "first"))]
  z - log(rowSums(exp(z)))
}

# Of classes that were added since: the common curve.
extend_calibration <- function(calibration, more) {
  common <- colMeans(calibration$parameters)
  calibration$parameters <- rbind(calibration$parameters, matrix(common, more, 3L, byrow = TRUE))
  calibration
}

sound_calibration <- function(calibration, classes) {
  fits <- tryCatch(
    is.list(calibration) && is_finite_matrix(calibration$parameters, classes) &&
      ncol(calibration$parameters) == 3L && is_finite_vector(calibration$range, 2L) &&
      calibration$range[1L] <= calibration$range[2L],
    error = function(e) FALSE
  )
  isTRUE(fits)
}
