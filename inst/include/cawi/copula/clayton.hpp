#ifndef CAWI_COPULA_CLAYTON_HPP
#define CAWI_COPULA_CLAYTON_HPP

#include "archimedean.hpp"

namespace cawi {

// psi(t) = (1 + t)^(-1/theta), theta > 0, V ~ Gamma(1/theta).
class Clayton : public Archimedean<Clayton> {
 public:
  Clayton(Index dim, double theta) : Archimedean(dim, theta), shape_(1.0 / theta) {
    for (Index k = 1; k < dim; ++k) log_constant_ += std::log1p(static_cast<double>(k) * theta);
  }

  static constexpr double independence = 0.0;
  static double tau_of_theta(double theta) { return theta / (theta + 2.0); }
  static double theta_of_tau(double tau) { return 2.0 * tau / (1.0 - tau); }

  double log_density(const double* u, double* work) const override {
    const Index d = dim();
    double sum_log = 0.0, largest = 0.0;
    for (Index j = 0; j < d; ++j) {
      const double log_u = std::log(u[j]);
      sum_log += log_u;
      work[j] = -theta() * log_u;
      largest = std::max(largest, work[j]);
    }
    return log_constant_ - (1.0 + theta()) * sum_log -
           (static_cast<double>(d) + shape_) * log_sum_of_powers(work, largest);
  }

  // A gamma variable takes a number of words that differs from draw to draw.
  void draw_uniforms(Stream& stream, double* value, double* root, DrawBlock& u) const {
    for (Index k = 0; k < u.count(); ++k) {
      stream.start(u.first() + k);
      stream.gamma(shape_, value[k], root[k]);
      stream.uniforms(u.column(0) + k, dim(), u.stride());
    }
  }

  void log_frailties(double* value, double* root, Index n) const {
    log_in_place(value, n);
    if (shape_ >= 1.0) return;
    log_in_place(root, n);
    for (Index i = 0; i < n; ++i) value[i] += root[i] * theta();
  }

  // log(1 + t) loses only what rounding of u loses, unless 1/theta magnifies it.
  void psi(double* t, Index n) const {
    if (shape_ < 100.0) {
      detail::transform(detail::VectorLogOfOnePlus(), t, n);
    } else {
      for (Index i = 0; i < n; ++i) t[i] = std::log1p(t[i]);
    }
    detail::transform(detail::VectorScaledExp{-shape_}, t, n);
  }

  double psi_of_exp(double log_t) const { return std::exp(-log1pexp(log_t) * shape_); }

 private:
  // log(1 + sum (e^{a_j} - 1)), the log of sum u_j^{-theta} - d + 1.
  double log_sum_of_powers(const double* a, double largest) const {
    const Index d = dim();
    double sum = 0.0;
    if (largest < 1.0) {
      for (Index j = 0; j < d; ++j) sum += std::expm1(a[j]);
      return std::log1p(sum);
    }
    for (Index j = 0; j < d; ++j) sum += std::exp(a[j] - largest);
    return largest + std::log(sum - static_cast<double>(d - 1) * std::exp(-largest));
  }

  double shape_, log_constant_ = 0.0;
};

}  // namespace cawi

#endif
