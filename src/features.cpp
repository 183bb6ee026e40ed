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
  cawi::find_activation(activation)(x.memptr(), x.n_elem, 0.0);
  return x;
}

// The derivative of an activation.
// [[Rcpp::export(rng = false)]]
arma::mat activation_slope_cpp(arma::mat x, const std::string& activation) {
  cawi::slope_of(cawi::find_activation(activation))(x.memptr(), x.n_elem, 0.0);
  return x;
}

// [[Rcpp::export(rng = false)]]
arma::mat layer_input_cpp(const arma::mat& x, const Rcpp::List& network, int layer) {
  return as_network(network).layer_input(x, {0, x.n_rows}, layer);
}

// The whole of A.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix features_cpp(const arma::mat& x, const Rcpp::List& network, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::FeatureRows features = cawi::FeatureRows::whole(x, net);
  Rcpp::NumericMatrix a = new_matrix(features.rows(), features.columns());
  std::vector<arma::mat> views;
  views.push_back(as_view(a));
  cawi::write_features(features, as_threads(threads), views);
  return a;
}

// A'A of the whole of A.
// [[Rcpp::export(rng = false)]]
arma::mat feature_gram_cpp(const arma::mat& x, const Rcpp::List& network, int threads) {
  const cawi::Network net = as_network(network);
  cawi::Targets none;
  none.values.zeros(x.n_rows, 0);
  return cawi::accumulate_grams(cawi::FeatureRows::whole(x, net), none, as_threads(threads))[0].aa;
}

// Gradients of the scores with respect to the standardized features: one row per row of x, and for
// each output one column per feature.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix gradients_cpp(const arma::mat& x, const Rcpp::List& network,
                                  const Rcpp::List& coefficients, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::ScoreGradients gradients(x, net, as_matrices(coefficients));
  Rcpp::NumericMatrix all = new_matrix(x.n_rows, net.inputs() * gradients.outputs());
  arma::mat view = as_view(all);
  cawi::write_gradients(gradients, as_threads(threads), view);
  return all;
}

// Their mean outer product, summed over the outputs.
// [[Rcpp::export(rng = false)]]
arma::mat gradient_product_cpp(const arma::mat& x, const Rcpp::List& network,
                               const Rcpp::List& coefficients,
                               Rcpp::Nullable<Rcpp::NumericVector> case_weights, int threads) {
  const cawi::Network net = as_network(network);
  const arma::vec w = case_weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(case_weights.get());
  return cawi::mean_gradient_product({x, net, as_matrices(coefficients)}, w, as_threads(threads));
}
