# Scores become probabilities by curves that are fitted to leave-one-out scores; the core's
# calibration.hpp says which.

# Of a model; NULL where it has no classes or no leave-one-out scores.
calibrate <- function(left_out) {
  if (is.null(left_out$classes)) return(NULL)
  fit_calibration(left_out$scores, left_out$classes, left_out$case_weights)
}

# Scores estimate 0 or 1; those far outside say no more than these.
score_range <- c(-1, 2)
# A large penalty shrinks the scores of all classes, and their sum, which is near one otherwise.
# What is left of them is measured in a unit of its own; the unit of other scores is one.
score_unit <- function(scores, case_weights) {
  total <- sum(case_weights * rowSums(scores)) / sum(case_weights)
  size <- max(total, abs(scores))
  if (size > 0) min(1, 2 * size) else 1
}

# Rows that are enough for the curves.
most_calibration_rows <- 5000L

# More classes than this share one slope: curves of their own cost the cube of their number, and
# have few rows each.
most_curves <- 100L

# Scores are rows x classes; classes are 1, 2, ...; case weights are positive. Parameters
# that may be near, `start`, save time.
fit_calibration <- function(scores, classes, case_weights,
                            unit = score_unit(scores, case_weights), start = NULL) {
  kept <- thin_rows(classes, case_weights, ncol(scores))
  given <- scores
  scores <- scores / unit
  range <- clamped(range(scores), score_range)
  scores <- clamped(unname(scores[kept$rows, , drop = FALSE]), range)
  parameters <- if (ncol(scores) <= most_curves) {
    calibration_cpp(scores, classes[kept$rows], kept$case_weights,
                    start %||% matrix(0, 0L, 3L))
  } else {
    slope <- best_temperature_cpp(scores, classes[kept$rows], kept$case_weights)
    cbind(rep(slope, ncol(scores)), 0, 0)
  }
  dimnames(parameters) <- list(NULL, c("slope", "bend", "shift"))
  # Where a class is on average less likely the higher its score, the scores know nothing; how often
  # each class comes remains. In the unit one, shrunken scores say no more than their order.
  if (mean(parameters %*% c(1, asinh(1 / 0.15), 0)) <= 0) {
    if (unit < 1) return(fit_calibration(given, classes, case_weights, 1))
    in_class <- function(k) sum(kept$case_weights[classes[kept$rows] == k])
    often <- vapply(seq_len(ncol(scores)), in_class, numeric(1))
    parameters[] <- cbind(0, 0, log(often + 0.5))
  }
  list(parameters = parameters, range = range, unit = unit)
}

# pmin() and pmax() take longer than all the rest of a small prediction.
clamped <- function(x, range) {
  x[x < range[1L]] <- range[1L]
  x[x > range[2L]] <- range[2L]
  x
}

apply_calibration <- function(calibration, scores) {
  scores <- clamped(scores / calibration$unit, calibration$range)
  per_row <- function(kind) rep(calibration$parameters[, kind], each = nrow(scores))
  bent <- asinh(scores / 0.15)
  exp(log_softmax(scores * per_row(1L) + bent * per_row(2L) + per_row(3L)))
}

# Of many rows, an even part of each large class, weighted up to the class's whole weight; small
# classes stay.
thin_rows <- function(classes, case_weights, count) {
  if (length(classes) <= most_calibration_rows) {
    return(list(rows = seq_along(classes), case_weights = case_weights))
  }
  own <- split(seq_along(classes), classes)
  most <- thin_level(lengths(own), most_calibration_rows)
  thin <- lapply(own, function(rows) {
    if (length(rows) > most) rows[round(seq(1, length(rows), length.out = most))] else rows
  })
  total <- function(rows) sum(case_weights[rows])
  stands_for <- mapply(function(rows, part) total(rows) / total(part), own, thin)
  rows <- unlist(thin, use.names = FALSE)
  list(rows = rows, case_weights = case_weights[rows] * rep(stands_for, lengths(thin)))
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
