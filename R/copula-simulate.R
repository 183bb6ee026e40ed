#' Draws from a copula
#'
#' Exact samplers for any parameter, dimension and size, on several threads. Row `i` has a random
#' stream of its own, so the first rows of a larger sample are the smaller sample.
#'
#' Archimedean families are drawn by the algorithm of Marshall and Olkin (1988), with a positive
#' stable variable for Gumbel (Chambers, Mallows and Stuck, 1976) and a logarithmic one for Frank
#' (Kemp, 1981; see Hofert, 2011, for the algorithms of all families).
#'
#' @param object A `cawi_copula`.
#' @param nsim Number of draws.
#' @param seed A whole number; `NULL` takes one from R's generator, so that `set.seed()` governs the
#'   draws. A given seed leaves the state of R's generator untouched.
#' @param threads Number of threads; see [cawi-package]. The draws do not depend on it.
#' @param ... Not used.
#' @return A matrix with `nsim` rows of values strictly between 0 and 1.
#' @references
#' Chambers, J. M., Mallows, C. L. and Stuck, B. W. (1976). A method for simulating stable random
#' variables. *Journal of the American Statistical Association* 71, 340-344.
#'
#' Hofert, M. (2011). Efficiently sampling nested Archimedean copulas. *Computational Statistics &
#' Data Analysis* 55, 57-70.
#'
#' Kemp, A. W. (1981). Efficient generation of logarithmically distributed pseudo-random variables.
#' *Applied Statistics* 30, 249-253.
#'
#' Marshall, A. W. and Olkin, I. (1988). Families of multivariate distributions. *Journal of the
#' American Statistical Association* 83, 834-841.
#' @examples
#' gumbel <- cawi_copula_from("gumbel", dim = 3, theta = 2)
#' u <- simulate(gumbel, 1000, seed = 1)
#' cawi_kendall(u)
#' identical(simulate(gumbel, 10, seed = 1), u[1:10, ])
#' @export
simulate.cawi_copula <- function(object, nsim = 1, seed = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_copula(object, "object")
  nsim <- check_count(nsim, "nsim", min = 0)
  check_result_size(nsim, object$dim, "nsim")
  needed <- 8 * nsim * object$dim
  check_memory(needed)
  threads <- resolve_threads(threads)
  call <- environment()
  keep_generator(
    rethrow_core_errors(simulate_cpp(object, nsim, resolve_seed(seed, call), threads), call, needed)
  )
}
