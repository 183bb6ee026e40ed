#include "convert.h"

// [[Rcpp::export(rng = false)]]
arma::mat pseudo_obs_cpp(const arma::mat& x, const std::string& ties, double seed, int threads) {
  const cawi::Ties how = ties == "average" ? cawi::Ties::average
                         : ties == "first" ? cawi::Ties::first
                                           : cawi::Ties::random;
  return cawi::pseudo_observations(x, how, as_seed(seed), as_threads(threads));
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
arma::mat nearest_cor_cpp(const arma::mat& r, double floor) {
  return cawi::nearest_correlation(r, floor, [] { Rcpp::checkUserInterrupt(); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector permutation_cpp(double seed, int n) {
  const auto p = cawi::permutation(as_seed(seed), n);
  return Rcpp::IntegerVector(p.begin(), p.end()) + 1;
}
