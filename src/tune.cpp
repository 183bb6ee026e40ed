#include "convert.h"

namespace {

std::vector<cawi::FeatureRows> readout_rows(const arma::mat& x, const cawi::Network& network,
                                            const Rcpp::List& columns) {
  std::vector<cawi::FeatureRows> readouts;
  for (const SEXP chosen : columns) readouts.emplace_back(x, network, Rcpp::as<arma::uvec>(chosen) - 1);
  return readouts;
}

Rcpp::List as_list(const std::vector<cawi::Losses>& losses, int lambdas, int cuts) {
  const char* names[] = {"hit", "squared", "brier", "log"};
  Rcpp::List sums, squares;
  for (int k = 0; k < cawi::loss_kinds; ++k) {
    arma::mat sum(lambdas, cuts), square(lambdas, cuts);
    for (cawi::Index i = 0; i < losses.size(); ++i) {
      sum[i] = losses[i].sum[k];
      square[i] = losses[i].square[k];
    }
    sums[names[k]] = sum;
    squares[names[k]] = square;
  }
  return Rcpp::List::create(Rcpp::_["sum"] = sums, Rcpp::_["square"] = squares);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
double best_temperature_cpp(const arma::mat& scores, std::vector<int> classes, const arma::vec& weights) {
  for (int& k : classes) --k;
  return cawi::best_temperature(scores, classes, weights);
}

// Losses of every cut and lambda, leave-one-out or, where new_x is given, on its rows. `columns` and
// `cuts` are lists with one element a readout; `sample` has the rows for the temperature, if any.
// [[Rcpp::export(rng = false)]]
Rcpp::List readout_grid_cpp(const arma::mat& x, const Rcpp::List& network, const Rcpp::List& columns,
                            const Rcpp::List& cuts, const Rcpp::List& targets,
                            const arma::vec& lambdas, Rcpp::Nullable<Rcpp::NumericMatrix> new_x,
                            Rcpp::Nullable<Rcpp::List> new_targets, const arma::uvec& sample,
                            const Rcpp::List& sample_targets, bool keep_scores, int threads) {
  const cawi::Network net = as_network(network);
  const std::vector<cawi::FeatureRows> training = readout_rows(x, net, columns);
  const cawi::Targets y = as_targets(targets);
  std::vector<arma::uvec> ends;
  for (const SEXP end : cuts) ends.push_back(Rcpp::as<arma::uvec>(end));
  cawi::ReadoutGrid grid(training, ends, y, lambdas, as_threads(threads));
  if (!sample.is_empty()) {
    const arma::mat part = x.rows(sample - 1);
    grid.calibrate(readout_rows(part, net, columns), as_targets(sample_targets), sample - 1);
  }
  arma::cube scores;
  const int count = static_cast<int>(ends.front().n_elem);
  std::vector<cawi::Losses> losses;
  if (new_x.isNull()) {
    if (keep_scores) scores.set_size(x.n_rows, y.outputs * count, lambdas.n_elem);
    losses = grid.left_out_losses(scores);
  } else {
    const arma::mat fresh = Rcpp::as<arma::mat>(new_x.get());
    cawi::require(fresh.n_rows > 0, "resampling", "a held-out part has no rows");
    if (keep_scores) scores.set_size(fresh.n_rows, y.outputs * count, lambdas.n_elem);
    losses = grid.held_out_losses(readout_rows(fresh, net, columns),
                                  as_targets(Rcpp::as<Rcpp::List>(new_targets.get())), scores);
  }
  Rcpp::List result = as_list(losses, static_cast<int>(lambdas.n_elem), count);
  result["temperature"] = grid.temperatures();
  if (keep_scores) result["scores"] = scores;
  return result;
}
