#' A copula with given parameters
#'
#' Builds a copula without data, to draw from it, to evaluate its density or to pass it to a model
#' as `init`.
#'
#' @param family One of `r quoted_names(family_names)`.
#' @param dim Dimension; may be left out where `cor` is a matrix.
#' @param theta Parameter of an Archimedean family: from 0 for Clayton and Frank, from 1 for Gumbel;
#'   the lower end is independence, the upper 1e6.
#' @param cor Correlation matrix of an elliptical family, or one number for all pairs. A singular
#'   matrix can be sampled but has no density.
#' @param df Degrees of freedom of the t copula, at least 0.05; `Inf` is the Gaussian copula.
#' @param tau Kendall's tau for all pairs, instead of `theta` or `cor`.
#' @param ... Not used.
#' @return A `cawi_copula`, as from [cawi_copula()].
#' @inherit cawi_copula references
#' @examples
#' cawi_copula_from("clayton", dim = 3, theta = 2)
#' cawi_copula_from("frank", dim = 3, tau = 0.4)
#' cawi_copula_from("t", dim = 2, cor = 0.5, df = 4)
#' @export
cawi_copula_from <- function(family, dim = NULL, theta = NULL, cor = NULL, df = NULL, tau = NULL,
                             ...) {
  check_dots(rlang::enquos(...))
  check_given(family, "family")
  family <- check_family(family)
  if (is.null(dim)) dim <- if (is.matrix(cor) || is.data.frame(cor)) nrow(cor)
  if (is.null(dim)) abort_argument("dim", "{.arg dim} is missing.", environment())
  dim <- check_count(dim, "dim")
  refuse_unused(family, list(theta = theta, cor = cor, df = df), tau)
  switch(families[[family]]$kind,
    independence = new_cawi_copula(family, dim),
    archimedean = archimedean_from(family, dim, theta, tau),
    elliptical = elliptical_from(family, dim, cor, df, tau)
  )
}

# A parameter that the family does not have is a mistake, not a detail.
refuse_unused <- function(family, parameters, tau, call = caller_env()) {
  unused <- c(foreign_terms(family, parameters),
              if (!is.null(tau) && family_is(family, "independence")) "tau")
  if (length(unused) > 0L) {
    arg <- unused[1L]
    abort_argument(arg, "The {family} family has no parameter {.arg {arg}}.", call)
  }
  if (!is.null(tau) && !(is.null(parameters$theta) && is.null(parameters$cor))) {
    abort_argument("tau", "Give {.arg tau} or the parameter itself, not both.", call)
  }
}

archimedean_from <- function(family, dim, theta, tau, call = caller_env()) {
  lowest <- families[[family]]$independence
  if (!is.null(tau)) {
    tau <- check_given_tau(tau, family, call)
    theta <- if (tau == 0) lowest else theta_from_tau_cpp(family, tau)
  }
  if (is.null(theta)) abort_argument("theta", "{.arg theta} is missing.", call)
  theta <- check_number(theta, "theta", call, min = lowest, max = largest_theta)
  new_cawi_copula(family, dim, list(theta = theta))
}

check_given_tau <- function(tau, family, call) {
  range <- families[[family]]$tau
  check_number(tau, "tau", call, min = range[1L], max = range[2L])
}

elliptical_from <- function(family, dim, cor, df, tau, call = caller_env()) {
  if (!is.null(tau)) cor <- sin(pi / 2 * check_given_tau(tau, family, call))
  if (is.null(cor)) abort_argument("cor", "{.arg cor} is missing.", call)
  check_result_size(dim, dim, "dim", call)
  if (is.data.frame(cor)) cor <- as_numeric_matrix(cor, "cor", call)
  if (!is.matrix(cor)) {
    rho <- check_number(cor, "cor", call, min = -1, max = 1)
    check_memory(32 * dim^2, call)
    cor <- matrix(rho, dim, dim)
    diag(cor) <- 1
  }
  cor <- check_correlation(cor, "cor", call)
  if (nrow(cor) != dim) {
    abort_argument("cor", "{.arg cor} must be {dim} x {dim}, not {nrow(cor)} x {ncol(cor)}.", call)
  }
  if (families[[family]]$has_df) {
    if (is.null(df)) abort_argument("df", "{.arg df} is missing.", call)
    df <- check_number(df, "df", call, min = smallest_df)
  }
  new_cawi_copula(family, dim, list(cor = cor, df = df), names = colnames(cor))
}
