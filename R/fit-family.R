# Estimation of one family from a sample of copula_sample(). Returns family (independence where the
# one asked for does not apply), theta, cor, df, flipped and loglik.
#
# `goal` says what for: "estimate" the parameters alone, "likelihood" also the log-likelihood,
# "draws" what the weights of a network need (df to two digits), "score" what a fair comparison
# needs, with R shrunk to where the pseudo-likelihood of the sample is highest.
fit_family <- function(sample, family, method, goal, threads, call = caller_env()) {
  switch(families[[family]]$kind,
    independence = list(family = family, loglik = 0),
    elliptical = fit_elliptical(sample, family, method, goal, threads, call),
    archimedean = fit_archimedean(sample, family, method, goal, threads)
  )
}

wants_likelihood <- function(goal) goal %in% c("likelihood", "score")

fit_elliptical <- function(sample, family, method, goal, threads, call) {
  active <- !sample$constant
  cor <- rethrow_core_errors(correlation_from_tau_cpp(sample$tau), call)
  part <- cor[active, active, drop = FALSE]
  fit <- list(cor = part, df = NULL, loglik = NULL)
  if (sum(active) < 2L) {
    # Nothing to estimate: the likelihood is flat.
    fit <- list(cor = part, df = Inf, loglik = 0)
  } else if (method == "mpl") {
    check_rows_for_likelihood(active_ranks(sample), call)
    by_likelihood <- if (family == "t") fit_t_by_likelihood_cpp else fit_gaussian_by_likelihood_cpp
    fit <- by_likelihood(active_ranks(sample), part, threads)
  } else if (family == "t" || wants_likelihood(goal)) {
    if (goal == "score") part <- shrunk_correlation_cpp(active_ranks(sample), part)
    fit <- elliptical_likelihood(active_ranks(sample), part, family, goal, threads)
  }
  cor[active, active] <- fit$cor
  list(family = family, cor = cor, df = if (family == "t") fit$df,
       loglik = if (wants_likelihood(goal)) fit$loglik)
}

elliptical_likelihood <- function(u, cor, family, goal, threads) {
  if (family == "t") return(fit_df_cpp(u, cor, if (goal == "draws") 6L else 24L, threads))
  list(cor = cor, loglik = rank_log_likelihood_cpp(u, cor, Inf, threads))
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

fit_archimedean <- function(sample, family, method, goal, threads) {
  tau <- mean_tau(sample)
  if (!is.finite(tau) || tau <= 0) return(list(family = "independence", loglik = 0))
  flip <- sample$signs < 0
  fit <- list(family = family, flipped = if (any(flip)) flip)
  fit$theta <- if (method == "mpl") {
    theta_by_likelihood_cpp(family, active_ranks(sample, flip), threads)
  } else {
    theta_from_tau_cpp(family, min(tau, largest_tau))
  }
  if (wants_likelihood(goal)) {
    u <- active_ranks(sample, flip)
    fit$loglik <- sum(log_density_cpp(core_list(family, ncol(u), theta = fit$theta), u, threads))
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
