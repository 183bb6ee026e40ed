# Kernels of infinitely many nodes by the formulas of their definitions, and what is made of them.

kernel_kinds <- c("gaussian", "laplace", "exponential", "sinc", "radbas", "relu")
product_kinds <- c("gaussian", "laplace", "sinc")

any_kernel <- function(d, kinds = kernel_kinds) {
  kind <- one_of(kinds)
  matrix_too <- !kind %in% c("laplace", "sinc") && chance(0.5)
  metric <- if (matrix_too) normal_matrix(d, d) else stats::rexp(d) + 0.05
  inputs <- if (kind %in% product_kinds && !matrix_too && d > 1L && chance(0.4)) {
    whole_between(1L, d - 1L)
  }
  list(kind = kind, metric = metric, inputs = inputs)
}

kernel_points <- function(kernel, x) {
  if (is.matrix(kernel$metric)) x %*% kernel$metric else t(t(x) * kernel$metric)
}

# Of one row with another, both as points.
slow_kernel_value <- function(kernel, a, b) {
  gap <- a - b
  if (!is.null(kernel$inputs)) {
    factors <- switch(kernel$kind, gaussian = exp(-gap^2 / 2), laplace = exp(-abs(gap)),
                      sinc = ifelse(gap == 0, 1, sin(gap) / gap))
    choices <- utils::combn(length(gap), kernel$inputs)
    return(mean(apply(choices, 2L, function(some) prod(factors[some]))) / 2)
  }
  switch(kernel$kind,
    gaussian = exp(-sum(gap^2) / 2) / 2,
    laplace = exp(-sum(abs(gap))) / 2,
    exponential = exp(-sqrt(sum(gap^2))) / 2,
    sinc = prod(ifelse(gap == 0, 1, sin(gap) / gap)) / 2,
    radbas = {
      products <- rbind(c(sum(a * a), sum(a * b)), c(sum(a * b), sum(b * b)))
      1 / sqrt(det(diag(2L) + 2 * products))
    },
    relu = {
      lengths <- sqrt(sum(a^2) * sum(b^2))
      # The angle by its tangent keeps the digits of small angles.
      angle <- 2 * atan2(sqrt(sum((a / sqrt(sum(a^2)) - b / sqrt(sum(b^2)))^2)),
                         sqrt(sum((a / sqrt(sum(a^2)) + b / sqrt(sum(b^2)))^2)))
      lengths / (2 * pi) * (sin(angle) + (pi - angle) * cos(angle))
    }
  )
}

slow_kernel <- function(kernel, x, y) {
  a <- kernel_points(kernel, x)
  b <- kernel_points(kernel, y)
  values <- matrix(0, nrow(x), nrow(y))
  for (i in seq_len(nrow(x))) {
    for (j in seq_len(nrow(y))) values[i, j] <- slow_kernel_value(kernel, a[i, ], b[j, ])
  }
  values
}

# Ridge regression on a kernel, with an intercept that has no penalty, a penalized one, or none.
slow_kernel_ridge <- function(k, y, w, lambda, center, at = k) {
  share <- w / sum(w)
  y_mean <- 0
  if (center) {
    own <- drop(k %*% share)
    at <- at - drop(at %*% share) - matrix(own, nrow(at), ncol(at), byrow = TRUE) + sum(share * own)
    k <- k - outer(own, own, `+`) + sum(share * own)
    y_mean <- sum(share * y)
  }
  root <- sqrt(w)
  alpha <- root * solve(k * outer(root, root) + diag(lambda, nrow(k)), root * (y - y_mean))
  drop(at %*% alpha) + y_mean
}

kernels_routines <- list(
  kernel = routine(
    "the formulas, row by row", 1e-14,
    "in units of the value and of the squared lengths, from whose difference distances come",
    function() {
      d <- whole_between(1L, 4L)
      kernel <- any_kernel(d)
      x <- normal_matrix(whole_between(1L, 4L), d)
      y <- rbind(normal_matrix(2L, d), x[1L, ])
      wanted <- slow_kernel(kernel, x, y)
      size <- 1 + max(rowSums(kernel_points(kernel, rbind(x, y))^2))
      gap(kernel_cpp(kernel, x, y), wanted, if (kernel$kind == "relu") size else size / 10)
    }
  ),
  kernel_gradients = routine(
    "differences of the kernel over eight points", 1e-12,
    "steps of 0.003 where the kernel is smooth: rounding over the step and the eighth power of it",
    function() {
      d <- whole_between(1L, 3L)
      kernel <- any_kernel(d, c("gaussian", "sinc", "radbas"))
      kernel$metric <- kernel$metric / (1 + max(abs(kernel$metric)))
      z <- normal_matrix(3L, d)
      landmarks <- normal_matrix(4L, d)
      outputs <- whole_between(1L, 2L)
      b <- normal_matrix(4L, outputs)
      found <- kernel_gradients_cpp(kernel, z, landmarks, b, 1L)
      j <- whole_between(1L, d)
      at <- function(h) {
        z[, j] <- z[, j] + h
        kernel_cpp(kernel, z, landmarks) %*% b
      }
      own <- found[, j + (seq_len(outputs) - 1L) * d, drop = FALSE]
      gap(own, difference(at, 0.003), 1 + sum(abs(b)))
    }
  ),
  kernel_gradients_kinked = routine(
    "differences of the kernel over eight points", 1e-10,
    "smaller steps keep away from the kinks: 1e-16 over 1e-4, and the eighth power of 1e-4 / 0.05",
    function() {
      d <- whole_between(1L, 3L)
      kernel <- any_kernel(d, c("laplace", "exponential", "relu"))
      kernel$metric <- kernel$metric / (1 + max(abs(kernel$metric)))
      if (is.matrix(kernel$metric)) kernel$metric <- kernel$metric + diag(d)
      z <- normal_matrix(2L, d)
      landmarks <- normal_matrix(3L, d)
      # Near a kink, or an angle of zero, differences say nothing.
      near <- min(abs(outer(z, landmarks, `-`)), 2)
      units <- function(v) v / sqrt(rowSums(v^2))
      angles <- tcrossprod(units(kernel_points(kernel, z)), units(kernel_points(kernel, landmarks)))
      if (near < 0.05 || max(abs(angles)) > 0.95 && kernel$kind == "relu") return(0)
      b <- normal_matrix(3L, 1L)
      j <- whole_between(1L, d)
      at <- function(h) {
        z[, j] <- z[, j] + h
        kernel_cpp(kernel, z, landmarks) %*% b
      }
      gap(kernel_gradients_cpp(kernel, z, landmarks, b, 1L)[, j], difference(at, 1e-4),
          1 + sum(abs(b)))
    }
  ),
  landmarks = routine(
    "the kernel of the rows", 1e-12,
    "a row is left out only where others say all of it; in units of the largest value",
    function() {
      d <- whole_between(1L, 3L)
      kernel <- any_kernel(d)
      kernel$error <- 0
      z <- normal_matrix(whole_between(2L, 10L), d)
      if (chance(0.3)) z[2L, ] <- z[1L, ]
      layer <- list(weights = matrix(0, d, 0L), bias = numeric(), kernel = kernel,
                    activation = "sine")
      layer <- more_landmarks(layer, z, nrow(z), 1L)
      network <- list(center = numeric(d), sd = rep(1, d), ranks = NULL, layers = list(layer),
                      wiring = "stacked", direct = FALSE, intercept = FALSE)
      a <- features_cpp(z, network, 1L)
      k <- slow_kernel(kernel, z, z)
      chosen <- slow_kernel(kernel, t(layer$weights), t(layer$weights))
      max(gap(tcrossprod(a), k, max(diag(k), 1e-300)),
          gap(crossprod(layer$root), chosen, max(diag(k), 1e-300)))
    }
  ),
  kernel_fit = routine(
    "solve() of the kernel, and refits without each row", 1e-14,
    "in units of the condition of the system and of the largest response over 1 - leverage",
    function() {
      d <- whole_between(1L, 3L)
      kernel <- any_kernel(d, c("gaussian", "laplace", "exponential", "radbas"))
      z <- normal_matrix(whole_between(3L, 9L), d)
      y <- stats::rnorm(nrow(z))
      w <- any_weights(nrow(z))
      weight <- if (is.null(w)) rep(1, nrow(z)) else w
      lambda <- log_between(1e-3, 100)
      direct <- chance(0.5)
      intercept <- chance(0.7)
      targets <- list(values = matrix(y), outputs = 1L, center = 0, sd = 1, case_weights = w)
      judge <- list(lambdas = lambda, rows = integer(), given = TRUE)
      fit <- kernel_fit_cpp(kernel, z, direct, intercept, targets, judge, 1L)
      whole <- function(a, b) slow_kernel(kernel, a, b) + if (direct) tcrossprod(a, b) else 0
      k <- whole(z, z)
      fitted <- slow_kernel_ridge(k, y, weight, lambda, intercept)
      left_out <- vapply(seq_along(y), function(i) {
        slow_kernel_ridge(k[-i, -i, drop = FALSE], y[-i], weight[-i], lambda, intercept,
                          k[i, -i, drop = FALSE])
      }, numeric(1))
      a <- cbind(if (direct) z, kernel_cpp(kernel, z, z), if (intercept) 1)
      system <- k * sqrt(outer(weight, weight)) + diag(lambda, nrow(k))
      unit <- kappa(system, exact = TRUE) * max(abs(y))
      max(gap(a %*% fit$coefficients, fitted, unit), gap(fit$scores, left_out, unit))
    }
  )
)
