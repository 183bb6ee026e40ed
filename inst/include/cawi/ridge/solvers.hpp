// Symmetric positive definite systems by Cholesky, and semidefinite ones by their eigenvalues.
#ifndef CAWI_RIDGE_SOLVERS_HPP
#define CAWI_RIDGE_SOLVERS_HPP

#include <cmath>

#include "../core/errors.hpp"
#include "../core/types.hpp"

namespace cawi {

// Writes the factor R of R'R into the upper triangle; what is below it stays. False if there is no
// factor; the matrix is then lost.
inline bool factorize_in_place(arma::mat& s) {
  char uplo = 'U';
  auto n = static_cast<arma::blas_int>(s.n_rows);
  arma::blas_int info = 0;
  arma::lapack::potrf(&uplo, &n, s.memptr(), &n, &info);
  return info == 0;
}

// R^{-T} b or R^{-1} b in place. R is the upper triangle of the leading part of `upper` that has
// as many rows as b. arma::solve() would estimate the condition of R each time, which costs as
// much as the solve.
inline void solve_triangular(const arma::mat& upper, arma::mat& b, bool transposed) {
  char uplo = 'U', trans = transposed ? 'T' : 'N', diag = 'N';
  auto n = static_cast<arma::blas_int>(b.n_rows), right = static_cast<arma::blas_int>(b.n_cols);
  auto rows = static_cast<arma::blas_int>(upper.n_rows);
  arma::blas_int info = 0;
  arma::lapack::trtrs(&uplo, &trans, &diag, &n, &right, upper.memptr(), &rows, b.memptr(), &n,
                      &info);
  require(info == 0, "lambda", "a triangular system is singular");
}

// B such that B B' is the pseudo-inverse of a symmetric positive semidefinite matrix.
inline arma::mat inverse_root(const arma::mat& s) {
  arma::vec values;
  arma::mat vectors;
  require(arma::eig_sym(values, vectors, s, "dc"), "lambda", "the eigendecomposition failed");
  const double cut = values.max() * static_cast<double>(s.n_rows) * 2.3e-16;
  for (double& v : values) v = v > cut ? 1.0 / std::sqrt(v) : 0.0;
  vectors.each_row() %= values.t();
  return vectors;
}

// Minimum-norm solution of a symmetric positive semidefinite system.
inline arma::mat solve_semidefinite(const arma::mat& s, const arma::mat& b) {
  const arma::mat root = inverse_root(s);
  return root * (root.t() * b);
}

// Is the factor of a problem without penalty good enough to be used?
inline bool well_conditioned(const arma::mat& upper) {
  return upper.diag().min() >=
         1e-8 * std::sqrt(static_cast<double>(upper.n_rows)) * upper.diag().max();
}

// (S + lambda I)^{-1} B by Cholesky; `singular` says that the minimum-norm solution was needed.
inline arma::mat solve_shifted(arma::mat s, double lambda, const arma::mat& b, bool& singular) {
  s.diag() += lambda;
  arma::mat upper = s;
  const bool factored = factorize_in_place(upper);
  singular = !factored || (lambda <= 0.0 && !well_conditioned(upper));
  if (singular) return solve_semidefinite(s, b);
  arma::mat solution = b;
  solve_triangular(upper, solution, true);
  solve_triangular(upper, solution, false);
  return solution;
}

}  // namespace cawi

#endif
