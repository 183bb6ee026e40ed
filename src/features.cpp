#include "convert.h"

namespace {

Rcpp::List as_list(const cawi::Moments& moments) {
  const auto values = [&](auto value) {
    Rcpp::NumericVector all(moments.size());
    std::transform(moments.begin(), moments.end(), all.begin(), value);
    return all;
  };
  return Rcpp::List::create(
      Rcpp::_["mean"] = values([](const cawi::Moment& m) { return m.mean; }),
      Rcpp::_["sd"] = values([](const cawi::Moment& m) { return m.sd; }),
      Rcpp::_["weight"] = values([](const cawi::Moment& m) { return m.weight; }),
      Rcpp::_["origin"] = values([](const cawi::Moment& m) { return m.origin; }),
      Rcpp::_["distance"] = values([](const cawi::Moment& m) { return m.distance; }));
}

cawi::Moments as_moments(const Rcpp::List& list) {
  const Rcpp::NumericVector mean = list["mean"], sd = list["sd"], weight = list["weight"],
                            origin = list["origin"], distance = list["distance"];
  cawi::Moments moments(mean.size());
  for (cawi::Index j = 0; j < moments.size(); ++j) {
    moments[j] = {weight[j], mean[j], sd[j], origin[j], distance[j]};
  }
  return moments;
}

}  // namespace

// Means, standard deviations and sums of case weights of columns, where missing values count for
// nothing. `sd` may be above zero for a constant column, by rounding: see variation_cpp().
// [[Rcpp::export(rng = false)]]
Rcpp::List raw_moments_cpp(const arma::mat& x, Rcpp::Nullable<Rcpp::NumericVector> case_weights,
                           int threads) {
  const arma::vec w = case_weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(case_weights.get());
  return as_list(cawi::column_moments(x, w, as_threads(threads)));
}

// Those of the rows of both.
// [[Rcpp::export(rng = false)]]
Rcpp::List merge_moments_cpp(const Rcpp::List& one, const Rcpp::List& other) {
  cawi::Moments merged = as_moments(one);
  const cawi::Moments more = as_moments(other);
  cawi::require(merged.size() == more.size(), "source", "the numbers of columns differ");
  for (cawi::Index j = 0; j < merged.size(); ++j) merged[j].merge(more[j]);
  return as_list(merged);
}

// The same moments, where a column that is constant but for rounding has no deviation.
// [[Rcpp::export(rng = false)]]
Rcpp::List variation_cpp(const Rcpp::List& moments) {
  cawi::Moments clean = as_moments(moments);
  for (cawi::Moment& m : clean) m.sd = m.variation();
  return as_list(clean);
}

// Sparse rows have `ranks`, or NULL, that their numbers go through first.
// [[Rcpp::export(rng = false)]]
Rcpp::List column_moments_cpp(SEXP x, Rcpp::Nullable<Rcpp::NumericVector> case_weights, int threads,
                              SEXP ranks = R_NilValue) {
  const cawi::Inputs rows = as_inputs(x);
  const arma::vec w = case_weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(case_weights.get());
  cawi::require(w.is_empty() || w.n_elem == rows.rows(), "case_weights", "one per row is needed");
  const Rcpp::List all = variation_cpp(
      as_list(rows.is_sparse() ? cawi::column_moments(rows.sparse(), w, as_ranks(ranks))
                               : cawi::column_moments(rows.dense(), w, as_threads(threads))));
  return Rcpp::List::create(Rcpp::_["mean"] = all["mean"], Rcpp::_["sd"] = all["sd"]);
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
arma::mat layer_input_cpp(SEXP x, const Rcpp::List& network, int layer) {
  const cawi::Inputs rows = as_inputs(x);
  const cawi::Network net = as_network(network);
  cawi::require(rows.columns() == net.inputs(), "model", "the rows do not fit the network");
  return net.layer_input(rows, {0, rows.rows()}, layer);
}

// The whole of A.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix features_cpp(SEXP x, const Rcpp::List& network, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Inputs rows = as_inputs(x);
  const cawi::FeatureRows features = cawi::FeatureRows::whole(rows, net);
  Rcpp::NumericMatrix a = new_matrix(features.rows(), features.columns());
  std::vector<arma::mat> views;
  views.push_back(as_view(a));
  cawi::write_features(features, as_threads(threads), views);
  return a;
}

// A'A of the whole of A.
// [[Rcpp::export(rng = false)]]
arma::mat feature_gram_cpp(SEXP x, const Rcpp::List& network, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Inputs rows = as_inputs(x);
  cawi::Targets none;
  none.values.zeros(rows.rows(), 0);
  const cawi::FeatureRows features = cawi::FeatureRows::whole(rows, net);
  return cawi::accumulate_grams(features, none, as_threads(threads))[0].aa;
}

// The best landmarks among some rows, which are standardized, beside those of a layer.
// [[Rcpp::export(rng = false)]]
Rcpp::List landmarks_cpp(const Rcpp::List& layer, const arma::mat& rows, double most, int threads) {
  const auto known = as_landmarks(layer, matrix_view(layer["weights"]));
  const cawi::Index largest = static_cast<cawi::Index>(std::min<double>(most, rows.n_rows));
  const cawi::NewLandmarks fresh =
      cawi::choose_landmarks(known.value(), rows, largest, as_threads(threads));
  return Rcpp::List::create(Rcpp::_["rows"] = as_vector(arma::uvec(fresh.rows + 1)),
                            Rcpp::_["beside"] = fresh.beside, Rcpp::_["root"] = fresh.root);
}

// [[Rcpp::export(rng = false)]]
double landmark_error_cpp(const Rcpp::List& layer, const arma::mat& rows) {
  return cawi::landmark_error(as_landmarks(layer, matrix_view(layer["weights"])).value(), rows);
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
Rcpp::NumericMatrix gradients_cpp(SEXP x, const Rcpp::List& network, const Rcpp::List& coefficients,
                                  int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Inputs rows = as_inputs(x);
  const cawi::ScoreGradients gradients(rows, net, as_matrices(coefficients));
  Rcpp::NumericMatrix all = new_matrix(rows.rows(), net.inputs() * gradients.outputs());
  arma::mat view = as_view(all);
  cawi::write_gradients(gradients, as_threads(threads), view);
  return all;
}

// Their mean outer product, summed over the outputs.
// [[Rcpp::export(rng = false)]]
arma::mat gradient_product_cpp(SEXP x, const Rcpp::List& network, const Rcpp::List& coefficients,
                               Rcpp::Nullable<Rcpp::NumericVector> case_weights, int threads) {
  const cawi::Network net = as_network(network);
  const arma::vec w = case_weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(case_weights.get());
  const cawi::Inputs rows = as_inputs(x);
  const cawi::ScoreGradients gradients(rows, net, as_matrices(coefficients));
  return cawi::mean_gradient_product(gradients, w, as_threads(threads));
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
