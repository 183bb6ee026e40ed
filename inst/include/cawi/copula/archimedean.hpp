#ifndef CAWI_COPULA_ARCHIMEDEAN_HPP
#define CAWI_COPULA_ARCHIMEDEAN_HPP

#include "../core/vectors.hpp"
#include "copula.hpp"

namespace cawi {

namespace detail {

// E / V from a uniform number and -1 / V, where E = -log U.
struct VectorRatio {
  CAWI_INLINE void operator()(Doubles& u, const Doubles& minus_rate) const {
    VectorLog()(u);
    u *= minus_rate;
  }
};

// log(1 + t) for t >= 0, without care for the digits of a small t.
struct VectorLogOfOnePlus {
  CAWI_INLINE void operator()(Doubles& t) const {
    t += 1.0;
    VectorLog()(t);
  }
};

// e^{factor t} for finite exponents up to 709.
struct VectorScaledExp {
  CAWI_INLINE void operator()(Doubles& t) const {
    t *= factor;
    VectorExpFinite()(t);
  }
  double factor;
};

}  // namespace detail

// C(u) = psi(sum psi^{-1}(u_j)) with psi the Laplace transform of a positive frailty V.
// Marshall and Olkin (1988): draw V, then E_j ~ Exp(1), then u_j = psi(E_j / V). A Family gives
//   draw_uniforms(stream, a, b, u)  two random numbers that make one V, and the uniform numbers of
//                                   the E_j, for a block of draws; by default each is one uniform
//   log_frailties(a, b, n)          log V from them, into a; logs, because V spans hundreds of
//                                   orders of magnitude
//   psi(t, n)                       in place, for an array of t in the range of a double
//   psi_of_exp(log_t)               the same for one t that would overflow or underflow
//   independence                    the theta, at the lower end of its range, that is independence
//   tau_of_theta, theta_of_tau      Kendall's tau of a pair, for theta above independence, and back
template <class Family>
class Archimedean : public Copula {
 public:
  // Beyond this tau draws are comonotone to the last digits that matter. A family may have another.
  static constexpr double largest_tau = 0.999;

  Archimedean(Index dim, double theta) : dim_(dim), theta_(theta) {}

  Index dim() const override { return dim_; }
  double theta() const { return theta_; }

  void draw(Stream& stream, DrawBlock& u) const override {
    const Family& family = static_cast<const Family&>(*this);
    const Index n = u.count();
    std::vector<double> log_frailty(u.stride()), second(u.stride());
    family.draw_uniforms(stream, log_frailty.data(), second.data(), u);
    family.log_frailties(log_frailty.data(), second.data(), n);
    const std::vector<double> set_aside = extreme_draws(log_frailty, u);
    std::vector<double> minus_rate(u.stride());
    for (Index k = 0; k < n; ++k)
      minus_rate[k] = is_extreme(log_frailty[k]) ? 0.0 : -log_frailty[k];
    exp_in_place(minus_rate.data(), n);
    for (double& rate : minus_rate) rate = -rate;
    for (Index j = 0; j < dim_; ++j) {
      detail::transform_pairs(detail::VectorRatio(), u.column(j), minus_rate.data(), n);
      family.psi(u.column(j), n);
      detail::transform(detail::VectorClamp(), u.column(j), n);
    }
    const double* uniform = set_aside.data();
    for (Index k = 0; k < n; ++k) {
      for (Index j = 0; j < dim_ && is_extreme(log_frailty[k]); ++j) {
        const double log_t = std::log(-std::log(*uniform++)) - log_frailty[k];
        u.column(j)[k] = clamp_to_open_unit(family.psi_of_exp(log_t));
      }
    }
  }

  void draw_uniforms(Stream& stream, double* a, double* b, DrawBlock& u) const {
    std::vector<double*> columns(dim_ + 2);
    columns[0] = a;
    columns[1] = b;
    for (Index j = 0; j < dim_; ++j) columns[j + 2] = u.column(j);
    stream_columns(stream.seed(), u.first(), u.count(), dim_ + 2, columns.data());
  }

 private:
  static bool is_extreme(double log_frailty) { return std::abs(log_frailty) >= 600.0; }

  // The uniform numbers of draws whose frailty leaves the range of a double: they are done one by
  // one.
  std::vector<double> extreme_draws(const std::vector<double>& log_frailty, DrawBlock& u) const {
    std::vector<double> uniform;
    for (Index k = 0; k < u.count(); ++k) {
      for (Index j = 0; j < dim_ && is_extreme(log_frailty[k]); ++j) {
        uniform.push_back(u.column(j)[k]);
      }
    }
    return uniform;
  }

  Index dim_;
  double theta_;
};

}  // namespace cawi

#endif
