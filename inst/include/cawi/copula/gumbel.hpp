#ifndef CAWI_COPULA_GUMBEL_HPP
#define CAWI_COPULA_GUMBEL_HPP

#include <mutex>

#include "archimedean.hpp"

namespace cawi {

// psi(t) = exp(-t^alpha), alpha = 1/theta, theta >= 1; V is positive stable.
class Gumbel : public Archimedean<Gumbel> {
 public:
  Gumbel(Index dim, double theta)
      : Archimedean(dim, theta), alpha_(1.0 / theta), rest_((theta - 1.0) / theta) {}

  static constexpr double independence = 1.0;
  static double tau_of_theta(double theta) { return (theta - 1.0) / theta; }
  static double theta_of_tau(double tau) { return 1.0 / (1.0 - tau); }

  // With t = sum (-log u_j)^theta and x = t^alpha the d-th derivative of psi is, up to its sign,
  // t^-d exp(-x) sum_k a_k x^k with positive a_k.
  double log_density(const double* u, double* work) const override {
    // Only densities need the table, whose cost is quadratic in the dimension.
    std::call_once(tabulated_, [this] { tabulate_coefficients(); });
    const Index d = dim();
    double rest = 0.0, largest = -infinity;
    for (Index j = 0; j < d; ++j) {
      const double minus_log = -std::log(u[j]);
      work[j] = std::log(minus_log);
      rest += minus_log - work[j];
      largest = std::max(largest, work[j]);
    }
    // Relative to the largest power: theta times logarithms has few digits left for what they
    // differ in.
    double sum = 0.0, below = 0.0;
    for (Index j = 0; j < d; ++j) {
      const double gap = largest - work[j];
      below += gap;
      sum += std::exp(-theta() * gap);
    }
    const double log_sum = std::log(sum);
    const double log_x = largest + alpha_ * log_sum;
    for (Index k = 0; k < d; ++k) work[k] = log_a_[k] + static_cast<double>(k + 1) * log_x;
    return static_cast<double>(d) * (std::log(theta()) - log_sum) - theta() * below + rest -
           std::exp(log_x) + log_sum_exp(work, d);
  }

  // Chambers, Mallows and Stuck (1976) for a positive stable variable, with an angle T and an
  // exponential W:
  // log sin(alpha T) - theta log sin T + (theta - 1)(log sin((1 - alpha) T) - log W); rest_ is
  // 1 - alpha without the cancellation near independence.
  void log_frailties(double* angle, double* w, Index n) const {
    if (rest_ == 0.0) {
      std::fill_n(angle, n, 0.0);
      return;
    }
    std::vector<double> whole(n), part(n);
    for (Index i = 0; i < n; ++i) {
      angle[i] *= pi;
      whole[i] = angle[i];
      part[i] = rest_ * angle[i];
      angle[i] *= alpha_;
    }
    for (double* x : {angle, whole.data(), part.data()}) {
      sine_in_place(x, n);
      log_in_place(x, n);
    }
    log_in_place(w, n);
    for (Index i = 0; i < n; ++i) w[i] = -w[i];
    log_in_place(w, n);
    for (Index i = 0; i < n; ++i) {
      angle[i] += (theta() - 1.0) * (part[i] - w[i]) - theta() * whole[i];
    }
  }

  void psi(double* t, Index n) const {
    log_in_place(t, n);
    detail::transform(detail::VectorScaledExp{alpha_}, t, n);
    detail::transform(detail::VectorScaledExp{-1.0}, t, n);
  }

  double psi_of_exp(double log_t) const { return std::exp(-std::exp(alpha_ * log_t)); }

 private:
  // a_{1,1} = alpha; a_{n+1,k} = alpha a_{n,k-1} + (n - alpha k) a_{n,k}. Logs: they span more
  // than the range of a double beyond a few hundred dimensions.
  void tabulate_coefficients() const {
    const Index d = dim();
    log_a_.assign(d, -infinity);
    log_a_[0] = std::log(alpha_);
    for (Index n = 1; n < d; ++n) {
      for (Index k = n + 1; k >= 1; --k) {
        const double factor = static_cast<double>(n - std::min(n, k)) +
                              (k <= n ? rest_ * static_cast<double>(k) : 0.0);
        const double kept = factor > 0.0 ? std::log(factor) + log_a_[k - 1] : -infinity;
        const double moved = k > 1 ? std::log(alpha_) + log_a_[k - 2] : -infinity;
        log_a_[k - 1] = log_add(kept, moved);
      }
    }
  }

  double alpha_, rest_;
  mutable std::once_flag tabulated_;
  mutable std::vector<double> log_a_;
};

}  // namespace cawi

#endif
