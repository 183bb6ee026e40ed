# Kendall's tau of the families, estimates and samplers.

archimedean_names <- c("clayton", "frank", "gumbel")

precise_tau <- function(family, theta) {
  theta <- precise(theta)
  switch(family,
    clayton = theta / (theta + 2),
    gumbel = (theta - 1) / theta,
    # Near zero the Debye function is one less theta / 4: tau loses twice the digits of theta.
    frank = 1 - 4 / theta * (1 - precise_debye1_anywhere(theta))
  )
}

# By exponentials, or, near zero, by the series of t / (e^t - 1) with Bernoulli numbers.
precise_debye1_anywhere <- function(x) {
  if (x > 1) return(precise_debye1(x))
  k <- 1:60
  total <- 1 - x / 4
  for (i in k) {
    term <- Rmpfr::Bernoulli(2L * i, bits) / factorial_of(2L * i) * x^(2L * i) / (2L * i + 1L)
    total <- total + term
  }
  total
}

factorial_of <- function(n) gamma(precise(n + 1L))

any_tau_theta <- function(family) {
  if (family == "gumbel") return(1 + log_between(1e-8, 900))
  log_between(1e-8, if (family == "clayton") 1900 else 3900)
}

tau_unit <- function(family, tau) if (family == "gumbel") 1 else tau

# ---- estimates ----

# A sample from a random copula, as pseudo-observations: with ties now and then.
any_ranks <- function(rows, d) {
  family <- one_of(c("t", archimedean_names))
  copula <- if (family == "t") {
    core_list("t", d, cor = any_correlation(d, 0.1), df = log_between(0.7, 50))
  } else {
    core_list(family, d, theta = 1 + log_between(0.1, 6))
  }
  x <- simulate_cpp(copula, rows, whole_between(1L, 1e6L), 1L)
  if (chance(0.2)) x <- round(x, 1L)
  pseudo_obs_cpp(x, "average", 1, 1L)
}

least_rows <- function() whole_between(8L, 30L)

# ---- samplers ----

# The probability that a distance as large as that between the sample and the uniform distribution
# comes by chance, by Kolmogorov's series.
uniform_chance <- function(u) {
  n <- length(u)
  u <- sort(u)
  distance <- max(seq_len(n) / n - u, u - (seq_len(n) - 1) / n)
  z <- distance * (sqrt(n) + 0.12 + 0.11 / sqrt(n))
  k <- 1:100
  min(1, max(2 * sum((-1)^(k - 1) * exp(-2 * k^2 * z^2)), 1e-300))
}

# The distribution of u2 given u1 of two coordinates: uniform and independent of u1.
conditional <- function(copula, u) {
  a <- u[, 1L]
  b <- u[, 2L]
  theta <- copula$theta
  switch(copula$family,
    t = {
      r <- copula$cor[1L, 2L]
      if (is.infinite(copula$df)) {
        return(stats::pnorm((stats::qnorm(b) - r * stats::qnorm(a)) / sqrt(1 - r^2)))
      }
      x <- stats::qt(a, copula$df)
      spread <- sqrt((copula$df + x^2) * (1 - r^2) / (copula$df + 1))
      stats::pt((stats::qt(b, copula$df) - r * x) / spread, copula$df + 1)
    },
    clayton = (1 + a^theta * (b^-theta - 1))^(-1 / theta - 1),
    frank = {
      rest <- -exp(-theta * a) * expm1(-theta * b) - exp(-theta * b) * expm1(-theta * (1 - b))
      -exp(-theta * a) * expm1(-theta * b) / rest
    },
    gumbel = {
      x <- -log(a)
      s <- (x^theta + (-log(b))^theta)^(1 / theta)
      exp(-s) / a * (s / x)^(1 - theta)
    }
  )
}

# Of normal quantiles of two numbers that should be independent, the chance of their correlation.
independence_chance <- function(a, b) {
  n <- length(a)
  r <- stats::cor(rank(a), rank(b))
  2 * stats::pnorm(-abs(r) * sqrt(n - 1))
}

as_digits <- function(chances) -log10(max(min(chances), 1e-300))

any_sampler <- function(d) {
  family <- one_of(c("gaussian", "t", archimedean_names))
  switch(family,
    gaussian = core_list("t", d, cor = any_correlation(d, 0.05), df = Inf),
    t = core_list("t", d, cor = any_correlation(d, 0.05), df = log_between(0.5, 30)),
    clayton = core_list(family, d, theta = log_between(0.02, 20)),
    frank = core_list(family, d, theta = log_between(0.02, 60)),
    gumbel = core_list(family, d, theta = 1 + log_between(0.02, 20))
  )
}

copula_routines <- list(
  tau_from_theta = routine(
    "Rmpfr", 2e-14, "near theta = 1 the difference 1 - D1 keeps all but a few units of its digits",
    function() {
      family <- one_of(archimedean_names)
      theta <- any_tau_theta(family)
      precise_gap(tau_from_theta_cpp(family, theta), precise_tau(family, theta))
    }, "mpfr"
  ),
  theta_from_tau = routine(
    "Rmpfr, through tau", 4e-14, "in units of tau; of one for Gumbel, whose theta rounds near one",
    function() {
      family <- one_of(archimedean_names)
      tau <- one_of(c(stats::runif(1L, 0, 0.998), log_between(1e-8, 0.9)))
      theta <- theta_from_tau_cpp(family, tau)
      as.double(abs(precise_tau(family, theta) - tau)) / tau_unit(family, tau)
    }, "mpfr"
  ),
  tau_round_trip = routine(
    "tau_from_theta()", 4e-14, "as theta_from_tau",
    function() {
      family <- one_of(archimedean_names)
      tau <- one_of(c(stats::runif(1L, 0, 0.998), log_between(1e-8, 0.9)))
      gap(tau_from_theta_cpp(family, theta_from_tau_cpp(family, tau)), tau, tau_unit(family, tau))
    }
  ),
  rank_log_likelihood = routine(
    "the sum of the densities one by one", 1e-11,
    "in units of the sum of their sizes; lgamma() of many degrees of freedom takes digits",
    function() {
      d <- whole_between(2L, 4L)
      u <- any_ranks(least_rows(), d)
      cor <- any_correlation(d, 0.1)
      df <- if (chance(0.3)) Inf else log_between(0.5, 100)
      each <- plain_t_density(cor, df, u)
      gap(rank_log_likelihood_cpp(u, cor, df, 1L), sum(each), sum(abs(each)) + 1)
    }
  ),
  fit_df = routine(
    "the best of a grid of degrees of freedom", 1e-6,
    "the search stops at 24 bits of 1/df, where the likelihood is flat",
    function() {
      d <- whole_between(2L, 3L)
      u <- any_ranks(least_rows(), d)
      cor <- any_correlation(d, 0.3)
      fit <- fit_df_cpp(u, cor, 24L, 1L)
      grid <- c(Inf, 1 / seq(0.02, 0.49, length.out = 12L))
      best <- max(vapply(grid, function(df) sum(plain_t_density(cor, df, u)), numeric(1)))
      at <- sum(plain_t_density(cor, fit$df, u))
      max(shortfall(fit$loglik, best, 1), gap(fit$loglik, at, max(1, abs(at))))
    }
  ),
  theta_by_likelihood = routine(
    "the best of a grid of tau", 1e-6, "the search stops at half the digits of tau",
    function() {
      family <- one_of(archimedean_names)
      u <- any_ranks(least_rows(), whole_between(2L, 4L))
      value <- function(theta) {
        sum(log_density_cpp(core_list(family, ncol(u), theta = theta), u, 1L))
      }
      taus <- c(0.001, 0.02, seq(0.1, 0.9, by = 0.1), 0.98)
      grid <- vapply(taus, function(t) value(theta_from_tau_cpp(family, t)), numeric(1))
      shortfall(value(theta_by_likelihood_cpp(family, u, 1L)), max(grid), 1)
    }
  ),
  fit_gaussian_by_likelihood = routine(
    "matrices around the estimate", 1e-6,
    "the last step gains less than 1e-10 of the likelihood",
    function() {
      d <- whole_between(2L, 4L)
      u <- any_ranks(least_rows(), d)
      # Columns of the same order have no largest likelihood.
      if (max(abs(stats::cor(u)[lower.tri(diag(d))])) > 1 - 1e-10) return(0)
      fit <- fit_gaussian_by_likelihood_cpp(u, diag(d), 1L)
      value <- function(cor) sum(plain_t_density(cor, Inf, u))
      others <- vapply(1:6, function(i) {
        near <- any_correlation(d, 0.1)
        share <- log_between(1e-4, 0.5)
        value((1 - share) * fit$cor + share * near)
      }, numeric(1))
      max(shortfall(value(fit$cor), max(others), 1 + abs(fit$loglik)),
          gap(fit$loglik, value(fit$cor), 1 + abs(fit$loglik)))
    }
  ),
  fit_t_by_likelihood = routine(
    "matrices and degrees of freedom around the estimate", 1e-5,
    "the profile is known to the gain of the last step, 1e-10, and 24 bits of 1/df",
    function() {
      d <- 2L
      u <- any_ranks(least_rows(), d)
      if (abs(stats::cor(u)[1L, 2L]) > 1 - 1e-10) return(0)
      fit <- fit_t_by_likelihood_cpp(u, diag(d), 1L)
      value <- function(cor, df) sum(plain_t_density(cor, df, u))
      others <- vapply(1:6, function(i) {
        share <- log_between(1e-4, 0.3)
        df <- 1 / min(max(1 / fit$df + stats::rnorm(1L) * share / 5, 1e-5), 0.4999)
        value((1 - share) * fit$cor + share * any_correlation(d, 0.1), df)
      }, numeric(1))
      shortfall(value(fit$cor, fit$df), max(others), 1 + abs(fit$loglik))
    }
  ),
  shrunk_correlation = routine(
    "the best of a grid of shrinkage", 1e-5, "the search stops at 16 bits of log e",
    function() {
      d <- whole_between(2L, 4L)
      u <- any_ranks(least_rows(), d)
      cor <- correlation_from_tau_cpp(kendall_cpp(u, 1L))
      value <- function(r) sum(plain_t_density(r, Inf, u))
      # Below this even e = exp(-16) is far from R itself.
      if (min(eigen(cor, TRUE, TRUE)$values) < 1e-5) return(0)
      grid <- vapply(c(0, exp(seq(-14, 0, length.out = 20L))), function(e) {
        value((1 - e) * cor + diag(e, d))
      }, numeric(1))
      shortfall(value(shrunk_correlation_cpp(u, cor)), max(grid), 1 + abs(max(grid)))
    }
  ),
  sampler_margins = routine(
    "Kolmogorov's distance of every margin", 8, "digits of the chance of such a distance",
    function() {
      d <- whole_between(1L, 6L)
      u <- simulate_cpp(any_sampler(d), 20000L, whole_between(1L, 1e9L), 1L)
      as_digits(apply(u, 2L, uniform_chance))
    }, "draws"
  ),
  sampler_conditional = routine(
    "the distribution of a coordinate given another", 8, "digits of the chance of such a distance",
    function() {
      d <- whole_between(2L, 5L)
      copula <- any_sampler(d)
      u <- simulate_cpp(copula, 20000L, whole_between(1L, 1e9L), 1L)
      pair <- sample.int(d, 2L)
      if (!is.null(copula$cor)) copula$cor <- copula$cor[pair, pair]
      v <- conditional(copula, u[, pair])
      as_digits(c(uniform_chance(v), independence_chance(v, u[, pair[1L]])))
    }, "draws"
  ),
  sampler_tau = routine(
    "Kendall's tau of the family", 8, "digits of the chance of such a difference",
    function() {
      d <- whole_between(2L, 4L)
      copula <- any_sampler(d)
      u <- simulate_cpp(copula, 20000L, whole_between(1L, 1e9L), 1L)
      wanted <- if (is.null(copula$cor)) {
        tau_from_theta_cpp(copula$family, copula$theta)
      } else {
        2 / pi * asin(copula$cor[1L, 2L])
      }
      parts <- vapply(split(seq_len(20000L), rep(1:50, each = 400L)), function(rows) {
        kendall_cpp(u[rows, 1:2], 1L)[1L, 2L]
      }, numeric(1))
      spread <- stats::sd(parts)
      z <- if (spread > 0) (mean(parts) - wanted) / spread * sqrt(50) else 0
      as_digits(2 * stats::pt(-abs(z), 49))
    }, "draws"
  ),
  sampler_prefix = routine(
    "a shorter sample of the same seed", 0, "draws depend on the seed and their number alone",
    function() {
      copula <- any_sampler(whole_between(1L, 4L))
      seed <- whole_between(1L, 1e9L)
      long <- simulate_cpp(copula, 40L, seed, 1L)
      count <- whole_between(1L, 40L)
      holds(identical(simulate_cpp(copula, count, seed, 1L), long[seq_len(count), , drop = FALSE]),
            long > 0, long < 1)
    }
  ),
  weights = routine(
    "quantiles of the draws of the same seed", 4e-15,
    "of normal numbers qnorm() has 15 digits; the cotangent rounds pi u",
    function() {
      copula <- any_sampler(whole_between(1L, 4L))
      seed <- whole_between(1L, 1e9L)
      hidden <- whole_between(1L, 20L)
      scale <- log_between(1e-3, 1e3)
      u <- t(simulate_cpp(copula, hidden, seed, 1L))
      marginal <- one_of(c("uniform", "normal", "cauchy"))
      wanted <- scale * switch(marginal, uniform = 2 * u - 1, normal = stats::qnorm(u),
                               cauchy = stats::qcauchy(u))
      # Near u = 1/2 the quantile is a difference.
      gap(weights_cpp(copula, hidden, marginal, scale, seed, 1L), wanted,
          pmax(abs(wanted), scale))
    }
  ),
  keep_inputs = routine(
    "counts of what is kept", 0, "weights are kept or zero",
    function() {
      d <- whole_between(1L, 8L)
      w <- normal_matrix(d, whole_between(1L, 10L))
      inputs <- whole_between(1L, d)
      share <- if (chance(0.5)) stats::rexp(d) * (stats::runif(d) < 0.7)
      seed <- whole_between(1L, 1e6L)
      kept <- keep_inputs_cpp(w, inputs, seed, share)
      count <- colSums(kept != 0)
      possible <- if (is.null(share)) inputs else max(min(inputs, sum(share > 0)), 0)
      some <- whole_between(1L, ncol(w))
      part <- keep_inputs_cpp(w[, seq_len(some), drop = FALSE], inputs, seed, share)
      holds(kept == 0 | kept == w, count == inputs,
            is.null(share) || inputs >= d || possible == 0 ||
              all(colSums(kept[share > 0, , drop = FALSE] != 0) == possible),
            identical(part, kept[, seq_len(some), drop = FALSE]))
    }
  ),
  mean_square = routine(
    "moments and asin()", 2e-9, "the series of asin is cut at nine digits",
    function() {
      d <- whole_between(1L, 5L)
      z <- normal_matrix(whole_between(1L, 20L), d)
      uniform <- chance(0.5)
      same <- chance(0.3)
      cor <- if (same) matrix(stats::runif(1L, -1, 1)) else any_correlation(d)
      whole <- if (same) matrix(cor[1L], d, d) else cor
      if (uniform) whole <- 6 / pi * asin(whole / 2)
      diag(whole) <- 1
      unit <- sum(abs(whole) * crossprod(abs(z))) / nrow(z)
      gap(mean_square_cpp(z, cor, uniform), sum(whole * crossprod(z)) / nrow(z), unit)
    }
  )
)
