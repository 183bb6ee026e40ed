#include "convert.h"

// [[Rcpp::export(rng = false)]]
arma::mat weights_cpp(const Rcpp::List& copula, int hidden, const std::string& marginal,
                      double scale, double seed, int threads) {
  return cawi::weight_columns(*as_copula(copula), hidden, marginal, scale, as_seed(seed),
                              as_threads(threads));
}

// `share` may be NULL: all rows are as likely as each other.
// [[Rcpp::export(rng = false)]]
arma::mat keep_inputs_cpp(arma::mat w, int inputs, double seed,
                          Rcpp::Nullable<Rcpp::NumericVector> share = R_NilValue) {
  const arma::vec shares = share.isNull() ? arma::vec() : Rcpp::as<arma::vec>(share.get());
  cawi::keep_inputs(w, inputs, as_seed(seed), shares);
  return w;
}

// `cor` has one row per input, or is one correlation of all pairs.
// [[Rcpp::export(rng = false)]]
double mean_square_cpp(const arma::mat& z, const arma::mat& cor, bool uniform) {
  return cor.n_elem == 1 ? cawi::mean_square(z, cor(0, 0), uniform)
                         : cawi::mean_square(z, cor, uniform);
}
