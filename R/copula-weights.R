#' Copula-aligned weight columns
#'
#' Draws the frozen input weights of a randomized network. Each column is one draw of the copula;
#' the quantile function of the marginal distribution is then applied to every coordinate. So the
#' columns have the dependence of the features, and every single weight has the marginal
#' distribution.
#'
#' @inheritParams simulate.cawi_copula
#' @param copula A `cawi_copula`; its dimension is the number of features.
#' @param hidden Number of hidden nodes (columns).
#' @param marginal `"uniform"` on `[-1, 1]`, as in the paper, standard `"normal"`, or standard
#'   `"cauchy"`.
#' @param strength How far the weights follow the copula: 0 is independence, 1 the copula itself. In
#'   between, elliptical families have a power of their correlation matrix (and 1/df times the
#'   strength), Archimedean ones a part of their tau. From -1 to 0, for elliptical families only,
#'   the dependence is turned round: the weights prefer directions in which the features vary
#'   little.
#' @param scale A positive factor on all weights.
#' @return A matrix with one row per feature and one column per hidden node. The first columns of a
#'   wider matrix are the narrower one for the same seed.
#' @references
#' Akhtar, M., Tanveer, M. and Arshad, M. (2026). CAWI: Copula-aligned weight initialization for
#' randomized neural networks. *AISTATS*.
#' @examples
#' fit <- cawi_copula(iris[, 1:4], "gaussian")
#' w <- cawi_weights(fit, hidden = 500, seed = 1)
#' dim(w)
#' # the weights follow the dependence of the features
#' round(cawi_kendall(t(w)) - cawi_kendall(iris[, 1:4]), 2)
#' @export
cawi_weights <- function(copula, hidden, marginal = c("uniform", "normal", "cauchy"), scale = 1,
                         strength = 1, seed = NULL, threads = NULL, ...) {
  check_dots(rlang::enquos(...))
  check_copula(copula)
  check_given(hidden, "hidden")
  hidden <- check_count(hidden, "hidden")
  check_result_size(hidden, copula$dim, "hidden")
  marginal <- check_choice(marginal, marginal_names, "marginal")
  scale <- check_number(scale, "scale", min = 0, max = .Machine$double.xmax, open = TRUE)
  strength <- check_number(strength, "strength", min = -1, max = 1)
  copula <- temper_copula(copula, strength, environment())
  # In the core and in R.
  needed <- 16 * hidden * copula$dim
  check_memory(needed)
  threads <- resolve_threads(threads)
  call <- environment()
  w <- keep_generator(rethrow_core_errors(
    weights_cpp(copula, hidden, marginal, scale, resolve_seed(seed, call), threads), call, needed
  ))
  rownames(w) <- copula$names
  w
}
