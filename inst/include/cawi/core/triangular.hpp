// Triangular systems.
#ifndef CAWI_CORE_TRIANGULAR_HPP
#define CAWI_CORE_TRIANGULAR_HPP

#include "errors.hpp"
#include "types.hpp"

namespace cawi {

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

}  // namespace cawi

#endif
