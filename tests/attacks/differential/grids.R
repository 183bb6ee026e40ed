# Nests of networks: every member and penalty at once, beside one fit for each; calibration and
# temperatures beside their optimality conditions.

# A nest of some widths of the last layer. An ensemble has one member.
any_nest <- function(most = 9L) {
  p <- any_ridge(most)
  last <- length(p$network$layers)
  widths <- length(p$network$layers[[last]]$bias)
  p$shapes <- if (p$network$wiring == "skip") {
    list(layer_hidden(p$network))
  } else {
    lapply(unique(c(widths, sample.int(widths, 2L, TRUE))), function(width) {
      c(layer_hidden(p$network)[-last], width)
    })
  }
  p
}

losses_of <- function(p, lambdas, judge) {
  nests_losses(p$x, p$targets, list(p$network), list(p$shapes), lambdas, judge, 1L)[[1L]]
}

# The same network with the leading nodes of its last layer alone.
member_network <- function(network, shape) {
  last <- length(shape)
  layer <- network$layers[[last]]
  some <- seq_len(shape[last])
  network$layers[[last]]$weights <- layer$weights[, some, drop = FALSE]
  network$layers[[last]]$bias <- layer$bias[some]
  network
}

# Leave-one-out scores of a member by refits, averaged over its readouts, and their unit.
member_refits <- function(p, shape, lambda, groups = seq_len(nrow(p$x))) {
  a <- slow_readouts(p$x, member_network(p$network, shape))
  each <- lapply(a, function(part) {
    refits_without(part, p$y, p$weight, lambda, p$center, groups)
  })
  units <- vapply(a, loo_unit, numeric(1), p$y, p$weight, lambda, p$center)
  list(scores = Reduce(`+`, each) / length(each), unit = max(units))
}

# Losses in plain words: hits, squared errors over outputs, Brier and log-loss of a softmax.
plain_losses <- function(scores, y, classes, weight, temperature) {
  squared <- rowMeans((scores - y)^2)
  losses <- list(squared = sum(weight * squared))
  if (is.null(classes)) return(losses)
  losses$hit <- sum(weight * (max.col(scores, "first") == classes))
  if (temperature > 0) {
    e <- exp(temperature * (scores - apply(scores, 1L, max)))
    prob <- e / rowSums(e)
    own <- prob[cbind(seq_along(classes), classes)]
    losses$brier <- sum(weight * rowSums((prob - y)^2))
    losses$log <- sum(weight * pmin(-log(own), -log(1e-15)))
  }
  losses
}

# Scores of some rows by a fit to others.
member_held_out <- function(p, shape, lambda, fresh) {
  network <- member_network(p$network, shape)
  a <- slow_readouts(p$x, network)
  at <- slow_readouts(fresh, network)
  each <- Map(function(train, new) {
    new %*% qr_ridge(train, p$y, p$weight, lambda, p$center)
  }, a, at)
  units <- vapply(a, condition, numeric(1), p$weight, lambda, p$center) * max(1, abs(unlist(at)))
  list(scores = Reduce(`+`, each) / length(each), unit = max(units) * max(abs(p$y), 1))
}

# Scores and the losses that are made of them, of every member and penalty.
nest_gaps <- function(p, losses, lambdas, wanted_scores, y, classes, weight) {
  errors <- vapply(seq_along(p$shapes), function(m) {
    max(vapply(seq_along(lambdas), function(l) {
      found <- losses$member_scores(l, m)
      wanted <- wanted_scores(p$shapes[[m]], lambdas[l])
      plain <- plain_losses(found, y, classes, weight, losses$temperature[l, m])
      made <- vapply(names(plain), function(kind) {
        gap(losses$sum[[kind]][l, m], plain[[kind]], sum(weight) * max(1, found^2))
      }, numeric(1))
      max(gap(found, wanted$scores, wanted$unit), made)
    }, numeric(1)))
  }, numeric(1))
  max(errors)
}

# ---- calibration ----

# The gradient of the penalized log-loss of the curves, written down from its definition.
calibration_gradient <- function(parameters, scores, classes, weight) {
  k <- ncol(scores)
  unit <- c(5, 1, 1)
  center <- c(5, 0, 0)
  common <- c(0.1, 0.5, 0)
  own <- c(5, 5, 2)
  features <- list(scores, asinh(scores / 0.15), matrix(1, nrow(scores), k))
  logits <- Reduce(`+`, lapply(1:3, function(f) t(t(features[[f]]) * parameters[, f])))
  e <- exp(logits - apply(logits, 1L, max))
  residual <- weight * (e / rowSums(e) - diag(k)[classes, , drop = FALSE])
  vapply(1:3, function(f) {
    gap <- (parameters[, f] - center[f]) / unit[f]
    # The common part that fits best, where it is penalized at all.
    mean <- if (common[f] > 0) own[f] * sum(gap) / (common[f] + k * own[f]) else 0
    colSums(features[[f]] * residual) + own[f] * (gap - mean) / unit[f]
  }, numeric(k))
}

any_scored <- function() {
  k <- whole_between(2L, 4L)
  n <- whole_between(5L, 30L)
  classes <- c(seq_len(k), sample.int(k, max(n - k, 0L), TRUE))
  scores <- diag(k)[classes, ] * stats::runif(1L, 0, 1) + normal_matrix(length(classes), k) * 0.3
  weight <- any_weights(length(classes))
  list(scores = scores, classes = as.integer(classes),
       weight = if (is.null(weight)) rep(1, length(classes)) else weight)
}

grids_routines <- list(
  nest_leave_one_out = routine(
    "one fit per width, penalty and row", 5e-14, loo_why,
    function() {
      p <- any_nest(8L)
      lambdas <- c(any_lambda(), any_lambda())
      judge <- new_judge(p$targets, NULL, !is.null(p$targets$classes), TRUE)
      losses <- losses_of(p, lambdas, judge)
      nest_gaps(p, losses, lambdas, function(shape, lambda) member_refits(p, shape, lambda), p$y,
                p$targets$classes, p$weight)
    }
  ),
  nest_leave_group_out = routine(
    "one fit per width, penalty and group", 1e-13,
    "in units of the condition and of one over one less the largest leverage of single rows",
    function() {
      p <- any_nest(9L)
      n <- nrow(p$x)
      sizes <- tabulate(sort(sample.int(whole_between(2L, 3L), n, TRUE)))
      sizes <- sizes[sizes > 0]
      groups <- rep(seq_along(sizes), sizes)
      if (length(sizes) < 2L) return(0)
      p$targets$groups <- as.integer(sizes)
      lambda <- log_between(0.1, 100)
      judge <- new_judge(p$targets, NULL, FALSE, TRUE)
      losses <- losses_of(p, lambda, judge)
      nest_gaps(p, losses, lambda, function(shape, lambda) {
        member_refits(p, shape, lambda, groups)
      }, p$y, p$targets$classes, p$weight)
    }
  ),
  nest_held_out = routine(
    "one fit per width and penalty", 2e-14, ridge_why,
    function() {
      p <- any_nest(12L)
      lambdas <- c(any_lambda(), any_lambda())
      fresh <- normal_matrix(4L, ncol(p$x))
      truth <- subset_targets(p$targets, sample.int(nrow(p$x), 4L, TRUE))
      y <- if (is.null(truth$classes)) truth$values else diag(truth$outputs)[truth$classes, ]
      weight <- if (is.null(truth$case_weights)) rep(1, 4L) else truth$case_weights
      judge <- new_judge(p$targets, list(x = fresh, targets = truth), !is.null(truth$classes), TRUE)
      losses <- losses_of(p, lambdas, judge)
      nest_gaps(p, losses, lambdas, function(shape, lambda) {
        member_held_out(p, shape, lambda, fresh)
      }, y, truth$classes, weight)
    }
  ),
  temperature = routine(
    "optimize() of the log-loss", 1e-10,
    "the loss at both, in units of itself: its minimum is flat",
    function() {
      s <- any_scored()
      found <- best_temperature_cpp(s$scores, s$classes, s$weight)
      loss <- function(log_t) {
        z <- exp(log_t) * (s$scores - apply(s$scores, 1L, max))
        sum(s$weight * (log(rowSums(exp(z))) - z[cbind(seq_along(s$classes), s$classes)]))
      }
      best <- stats::optimize(loss, c(-5, 6), tol = 1e-9)$objective
      max(0, (loss(log(found)) - min(best, loss(-5), loss(6))) / max(best, 1e-3)) +
        holds(found >= exp(-5) * (1 - 1e-9), found <= exp(6) * (1 + 1e-9))
    }
  ),
  calibration = routine(
    "the gradient of the penalized log-loss", 1e-6,
    "Newton's last step gains less than 1e-7, and leaves about the square of what was left",
    function() {
      s <- any_scored()
      found <- calibration_cpp(s$scores, s$classes, s$weight, matrix(0, 0L, 3L))
      max(abs(calibration_gradient(found, s$scores, s$classes, s$weight))) / sum(s$weight)
    }
  ),
  probabilities = routine(
    "the curves in plain R", 1e-14, "a softmax of logits up to a hundred",
    function() {
      s <- any_scored()
      calibration <- fit_calibration(s$scores, s$classes, s$weight)
      found <- apply_calibration(calibration, s$scores * 1.5)
      range <- calibration$range
      at <- pmin(pmax(s$scores * 1.5 / calibration$unit, range[1L]), range[2L])
      b <- calibration$parameters
      logits <- t(t(at) * b[, 1L] + t(asinh(at / 0.15)) * b[, 2L] + b[, 3L])
      e <- exp(logits - apply(logits, 1L, max))
      max(gap(found, e / rowSums(e), 1), gap(rowSums(found), rep(1, nrow(found)), 1))
    }
  )
)
