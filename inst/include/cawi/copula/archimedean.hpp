#ifndef CAWI_COPULA_ARCHIMEDEAN_HPP
#define CAWI_COPULA_ARCHIMEDEAN_HPP

#include "../core/vectors.hpp"
#include "copula.hpp"

namespace cawi {

// C(u) = psi(sum psi^{-1}(u_j)) with psi the Laplace transform of a positive frailty V.
// Marshall and Olkin (1988): draw V, then E_j ~ Exp(1), then u_j = psi(E_j / V). A Family gives
//   draw_frailty(stream, a, b)   two random numbers that make one V
//   log_frailties(a, b, n)       log V from them, into a, for a whole block; logs, because V
//                                spans hundreds of orders of magnitude
//   psi(t, n)                    in place, for an array of t in the range of a double
//   psi_of_exp(log_t)            the same for one t that would overflow or underflow
//   independence                 the theta, at the lower end of its range, that is independence
//   tau_of_theta, theta_of_tau   Kendall's tau of a pair, for theta above independence, and back
template <class Family>
class Archimedean : public Copula {
 public:
  // Beyond this tau draws are comonotone to the last digits that matter. A family may have another.
  static constexpr double largest_tau = 0.999;

  Archimedean(Index dim, double theta) : dim_(dim), theta_(theta) {}

  Index dim() const override { return dim_; }
  double theta() const { return theta_; }

  void draw(Stream& stream, Index first, Index count, double* u) const override {
    const Family& family = static_cast<const Family&>(*this);
    std::vector<double> log_frailty(count), second(count);
    for (Index k = 0; k < count; ++k) {
      stream.start(first + k);
      family.draw_frailty(stream, log_frailty[k], second[k]);
      stream.uniforms(u + k * dim_, dim_);
    }
    family.log_frailties(log_frailty.data(), second.data(), count);
    // E = -log U for the whole block, then E / V, then psi. Draws whose frailty leaves the range of
    // a double are set aside and done one by one.
    const Index n = count * dim_;
    log_in_place(u, n);
    std::vector<double> set_aside;
    for (Index k = 0; k < count; ++k) {
      double* row = u + k * dim_;
      const bool extreme = is_extreme(log_frailty[k]);
      if (extreme) set_aside.insert(set_aside.end(), row, row + dim_);
      const double minus_rate = extreme ? -1.0 : -std::exp(-log_frailty[k]);
      for (Index j = 0; j < dim_; ++j) row[j] *= minus_rate;
    }
    family.psi(u, n);
    const double* log_u = set_aside.data();
    for (Index k = 0; k < count; ++k) {
      if (!is_extreme(log_frailty[k])) continue;
      for (Index j = 0; j < dim_; ++j) {
        u[k * dim_ + j] = family.psi_of_exp(std::log(-*log_u++) - log_frailty[k]);
      }
    }
    for (Index i = 0; i < n; ++i) u[i] = clamp_to_open_unit(u[i]);
  }

 private:
  static bool is_extreme(double log_frailty) { return std::abs(log_frailty) >= 600.0; }

  Index dim_;
  double theta_;
};

}  // namespace cawi

#endif
