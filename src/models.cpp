#include "convert.h"

namespace {

cawi::Center as_center(const cawi::Gram& gram, int ones) {
  return ones > 0 ? cawi::Center::of(gram, ones - 1) : cawi::Center{};
}

cawi::RidgePath make_path(const arma::mat& aa, const arma::mat& ay, bool dual, int ones, const cawi::Threads& threads) {
  if (dual) {
    const cawi::Kernel kernel(aa, ay, ones > 0, ones - 1);
    return cawi::RidgePath(kernel.kernel, kernel.y, kernel.center, threads);
  }
  const cawi::Gram gram{aa, ay};
  return cawi::RidgePath(gram, as_center(gram, ones), threads);
}

// The last least entry of each column.
arma::uvec best_penalties(const arma::mat& error) {
  arma::uvec best(error.n_cols, arma::fill::zeros);
  for (cawi::Index k = 0; k < error.n_cols; ++k) {
    for (cawi::Index l = 1; l < error.n_rows; ++l) {
      if (error(l, k) <= error(best[k], k)) best[k] = l;
    }
  }
  return best;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
Rcpp::List column_moments_cpp(const arma::mat& x, Rcpp::Nullable<Rcpp::NumericVector> weights, int threads) {
  arma::rowvec mean(x.n_cols), sd(x.n_cols);
  const arma::vec w = weights.isNull() ? arma::vec() : Rcpp::as<arma::vec>(weights.get());
  cawi::column_moments(x, w, as_threads(threads), mean, sd);
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

// `ones` is the column of the intercept that has no penalty, counted from one; 0 where there is none.
// [[Rcpp::export(rng = false)]]
Rcpp::List solve_primal_cpp(const arma::mat& aa, const arma::mat& ay, const arma::vec& lambda, int ones) {
  const cawi::Gram gram{aa, ay};
  const cawi::Readout readout = cawi::solve_primal(gram, lambda, as_center(gram, ones));
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List solve_dual_cpp(const arma::mat& a, const arma::mat& y, const arma::vec& lambda, int ones) {
  const cawi::Kernel kernel(a, y, ones > 0, ones - 1);
  const cawi::Readout readout = cawi::solve_dual(kernel, lambda);
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

// Leave-one-out scores of the rows of x, which are among those that gave the Gram matrix.
// [[Rcpp::export(rng = false)]]
arma::mat left_out_scores_cpp(const arma::mat& x, const Rcpp::List& network,
                              Rcpp::Nullable<Rcpp::IntegerVector> columns,
                              const Rcpp::List& targets, const arma::mat& aa, const arma::mat& ay,
                              const arma::mat& coefficients, const arma::vec& lambda, int ones, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Targets y = as_targets(targets);
  const cawi::Gram gram{aa, ay};
  const arma::mat a = cawi::all_features({x, net, as_columns(columns)}, as_threads(threads));
  return cawi::left_out_scores(gram, lambda, as_center(gram, ones), coefficients, a, y.block(0, x.n_rows), y.weights);
}

// Leave-one-out of every lambda on all rows, then the leave-one-out scores at the given penalties or, where none is
// given, at the best ones (least squared error; the largest lambda among equals): one for all classes, one per
// numeric output.
// [[Rcpp::export(rng = false)]]
Rcpp::List ridge_path_cpp(const arma::mat& x, const Rcpp::List& network,
                          Rcpp::Nullable<Rcpp::IntegerVector> columns, const Rcpp::List& targets,
                          const arma::mat& aa, const arma::mat& ay, bool dual,
                          const arma::vec& lambdas, const arma::vec& given, int ones, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::FeatureRows rows(x, net, as_columns(columns));
  const cawi::Targets y = as_targets(targets);
  const cawi::RidgePath path = make_path(aa, ay, dual, ones, as_threads(threads));
  const cawi::LeaveOneOut loo = path.leave_one_out(rows, y, lambdas);
  const arma::uvec best = best_penalties(y.classes.empty() ? loo.squared_error
                                                           : arma::mat(arma::sum(loo.squared_error, 1)));
  const arma::vec spectrum = path.spectrum();
  return Rcpp::List::create(
      Rcpp::_["squared_error"] = loo.squared_error,
      Rcpp::_["correct"] = Rcpp::NumericVector(loo.correct.begin(), loo.correct.end()),
      Rcpp::_["freedom"] = Rcpp::NumericVector(loo.freedom.begin(), loo.freedom.end()),
      Rcpp::_["spectrum"] = Rcpp::NumericVector(spectrum.begin(), spectrum.end()),
      Rcpp::_["best"] = Rcpp::IntegerVector(best.begin(), best.end()) + 1,
      Rcpp::_["scores"] = path.scores(rows, y, given.is_empty() ? arma::vec(lambdas(best)) : given));
}
