#include "convert.h"

namespace {

// `x` and `targets` are NULL for leave-one-out. `sample` has the numbers of the training rows that
// give the temperatures, if any.
cawi::Judge as_judge(const Rcpp::List& object, const cawi::Inputs& x) {
  cawi::Judge judge;
  judge.held_out = !Rf_isNull(element(object, "x"));
  if (judge.held_out) {
    judge.x = as_inputs(object["x"]);
    judge.targets = as_targets(object["targets"]);
    cawi::require(judge.x.rows() > 0, "resampling", "a held-out part has no rows");
  }
  judge.sample = Rcpp::as<arma::uvec>(object["sample"]) - 1;
  judge.sample_x = x.some(judge.sample);
  judge.sample_targets = as_targets(object["sample_targets"]);
  judge.keep_scores = Rcpp::as<bool>(object["keep"]);
  return judge;
}

std::vector<cawi::Nest> as_nests(const Rcpp::List& networks, const Rcpp::List& cuts) {
  std::vector<cawi::Nest> nests;
  for (R_xlen_t n = 0; n < networks.size(); ++n) {
    nests.push_back({as_network(networks[n], cawi::Ones::before_layers), {}, {}, {}, {}});
    const Rcpp::List readouts = cuts[n];
    for (const SEXP cut : readouts) nests.back().cuts.push_back(Rcpp::as<arma::uvec>(cut));
  }
  return nests;
}

// Lambdas x cuts, filled by a function of the measures.
template <class Value>
arma::mat table(const cawi::Nest& nest, const Value& value) {
  arma::mat values(arma::size(nest.temperatures));
  for (cawi::Index i = 0; i < values.n_elem; ++i) values[i] = value(nest.measures[i]);
  return values;
}

Rcpp::List as_list(const cawi::Nest& nest) {
  const char* names[] = {"hit", "squared", "brier", "log"};
  Rcpp::List sums, squares, crosses;
  for (int k = 0; k < cawi::measure_count; ++k) {
    sums[names[k]] = table(nest, [&](const cawi::Measures& m) { return m.sum[k]; });
    squares[names[k]] = table(nest, [&](const cawi::Measures& m) { return m.square[k]; });
    crosses[names[k]] = table(nest, [&](const cawi::Measures& m) { return m.cross[k]; });
  }
  Rcpp::List result =
      Rcpp::List::create(Rcpp::_["sum"] = sums, Rcpp::_["square"] = squares,
                         Rcpp::_["cross"] = crosses, Rcpp::_["temperature"] = nest.temperatures);
  const cawi::Index outputs = nest.measures.front().outputs.size();
  if (outputs > 1) {
    arma::cube errors(nest.temperatures.n_rows, nest.temperatures.n_cols, outputs);
    for (cawi::Index k = 0; k < outputs; ++k) {
      errors.slice(k) = table(nest, [&](const cawi::Measures& m) { return m.outputs[k]; });
    }
    result["outputs"] = errors;
  }
  if (!nest.scores.is_empty()) result["scores"] = nest.scores;
  return result;
}

}  // namespace

// For each nest the sums of hits and losses of every lambda and cut. `networks` has the largest
// network of each nest. `cuts` has for each nest one vector per readout, the numbers of leading
// columns of A with the ones before the layers; an ensemble has one readout per layer. `judge` is
// a list of x, targets, sample, sample_targets and keep.
// [[Rcpp::export(rng = false)]]
Rcpp::List readout_grids_cpp(SEXP x, const Rcpp::List& networks, const Rcpp::List& cuts,
                             const Rcpp::List& targets, const arma::vec& lambdas,
                             const Rcpp::List& judge, int threads) {
  const cawi::Inputs rows = as_inputs(x);
  const cawi::GridProblem problem{rows, as_targets(targets), lambdas, as_judge(judge, rows)};
  std::vector<cawi::Nest> nests = as_nests(networks, cuts);
  cawi::measure_nests(problem, as_threads(threads), nests);
  Rcpp::List results;
  for (const cawi::Nest& nest : nests) results.push_back(as_list(nest));
  return results;
}
