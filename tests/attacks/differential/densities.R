# Log densities of the copula families beside Rmpfr, and beside closed forms in plain R.

# ---- high precision, from the definitions ----

# psi of sum psi^-1(u_j) has the density |psi^(d)(t)| / prod |psi'(t_j)|. The derivatives are those
# of a Taylor series, which is arithmetic on its coefficients: no formula of the package is used.
taylor_times <- function(a, b) {
  n <- length(a)
  result <- a * 0
  for (k in seq_len(n)) result[k] <- sum(a[seq_len(k)] * rev(b[seq_len(k)]))
  result
}

# e^a, from the differential equation e' = a' e.
taylor_exp <- function(a) {
  e <- a * 0
  e[1L] <- exp(a[1L])
  for (k in seq_len(length(a) - 1L)) e[k + 1L] <- sum(seq_len(k) * a[seq_len(k) + 1L] * e[k:1L]) / k
  e
}

# log a, from a l' = a'.
taylor_log <- function(a) {
  l <- a * 0
  l[1L] <- log(a[1L])
  for (k in seq_len(length(a) - 1L)) {
    before <- seq_len(k - 1L)
    inner <- if (k > 1L) sum(before * l[before + 1L] * a[k - before + 1L]) else 0
    l[k + 1L] <- (k * a[k + 1L] - inner) / (k * a[1L])
  }
  l
}

# t -> psi(t) around t0 up to order d.
psi_series <- function(family, theta, t0, d) {
  t <- t0 * c(1, rep(0, d))
  # Units of t0 keep the numbers in range: t = t0 (1 + s).
  t[2L] <- t0
  switch(family,
    clayton = taylor_exp(-taylor_log(t + c(1, rep(0, d))) / theta),
    gumbel = taylor_exp(-taylor_exp(taylor_log(t) / theta)),
    frank = {
      inner <- taylor_exp(-t) * expm1(-theta)
      inner[1L] <- inner[1L] + 1
      -taylor_log(inner) / theta
    }
  )
}

psi_inverse <- function(family, theta, u) {
  switch(family,
    clayton = expm1(-theta * log(u)),
    gumbel = (-log(u))^theta,
    frank = -log(expm1(-theta * u) / expm1(-theta))
  )
}

# |d psi^-1(u) / du|.
psi_inverse_slope <- function(family, theta, u) {
  switch(family,
    clayton = theta * u^(-theta - 1),
    gumbel = theta * (-log(u))^(theta - 1) / u,
    frank = theta * exp(-theta * u) / -expm1(-theta * u)
  )
}

precise_archimedean <- function(family, theta, u) {
  # Differences of e^-theta and one take digits of their own.
  by <- bits + ceiling(3 * theta)
  theta <- precise(theta, by)
  u <- precise(u, by)
  d <- length(u)
  t0 <- sum(psi_inverse(family, theta, u))
  coefficient <- psi_series(family, theta, t0, d)[d + 1L]
  log(abs(coefficient)) + lgamma(precise(d + 1)) - d * log(t0) +
    sum(log(psi_inverse_slope(family, theta, u)))
}

any_theta <- function(family) {
  switch(family,
    clayton = log_between(1e-6, 500),
    frank = log_between(1e-4, 2000),
    gumbel = 1 + log_between(1e-6, 100)
  )
}

# From the middle of the cube to its corners.
any_cube_row <- function(d) {
  common <- stats::runif(1L)
  switch(sample.int(4L, 1L),
    stats::runif(d),
    pmin(pmax(common + stats::rnorm(d) * 0.01, 1e-6), 1 - 1e-6),
    exp(-stats::rexp(d) * log_between(1, 200)),
    1 - exp(-stats::rexp(d) * log_between(0.1, 4)) * 0.999
  )
}

# The error of a log density in units of the largest of the logs that make it: those of the margins
# d log u, theta log u and theta u, the d log theta in front, and the result.
density_unit <- function(family, theta, u, wanted) {
  d <- length(u)
  parts <- switch(family,
    clayton = c(sum(abs(log(u))) * (1 + theta), (d + 1 / theta) * abs(log(min(u))) * theta),
    gumbel = c(theta * abs(log(-log(u))) * d, sum(-log(u)), d * log(theta)),
    frank = c(theta * sum(u), d * abs(log(theta)), d * abs(log(min(theta * u))))
  )
  max(abs(parts), abs(as.double(wanted)), 1)
}

archimedean_error <- function(family) {
  theta <- any_theta(family)
  u <- any_cube_row(whole_between(2L, 10L))
  if (any(u <= 0 | u >= 1)) return(0)
  found <- log_density_cpp(core_list(family, length(u), theta = theta), rbind(u), 1L)
  wanted <- precise_archimedean(family, theta, u)
  as.double(abs(found - wanted)) / density_unit(family, theta, u, wanted)
}

precise_quantile <- function(p, start, tail, density) {
  # Newton's method on the log of the tail and of the distance, which are nearly straight lines far
  # out, from the digits of a double.
  x <- precise(-start)
  for (step in 1:20) {
    t <- tail(x)
    move <- t * log(t / precise(p)) / (density(x) * x)
    x <- x * exp(move)
    if (abs(move) < precise(10)^-30) break
  }
  -x
}

precise_elliptical <- function(cor, df, u) {
  d <- length(u)
  lower <- pmin(u, 1 - u)
  side <- ifelse(u <= 0.5, 1, -1)
  gaussian <- is.infinite(df)
  tail <- if (gaussian) precise_normal_tail else function(v) precise_student_tail(v, df)
  density <- if (gaussian) precise_normal_density else function(v) precise_student_density(v, df)
  x <- precise(numeric(d))
  for (j in seq_len(d)) {
    p <- if (u[j] <= 0.5) precise(u[j]) else 1 - precise(u[j])
    start <- if (gaussian) stats::qnorm(lower[j]) else stats::qt(lower[j], df)
    if (is.infinite(start)) start <- -exp(precise_log_distance(p, df))
    x[j] <- if (p == 0.5) precise(0) else side[j] * precise_quantile(p, start, tail, density)
  }
  # Elimination without pivots: the matrix is positive definite.
  a <- precise(cbind(cor, 0))
  a[, d + 1L] <- x
  log_determinant <- precise(0)
  for (k in seq_len(d)) {
    log_determinant <- log_determinant + log(a[k, k])
    for (i in seq_len(d - k) + k) a[i, ] <- a[i, ] - a[k, ] * (a[i, k] / a[k, k])
  }
  distance <- precise(0)
  for (k in seq_len(d)) distance <- distance + a[k, d + 1L]^2 / a[k, k]
  if (gaussian) return(-log_determinant / 2 - (distance - sum(x^2)) / 2)
  nu <- precise(df)
  lgamma((nu + d) / 2) + (d - 1) * lgamma(nu / 2) - d * lgamma((nu + 1) / 2) -
    log_determinant / 2 - (nu + d) / 2 * log1p(distance / nu) +
    (nu + 1) / 2 * sum(log1p(x^2 / nu))
}

# Rounding of a correlation matrix moves x'R^-1 x by its condition; of the rest by the size of its
# parts.
elliptical_error <- function(df) {
  d <- whole_between(2L, 4L)
  cor <- any_correlation(d, 0.01)
  cor <- (cor + t(cor)) / 2
  u <- pmin(pmax(any_cube_row(d), 1e-290), 1 - 1e-15)
  found <- log_density_cpp(core_list("t", d, cor = cor, df = df), rbind(u), 1L)
  wanted <- precise_elliptical(cor, df, u)
  x <- if (is.infinite(df)) stats::qnorm(u) else pmax(pmin(stats::qt(u, df), 1e100), -1e100)
  values <- eigen(cor, symmetric = TRUE, only.values = TRUE)$values
  forms <- if (is.infinite(df)) sum(x^2) / min(values) else (df + d) * d * log1p(max(x^2) / df)
  unit <- max(forms, abs(as.double(wanted)), 1) + max(values) / min(values) * min(forms, df + d)
  as.double(abs(found - wanted)) / unit
}

# ---- plain R ----

plain_t_density <- function(cor, df, u) {
  d <- ncol(u)
  gaussian <- is.infinite(df)
  x <- if (gaussian) stats::qnorm(u) else stats::qt(u, df)
  distance <- colSums(t(x) * solve(cor, t(x)))
  log_determinant <- sum(log(eigen(cor, symmetric = TRUE, only.values = TRUE)$values))
  if (gaussian) return(-log_determinant / 2 - (distance - rowSums(x^2)) / 2)
  joint <- lgamma((df + d) / 2) - lgamma(df / 2) - d / 2 * log(df * pi) - log_determinant / 2 -
    (df + d) / 2 * log1p(distance / df)
  joint - rowSums(matrix(stats::dt(x, df, log = TRUE), nrow(x)))
}

# Two dimensions, as textbooks have them.
plain_pair_density <- function(family, theta, u) {
  a <- u[, 1L]
  b <- u[, 2L]
  switch(family,
    clayton = log1p(theta) - (1 + theta) * log(a * b) -
      (2 + 1 / theta) * log(a^-theta + b^-theta - 1),
    frank = {
      # Both terms are positive.
      rest <- -exp(-theta * a) * expm1(-theta * b) - exp(-theta * b) * expm1(-theta * (1 - b))
      log(theta) + log(-expm1(-theta)) - theta * (a + b) - 2 * log(rest)
    },
    gumbel = {
      x <- -log(a)
      y <- -log(b)
      s <- (x^theta + y^theta)^(1 / theta)
      -s + x + y + (theta - 1) * (log(x) + log(y)) + (1 - 2 * theta) * log(s) + log(s + theta - 1)
    }
  )
}

densities_routines <- list(
  density_clayton = routine(
    "Rmpfr, Taylor series of the generator", 2e-15,
    "in units of the largest of the logs that are added", function() archimedean_error("clayton"),
    "mpfr"
  ),
  density_frank = routine(
    "Rmpfr, Taylor series of the generator", 1e-15,
    "in units of the largest of the logs that are added", function() archimedean_error("frank"),
    "mpfr"
  ),
  density_gumbel = routine(
    "Rmpfr, Taylor series of the generator", 1e-15,
    "in units of the largest of the logs that are added", function() archimedean_error("gumbel"),
    "mpfr"
  ),
  density_gaussian = routine(
    "Rmpfr, quantiles by Newton's method and elimination", 1e-15,
    "in units of the quadratic form and of the condition of R", function() elliptical_error(Inf),
    "mpfr"
  ),
  density_t = routine(
    "Rmpfr, quantiles by Newton's method and elimination", 1e-14,
    "in units of the quadratic form and of the condition of R; quantiles are good to 1e-14",
    function() elliptical_error(log_between(0.3, 300)), "mpfr"
  ),
  density_elliptical_plain = routine(
    "solve(), qt(), lgamma()", 1e-12,
    "in units of the condition of R times the degrees of freedom, whose lgammas cancel",
    function() {
      d <- whole_between(2L, 5L)
      cor <- any_correlation(d, 0.05)
      df <- if (chance(0.3)) Inf else log_between(0.5, 100)
      u <- matrix(stats::runif(4L * d, 0.001, 0.999), 4L)
      wanted <- plain_t_density(cor, df, u)
      found <- log_density_cpp(core_list("t", d, cor = cor, df = df), u, 1L)
      gap(found, wanted, max(1, abs(wanted), min(df, 100)) * kappa(cor, exact = TRUE))
    }
  ),
  density_pair_plain = routine(
    "closed forms of two dimensions", 1e-14, "in units of 1 + theta: differences of large logs",
    function() {
      family <- one_of(c("clayton", "frank", "gumbel"))
      theta <- c(clayton = 0, frank = 0, gumbel = 1)[[family]] + log_between(0.01, 15)
      u <- matrix(stats::runif(10L, 0.05, 0.95), 5L)
      gap(log_density_cpp(core_list(family, 2L, theta = theta), u, 1L),
          plain_pair_density(family, theta, u), (1 + theta) * (1 + 1 / theta))
    }
  ),
  density_reflected = routine(
    "the density at 1 - u", 0, "the same operations on the same numbers",
    function() {
      family <- one_of(c("clayton", "frank", "gumbel"))
      theta <- 1 + log_between(0.01, 15)
      d <- whole_between(2L, 5L)
      flipped <- stats::runif(d) < 0.5
      u <- matrix(stats::runif(3L * d, 0.01, 0.99), 3L)
      turned <- u
      turned[, flipped] <- 1 - turned[, flipped]
      found <- log_density_cpp(core_list(family, d, theta = theta, flipped = flipped), u, 1L)
      gap(found, log_density_cpp(core_list(family, d, theta = theta), turned, 1L), 1 + theta)
    }
  )
)
