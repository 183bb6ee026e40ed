#' Copula density
#'
#' Evaluated in logs with positive terms only, so that it is right in two dimensions and in
#' hundreds.
#'
#' @param copula A `cawi_copula`.
#' @param u Points of the unit cube, one per row; a vector is one point.
#' @param log Return the log-density?
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A vector with one value per row. Outside the open unit cube the density is 0; if all rows
#'   are outside, there is a warning of class `cawi_warning_outside`.
#' @references
#' Demarta, S. and McNeil, A. J. (2005). The t copula and related copulas. *International
#' Statistical Review* 73, 111-129.
#'
#' Hofert, M., Mächler, M. and McNeil, A. J. (2012). Likelihood inference for Archimedean copulas
#' in high dimensions under known margins. *Journal of Multivariate Analysis* 110, 133-150.
#' @examples
#' clayton <- cawi_copula_from("clayton", dim = 2, theta = 2)
#' cawi_density(clayton, rbind(c(0.1, 0.1), c(0.1, 0.9)))
#' cawi_density(cawi_copula_from("gumbel", dim = 263, theta = 2), rep(0.3, 263), log = TRUE)
#' @export
cawi_density <- function(copula, u, log = FALSE, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_copula(copula)
  log <- check_flag(log, "log")
  check_given(u, "u")
  if (is.numeric(u) && is.null(dim(u))) u <- matrix(u, nrow = 1L)
  u <- check_matrix(u, "u")
  if (ncol(u) != copula$dim) {
    abort_argument("u", "{.arg u} must have the {copula$dim} columns of the copula, not {ncol(u)}.",
                   environment())
  }
  threads <- resolve_threads(threads)
  found <- rethrow_core_errors(
    list(value = log_density_cpp(copula, u, threads), outside = rowSums(u <= 0 | u >= 1) > 0),
    environment(), 16 * nrow(u) + 12 * length(u)
  )
  if (all(found$outside)) {
    warn_topic(
      "outside",
      c("Every row of {.arg u} lies outside the open unit cube, where the density is 0.",
        i = "{.fn cawi_pseudo_obs} takes data to the unit cube."),
      environment()
    )
  }
  if (log) found$value else exp(found$value)
}
