// Scalar functions in the form that keeps their digits: logs of differences, sums of exponentials,
// the normal distribution and Kendall's tau of the Frank copula.
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

// log Gamma(a + 1/2) - log Gamma(a) without the cancellation of two large logs.
inline double lgamma_half_step(double a) {
  if (a < 50.0) return std::lgamma(a + 0.5) - std::lgamma(a);
  const double r = 1.0 / a, r2 = r * r;
  return 0.5 * std::log(a) -
         r * (1.0 / 8.0 - r2 * (1.0 / 192.0 - r2 * (1.0 / 640.0 - r2 * 17.0 / 14336.0)));
}

// log Gamma(a + d/2) - log Gamma(a), d half steps.
inline double lgamma_half_steps(double a, Index d) {
  double total = d % 2 == 1 ? lgamma_half_step(a) : 0.0;
  const double start = d % 2 == 1 ? a + 0.5 : a;
  for (Index k = 0; k < d / 2; ++k) total += std::log(start + static_cast<double>(k));
  return total;
}

// Debye function of order one, D1(x) = (1/x) int_0^x t / (e^t - 1) dt, x >= 1.
inline double debye1(double x) {
  double sum = 0.0;
  for (int k = 1; k * x < 745.0; ++k) {
    const double term = std::exp(-k * x) * (x / k + 1.0 / (static_cast<double>(k) * k));
    sum += term;
    if (term < 1e-17 * sum) break;
  }
  return (pi * pi / 6.0 - sum) / x;
}

// Kendall's tau of the Frank copula; the series below one avoids 1 - 1.
inline double frank_tau(double theta) {
  if (theta < 1.0) {
    const double t2 = theta * theta;
    // Maclaurin series up to theta^15; the next term is below 2e-15 at theta = 1.
    return theta * (1.0 / 9.0 +
                    t2 * (-1.0 / 900.0 +
                          t2 * (1.0 / 52920.0 +
                                t2 * (-1.0 / 2721600.0 +
                                      t2 * (1.0 / 131725440.0 +
                                            t2 * (-691.0 / 4249941696000.0 +
                                                  t2 * (1.0 / 280215936000.0 -
                                                        t2 * 3617.0 / 45350147082240000.0)))))));
  }
  return 1.0 - 4.0 / theta + 4.0 * debye1(theta) / theta;
}

inline double frank_tau_derivative(double theta) {
  if (theta < 1.0) {
    const double t2 = theta * theta;
    return 1.0 / 9.0 +
           t2 * (-1.0 / 300.0 +
                 t2 * (5.0 / 52920.0 + t2 * (-7.0 / 2721600.0 + t2 * 9.0 / 131725440.0)));
  }
  return 4.0 / (theta * theta) * (1.0 - 2.0 * debye1(theta) + theta / std::expm1(theta));
}

// Inverse of frank_tau on (0, 1): Newton from below; tau is concave, so it does not overshoot twice.
inline double frank_theta(double tau) {
  double theta = tau < 0.5 ? 9.0 * tau : 4.0 / (1.0 - tau);
  for (int i = 0; i < 100; ++i) {
    const double step = (frank_tau(theta) - tau) / frank_tau_derivative(theta);
    const double next = std::max(theta - step, 0.5 * theta);
    if (std::abs(next - theta) <= 4e-16 * next) return next;
    theta = next;
  }
  return theta;
}

}  // namespace cawi

#endif
