#' Pseudo-observations
#'
#' Ranks of each column divided by `m + 1`, so that every value lies strictly between 0 and 1.
#' They keep the dependence of the columns and forget their scales: step 1 of copula-aligned weight
#' initialization.
#'
#' @param x A numeric matrix or data frame with one row per observation. No missing or infinite
#'   values.
#' @param ties What tied values get: the `"average"` of their ranks, ranks in order of appearance
#'   (`"first"`), or ranks in `"random"` order.
#' @param seed A whole number for random ties; `NULL` takes one from R's generator.
#' @param threads Number of threads; see [cawi-package].
#' @param ... Not used.
#' @return A matrix of the size of `x` with its dimnames.
#' @references
#' Genest, C., Ghoudi, K. and Rivest, L.-P. (1995). A semiparametric estimation procedure of
#' dependence parameters in multivariate families of distributions. *Biometrika* 82, 543-552.
#' @examples
#' u <- cawi_pseudo_obs(iris[, 1:4])
#' range(u)
#' cawi_pseudo_obs(c(3, 1, 1, 2))[, 1] * 5
#' @export
cawi_pseudo_obs <- function(x, ties = c("average", "first", "random"), seed = NULL,
                            threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  ties <- check_choice(ties, c("average", "first", "random"), "ties")
  x <- check_matrix(x)
  threads <- resolve_threads(threads)
  needed <- 16 * length(x)
  check_memory(needed)
  call <- environment()
  u <- keep_generator({
    seed <- if (ties == "random") resolve_seed(seed, call) else 0
    rethrow_core_errors(pseudo_obs_cpp(x, ties, seed, threads), call, needed)
  })
  dimnames(u) <- dimnames(x)
  u
}
