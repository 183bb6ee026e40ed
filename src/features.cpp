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

// The best landmarks among some rows, which are standardized, beside those of a layer.
// [[Rcpp::export(rng = false)]]
Rcpp::List landmarks_cpp(const Rcpp::List& layer, const arma::mat& rows, double most, int threads) {
  const auto known = as_landmarks(layer, weights_view(layer["weights"]));
  const cawi::Index largest = static_cast<cawi::Index>(std::min<double>(most, rows.n_rows));
  const cawi::NewLandmarks fresh =
      cawi::choose_landmarks(known.value(), rows, largest, as_threads(threads));
  return Rcpp::List::create(Rcpp::_["rows"] = as_vector(arma::uvec(fresh.rows + 1)),
                            Rcpp::_["beside"] = fresh.beside, Rcpp::_["root"] = fresh.root);
}

// [[Rcpp::export(rng = false)]]
double landmark_error_cpp(const Rcpp::List& layer, const arma::mat& rows) {
  return cawi::landmark_error(as_landmarks(layer, weights_view(layer["weights"])).value(), rows);
}

// All values of a kernel between two sets of rows.
// [[Rcpp::export(rng = false)]]
arma::mat kernel_cpp(const Rcpp::List& kernel, const arma::mat& x, const arma::mat& y) {
  const cawi::Kernel k = as_kernel(kernel);
  return k.between(k.points(x), k.points(y));
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

// Gradients of scores that are sums of a kernel over landmarks, one per row, at the rows of z, both
// standardized: for each output (column of the coefficients) one column per feature.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix kernel_gradients_cpp(const Rcpp::List& kernel, const arma::mat& z,
                                         const arma::mat& landmarks, const arma::mat& coefficients,
                                         int threads) {
  const cawi::Kernel k = as_kernel(kernel);
  const cawi::KernelGradients gradients(k, landmarks, coefficients);
  Rcpp::NumericMatrix all = new_matrix(z.n_rows, gradients.inputs() * gradients.outputs());
  arma::mat view = as_view(all);
  cawi::write_kernel_gradients(gradients, z, as_threads(threads), view);
  return all;
}
