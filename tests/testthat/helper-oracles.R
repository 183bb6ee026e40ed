# Slow, plain computations to compare with.

# Pairs i < j with a[i] > a[j], for whole numbers a >= 0. Two different numbers first agree, when
# both lose bit after bit from below, just after their highest differing bit: there each pair is
# counted once.
count_inversions <- function(a) {
  total <- 0
  while (any(a > 0)) {
    bit <- a %% 2
    a <- a %/% 2
    by_prefix <- order(a, method = "radix")
    bit <- bit[by_prefix]
    prefix <- a[by_prefix]
    ones_before <- cumsum(bit) - bit
    first <- c(TRUE, diff(prefix) != 0)
    ones_before_group <- ones_before[first][cumsum(first)]
    total <- total + sum((ones_before - ones_before_group)[bit == 0])
  }
  total
}

# Kendall's tau-b by counts of discordant and tied pairs.
slow_tau <- function(x, y) {
  x <- match(x, sort(unique(x)))
  y <- match(y, sort(unique(y)))
  pairs <- function(sizes) sum(as.numeric(sizes) * (sizes - 1) / 2)
  all <- pairs(length(x))
  tied_x <- pairs(tabulate(x))
  tied_y <- pairs(tabulate(y))
  cell <- x + max(x) * (y - 1)
  tied_both <- pairs(tabulate(match(cell, unique(cell))))
  discordant <- count_inversions(y[order(x, y)])
  (all - tied_x - tied_y + tied_both - 2 * discordant) / sqrt(all - tied_x) / sqrt(all - tied_y)
}

# Kendall's tau of each family, with the Debye function as an integral.
slow_family_tau <- function(family, theta) {
  switch(family,
    clayton = theta / (theta + 2),
    gumbel = (theta - 1) / theta,
    frank = {
      integrand <- function(t) ifelse(t == 0, 1, t / expm1(t))
      ends <- unique(pmin(theta, c(0, 1, 5, 20, 100, 700)))
      pieces <- mapply(function(a, b) stats::integrate(integrand, a, b, rel.tol = 1e-12)$value,
                       ends[-length(ends)], ends[-1])
      1 - 4 / theta * (1 - sum(pieces) / theta)
    }
  )
}

# Integral over the unit square of f(density) by the trapezoidal rule on normal scores, which
# converges fast because the integrand vanishes with all its derivatives at the ends.
integrate_density <- function(copula, f = identity, step = 0.05, reach = 8) {
  z <- seq(-reach, reach, by = step)
  u <- stats::pnorm(as.matrix(expand.grid(z, z)))
  weight <- as.vector(outer(stats::dnorm(z), stats::dnorm(z)))
  sum(f(cawi_density(copula, u)) * weight) * step^2
}

# Tau averaged over the pairs, with its standard error by batch means: tau is nearly a mean over
# rows (its projection), so independent batches of rows show its variance.
mean_tau_with_error <- function(u, batches = 50) {
  mean_tau <- function(rows) {
    tau <- cawi_kendall(u[rows, , drop = FALSE])
    mean(tau[lower.tri(tau)])
  }
  rows <- split(seq_len(nrow(u)), rep_len(seq_len(batches), nrow(u)))
  list(tau = mean_tau(seq_len(nrow(u))),
       error = stats::sd(vapply(rows, mean_tau, numeric(1))) / sqrt(batches))
}
