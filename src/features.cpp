#include "convert.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List column_moments_cpp(const arma::mat& x, Rcpp::Nullable<Rcpp::NumericVector> case_weights,
                              int threads) {
  arma::rowvec mean(x.n_cols), sd(x.n_cols);
  const arma::vec w = case_weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(case_weights.get());
  cawi::column_moments(x, w, as_threads(threads), mean, sd);
  return Rcpp::List::create(Rcpp::_["mean"] = as_vector(mean), Rcpp::_["sd"] = as_vector(sd));
}

// [[Rcpp::export(rng = false)]]
arma::mat activate_cpp(arma::mat x, const std::string& activation) {
  cawi::find_activation(activation)(x.memptr(), x.n_elem);
  return x;
}

// [[Rcpp::export(rng = false)]]
arma::mat layer_input_cpp(const arma::mat& x, const Rcpp::List& network, int layer) {
  const cawi::Network net = as_network(network);
  return net.layer_input(net.standardized(x, {0, x.n_rows}), layer);
}

// [[Rcpp::export(rng = false)]]
arma::mat features_cpp(const arma::mat& x, const Rcpp::List& network,
                       Rcpp::Nullable<Rcpp::IntegerVector> columns, int threads) {
  const cawi::Network net = as_network(network);
  return cawi::all_features({x, net, as_columns(columns)}, as_threads(threads));
}
