#ifndef CAWI_COPULA_ELLIPTICAL_HPP
#define CAWI_COPULA_ELLIPTICAL_HPP

#include <limits>

#include "../stats/student.hpp"
#include "copula.hpp"
#include "correlation_factor.hpp"

namespace cawi {

// The t copula; df = infinity is the Gaussian copula.
class StudentCopula : public Copula {
 public:
  StudentCopula(const arma::mat& r, double df) : StudentCopula(CorrelationFactor(r), df) {}

  StudentCopula(CorrelationFactor factor, double df)
      : StudentCopula(std::move(factor), StudentTable(df)) {}

  StudentCopula(CorrelationFactor factor, const StudentTable& margin)
      : factor_(std::move(factor)), df_(margin.nu()), student_(margin) {
    const double d = static_cast<double>(factor_.dim()), half = 0.5 * df_;
    if (std::isinf(df_)) return;
    log_constant_ = lgamma_half_steps(half, factor_.dim()) - d * lgamma_half_step(half);
  }

  Index dim() const override { return factor_.dim(); }

  double log_density(const double* u, double* x) const override {
    require(!factor_.is_singular(), "copula", "a singular correlation matrix has no density");
    const Index d = dim();
    double margins = 0.0, largest = 0.0;
    for (Index j = 0; j < d; ++j) {
      x[j] = student_.quantile(u[j]);
      margins += log_margin(x[j]);
      largest = std::max(largest, std::abs(x[j]));
    }
    return largest < 1e100 ? log_joint(factor_.quadratic_form(x)) - margins
                           : log_density_far_out(u, x);
  }

  const StudentTable& margin() const { return student_; }
  const CorrelationFactor& factor() const { return factor_; }

  // log of the density of x in R^d and of its margins, both without the constants that cancel;
  // distance is x' R^{-1} x.
  double log_joint(double distance) const {
    const double half = std::isinf(df_)
                            ? 0.5 * distance
                            : 0.5 * (df_ + static_cast<double>(dim())) * std::log1p(distance / df_);
    return log_constant_ - 0.5 * factor_.log_determinant() - half;
  }

  double log_margin(double x) const {
    return std::isinf(df_) ? -0.5 * x * x : -0.5 * (df_ + 1.0) * std::log1p(x * x / df_);
  }

  void draw(Stream& stream, DrawBlock& u) const override {
    constexpr Index together = detail::wide_lanes;
    const Index n = u.count(), d = dim();
    std::vector<double> panel(draw_points * d), points(together * d), stretch(n);
    for (Index first = 0; first < n; first += draw_points) {
      const Index end = std::min(first + draw_points, n);
      for (Index from = first; from < end; from += together) {
        for (Index k = from; k < std::min(from + together, end); ++k) {
          stream.start(u.first() + k);
          stream.normals(points.data() + (k - from) * d, d);
          if (!std::isinf(df_)) stretch[k] = draw_stretch(stream);
        }
        detail::fill_panel(points.data(), d, panel.data() + (from - first));
      }
      factor_.multiply(panel.data(), u.column(0) + first, u.stride());
    }
    for (Index j = 0; j < d; ++j) {
      double* x = u.column(j);
      for (Index k = 0; k < n && !std::isinf(df_); ++k) x[k] *= stretch[k];
      student_.cdf_in_place(x, n);
    }
  }

 private:
  // sqrt(df / chi-squared), in logs because the chi-squared can underflow. Never infinite, nor NaN
  // where df has no half: the product with a coordinate that is zero must be zero.
  double draw_stretch(Stream& stream) const {
    constexpr double most = std::numeric_limits<double>::max();
    const double stretch =
        std::exp(0.5 * (std::log(0.5 * df_) - stream.log_of_gamma_draw(0.5 * df_)));
    return stretch < most ? stretch : most;
  }

  // Where squares of x would overflow: x relative to its largest entry, the rest in logs.
  double log_density_far_out(const double* u, double* x) const {
    const Index d = dim();
    std::vector<double> log_x(d);
    for (Index j = 0; j < d; ++j) log_x[j] = student_.log_distance(std::min(u[j], 1.0 - u[j]));
    const double largest = *std::max_element(log_x.begin(), log_x.end());
    const double log_df = std::log(df_);
    double margins = 0.0;
    for (Index j = 0; j < d; ++j) {
      x[j] = std::copysign(std::exp(log_x[j] - largest), u[j] - 0.5);
      margins -= 0.5 * (df_ + 1.0) * log1pexp(2.0 * log_x[j] - log_df);
    }
    const double log_distance = 2.0 * largest + std::log(factor_.quadratic_form(x)) - log_df;
    return log_constant_ - 0.5 * factor_.log_determinant() -
           0.5 * (df_ + static_cast<double>(d)) * log_distance - margins;
  }

  CorrelationFactor factor_;
  double df_, log_constant_ = 0.0;
  StudentTable student_;
};

}  // namespace cawi

#endif
