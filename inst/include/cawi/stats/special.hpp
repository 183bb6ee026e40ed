// Scalar functions in the form that keeps their digits: logs of differences, sums of exponentials,
// the normal distribution.
#ifndef CAWI_STATS_SPECIAL_HPP
#define CAWI_STATS_SPECIAL_HPP

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../core/types.hpp"

namespace cawi {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double pi = 3.14159265358979323846;

// Doubles are not promoted to long double: one answer on every platform.
using MathPolicy = boost::math::policies::policy<
    boost::math::policies::promote_double<false>,
    boost::math::policies::overflow_error<boost::math::policies::ignore_error>,
    boost::math::policies::underflow_error<boost::math::policies::ignore_error>>;

// log(1 - exp(-x)), x > 0.
inline double log1mexp(double x) {
  constexpr double log2 = 0.69314718055994530942;
  return x <= log2 ? std::log(-std::expm1(-x)) : std::log1p(-std::exp(-x));
}

// log(1 + exp(x)).
inline double log1pexp(double x) {
  if (x <= -37.0) return std::exp(x);
  if (x <= 18.0) return std::log1p(std::exp(x));
  return x <= 33.3 ? x + std::exp(-x) : x;
}

// log(exp(a) + exp(b)).
inline double log_add(double a, double b) {
  const double high = std::max(a, b), low = std::min(a, b);
  return low == -infinity ? high : high + std::log1p(std::exp(low - high));
}

inline double log_sum_exp(const double* x, Index n) {
  const double high = *std::max_element(x, x + n);
  if (high == -infinity) return high;
  double sum = 0.0;
  for (Index i = 0; i < n; ++i) sum += std::exp(x[i] - high);
  return high + std::log(sum);
}

// Copula draws stay inside the open unit interval whatever the rounding.
inline double clamp_to_open_unit(double u) {
  constexpr double smallest = std::numeric_limits<double>::min(), largest = 1.0 - 0x1p-53;
  return std::min(std::max(u, smallest), largest);
}

inline double normal_cdf(double x) {
  constexpr double sqrt_half = 0.70710678118654752440;
  return 0.5 * std::erfc(-x * sqrt_half);
}

inline double normal_quantile(double p) {
  constexpr double sqrt2 = 1.41421356237309504880;
  return -sqrt2 * boost::math::erfc_inv(2.0 * p, MathPolicy());
}

// log Gamma(a + 1/2) - log Gamma(a) without the cancellation of two large logs: steps of one lead
// to where the series in 1 / a has all digits.
inline double lgamma_half_step(double a) {
  if (a < 2.0) return std::lgamma(a + 0.5) - std::lgamma(a);
  double steps = 0.0;
  for (; a < 30.0; a += 1.0) steps += std::log1p(0.5 / a);
  const double r = 1.0 / a, r2 = r * r;
  return 0.5 * std::log(a) -
         r * (1.0 / 8.0 - r2 * (1.0 / 192.0 - r2 * (1.0 / 640.0 - r2 * 17.0 / 14336.0))) - steps;
}

// log Gamma(a + d/2) - log Gamma(a), d half steps.
inline double lgamma_half_steps(double a, Index d) {
  double total = d % 2 == 1 ? lgamma_half_step(a) : 0.0;
  const double start = d % 2 == 1 ? a + 0.5 : a;
  for (Index k = 0; k < d / 2; ++k) total += std::log(start + static_cast<double>(k));
  return total;
}

}  // namespace cawi

#endif
