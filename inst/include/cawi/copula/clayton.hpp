#ifndef CAWI_COPULA_CLAYTON_HPP
#define CAWI_COPULA_CLAYTON_HPP

#include "archimedean.hpp"

namespace cawi {

// psi(t) = (1 + t)^(-1/theta), theta > 0, V ~ Gamma(1/theta).
class Clayton : public Archimedean<Clayton> {
 public:
  Clayton(Index dim, double theta) : Archimedean(dim, theta), shape_(1.0 / theta) {
    // Beyond the range of numbers the one in 1 + k theta has long been lost.
    for (Index k = 1; k < dim; ++k) {
      const double multiple = static_cast<double>(k) * theta;
      log_constant_ += multiple < infinity ? std::log1p(multiple)
                                           : std::log(static_cast<double>(k)) + std::log(theta);
    }
  }

  static constexpr double independence = 0.0;
  static double tau_of_theta(double theta) { return theta / (theta + 2.0); }
  static double theta_of_tau(double tau) { return 2.0 * tau / (1.0 - tau); }

  // Steep powers are taken relative to that of the least value: theta times a sum of logarithms
  // has few digits left for what the rows differ in.
  double log_density(const double* u, double* work) const override {
    const Index d = dim();
    double sum_log = 0.0, least = 0.0, above = 0.0;
    for (Index j = 0; j < d; ++j) {
      work[j] = std::log(u[j]);
      sum_log += work[j];
      least = std::min(least, work[j]);
    }
    if (-theta() * least < 1.0) {
      return log_constant_ - (1.0 + theta()) * sum_log -
             (static_cast<double>(d) + shape_) * log_sum_of_small_powers(work);
    }
    for (Index j = 0; j < d; ++j) above += work[j] - least;
    return log_constant_ - sum_log + least - theta() * above -
           (static_cast<double>(d) + shape_) * log_sum_of_ratios(work, least);
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
  // log(1 + sum (u_j^{-theta} - 1)) from the logarithms of u.
  double log_sum_of_small_powers(const double* log_u) const {
    double sum = 0.0;
    for (Index j = 0; j < dim(); ++j) sum += std::expm1(-theta() * log_u[j]);
    return std::log1p(sum);
  }

  // The same, less -theta times the least logarithm.
  double log_sum_of_ratios(const double* log_u, double least) const {
    double sum = 0.0;
    for (Index j = 0; j < dim(); ++j) sum += std::exp(theta() * (least - log_u[j]));
    return std::log(sum - static_cast<double>(dim() - 1) * std::exp(theta() * least));
  }

  double shape_, log_constant_ = 0.0;
};

}  // namespace cawi

#endif
