#include "convert.h"

// [[Rcpp::export(rng = false)]]
arma::mat weights_cpp(const Rcpp::List& copula, int hidden, const std::string& marginal,
                      double scale, double seed, int threads) {
  return cawi::weight_columns(*as_copula(copula), hidden, marginal, scale, as_seed(seed),
                              as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat keep_inputs_cpp(arma::mat w, int inputs, double seed) {
  cawi::keep_inputs(w, inputs, as_seed(seed));
  return w;
}
