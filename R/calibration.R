# Class probabilities from scores. The logit of class k is slope_k * s_k + bend_k * asinh(s_k / 0.15) + shift_k,
# the probabilities are the softmax of the logits. The slope alone is temperature scaling; the shift corrects for
# classes of unequal size; the bend lets the logit fall like a logarithm where the score comes near zero, because a
# score estimates a probability and not its logit. The parameters minimize the log-loss of the leave-one-out scores
# plus a fixed penalty that weighs as much as a few rows. It keeps the parameters finite on separable data, and
# draws the classes toward a common curve where they have too few rows for one of their own.

# Of a model: NULL where it has no leave-one-out scores.
calibrate <- function(object, targets) {
  scores <- loo_scores(object)
  if (object$task != "classification" || is.null(scores)) return(NULL)
  loo <- object$readouts[[1L]]$loo
  part <- subset_targets(targets, loo$rows)
  fit_calibration(scores, part$classes, if (is.null(loo$counts)) row_weights(part) else loo$counts)
}

# For slope, bend and shift: the unit, the center, and the precision (in that unit) of what the classes have in
# common and of what each adds to it. The softmax ignores a common shift.
calibration_unit <- c(5, 1, 1)
calibration_center <- c(5, 0, 0)
common_precision <- c(0.1, 0.5, 0)
own_precision <- c(1, 1, 0.2)
# Scores estimate 0 or 1; those far outside say no more than these.
score_range <- c(-1, 2)
# Rows that are enough for the curves.
most_calibration_rows <- 5000L

# Scores are rows x classes; classes are 1, 2, ...; weights are positive, and two rows are a row of weight 2.
# Newton's steps on a strictly convex function, halved where they go too far: O(rows * classes^2) each.
fit_calibration <- function(scores, classes, weights) {
  kept <- thin_rows(classes, weights, ncol(scores))
  range <- pmin(pmax(range(scores), score_range[1L]), score_range[2L])
  features <- calibration_features(scores[kept$rows, , drop = FALSE], range)
  classes <- classes[kept$rows]
  weights <- kept$weights
  count <- ncol(scores)
  truth <- cbind(seq_along(classes), classes)
  observed <- matrix(0, length(classes), count)
  observed[truth] <- 1
  penalty <- calibration_penalty(count)
  center <- rep(calibration_center, each = count)
  state <- function(parameters) {
    logs <- log_softmax(calibration_logits(features, matrix(parameters, count)))
    pull <- drop(penalty %*% (parameters - center))
    list(parameters = parameters, prob = exp(logs), pull = pull,
         loss = sum(pull * (parameters - center)) / 2 - sum(weights * logs[truth]))
  }
  now <- state(center)
  for (iteration in seq_len(100L)) {
    gap <- weights * (now$prob - observed)
    gradient <- now$pull + unlist(lapply(features, function(f) colSums(f * gap)))
    step <- solve(calibration_curvature(features, now$prob, weights) + penalty, gradient)
    gain <- sum(step * gradient)
    size <- 1
    repeat {
      trial <- state(now$parameters - size * step)
      if (trial$loss <= now$loss - 1e-4 * size * gain || size < 1e-6) break
      size <- size / 2
    }
    if (trial$loss < now$loss) now <- trial
    # Steps converge quadratically: the one just taken left about the square of this.
    if (gain < 1e-6 || size < 1e-6) break
  }
  parameters <- matrix(now$parameters, count, dimnames = list(colnames(scores), c("slope", "bend", "shift")))
  if (mean(parameters %*% c(1, asinh(1 / 0.15), 0)) <= 0) parameters[] <- class_shares(observed, weights)
  list(parameters = parameters, range = range)
}

apply_calibration <- function(calibration, scores) {
  exp(log_softmax(calibration_logits(calibration_features(scores, calibration$range), calibration$parameters)))
}

# Where a class is on average less likely the higher its score, the scores know nothing; the shares remain.
class_shares <- function(observed, weights) {
  cbind(0, 0, log(colSums(weights * observed) + 0.5))
}

calibration_features <- function(scores, range) {
  scores[] <- pmin(pmax(scores, range[1L]), range[2L])
  list(scores, asinh(scores / 0.15), matrix(1, nrow(scores), ncol(scores)))
}

calibration_logits <- function(features, parameters) {
  rows <- nrow(features[[1L]])
  features[[1L]] * rep(parameters[, 1L], each = rows) + features[[2L]] * rep(parameters[, 2L], each = rows) +
    rep(parameters[, 3L], each = rows)
}

# Precision of the parameters of one kind: own * I + common part integrated out (Sherman and Morrison).
calibration_penalty <- function(count) {
  penalty <- matrix(0, 3L * count, 3L * count)
  for (f in 1:3) {
    at <- (f - 1L) * count + seq_len(count)
    own <- own_precision[f]
    shared <- if (common_precision[f] > 0) own^2 / (common_precision[f] + count * own) else 0
    penalty[at, at] <- (diag(own, count) - shared) / calibration_unit[f]^2
  }
  penalty
}

# Second derivatives of the log-loss: for features f and g, diag(sum p f g) - (p f)' (p g), sums over rows.
calibration_curvature <- function(features, prob, weights) {
  count <- ncol(prob)
  root <- sqrt(weights) * prob
  hessian <- -crossprod(do.call(cbind, lapply(features, function(f) f * root)))
  prob <- weights * prob
  for (f in 1:3) for (g in f:3) {
    at <- cbind((f - 1L) * count + seq_len(count), (g - 1L) * count + seq_len(count))
    hessian[at] <- hessian[at] + colSums(features[[f]] * features[[g]] * prob)
    hessian[at[, 2:1]] <- hessian[at]
  }
  hessian
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
