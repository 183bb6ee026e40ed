#include "convert.h"

namespace {

Rcpp::List as_list(const cawi::Sums& sums, int ones) {
  return Rcpp::List::create(Rcpp::_["kind"] = "gram", Rcpp::_["aa"] = sums.gram.aa,
                            Rcpp::_["ay"] = sums.gram.ay, Rcpp::_["ones"] = ones,
                            Rcpp::_["yy"] = as_vector(sums.yy), Rcpp::_["rows"] = sums.rows,
                            Rcpp::_["weight"] = sums.weight);
}

cawi::Sums as_sums(const Rcpp::List& object) {
  const Statistics known = as_statistics(object);
  cawi::require(!known.dual, "statistics", "they must be sums");
  return {known.sums, Rcpp::as<arma::rowvec>(object["yy"]), Rcpp::as<double>(object["rows"]),
          Rcpp::as<double>(object["weight"])};
}

}  // namespace

// The sums of every readout over the rows of each fold: a list per readout of lists per fold.
// `fold` counts from one.
// [[Rcpp::export(rng = false)]]
Rcpp::List fold_sums_cpp(SEXP x, const Rcpp::List& network, const Rcpp::List& targets,
                         const arma::uvec& fold, int folds, const std::vector<int>& ones,
                         int threads) {
  const cawi::Inputs inputs = as_inputs(x);
  const cawi::Network net = as_network(network);
  const cawi::Targets y = as_targets(targets);
  const cawi::Threads team = as_threads(threads);
  std::vector<Rcpp::List> all(net.readouts().size());
  for (int k = 1; k <= folds; ++k) {
    std::vector<cawi::Sums> sums;
    for (const cawi::Layout& layout : net.readouts()) {
      sums.push_back(cawi::Sums::zero(layout.columns(), y.outputs));
    }
    const arma::uvec rows = arma::find(fold == static_cast<arma::uword>(k));
    if (!rows.is_empty()) {
      const cawi::Inputs part = inputs.some(rows);
      cawi::add_rows({part, net}, y.some(rows), team, sums);
    }
    for (cawi::Index r = 0; r < sums.size(); ++r) all[r].push_back(as_list(sums[r], ones[r]));
  }
  return Rcpp::List(all.begin(), all.end());
}

// The sums over the rows of both; with sign -1 those of the other are taken away.
// [[Rcpp::export(rng = false)]]
Rcpp::List merge_sums_cpp(const Rcpp::List& one, const Rcpp::List& other, double sign) {
  cawi::Sums merged = as_sums(one);
  merged.merge(as_sums(other), sign);
  return as_list(merged, Rcpp::as<int>(one["ones"]));
}

// Squared errors on the rows of `fold` of the readouts that have learned from all others, one line
// per penalty and one column per output, and the sum of the case weights of the fold.
// [[Rcpp::export(rng = false)]]
Rcpp::List held_out_losses_cpp(const Rcpp::List& all, const Rcpp::List& fold,
                               const arma::vec& lambdas, int threads) {
  const cawi::Sums fresh = as_sums(fold);
  cawi::Sums train = as_sums(all);
  train.merge(fresh, -1.0);
  const cawi::Losses losses =
      cawi::held_out_losses(train, fresh, lambdas,
                            as_center(train.gram, Rcpp::as<int>(all["ones"])), as_threads(threads));
  return Rcpp::List::create(Rcpp::_["squared_error"] = losses.squared,
                            Rcpp::_["weight"] = losses.weight);
}
