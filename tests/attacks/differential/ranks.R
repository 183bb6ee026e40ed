# Ranks, Kendall's tau and correlation matrices beside their definitions.

# Tau-b by all pairs of rows.
pairwise_tau <- function(x, y) {
  signs <- function(v) {
    s <- sign(outer(v, v, `-`))
    s[lower.tri(s)]
  }
  a <- signs(x)
  b <- signs(y)
  if (all(a == 0) || all(b == 0)) return(0)
  sum(a * b) / sqrt(sum(a != 0)) / sqrt(sum(b != 0))
}

pairwise_tau_matrix <- function(x, y = x) {
  tau <- matrix(0, ncol(x), ncol(y))
  for (i in seq_len(ncol(x))) for (j in seq_len(ncol(y))) tau[i, j] <- pairwise_tau(x[, i], y[, j])
  if (identical(x, y)) diag(tau) <- 1
  tau
}

small_shape <- function(most_rows = 40L, most_columns = 4L) {
  any_matrix(whole_between(2L, most_rows), whole_between(1L, most_columns))
}

# Of a correlation matrix g and a candidate r with eigenvalues of at least `floor`: g - r must be a
# diagonal matrix less one that is positive semidefinite and vanishes where r is above the floor.
# The diagonal that fits best is found by least squares on the eigenvectors above the floor.
nearest_defect <- function(g, r, floor) {
  d <- ncol(r)
  system <- eigen(r, symmetric = TRUE)
  free <- system$vectors[, system$values > floor + 1e-6, drop = FALSE]
  feasible <- max(abs(diag(r) - 1), abs(r - t(r)), floor - min(system$values))
  # (diag(y) + g - r) V = 0 on the free eigenvectors, one equation per row for each y.
  residual <- (g - r) %*% free
  y <- -rowSums(residual * free) / pmax(rowSums(free^2), 1e-12)
  stationary <- max(abs(y * free + residual), 0)
  multiplier <- eigen(r - g - diag(y, d), symmetric = TRUE, only.values = TRUE)$values
  max(feasible, stationary, -min(multiplier, 0))
}

ranks_routines <- list(
  pseudo_obs_average = routine(
    "rank() / (rows + 1)", 0, "a half-rank and one division: no rounding",
    function() {
      x <- small_shape()
      gap(pseudo_obs_cpp(x, "average", 1, 1L), apply(x, 2L, rank) / (nrow(x) + 1), 1)
    }
  ),
  pseudo_obs_first = routine(
    "rank(ties.method = \"first\")", 0, "a rank and one division: no rounding",
    function() {
      x <- small_shape()
      gap(pseudo_obs_cpp(x, "first", 1, 1L),
          apply(x, 2L, rank, ties.method = "first") / (nrow(x) + 1), 1)
    }
  ),
  pseudo_obs_random = routine(
    "ranks that are a permutation and agree with every strict order", 0, "whole numbers",
    function() {
      x <- small_shape()
      u <- pseudo_obs_cpp(x, "random", whole_between(1L, 1e6L), 1L) * (nrow(x) + 1)
      holds(vapply(seq_len(ncol(x)), function(j) {
        r <- round(u[, j])
        low <- rank(x[, j], ties.method = "min")
        high <- rank(x[, j], ties.method = "max")
        max(abs(u[, j] - r)) < 1e-9 && identical(sort(r), as.double(seq_along(r))) &&
          all(r >= low & r <= high)
      }, logical(1)))
    }
  ),
  pseudo_obs_against = routine(
    "counts of training values below and up to each new one", 0, "half-ranks and one division",
    function() {
      columns <- whole_between(1L, 3L)
      train <- any_matrix(whole_between(2L, 30L), columns)
      known <- train[sample.int(nrow(train), 3L, TRUE), , drop = FALSE]
      fresh <- rbind(any_matrix(5L, columns), known)
      wanted <- vapply(seq_len(columns), function(j) {
        vapply(fresh[, j], function(v) {
          (sum(train[, j] < v) + sum(train[, j] <= v) + 1) / 2 / (nrow(train) + 1)
        }, numeric(1))
      }, numeric(nrow(fresh)))
      gap(pseudo_obs_against_cpp(train, fresh, 1L), wanted, 1)
    }
  ),
  kendall = routine(
    "signs of all pairs of rows", 1e-15, "counts are exact; two roots and a division round",
    function() {
      x <- small_shape(if (chance(0.1)) 150L else 30L)
      gap(kendall_cpp(x, 1L), pairwise_tau_matrix(x), 1)
    }
  ),
  kendall_cross = routine(
    "signs of all pairs of rows", 1e-15, "counts are exact; two roots and a division round",
    function() {
      x <- small_shape(30L, 3L)
      y <- any_matrix(nrow(x), whole_between(1L, 3L))
      gap(kendall_cross_cpp(x, y, 1L), pairwise_tau_matrix(x, y), 1)
    }
  ),
  kendall_of_row_pairs = routine(
    "signs of the pairs round a circle", 1e-15, "counts are exact; two roots and a division round",
    function() {
      x <- small_shape(40L, 3L)
      m <- nrow(x)
      most <- whole_between(1L, 900L)
      lags <- if (m * (m - 1) / 2 <= most) m %/% 2L else max(1L, most %/% m)
      first <- rep(seq_len(m), lags)
      lag <- rep(seq_len(lags), each = m)
      twice <- 2L * lag == m & first > lag
      first <- first[!twice]
      second <- (first - 1L + lag[!twice]) %% m + 1L
      signs <- sign(x[first, , drop = FALSE] - x[second, , drop = FALSE])
      ties <- sqrt(colSums(signs != 0))
      wanted <- crossprod(signs) / outer(ties, ties)
      wanted[!is.finite(wanted)] <- 0
      diag(wanted) <- 1
      gap(kendall_of_row_pairs_cpp(x, most, 1L), wanted, 1)
    }
  ),
  nearest_correlation = routine(
    "optimality conditions of the projection", 1e-8,
    "Newton's method stops at a gradient of 1e-9 per root of the dimension",
    function() {
      d <- whole_between(2L, 6L)
      g <- matrix(stats::runif(d^2, -1, 1), d)
      g <- (g + t(g)) / 2
      diag(g) <- 1
      floor <- one_of(c(1e-8, 1e-4, 0.01))
      nearest_defect(g, nearest_cor_cpp(g, floor), floor)
    }
  ),
  is_correlation = routine(
    "eigenvalues", 0, "matrices near the border are left out",
    function() {
      d <- whole_between(1L, 5L)
      r <- if (chance(0.5)) any_correlation(d) else matrix(stats::runif(d^2, -1, 1), d)
      if (chance(0.7)) r <- (r + t(r)) / 2
      if (chance(0.8)) diag(r) <- 1
      least <- min(eigen((r + t(r)) / 2, symmetric = TRUE, only.values = TRUE)$values)
      if (abs(least) < 1e-6) return(0)
      wanted <- max(abs(r - t(r))) < 1e-12 && all(diag(r) == 1) && least > 0
      holds(identical(is_correlation_cpp(r), wanted))
    }
  ),
  correlation_from_tau = routine(
    "sin(pi tau / 2), and the optimality conditions of the projection", 1e-8,
    "as nearest_correlation",
    function() {
      x <- small_shape(12L, 5L)
      tau <- kendall_cpp(x, 1L)
      r <- correlation_from_tau_cpp(tau)
      g <- sin(pi / 2 * tau)
      diag(g) <- 1
      least <- min(eigen(g, symmetric = TRUE, only.values = TRUE)$values)
      if (least > 1e-6) return(gap(r, g, 1))
      nearest_defect(g, r, 1e-8)
    }
  ),
  tempered_correlation = routine(
    "exp(strength log R) by its power series", 1e-13,
    "eigenvalues from 0.05 on, to the power of -1: twenty times the rounding of a long series",
    function() {
      d <- whole_between(2L, 4L)
      r <- any_correlation(d, 2)
      least <- min(eigen(r, symmetric = TRUE, only.values = TRUE)$values)
      if (least < 0.05) return(0)
      strength <- stats::runif(1L, -1, 1)
      # (sI + E)^a = s^a sum choose(a, k) (E / s)^k, with s large enough for the series to converge.
      s <- max(rowSums(abs(r)))
      e <- r / s - diag(d)
      term <- power <- diag(d)
      for (k in seq_len(1000L)) {
        term <- term %*% e * ((strength - k + 1) / k)
        power <- power + term
      }
      wanted <- stats::cov2cor(power)
      gap(temper_elliptical(list(cor = r), strength)$cor, wanted, 1)
    }
  )
)
