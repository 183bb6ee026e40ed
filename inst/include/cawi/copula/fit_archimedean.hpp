// The single parameter of an Archimedean family: from the mean tau, or by maximum
// pseudo-likelihood.
#ifndef CAWI_COPULA_FIT_ARCHIMEDEAN_HPP
#define CAWI_COPULA_FIT_ARCHIMEDEAN_HPP

#include <boost/math/tools/minima.hpp>

#include <limits>
#include <string>

#include "families.hpp"

namespace cawi {

inline double theta_from_tau(const std::string& family, double tau) {
  const FamilyRow& row = find_archimedean(family);
  require(tau > 0.0 && tau <= row.largest_tau, "tau",
          "must be positive and at most the largest of the family");
  return row.theta_of_tau(tau);
}

inline double tau_from_theta(const std::string& family, double theta) {
  return find_archimedean(family).tau_of_theta(theta);
}

// Searches over tau, which has a bounded range in all families.
inline double theta_by_likelihood(const std::string& family, const arma::mat& u,
                                  const Threads& threads) {
  const FamilyRow& row = find_archimedean(family);
  Parameters parameters;
  parameters.dim = u.n_cols;
  const auto minus_log_likelihood = [&](double tau) {
    parameters.theta = row.theta_of_tau(tau);
    return -log_likelihood(*make_copula(family, parameters), u, threads);
  };
  // Half the digits of a double: more is rounding of the likelihood.
  const auto best = boost::math::tools::brent_find_minima(
      minus_log_likelihood, 1e-5, row.largest_tau, std::numeric_limits<double>::digits / 2);
  return row.theta_of_tau(best.first);
}

}  // namespace cawi

#endif
