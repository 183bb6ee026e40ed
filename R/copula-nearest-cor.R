#' Nearest correlation matrix
#'
#' The correlation matrix nearest to a symmetric matrix in the Frobenius norm (Higham, 2002), by
#' Newton's method on the dual problem (Qi and Sun, 2006). Matrices of pairwise estimates, such as
#' `sin(pi * tau / 2)`, need it when there are more columns than rows. A matrix that already is a
#' positive definite correlation matrix comes back unchanged after one Cholesky factorization.
#'
#' @param r A symmetric numeric matrix.
#' @param floor Smallest eigenvalue of the result, from 0 to 1. The default keeps it invertible.
#' @param ... Not used.
#' @return A correlation matrix with the dimnames of `r`.
#' @references
#' Higham, N. J. (2002). Computing the nearest correlation matrix: a problem from finance. *IMA
#' Journal of Numerical Analysis* 22, 329-343.
#'
#' Qi, H. and Sun, D. (2006). A quadratically convergent Newton method for computing the nearest
#' correlation matrix. *SIAM Journal on Matrix Analysis and Applications* 28, 360-385.
#' @examples
#' r <- matrix(c(1, 0.9, 0.2, 0.9, 1, 0.9, 0.2, 0.9, 1), 3)
#' min(eigen(r)$values)
#' fixed <- cawi_nearest_cor(r)
#' fixed
#' min(eigen(fixed)$values)
#' @export
cawi_nearest_cor <- function(r, floor = 1e-8, ...) {
  check_dots(rlang::enquos(...))
  r <- check_symmetric(r, "r")
  floor <- check_number(floor, "floor", min = 0, max = 1)
  # The result, the eigenvectors, and products of both.
  nearest <- rethrow_core_errors(nearest_cor_cpp(r, floor), environment(), 48 * length(r))
  dimnames(nearest) <- dimnames(r)
  nearest
}

check_symmetric <- function(r, arg, call = caller_env()) {
  r <- check_matrix(r, arg, call)
  if (nrow(r) != ncol(r)) {
    abort_argument(arg, "{.arg {arg}} must be square, not {nrow(r)} x {ncol(r)}.", call)
  }
  gap <- max(abs(r - t(r)))
  if (gap > 1e-8 * max(1, abs(r))) {
    abort_argument(arg, "{.arg {arg}} must be symmetric; entries differ by up to {signif(gap, 3)}.",
                   call)
  }
  (r + t(r)) / 2
}
