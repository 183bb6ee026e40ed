#ifndef CAWI_COPULA_FRANK_HPP
#define CAWI_COPULA_FRANK_HPP

#include "archimedean.hpp"

namespace cawi {

namespace detail {

// log Li_{-n}(e^{-w}), w > 0: the polylogarithm of negative order in its three safe forms. Strong
// dependence makes w smaller than any double, so its log comes along.
class NegativePolylog {
 public:
  // lgamma writes a global variable, so it is called here and not in a thread.
  explicit NegativePolylog(Index n)
      : n_(n), log_factorial_(std::lgamma(static_cast<double>(n) + 1.0)) {
    if (n_ <= largest_eulerian) tabulate_eulerian();
  }

  double log_factorial() const { return log_factorial_; }

  double log_value(double log_w) const {
    const double w = std::exp(log_w);
    if (n_ <= largest_eulerian) return by_eulerian(w, log_w);
    const double order = static_cast<double>(n_) + 1.0;
    // The next term of the expansion at w = 0 is (1 + (2 pi / w)^2)^(-(n+1)/2) of the first.
    if (0.5 * order * std::log1p(std::pow(2.0 * pi / w, 2)) > 40.0) {
      return log_factorial_ - order * log_w;
    }
    return by_series(w);
  }

 private:
  // Eulerian numbers stay far from overflow up to here, and all terms are positive.
  static constexpr Index largest_eulerian = 100;

  void tabulate_eulerian() {
    eulerian_.assign(1, 1.0);
    for (Index n = 1; n < n_; ++n) {
      std::vector<double> next(n + 1, 0.0);
      for (Index k = 0; k <= n; ++k) {
        if (k < n) next[k] += static_cast<double>(k + 1) * eulerian_[k];
        if (k > 0) next[k] += static_cast<double>(n + 1 - k) * eulerian_[k - 1];
      }
      eulerian_ = next;
    }
  }

  // z A_n(z) / (1 - z)^(n+1), z = e^{-w}.
  double by_eulerian(double w, double log_w) const {
    const double z = std::exp(-w);
    const double log_one_minus_z = w < 1e-8 ? log_w - 0.5 * w : log1mexp(w);
    double polynomial = 0.0;
    for (Index k = eulerian_.size(); k-- > 0;) polynomial = polynomial * z + eulerian_[k];
    return -w + std::log(polynomial) - (static_cast<double>(n_) + 1.0) * log_one_minus_z;
  }

  // sum_k k^n e^{-k w}, outwards from its largest term.
  double by_series(double w) const {
    const double n = static_cast<double>(n_);
    const double peak = std::max(1.0, std::round(n / w));
    const double highest = n * std::log(peak) - peak * w;
    double sum = 1.0;
    for (double k = peak + 1.0;; k += 1.0) {
      const double term = std::exp(n * std::log(k) - k * w - highest);
      sum += term;
      if (term < 1e-18 * sum) break;
    }
    for (double k = peak - 1.0; k >= 1.0; k -= 1.0) {
      const double term = std::exp(n * std::log(k) - k * w - highest);
      sum += term;
      if (term < 1e-18 * sum) break;
    }
    return highest + std::log(sum);
  }

  Index n_;
  double log_factorial_;
  std::vector<double> eulerian_;
};

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

// Kendall's tau; below one a series avoids the difference of two numbers near one.
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
    return 1.0 / 9.0 + t2 * (-1.0 / 300.0 + t2 * (5.0 / 52920.0 + t2 * (-7.0 / 2721600.0 +
                                                                        t2 * 9.0 / 131725440.0)));
  }
  return 4.0 / (theta * theta) * (1.0 - 2.0 * debye1(theta) + theta / std::expm1(theta));
}

// Inverse of frank_tau on (0, 1) by Newton's method. Tau is concave, so after the first step the
// iterates only rise toward the root.
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

// 1 - p e^-t = (1 - e^-t) + e^{-theta-t}, positive terms both.
struct VectorFrankArgument {
  CAWI_INLINE void operator()(Doubles& t) const {
    Doubles decay = -t;
    VectorExpFinite()(decay);
    // 1 - e^-t: for small t the Taylor series, whose next term is below half a unit.
    const Longs small = t <= 0.01;
    Doubles series = t * (1.0 / 5040.0) - 1.0 / 720.0;
    series = series * t + 1.0 / 120.0;
    series = series * t - 1.0 / 24.0;
    series = series * t + 1.0 / 6.0;
    series = series * t - 0.5;
    series = t + t * t * series;
    const Doubles rest = reinterpret_cast<Doubles>((reinterpret_cast<Longs>(series) & small) |
                                                   (reinterpret_cast<Longs>(1.0 - decay) & ~small));
    t = rest + decay * exp_minus_theta;
    VectorClamp()(t);
  }
  double exp_minus_theta;
};

struct VectorLogOver {
  CAWI_INLINE void operator()(Doubles& x) const {
    VectorLog()(x);
    x /= divisor;
  }
  double divisor;
};

}  // namespace detail

// psi(t) = -log(1 - (1 - e^-theta) e^-t) / theta, theta > 0, V is logarithmic.
class Frank : public Archimedean<Frank> {
 public:
  Frank(Index dim, double theta)
      : Archimedean(dim, theta),
        log_p_(log1mexp(theta)),
        exp_minus_theta_(std::exp(-theta)),
        polylog_(dim - 1) {}

  static constexpr double independence = 0.0;
  static double tau_of_theta(double theta) { return detail::frank_tau(theta); }
  static double theta_of_tau(double tau) { return detail::frank_theta(tau); }

  double log_density(const double* u, double*) const override {
    const Index d = dim();
    const double n = static_cast<double>(d - 1);
    double sum_u = 0.0, sum_log = 0.0, smallest = 1.0;
    for (Index j = 0; j < d; ++j) {
      sum_u += u[j];
      sum_log += log_of_tail(u[j]);
      smallest = std::min(smallest, u[j]);
    }
    const double common = n * std::log(theta()) - sum_log;
    if (theta() * smallest > 30.0) return common + log_rest_of_tails(u, smallest);
    return common + polylog_.log_value(std::log(n * log_p_ - sum_log)) - theta() * sum_u;
  }

  void log_frailties(double* u1, double* u2, Index n) const {
    log_in_place(u2, n);
    for (Index i = 0; i < n; ++i) u1[i] = log_frailty(u1[i], u2[i]);
  }

  // -log(1 - p e^-t)/theta; as -log((1 - e^-t) + e^{-theta-t})/theta a sum of positive terms. Near
  // independence p is small and the first form is the exact one.
  void psi(double* t, Index n) const {
    if (theta() < 0.1) {
      const double minus_p = std::expm1(-theta());
      for (Index i = 0; i < n; ++i) t[i] = -std::log1p(minus_p * std::exp(-t[i])) / theta();
      return;
    }
    detail::transform(detail::VectorFrankArgument{exp_minus_theta_}, t, n);
    detail::transform(detail::VectorLogOver{-theta()}, t, n);
  }

  double psi_of_exp(double log_t) const {
    const double t = std::exp(log_t);
    const double log_one_minus = t < 1e-8 ? log_t - 0.5 * t : log1mexp(t);
    return -log_add(log_one_minus, -theta() - t) / theta();
  }

 private:
  // Kemp (1981), algorithm LK, with q = 1 - exp(-theta U1) kept as a log; V reaches e^theta.
  double log_frailty(double u1, double log_u2) const {
    if (log_u2 > log_p_) return 0.0;
    const double exponent = theta() * u1;
    if (exponent > 30.0) return std::log(-log_u2) + exponent;
    const double log_q = log1mexp(exponent);
    if (log_u2 < 2.0 * log_q) return std::log(1.0 + std::floor(log_u2 / log_q));
    return log_u2 > log_q ? 0.0 : std::log(2.0);
  }

  // log(1 - e^{-theta u}), also where theta u is less than any double.
  double log_of_tail(double u) const {
    const double x = theta() * u;
    return x > 1e-300 ? log1mexp(x) : std::log(theta()) + std::log(u);
  }

  // Where -log(1 - e^-x) is e^-x to the last digit for every x = theta u_j, w is so small that of
  // the polylogarithm no more than n! / w^d is left, and theta times the least u leaves the sum.
  double log_rest_of_tails(const double* u, double smallest) const {
    double sum = 0.0, above = 0.0;
    for (Index j = 0; j < dim(); ++j) {
      above += u[j] - smallest;
      sum += std::exp(-theta() * (u[j] - smallest));
    }
    sum -= static_cast<double>(dim() - 1) * std::exp(-theta() * (1.0 - smallest));
    return polylog_.log_factorial() - static_cast<double>(dim()) * std::log(sum) - theta() * above;
  }

  double log_p_, exp_minus_theta_;
  detail::NegativePolylog polylog_;
};

}  // namespace cawi

#endif
