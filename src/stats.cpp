#include "convert.h"

namespace {
cawi::Ties as_ties(const std::string& ties) {
  if (ties == "average") return cawi::Ties::average;
  if (ties == "first") return cawi::Ties::first;
  cawi::require(ties == "random", "ties", "must be average, first or random");
  return cawi::Ties::random;
}
}  // namespace

// [[Rcpp::export(rng = false)]]
arma::mat pseudo_obs_cpp(const arma::mat& x, const std::string& ties, double seed, int threads) {
  return cawi::pseudo_observations(x, as_ties(ties), as_seed(seed), as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat pseudo_obs_against_cpp(const arma::mat& train, const arma::mat& fresh, int threads) {
  return cawi::pseudo_observations_against(train, fresh, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat kendall_cpp(const arma::mat& x, int threads) {
  return cawi::kendall_matrix(x, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat kendall_cross_cpp(const arma::mat& x, const arma::mat& y, int threads) {
  return cawi::kendall_matrix(x, y, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
bool is_correlation_cpp(const arma::mat& r) { return cawi::is_correlation(r); }

// `most` is a number of pairs of rows, `x` in random order.
// [[Rcpp::export(rng = false)]]
arma::mat kendall_of_row_pairs_cpp(const arma::mat& x, int most, int threads) {
  return cawi::kendall_of_row_pairs(x, most, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat leading_correlation_from_tau_cpp(const arma::mat& tau) {
  return cawi::leading_correlation_from_tau(tau);
}

// [[Rcpp::export(rng = false)]]
arma::mat nearest_cor_cpp(const arma::mat& r, double floor) {
  return cawi::nearest_correlation(r, floor, [] { Rcpp::checkUserInterrupt(); });
}

// [[Rcpp::export(rng = false)]]
std::vector<double> means_below_cpp(const std::vector<double>& z, double limit, bool strict) {
  return cawi::means_below(z, limit, strict);
}

// [[Rcpp::export(rng = false)]]
std::vector<double> bootstrap_means_cpp(const std::vector<double>& gain, int draws, double seed,
                                        int threads) {
  return cawi::bootstrap_means(gain, draws, as_seed(seed), as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat signed_rank_shares_cpp(const std::vector<double>& gain, double rope, int draws,
                                 double seed, int threads) {
  return cawi::signed_rank_shares(gain, rope, draws, as_seed(seed), as_threads(threads));
}
