#include "convert.h"

// [[Rcpp::export(rng = false)]]
Rcpp::List column_moments_cpp(const arma::mat& x, int threads) {
  arma::rowvec mean(x.n_cols), sd(x.n_cols);
  cawi::column_moments(x, as_threads(threads), mean, sd);
  return Rcpp::List::create(Rcpp::_["mean"] = Rcpp::NumericVector(mean.begin(), mean.end()),
                            Rcpp::_["sd"] = Rcpp::NumericVector(sd.begin(), sd.end()));
}

// [[Rcpp::export(rng = false)]]
double child_seed_cpp(double seed, int index) {
  return static_cast<double>(cawi::child_seed(as_seed(seed), index));
}

// [[Rcpp::export(rng = false)]]
arma::mat activate_cpp(arma::mat x, const std::string& activation) {
  cawi::find_activation(activation)(x.memptr(), x.n_elem);
  return x;
}

// [[Rcpp::export(rng = false)]]
arma::mat layer_input_cpp(const arma::mat& x, const Rcpp::List& network, int layer) {
  const cawi::Network net = as_network(network);
  return net.layer_input(net.standardized(x, 0, x.n_rows), layer);
}

// [[Rcpp::export(rng = false)]]
arma::mat features_cpp(const arma::mat& x, const Rcpp::List& network,
                       Rcpp::Nullable<Rcpp::IntegerVector> columns, int threads) {
  const cawi::Network net = as_network(network);
  return cawi::all_features({x, net, as_columns(columns)}, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat scores_cpp(const arma::mat& x, const Rcpp::List& network,
                     Rcpp::Nullable<Rcpp::IntegerVector> columns, const arma::mat& coefficients,
                     int threads) {
  const cawi::Network net = as_network(network);
  return cawi::scores({x, net, as_columns(columns)}, coefficients, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List gram_cpp(const arma::mat& x, const Rcpp::List& network,
                    Rcpp::Nullable<Rcpp::IntegerVector> columns, const Rcpp::List& targets,
                    int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Gram gram = cawi::accumulate_gram({x, net, as_columns(columns)}, as_targets(targets),
                                                as_threads(threads));
  return Rcpp::List::create(Rcpp::_["aa"] = gram.aa, Rcpp::_["ay"] = gram.ay);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List border_cpp(const arma::mat& x, const Rcpp::List& network,
                      Rcpp::Nullable<Rcpp::IntegerVector> columns, const arma::uvec& fresh,
                      const Rcpp::List& targets, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Gram border = cawi::accumulate_border({x, net, as_columns(columns)}, fresh - 1,
                                                    as_targets(targets), as_threads(threads));
  return Rcpp::List::create(Rcpp::_["an"] = border.aa, Rcpp::_["ny"] = border.ay);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List solve_primal_cpp(const arma::mat& aa, const arma::mat& ay, double lambda) {
  const cawi::Readout readout = cawi::solve_primal({aa, ay}, lambda);
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List solve_dual_cpp(const arma::mat& a, const arma::mat& y, double lambda) {
  const cawi::Readout readout = cawi::solve_dual(a, y, lambda);
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

// Leave-one-out scores of the rows of x, which are among those that gave the Gram matrix.
// [[Rcpp::export(rng = false)]]
arma::mat left_out_scores_cpp(const arma::mat& x, const Rcpp::List& network,
                              Rcpp::Nullable<Rcpp::IntegerVector> columns,
                              const Rcpp::List& targets, const arma::mat& aa, const arma::mat& ay,
                              const arma::mat& coefficients, double lambda, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Targets y = as_targets(targets);
  const arma::mat a = cawi::all_features({x, net, as_columns(columns)}, as_threads(threads));
  return cawi::left_out_scores({aa, ay}, lambda, coefficients, a, y.block(0, x.n_rows), y.weights);
}

// Leave-one-out of every lambda on all rows, then the leave-one-out scores at the best one (least
// squared error; the largest lambda among equals).
// [[Rcpp::export(rng = false)]]
Rcpp::List ridge_path_cpp(const arma::mat& x, const Rcpp::List& network,
                          Rcpp::Nullable<Rcpp::IntegerVector> columns, const Rcpp::List& targets,
                          const arma::mat& aa, const arma::mat& ay, bool dual,
                          const arma::vec& lambdas, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::FeatureRows rows(x, net, as_columns(columns));
  const cawi::Targets y = as_targets(targets);
  const cawi::Threads workers = as_threads(threads);
  const cawi::RidgePath path = dual ? cawi::RidgePath(aa * aa.t(), ay, workers)
                                    : cawi::RidgePath(cawi::Gram{aa, ay}, workers);
  const cawi::LeaveOneOut loo = path.leave_one_out(rows, y, lambdas);
  cawi::Index best = 0;
  for (cawi::Index l = 1; l < lambdas.n_elem; ++l) {
    if (loo.squared_error[l] <= loo.squared_error[best]) best = l;
  }
  return Rcpp::List::create(
      Rcpp::_["squared_error"] = Rcpp::NumericVector(loo.squared_error.begin(), loo.squared_error.end()),
      Rcpp::_["correct"] = Rcpp::NumericVector(loo.correct.begin(), loo.correct.end()),
      Rcpp::_["freedom"] = Rcpp::NumericVector(loo.freedom.begin(), loo.freedom.end()),
      Rcpp::_["spectrum"] = Rcpp::NumericVector(path.spectrum().begin(), path.spectrum().end()),
      Rcpp::_["best"] = static_cast<int>(best) + 1,
      Rcpp::_["scores"] = path.scores(rows, y, lambdas[best]));
}
