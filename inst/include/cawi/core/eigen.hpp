// Eigendecompositions that can be interrupted.
#ifndef CAWI_CORE_EIGEN_HPP
#define CAWI_CORE_EIGEN_HPP

#include <utility>

#include "background.hpp"
#include "blas.hpp"
#include "errors.hpp"

namespace cawi {

// Eigenvalues, ascending, and eigenvectors, which take the memory of the matrix.
struct Eigensystem {
  arma::mat vectors;
  arma::vec values;
  bool found = false;

  void operator()() {
    const SingleThreadedBlas guard;
    char jobz = 'V', uplo = 'U';
    const Index size = vectors.n_rows;
    auto n = static_cast<arma::blas_int>(size);
    arma::blas_int info = 0;
    values.set_size(size);
    arma::podarray<double> work(1 + 6 * size + 2 * size * size);
    arma::podarray<arma::blas_int> counts(3 + 5 * size);
    auto lwork = static_cast<arma::blas_int>(work.n_elem);
    auto liwork = static_cast<arma::blas_int>(counts.n_elem);
    arma::lapack::syevd(&jobz, &uplo, &n, vectors.memptr(), &n, values.memptr(), work.memptr(),
                        &lwork, counts.memptr(), &liwork, &info);
    found = info == 0;
  }
};

// Of a symmetric matrix, given by its upper triangle. Errors blame the argument.
inline Eigensystem decompose(arma::mat s, const char* argument, const Threads& threads) {
  Eigensystem system{std::move(s), {}, false};
  require(system.vectors.is_finite(), argument, "the eigendecomposition failed");
  // A second of work and more is worth a thread that need not be waited for.
  if (system.vectors.n_rows < 800) {
    system();
  } else {
    system = in_background(std::move(system), threads);
  }
  require(system.found, argument, "the eigendecomposition failed");
  return system;
}

}  // namespace cawi

#endif
