#ifndef CAWI_COPULA_ARCHIMEDEAN_HPP
#define CAWI_COPULA_ARCHIMEDEAN_HPP

#include "copula.hpp"

namespace cawi {

// C(u) = psi(sum psi^{-1}(u_j)) with psi the Laplace transform of a positive frailty V.
// Marshall and Olkin (1988): draw V, then E_j ~ Exp(1), then u_j = psi(E_j / V). Frailties span
// hundreds of orders of magnitude, so both steps work on logs.
class Archimedean : public Copula {
 public:
  Archimedean(Index dim, double theta) : dim_(dim), theta_(theta) {}

  Index dim() const override { return dim_; }
  double theta() const { return theta_; }

  void draw(Stream& stream, double* u) const override {
    const double log_frailty = draw_log_frailty(stream);
    for (Index j = 0; j < dim_; ++j) {
      u[j] = clamp_to_open_unit(psi_of_exp(std::log(stream.exponential()) - log_frailty));
    }
  }

 protected:
  virtual double draw_log_frailty(Stream& stream) const = 0;
  // psi(exp(log_t)).
  virtual double psi_of_exp(double log_t) const = 0;

 private:
  Index dim_;
  double theta_;
};

}  // namespace cawi

#endif
