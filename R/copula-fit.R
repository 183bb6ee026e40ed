#' Fit a copula to the ranks of the data
#'
#' Estimates the dependence of the columns of `x`, whatever their scales: only ranks matter.
#'
#' @details
#' With `method = "itau"` (the paper's) parameters come from Kendall's tau: the elliptical families
#' take `R = sin(pi * tau / 2)`, moved to the nearest correlation matrix if needed, and `t` adds its
#' degrees of freedom by profile pseudo-likelihood over `(2, Inf]`; `Inf` is the Gaussian copula.
#' The Archimedean families have a single parameter for all pairs, taken from the mean tau. With
#' `method = "mpl"` all parameters maximize the pseudo-likelihood; the elliptical families then need
#' more rows than columns.
#'
#' `family = "auto"` chooses by held-out pseudo-likelihood, see [cawi_select()]; the table is kept
#' in the object and shown by `summary()`.
#'
#' Archimedean families know only positive dependence. If the mean tau is not positive the result is
#' the independence copula, with a warning of class `cawi_warning_independence`.
#'
#' With `reflect = TRUE` features are first flipped by the signs of the leading eigenvector of the
#' tau matrix, and densities and draws flip them back. So one common factor with mixed signs becomes
#' positive dependence. If it makes no difference which half of the features is flipped, the first
#' feature is not.
#'
#' Archimedean fits stop at a mean tau of 0.999, where draws are comonotone for all purposes.
#'
#' A constant column carries no dependence: it is independent of the others under elliptical
#' families, does not enter the mean tau or the likelihood, and gives a warning of class
#' `cawi_warning_constant`. In one dimension every copula is the uniform distribution.
#'
#' @inheritParams cawi_pseudo_obs
#' @param family One of `r quoted_names(c("auto", family_names))`.
#' @param method `"itau"`, inversion of Kendall's tau, or `"mpl"`, maximum pseudo-likelihood.
#' @param reflect Flip features by the signs of tau's leading eigenvector before an Archimedean fit?
#' @param likelihood Compute the log-likelihood of the fit? `FALSE` saves time when only draws are
#'   wanted.
#' @param ... Passed to [cawi_select()] when `family = "auto"`.
#' @return An object of class `cawi_copula`: a list with `family`, `dim`, `theta`, `cor`, `df`,
#'   `flipped` (features that enter as `1 - u`), `tau` (of the sample), `loglik`, `nobs`, `method`,
#'   `requested` (the family asked for), `selection` (the table of `"auto"`) and `names`. Methods:
#'   `print`, `summary`, `coef`, `logLik`, `AIC`, `BIC`, [tidy()][tidy.cawi_copula], `glance`,
#'   [simulate()][simulate.cawi_copula], [plot()][plot.cawi_copula] and `autoplot`.
#' @seealso [cawi_copula_from()] for given parameters, [cawi_density()], [cawi_weights()].
#' @references
#' Song, P. X.-K. (2000). Multivariate dispersion models generated from Gaussian copula.
#' *Scandinavian Journal of Statistics* 27, 305-320. (Gaussian)
#'
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#'
#' Genest, C., Ghoudi, K. and Rivest, L.-P. (1995). A semiparametric estimation procedure of
#' dependence parameters in multivariate families of distributions. *Biometrika* 82, 543-552.
#'
#' Genest, C. and Rivest, L.-P. (1993). Statistical inference procedures for bivariate Archimedean
#' copulas. *Journal of the American Statistical Association* 88, 1034-1043.
#'
#' The families:
#'
#' Clayton, D. G. (1978). A model for association in bivariate life tables and its application in
#' epidemiological studies of familial tendency in chronic disease incidence. *Biometrika* 65,
#' 141-151.
#'
#' Demarta, S. and McNeil, A. J. (2005). The t copula and related copulas. *International
#' Statistical Review* 73, 111-129.
#'
#' Frank, M. J. (1979). On the simultaneous associativity of F(x, y) and x + y - F(x, y).
#' *Aequationes Mathematicae* 19, 194-226.
#'
#' Genest, C. (1987). Frank's family of bivariate distributions. *Biometrika* 74, 549-555.
#'
#' Gumbel, E. J. (1960). Distributions des valeurs extrêmes en plusieurs dimensions. *Publications
#' de l'Institut de Statistique de l'Université de Paris* 9, 171-173.
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
  reflect <- check_flag(reflect, "reflect")
  likelihood <- check_flag(likelihood, "likelihood")
  choosing <- if (family == "auto") c("families", "criterion", "folds", "max_rows")
  check_dots(rlang::enquos(...), choosing)
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
  # With fewer than two columns that vary, independence is no surprise.
  if (fit$family != chosen && is.finite(mean_tau(sample))) {
    warn_independence(chosen, sample, call)
  }
  new_cawi_copula(
    fit$family, ncol(x), parameters = fit,
    origin = list(tau = sample$tau, loglik = if (likelihood) fit$loglik, nobs = nrow(x),
                  method = method, requested = family, selection = selection,
                  active = sum(!sample$constant)),
    names = colnames(x)
  )
}

# Tau, the correlation matrix with its factors, and the ranks.
copula_bytes <- function(x) kendall_bytes(x) + 48 * as.numeric(ncol(x))^2 + 16 * length(x)

warn_independence <- function(family, sample, call) {
  tau <- mean_tau(sample)
  label <- families[[family]]$label
  hint <- "{.code reflect = TRUE} flips features with negative dependence."
  warn_topic(
    "independence",
    c(paste("The mean tau is {signif(tau, 3)}, and {label} copulas need it positive:",
            "using the independence copula."),
      i = if (all(sample$signs == 1)) hint),
    call
  )
}
