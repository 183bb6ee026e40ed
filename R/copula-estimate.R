# Estimates of one family from the result of copula_sample(): a list of family (independence where
# the one asked for does not apply), theta, cor, df, flipped and loglik.
#
# The goal decides what is computed:
# "estimate"    the parameters
# "likelihood"  the parameters and the log-likelihood
# "draws"       the parameters as precisely as draws of weights need them (rough df)
# "layer"       the same for a hidden layer, whose columns are many and of low rank
# "score"       as "likelihood", but with cor shrunk until the pseudo-likelihood of the sample is
#               highest, so that families can be compared
fit_family <- function(sample, family, method, goal, threads, call = caller_env()) {
  switch(families[[family]]$kind,
    independence = list(family = family, loglik = 0),
    elliptical = fit_elliptical(sample, family, method, goal, threads, call),
    archimedean = fit_archimedean(sample, family, method, goal, threads)
  )
}

wants_likelihood <- function(goal) goal %in% c("likelihood", "score")

fit_elliptical <- function(sample, family, method, goal, threads, call) {
  has_df <- families[[family]]$has_df
  active <- !sample$constant
  cor <- rethrow_core_errors(elliptical_cor(sample$tau, goal), call)
  if (goal %in% c("draws", "layer")) {
    df <- if (has_df) df_of_some_columns(sample, cor, threads)
    return(list(family = family, cor = cor, df = df))
  }
  part <- cor[active, active, drop = FALSE]
  fit <- list(cor = part, df = NULL, loglik = NULL)
  if (sum(active) < 2L) {
    # Nothing to estimate: the likelihood is flat.
    fit <- list(cor = part, df = Inf, loglik = 0)
  } else if (method == "mpl") {
    check_rows_for_likelihood(active_ranks(sample), call)
    by_likelihood <- if (has_df) fit_t_by_likelihood_cpp else fit_gaussian_by_likelihood_cpp
    fit <- by_likelihood(active_ranks(sample), part, threads)
  } else if (has_df || wants_likelihood(goal)) {
    if (goal == "score") part <- shrunk_correlation_cpp(active_ranks(sample), part)
    fit <- elliptical_likelihood(active_ranks(sample), part, family, threads)
  }
  cor[active, active] <- fit$cor
  list(family = family, cor = cor, df = if (has_df) fit$df,
       loglik = if (wants_likelihood(goal)) fit$loglik)
}

elliptical_cor <- function(tau, goal) {
  if (goal != "layer" || ncol(tau) <= few_columns) return(correlation_from_tau_cpp(tau))
  leading_correlation_from_tau_cpp(tau)
}

# The degrees of freedom of a t copula are those of each of its margins, so that some columns tell
# them for all. Some rows do, too: a hundred draws do not tell ten degrees from twelve.
df_of_some_columns <- function(sample, cor, threads) {
  active <- which(!sample$constant)
  if (length(active) < 2L) return(Inf)
  some <- active[evenly(length(active), few_columns)]
  x <- sample$x[evenly(nrow(sample$x), 150L), some, drop = FALSE]
  rough_df_cpp(x, cor[some, some, drop = FALSE], threads)
}

elliptical_likelihood <- function(u, cor, family, threads) {
  if (families[[family]]$has_df) return(fit_df_cpp(u, cor, 24L, threads))
  list(cor = cor, loglik = rank_log_likelihood_cpp(u, cor, Inf, threads))
}

check_rows_for_likelihood <- function(u, call) {
  if (nrow(u) <= ncol(u)) {
    abort_argument(
      "method",
      c(paste("{.arg method} {.val mpl} needs more rows than columns for elliptical families,",
              "not {nrow(u)} x {ncol(u)}."),
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
    theta_from_tau_cpp(family, min(tau, families[[family]]$tau[2L]))
  }
  if (wants_likelihood(goal)) {
    u <- active_ranks(sample, flip)
    fit$loglik <- sum(log_density_cpp(core_list(family, ncol(u), theta = fit$theta), u, threads))
  }
  fit
}

# Mean over the pairs of columns that vary, after reflection; NaN without a pair. The diagonal is
# one; matrices of hidden layers are large enough for every copy to count.
mean_tau <- function(sample) {
  tau <- sample$tau
  if (any(sample$signs < 0)) tau <- tau * outer(sample$signs, sample$signs)
  if (any(sample$constant)) tau <- tau[!sample$constant, !sample$constant, drop = FALSE]
  columns <- ncol(tau)
  (sum(tau) - columns) / (columns * (columns - 1))
}

# The form in which the core takes a copula.
core_list <- function(family, dim, theta = NULL, cor = NULL, df = NULL, flipped = NULL) {
  list(family = family, dim = as.integer(dim), theta = theta, cor = cor, df = df, flipped = flipped)
}

# What every family reads: tau, which columns vary, and the signs of the reflection. The
# pseudo-observations, which not every fit needs, come from active_ranks().
copula_sample <- function(x, reflect, threads) {
  constant <- constant_columns(x)
  tau <- with_names(kendall_cpp(x, threads), colnames(x))
  list(x = x, tau = tau, constant = constant, threads = threads,
       signs = if (reflect) leading_signs(tau) else rep(1, ncol(x)))
}

# Pseudo-observations of the columns that vary, some of them flipped.
active_ranks <- function(sample, flip = NULL) {
  u <- pseudo_obs_cpp(sample$x, "average", 0, sample$threads)
  if (any(flip)) u[, flip] <- 1 - u[, flip]
  u[, !sample$constant, drop = FALSE]
}

# Signs of the leading eigenvector. A solver may return either sign, so it is turned to make most
# features positive, or the first feature where as many are negative.
leading_signs <- function(tau) {
  leading <- eigen(tau, symmetric = TRUE)$vectors[, 1L]
  signs <- ifelse(leading < 0, -1, 1)
  if (sum(signs) < 0 || (sum(signs) == 0 && signs[1L] < 0)) -signs else signs
}

# `parameters` has theta, cor, df and flipped, as far as the family has them. `origin` says where
# the parameters come from; it is empty if the user gave them.
new_cawi_copula <- function(family, dim, parameters = list(), origin = list(), names = NULL) {
  cor <- parameters$cor
  if (!is.null(cor) && !is.null(names)) dimnames(cor) <- list(names, names)
  structure(
    list(
      family = family, dim = as.integer(dim), theta = parameters$theta, cor = cor,
      df = parameters$df, flipped = parameters$flipped, tau = origin$tau, loglik = origin$loglik,
      nobs = origin$nobs, method = origin$method %||% "given",
      requested = origin$requested %||% family, selection = origin$selection, names = names,
      active = as.integer(origin$active %||% dim)
    ),
    class = "cawi_copula"
  )
}

# Straight to the estimates: the input is checked already, and constant features are common in real
# tables and harmless here.
fit_layer_copula <- function(input, family, threads, quiet = FALSE) {
  selection <- if (family == "auto") cawi_select(input, threads = threads)
  if (family == "auto") family <- selection$family[1L]
  sample <- copula_sample(input, FALSE, threads)
  fit <- fit_family(sample, family, "itau", "draws", threads)
  if (fit$family != family && is.finite(mean_tau(sample)) && !quiet) {
    # A plain condition: composing a rich message would cost more than the fit.
    warning(structure(
      class = c("cawi_warning_independence", "cawi_warning", "warning", "condition"),
      list(message = paste0("The mean tau of the features is not positive, as ", family,
                            " copulas need: drawing independent weights."), call = NULL)
    ))
  }
  fitted_layer_copula(fit, input, family, selection)
}

fitted_layer_copula <- function(fit, input, family, selection) {
  copula <- new_cawi_copula(fit$family, ncol(input), parameters = fit, origin = list(
    nobs = nrow(input), method = "itau", requested = family
  ))
  copula$selection <- selection
  copula
}
