#' Fit a copula to the ranks of the data
#'
#' Estimates the dependence of the columns of `x`, whatever their scales: only ranks matter.
#'
#' @details
#' With `method = "itau"` (the paper's) parameters come from Kendall's tau: the elliptical families
#' take `R = sin(pi * tau / 2)`, moved to the nearest correlation matrix if needed, and `t` adds its
#' degrees of freedom by profile pseudo-likelihood over `(2, Inf]`; `Inf` is the Gaussian copula.
#' The Archimedean families have a single parameter for all pairs, taken from the mean tau. With
#' `method = "mpl"` all parameters maximise the pseudo-likelihood; the elliptical families then need
#' more rows than columns.
#'
#' `family = "auto"` chooses by held-out pseudo-likelihood, see [cawi_select()]; the table is kept in
#' the object and shown by `summary()`.
#'
#' Archimedean families know only positive dependence. If the mean tau is not positive the result is
#' the independence copula, with a warning of class `cawi_warning_independence`. With
#' `reflect = TRUE` features are first flipped by the signs of the leading eigenvector of the tau
#' matrix, and densities and draws flip them back, so that one common factor with mixed signs becomes
#' positive dependence. Where as many features would be flipped as not, the first one stays.
#'
#' Archimedean fits stop at a mean tau of 0.999, where draws are comonotone for all purposes.
#'
#' A constant column carries no dependence: it is independent of the others under elliptical
#' families, does not enter the mean tau or the likelihood, and gives a warning of class
#' `cawi_warning_constant`. In one dimension every copula is the uniform law.
#'
#' @inheritParams cawi_pseudo_obs
#' @param family One of `"auto"`, `"independence"`, `"gaussian"`, `"t"`, `"clayton"`, `"frank"`,
#'   `"gumbel"`.
#' @param method `"itau"`, inversion of Kendall's tau, or `"mpl"`, maximum pseudo-likelihood.
#' @param reflect Flip features by the signs of tau's leading eigenvector before an Archimedean fit?
#' @param likelihood Compute the log-likelihood of the fit? `FALSE` saves time when only draws are
#'   wanted.
#' @param ... Passed to [cawi_select()] when `family = "auto"`.
#' @return An object of class `cawi_copula`: a list with `family`, `dim`, `theta`, `cor`, `df`,
#'   `flipped` (features that enter as `1 - u`), `tau` (of the sample), `loglik`, `nobs`, `method`,
#'   `requested` (the family asked for), `selection` (the table of `"auto"`) and `names`. Methods:
#'   `print`, `summary`, `coef`, `logLik`, `AIC`, `BIC`, [simulate()][simulate.cawi_copula],
#'   [plot()][plot.cawi_copula] and `autoplot`.
#' @seealso [cawi_copula_from()] for given parameters, [cawi_density()], [cawi_weights()].
#' @examples
#' fit <- cawi_copula(iris[, 1:4], "t")
#' fit
#' coef(fit)
#' summary(cawi_copula(iris[, 1:4]))
#'
#' # sepal width falls as the others rise: reflection lets Clayton see it
#' cawi_copula(iris[, 1:4], "clayton", reflect = TRUE)
#' @export
cawi_copula <- function(x, family = "auto", method = c("itau", "mpl"), reflect = FALSE,
                        likelihood = TRUE, threads = NULL, ...) {
  check_given(x, "x")
  family <- check_family(family, extra = "auto")
  method <- check_choice(method, c("itau", "mpl"), "method")
  check_flag(reflect, "reflect")
  check_flag(likelihood, "likelihood")
  check_dots(list(...), if (family == "auto") c("families", "criterion", "folds", "max_rows"))
  x <- check_matrix(x)
  check_two_rows(x, "x")
  threads <- resolve_threads(threads)
  check_memory(kendall_bytes(x))
  call <- environment()

  selection <- NULL
  chosen <- family
  if (family == "auto") {
    selection <- cawi_select(x, method = method, reflect = reflect, threads = threads, ...)
    chosen <- selection$family[1L]
  }
  needed <- copula_bytes(x)
  sample <- rethrow_core_errors(copula_sample(x, reflect, threads), call, needed)
  warn_constant(sample$constant)
  goal <- if (likelihood) "likelihood" else "estimate"
  fit <- rethrow_core_errors(fit_family(sample, chosen, method, goal, threads, call), call, needed)
  # Without a pair of varying columns every family is the independence copula.
  if (fit$family != chosen && is.finite(mean_tau(sample))) {
    warn_independence(chosen, sample, call)
  }
  new_cawi_copula(
    family = fit$family, dim = ncol(x), theta = fit$theta, cor = fit$cor, df = fit$df,
    flipped = fit$flipped, tau = sample$tau, loglik = if (likelihood) fit$loglik, nobs = nrow(x),
    method = method, requested = family, selection = selection, names = colnames(x),
    active = sum(!sample$constant)
  )
}

new_cawi_copula <- function(family, dim, theta = NULL, cor = NULL, df = NULL, flipped = NULL,
                            tau = NULL, loglik = NULL, nobs = NULL, method = "given",
                            requested = family, selection = NULL, names = NULL, active = dim) {
  if (!is.null(cor) && !is.null(names)) dimnames(cor) <- list(names, names)
  structure(
    list(family = family, dim = as.integer(dim), theta = theta, cor = cor, df = df,
         flipped = flipped, tau = tau, loglik = loglik, nobs = nobs, method = method,
         requested = requested, selection = selection, names = names, active = as.integer(active)),
    class = "cawi_copula"
  )
}

# Tau, the correlation matrix with its factors, and the ranks.
copula_bytes <- function(x) kendall_bytes(x) + 48 * as.numeric(ncol(x))^2 + 16 * length(x)

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

# Signs of the leading eigenvector, most features positive; the first one where halves are equal,
# because a solver may return either sign.
leading_signs <- function(tau) {
  leading <- eigen(tau, symmetric = TRUE)$vectors[, 1L]
  signs <- ifelse(leading < 0, -1, 1)
  if (sum(signs) < 0 || (sum(signs) == 0 && signs[1L] < 0)) -signs else signs
}

warn_independence <- function(family, sample, call) {
  tau <- mean_tau(sample)
  label <- families[[family]]$label
  warn_topic(
    "independence",
    c("The mean tau is {signif(tau, 3)}, and {label} copulas need it positive: using the independence copula.",
      i = if (all(sample$signs == 1)) "{.code reflect = TRUE} flips features with negative dependence."),
    call
  )
}
