// E (z'w)^2, in the mean over the rows z of a layer's input, for weights w of variance one.
#ifndef CAWI_WEIGHTS_MEAN_SQUARE_HPP
#define CAWI_WEIGHTS_MEAN_SQUARE_HPP

#include <armadillo>
#include <array>
#include <cmath>

#include "../core/blas.hpp"
#include "../core/errors.hpp"
#include "../core/types.hpp"
#include "../stats/special.hpp"

namespace cawi {

namespace detail {

// Coefficients of asin(x) / x in powers of x^2.
inline constexpr auto asin_series = [] {
  std::array<double, 12> c{{1.0}};
  for (std::size_t k = 1; k < c.size(); ++k) {
    const double odd = 2.0 * static_cast<double>(k) - 1.0;
    c[k] = c[k - 1] * odd * odd / ((odd + 1.0) * (odd + 2.0));
  }
  return c;
}();

}  // namespace detail

// Correlation of two numbers that are uniform after a Gaussian copula of correlation r, that is
// 6 / pi asin(r / 2): to nine digits, faster than asin().
inline double uniform_correlation(double r) {
  const double x = 0.5 * r, square = x * x;
  double sum = 0.0;
  for (std::size_t k = detail::asin_series.size(); k-- > 0;) {
    sum = detail::asin_series[k] + sum * square;
  }
  return 6.0 / pi * x * sum;
}

// Weights of a Gaussian copula with the given correlations and normal or uniform marginals: the sum
// of the products of the weights' correlations and the input's moments, one triangle of them.
inline double mean_square(const arma::mat& z, const arma::mat& cor, bool uniform) {
  const Index d = z.n_cols;
  require(cor.n_rows == d && cor.n_cols == d, "cor", "there must be one row per input");
  const SingleThreadedBlas single;
  const arma::mat moments = z.t() * z;
  double diagonal = 0.0, above = 0.0;
  for (Index j = 0; j < d; ++j) {
    diagonal += moments(j, j);
    for (Index i = 0; i < j; ++i) {
      above += moments(i, j) * (uniform ? uniform_correlation(cor(i, j)) : cor(i, j));
    }
  }
  return (diagonal + 2.0 * above) / static_cast<double>(z.n_rows);
}

// The same where all pairs of weights have one correlation.
inline double mean_square(const arma::mat& z, double cor, bool uniform) {
  const double common = uniform ? uniform_correlation(cor) : cor;
  arma::vec sums(z.n_rows, arma::fill::zeros);
  double squares = 0.0;
  for (Index j = 0; j < z.n_cols; ++j) {
    sums += z.col(j);
    squares += arma::dot(z.col(j), z.col(j));
  }
  return ((1.0 - common) * squares + common * arma::dot(sums, sums)) /
         static_cast<double>(z.n_rows);
}

}  // namespace cawi

#endif
