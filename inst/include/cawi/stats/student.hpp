// Student's t distribution for many arguments at one number of degrees of freedom.
//
// The lower tail is tabulated at 65 nodes as Taylor polynomials: the density satisfies
// (nu + x^2) f' + (nu + 1) x f = 0, which gives the coefficients by a two-term recurrence. Between
// nodes the relative error stays near 1e-14; beyond the table Boost answers.
#ifndef CAWI_STATS_STUDENT_HPP
#define CAWI_STATS_STUDENT_HPP

#include <boost/math/distributions/students_t.hpp>

#include <array>
#include <cmath>
#include <vector>

#include "normal.hpp"
#include "special.hpp"

namespace cawi {

class StudentTable {
 public:
  // nu > 0; infinity is the normal distribution.
  explicit StudentTable(double nu)
      : nu_(nu), normal_(!(nu < largest_nu)), distribution_(normal_ ? 1.0 : nu) {
    if (normal_) return;
    log_constant_ = lgamma_half_step(0.5 * nu) - 0.5 * std::log(nu * pi);
    tabulated_ = nu >= smallest_tabulated_nu;
    if (!tabulated_) return;
    for (int k = 0; k < nodes; ++k) tabulate(k);
    lowest_ = boost::math::cdf(distribution_, -reach);
  }

  double cdf(double x) const {
    if (normal_) return normal_cdf(x);
    return x <= 0.0 ? lower_tail(-x) : 1.0 - lower_tail(x);
  }

  // x <- F(x), inside the open unit interval.
  void cdf_in_place(double* x, Index n) const {
    if (normal_) {
      normal_cdf_in_place(x, n);
    } else {
      for (Index i = 0; i < n; ++i) x[i] = cdf(x[i]);
    }
    detail::transform(detail::VectorClamp(), x, n);
  }

  double quantile(double p) const {
    if (normal_) return normal_quantile(p);
    return p <= 0.5 ? lower_quantile(p, 0.0) : -lower_quantile(1.0 - p, 0.0);
  }

  // log |quantile| at a lower-tail probability p, also where the quantile leaves the range of a
  // double: far out F(-x) = c x^-nu with the constant below.
  double log_distance(double p) const {
    const double x = -quantile(p);
    if (normal_ || x < 1e100) return std::log(x);
    return (log_tail_constant() - std::log(p)) / nu_;
  }

  // Quantiles at 1/2 >= p[0] > p[1] > ...: each starts from its neighbor.
  void lower_quantiles(const std::vector<double>& p, std::vector<double>& x) const {
    x.resize(p.size());
    double previous = 0.0;
    for (Index i = 0; i < p.size(); ++i) {
      x[i] = normal_ ? normal_quantile(p[i]) : lower_quantile(p[i], previous);
      previous = x[i];
    }
  }

 private:
  static constexpr double reach = 8.0, spacing = 0.125;
  static constexpr int nodes = 65, degree = 14;
  // Poles at +-i sqrt(nu) bound the radius of convergence.
  static constexpr double smallest_tabulated_nu = 0.25, largest_nu = 1e10;

  using Polynomial = std::array<double, degree + 1>;

  double density(double x) const {
    return std::exp(log_constant_ - 0.5 * (nu_ + 1.0) * std::log1p(x * x / nu_));
  }

  double log_tail_constant() const { return log_constant_ + 0.5 * (nu_ - 1.0) * std::log(nu_); }

  // Coefficients of F(x0 + delta) at x0 = -k * spacing.
  void tabulate(int k) {
    const double x0 = -spacing * k;
    Polynomial& c = table_[k];
    c[0] = boost::math::cdf(distribution_, x0);
    double before = 0.0, f = density(x0);
    for (int n = 0; n < degree; ++n) {
      c[n + 1] = f / (n + 1);
      const double next =
          -((2.0 * n + nu_ + 1.0) * x0 * f + (n + nu_) * before) / ((nu_ + x0 * x0) * (n + 1));
      before = f;
      f = next;
    }
  }

  // F(-x), x >= 0.
  double lower_tail(double x) const {
    if (!tabulated_ || !(x <= reach)) {
      // Squares overflow in Boost; far out F(-x) = c x^-nu.
      return x > 1e100 ? std::exp(log_tail_constant() - nu_ * std::log(x))
                       : boost::math::cdf(distribution_, -x);
    }
    const int k = static_cast<int>(x / spacing + 0.5);
    const double delta = spacing * k - x;
    const Polynomial& c = table_[k];
    double value = c[degree];
    for (int n = degree; n-- > 0;) value = value * delta + c[n];
    return value;
  }

  // Halley's iteration from a guess at or to the right of the root.
  double lower_quantile(double p, double guess) const {
    if (!tabulated_ || p < lowest_) return boost::math::quantile(distribution_, p);
    double x = guess;
    for (int i = 0; i < 60; ++i) {
      const double newton = (lower_tail(-x) - p) / density(x);
      const double curvature = -(nu_ + 1.0) * x / (nu_ + x * x);
      const double next = std::min(x - newton / (1.0 - 0.5 * newton * curvature), 0.0);
      if (std::abs(next - x) <= 1e-14 * (1.0 + std::abs(next))) return next;
      x = next;
    }
    return boost::math::quantile(distribution_, p);
  }

  double nu_;
  bool normal_, tabulated_ = false;
  double log_constant_ = 0.0, lowest_ = 0.0;
  boost::math::students_t_distribution<double, MathPolicy> distribution_;
  std::array<Polynomial, nodes> table_ = {};
};

}  // namespace cawi

#endif
