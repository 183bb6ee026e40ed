#ifndef CAWI_COPULA_ELLIPTICAL_HPP
#define CAWI_COPULA_ELLIPTICAL_HPP

#include "../stats/nearest_cor.hpp"
#include "../stats/student.hpp"
#include "copula.hpp"

namespace cawi {

// A factor L with L L' = R: Cholesky, or from the eigenvalues where R is singular, so that every
// positive semidefinite correlation matrix can be sampled.
class CorrelationFactor {
 public:
  explicit CorrelationFactor(const arma::mat& r) {
    triangular_ = is_positive_definite(r, factor_);
    if (triangular_) {
      log_determinant_ = 2.0 * arma::accu(arma::log(factor_.diag()));
      return;
    }
    arma::vec values;
    require(arma::eig_sym(values, factor_, r), "cor", "the eigendecomposition did not converge");
    require(values.min() > -1e-6, "cor", "must be positive semidefinite");
    factor_.each_row() %= arma::sqrt(arma::clamp(values, 0.0, infinity)).t();
    // Clipped eigenvalues lengthen the rows a little; the margins need them to be one.
    factor_.each_col() /= arma::sqrt(arma::sum(arma::square(factor_), 1));
  }

  Index dim() const { return factor_.n_rows; }
  bool is_singular() const { return !triangular_; }
  double log_determinant() const { return log_determinant_; }

  // x <- L z.
  void multiply(const double* z, double* x) const {
    const Index d = dim();
    std::fill_n(x, d, 0.0);
    for (Index k = 0; k < d; ++k) {
      const double* column = factor_.colptr(k);
      for (Index j = triangular_ ? k : 0; j < d; ++j) x[j] += column[j] * z[k];
    }
  }

  // x' R^{-1} x by forward substitution; x is overwritten.
  double quadratic_form(double* x) const {
    const Index d = dim();
    double sum = 0.0;
    for (Index k = 0; k < d; ++k) {
      const double* column = factor_.colptr(k);
      const double y = x[k] / column[k];
      sum += y * y;
      for (Index j = k + 1; j < d; ++j) x[j] -= column[j] * y;
    }
    return sum;
  }

 private:
  arma::mat factor_;
  bool triangular_ = false;
  double log_determinant_ = -infinity;
};

// The t copula; df = infinity is the Gaussian copula.
class StudentCopula : public Copula {
 public:
  StudentCopula(const arma::mat& r, double df) : StudentCopula(CorrelationFactor(r), df) {}

  StudentCopula(CorrelationFactor factor, double df)
      : factor_(std::move(factor)), df_(df), student_(df) {
    const double d = static_cast<double>(factor_.dim());
    if (std::isinf(df)) return;
    log_constant_ = lgamma_half_steps(0.5 * df, factor_.dim()) - d * lgamma_half_step(0.5 * df);
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
    return largest < 1e100 ? log_joint(x) - margins : log_density_far_out(u, x);
  }

  const StudentTable& margin() const { return student_; }

  // log of the density of x in R^d and of its margins, both without the constants that cancel.
  // log_joint overwrites x.
  double log_joint(double* x) const {
    const double distance = factor_.quadratic_form(x);
    const double half = std::isinf(df_)
                            ? 0.5 * distance
                            : 0.5 * (df_ + static_cast<double>(dim())) * std::log1p(distance / df_);
    return log_constant_ - 0.5 * factor_.log_determinant() - half;
  }

  double log_margin(double x) const {
    return std::isinf(df_) ? -0.5 * x * x : -0.5 * (df_ + 1.0) * std::log1p(x * x / df_);
  }

  void draw(Stream& stream, Index first, Index count, double* u) const override {
    const Index d = dim();
    std::vector<double> z(d);
    for (Index k = 0; k < count; ++k, u += d) {
      stream.start(first + k);
      for (Index j = 0; j < d; ++j) z[j] = stream.normal();
      factor_.multiply(z.data(), u);
      // sqrt(df / chi-squared), in logs because the chi-squared can underflow.
      const double stretch =
          std::isinf(df_)
              ? 1.0
              : std::exp(0.5 * (std::log(0.5 * df_) - stream.log_of_gamma_draw(0.5 * df_)));
      for (Index j = 0; j < d; ++j) u[j] = clamp_to_open_unit(student_.cdf(stretch * u[j]));
    }
  }

 private:
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
