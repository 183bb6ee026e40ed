// The single parameter of an Archimedean family: from the mean tau, or by maximum pseudo-likelihood.
#ifndef CAWI_COPULA_FIT_ARCHIMEDEAN_HPP
#define CAWI_COPULA_FIT_ARCHIMEDEAN_HPP

#include <boost/math/tools/minima.hpp>

#include <string>

#include "families.hpp"

namespace cawi {

// Beyond this tau draws are comonotone to the last digits that matter.
constexpr double largest_tau = 0.999;

inline double theta_from_tau(const std::string& family, double tau) {
  require(tau > 0.0 && tau <= largest_tau, "tau", "must be positive and at most 0.999");
  if (family == "clayton") return Clayton::theta_of_tau(tau);
  if (family == "frank") return Frank::theta_of_tau(tau);
  if (family == "gumbel") return Gumbel::theta_of_tau(tau);
  throw DomainError("family", "'" + family + "' is not Archimedean");
}

inline double tau_from_theta(const std::string& family, double theta) {
  if (family == "clayton") return Clayton::tau(theta);
  if (family == "frank") return Frank::tau(theta);
  if (family == "gumbel") return Gumbel::tau(theta);
  throw DomainError("family", "'" + family + "' is not Archimedean");
}

// Searches on the scale of tau, where the families share one bounded range.
inline double theta_by_likelihood(const std::string& family, const arma::mat& u,
                                  const Threads& threads) {
  Parameters parameters;
  parameters.dim = u.n_cols;
  const auto minus_log_likelihood = [&](double tau) {
    parameters.theta = theta_from_tau(family, tau);
    return -log_likelihood(*make_copula(family, parameters), u, threads);
  };
  // Half the digits of a double: more is rounding of the likelihood.
  const auto best = boost::math::tools::brent_find_minima(minus_log_likelihood, 1e-5, largest_tau,
                                                          std::numeric_limits<double>::digits / 2);
  return theta_from_tau(family, best.first);
}

}  // namespace cawi

#endif
