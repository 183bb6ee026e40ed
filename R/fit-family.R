# Estimation of one family from a sample of copula_sample(). Returns family (independence where the
# one asked for does not apply), theta, cor, df, flipped and loglik.
fit_family <- function(sample, family, method, likelihood, threads, call = caller_env()) {
  switch(families[[family]]$kind,
    independence = list(family = family, loglik = 0),
    elliptical = fit_elliptical(sample, family, method, likelihood, threads, call),
    archimedean = fit_archimedean(sample, family, method, likelihood, threads)
  )
}

fit_elliptical <- function(sample, family, method, likelihood, threads, call) {
  active <- !sample$constant
  u <- sample$u[, active, drop = FALSE]
  cor <- rethrow_core_errors(correlation_from_tau_cpp(sample$tau), call)
  part <- cor[active, active, drop = FALSE]
  fit <- list(cor = part, df = NULL, loglik = NULL)
  if (sum(active) < 2L) {
    # Nothing to estimate: the likelihood is flat.
    fit$loglik <- 0
    if (family == "t") fit$df <- Inf
  } else if (method == "mpl") {
    check_rows_for_likelihood(u, call)
    by_likelihood <- if (family == "t") fit_t_by_likelihood_cpp else fit_gaussian_by_likelihood_cpp
    fit <- by_likelihood(u, part, threads)
  } else if (family == "t") {
    fit <- fit_df_cpp(u, part, threads)
  } else if (likelihood) {
    fit$loglik <- rank_log_likelihood_cpp(u, part, Inf, threads)
  }
  cor[active, active] <- fit$cor
  list(family = family, cor = cor, df = if (family == "t") fit$df, loglik = fit$loglik)
}

check_rows_for_likelihood <- function(u, call) {
  if (nrow(u) <= ncol(u)) {
    abort_argument(
      "method",
      c("{.arg method} {.val mpl} needs more rows than columns for elliptical families, not {nrow(u)} x {ncol(u)}.",
        i = "{.val itau} has no such limit."),
      call
    )
  }
}

fit_archimedean <- function(sample, family, method, likelihood, threads) {
  tau <- mean_tau(sample)
  if (!is.finite(tau) || tau <= 0) return(list(family = "independence", loglik = 0))
  active <- !sample$constant
  flip <- sample$signs < 0
  u <- sample$u
  u[, flip] <- 1 - u[, flip]
  u <- u[, active, drop = FALSE]
  theta <- if (method == "mpl") {
    theta_by_likelihood_cpp(family, u, threads)
  } else {
    theta_from_tau_cpp(family, min(tau, largest_tau))
  }
  fit <- list(family = family, theta = theta, flipped = if (any(flip)) flip)
  if (likelihood) {
    fit$loglik <- sum(log_density_cpp(core_list(family, ncol(u), theta = theta), u, threads))
  }
  fit
}

# Beyond it draws are comonotone to the last digits that matter; the core has the same bound.
largest_tau <- 0.999

# Mean over the pairs of columns that vary, after reflection; NaN without a pair.
mean_tau <- function(sample) {
  active <- !sample$constant
  tau <- (sample$tau * outer(sample$signs, sample$signs))[active, active, drop = FALSE]
  mean(tau[lower.tri(tau)])
}

# The form in which the core takes a copula.
core_list <- function(family, dim, theta = NULL, cor = NULL, df = NULL, flipped = NULL) {
  list(family = family, dim = as.integer(dim), theta = theta, cor = cor, df = df, flipped = flipped)
}
