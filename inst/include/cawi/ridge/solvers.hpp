// Symmetric positive definite systems by Cholesky, and semidefinite ones by their eigenvalues.
#ifndef CAWI_RIDGE_SOLVERS_HPP
#define CAWI_RIDGE_SOLVERS_HPP

#include <cmath>
#include <utility>

#include "../core/eigen.hpp"
#include "../core/triangular.hpp"
#include "symmetric.hpp"

namespace cawi {

// B such that B B' is the pseudo-inverse of a symmetric positive semidefinite matrix.
inline arma::mat inverse_root(arma::mat s, const Threads& threads) {
  const Index size = s.n_rows;
  Eigensystem system = decompose(std::move(s), "lambda", threads);
  const double cut = system.values.max() * static_cast<double>(size) * 2.3e-16;
  for (double& v : system.values) v = v > cut ? 1.0 / std::sqrt(v) : 0.0;
  system.vectors.each_row() %= system.values.t();
  return std::move(system.vectors);
}

// Minimum-norm solution of a symmetric positive semidefinite system.
inline arma::mat solve_semidefinite(arma::mat s, const arma::mat& b, const Threads& threads) {
  const arma::mat root = inverse_root(std::move(s), threads);
  return root * (root.t() * b);
}

// Is the factor of a problem without penalty good enough to be used?
inline bool well_conditioned(const arma::mat& upper) {
  return upper.diag().min() >=
         1e-8 * std::sqrt(static_cast<double>(upper.n_rows)) * upper.diag().max();
}

// S^{-1} B over B by Cholesky, with S lost. False, with B as it was, where S is singular; a problem
// with a penalty is not.
inline bool solve_in_place(arma::mat& s, bool penalized, const Threads& threads, arma::mat& b) {
  if (!factorize_in_place(s, threads) || (!penalized && !well_conditioned(s))) return false;
  solve_triangular(s, b, true);
  solve_triangular(s, b, false);
  return true;
}

// (S + lambda I)^{-1} B; `singular` says that the minimum-norm solution was needed.
inline arma::mat solve_shifted(const arma::mat& s, double lambda, const arma::mat& b,
                               const Threads& threads, bool& singular) {
  const SingleThreadedBlas guard;
  arma::mat shifted = s, solution = b;
  shifted.diag() += lambda;
  singular = !solve_in_place(shifted, lambda > 0.0, threads, solution);
  if (!singular) return solution;
  shifted = s;
  shifted.diag() += lambda;
  return solve_semidefinite(std::move(shifted), b, threads);
}

}  // namespace cawi

#endif
