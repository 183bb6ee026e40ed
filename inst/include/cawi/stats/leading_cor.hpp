// A correlation matrix close to one that is not positive definite, for draws: the eigenvectors that
// stand out, and independent parts that fill the diagonal up to one.
//
// The nodes of a layer often follow few of its inputs' directions. The eigenvalues of their matrix
// then are a few large ones and a cloud around zero, and the most negative one tells how wide the
// cloud is: what is not larger than its size is not told from noise. Where the large ones suffice,
// they are found by subspace iteration, far cheaper than the nearest correlation matrix.
#ifndef CAWI_STATS_LEADING_COR_HPP
#define CAWI_STATS_LEADING_COR_HPP

#include <algorithm>
#include <cmath>

#include "../core/blas.hpp"
#include "../core/errors.hpp"
#include "../core/types.hpp"
#include "../core/vectors.hpp"

namespace cawi {

namespace detail {

struct Eigenpairs {
  arma::vec values;
  arma::mat vectors;
};

inline Eigenpairs eigenpairs(const arma::mat& r) {
  Eigenpairs pairs;
  require(arma::eig_sym(pairs.values, pairs.vectors, r, "dc"), "cor",
          "the eigendecomposition did not converge");
  return pairs;
}

// About `count` eigenvalues of largest size, from evenly spaced columns of r.
inline Eigenpairs leading_eigenpairs(const arma::mat& r, Index count) {
  const arma::uvec start = arma::regspace<arma::uvec>(0, r.n_cols / count, r.n_cols - 1);
  arma::mat basis, rest, image = r.cols(start);
  for (int step = 0; step < 2; ++step) {
    require(arma::qr_econ(basis, rest, image), "cor", "the decomposition did not converge");
    image = r * basis;
  }
  Eigenpairs pairs = eigenpairs(arma::symmatu(basis.t() * image));
  pairs.vectors = basis * pairs.vectors;
  return pairs;
}

// Root mean square entry of what `pairs` leave of r.
inline double left_over(const arma::mat& r, const Eigenpairs& pairs) {
  const double rest = arma::dot(r, r) - arma::dot(pairs.values, pairs.values);
  return std::sqrt(std::max(rest, 0.0)) / static_cast<double>(r.n_rows);
}

}  // namespace detail

// `r` is symmetric with a unit diagonal. Entries of the part that is left out have a root mean
// square below a quarter of the noise that as many draws as there are inputs have. A positive
// definite matrix comes back as it is.
inline arma::mat leading_correlation(const arma::mat& r) {
  const SingleThreadedBlas guard;
  const double tolerance = 0.25 / std::sqrt(static_cast<double>(r.n_rows));
  arma::mat lower;
  if (arma::chol(lower, r, "lower") && lower.diag().min() > 1e-4) return r;
  detail::Eigenpairs pairs;
  Index count = 16;
  bool found = false;
  for (; !found && 3 * count <= r.n_rows; count *= 2) {
    pairs = detail::leading_eigenpairs(r, count);
    found = detail::left_over(r, pairs) < tolerance;
  }
  if (!found) pairs = detail::eigenpairs(r);
  const double cloud = std::max(-pairs.values.min(), 0.0);
  const arma::uvec kept = arma::find(pairs.values > cloud);
  arma::mat half = pairs.vectors.cols(kept);
  half.each_row() %= arma::sqrt(pairs.values(kept)).t();
  // Room for an independent part keeps the matrix well away from a singular one.
  arma::vec length = arma::sqrt(arma::sum(arma::square(half), 1));
  half.each_col() /= arma::clamp(length / std::sqrt(0.999), 1.0, arma::datum::inf);
  arma::mat result = half * half.t();
  result.diag().ones();
  return arma::symmatu(result);
}

// R = sin(pi tau / 2), moved to its leading correlation matrix where it is not positive definite.
inline arma::mat leading_correlation_from_tau(const arma::mat& tau) {
  arma::mat r = (0.5 * arma::datum::pi) * tau;
  sine_in_place(r.memptr(), r.n_elem);
  r.diag().ones();
  return leading_correlation(r);
}

}  // namespace cawi

#endif
