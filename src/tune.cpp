#include "convert.h"

namespace {

std::vector<cawi::FeatureRows> readout_rows(const arma::mat& x, const cawi::Network& network,
                                            bool ensemble) {
  std::vector<cawi::FeatureRows> readouts;
  if (!ensemble) return {cawi::FeatureRows(x, network)};
  for (cawi::Index l = 0; l < network.layers().size(); ++l) {
    readouts.emplace_back(x, network, network.readout_columns(l));
  }
  return readouts;
}

// What all networks of a call share.
struct GridData {
  const arma::mat& x;
  cawi::Targets targets;
  const arma::vec& lambdas;
  arma::mat fresh;
  cawi::Targets fresh_targets;
  arma::mat sample;
  cawi::Targets sample_targets;
  arma::uvec sample_rows;
  bool keep_scores, held_out;
};

// A network with its cuts, and what came out.
struct GridNetwork {
  cawi::Network network;
  bool ensemble;
  std::vector<arma::uvec> cuts;
  std::vector<cawi::Losses> losses;
  arma::mat temperatures;
  arma::cube scores;
};

GridNetwork as_grid_network(const Rcpp::List& network, const Rcpp::List& cuts) {
  GridNetwork job{as_network(network, true), Rcpp::as<std::string>(network["wiring"]) == "skip", {}, {}, {}, {}};
  for (const SEXP cut : cuts) job.cuts.push_back(Rcpp::as<arma::uvec>(cut));
  return job;
}

void run_grid(const GridData& data, const cawi::Threads& threads, GridNetwork& job) {
  const std::vector<cawi::FeatureRows> training = readout_rows(data.x, job.network, job.ensemble);
  cawi::ReadoutGrid grid(training, job.cuts, data.targets, data.lambdas, threads);
  if (!data.sample.is_empty()) {
    grid.calibrate(readout_rows(data.sample, job.network, job.ensemble), data.sample_targets, data.sample_rows);
  }
  if (data.keep_scores) {
    job.scores.set_size(data.held_out ? data.fresh.n_rows : data.x.n_rows,
                        data.targets.outputs * job.cuts.front().n_elem, data.lambdas.n_elem);
  }
  job.losses = data.held_out ? grid.held_out_losses(readout_rows(data.fresh, job.network, job.ensemble),
                                                    data.fresh_targets, job.scores)
                             : grid.left_out_losses(job.scores);
  job.temperatures = grid.temperatures();
}

Rcpp::List as_list(const GridNetwork& job, int lambdas, bool keep_scores) {
  const char* names[] = {"hit", "squared", "brier", "log"};
  const int cuts = static_cast<int>(job.cuts.front().n_elem);
  Rcpp::List sums, squares;
  for (int k = 0; k < cawi::loss_kinds; ++k) {
    arma::mat sum(lambdas, cuts), square(lambdas, cuts);
    for (cawi::Index i = 0; i < job.losses.size(); ++i) {
      sum[i] = job.losses[i].sum[k];
      square[i] = job.losses[i].square[k];
    }
    sums[names[k]] = sum;
    squares[names[k]] = square;
  }
  Rcpp::List result = Rcpp::List::create(Rcpp::_["sum"] = sums, Rcpp::_["square"] = squares,
                                         Rcpp::_["temperature"] = job.temperatures);
  const cawi::Index outputs = job.losses.front().outputs.size();
  if (outputs > 1) {
    arma::cube errors(lambdas, cuts, outputs);
    for (cawi::Index i = 0; i < job.losses.size(); ++i) {
      for (cawi::Index k = 0; k < outputs; ++k) errors(i % lambdas, i / lambdas, k) = job.losses[i].outputs[k];
    }
    result["outputs"] = errors;
  }
  if (keep_scores) result["scores"] = job.scores;
  return result;
}

}  // namespace

// [[Rcpp::export(rng = false)]]
double best_temperature_cpp(const arma::mat& scores, std::vector<int> classes, const arma::vec& weights) {
  for (int& k : classes) --k;
  return cawi::best_temperature(scores, classes, weights);
}

// Slope, bend and shift of every class.
// [[Rcpp::export(rng = false)]]
arma::mat calibration_cpp(const arma::mat& scores, std::vector<int> classes, const arma::vec& weights) {
  for (int& k : classes) --k;
  return cawi::CalibrationFit(scores, classes, weights).parameters();
}

// Losses of every cut and lambda of some networks, leave-one-out or, where new_x is given, on its rows.
// `cuts` has for each network the numbers of leading columns of [x | 1 | H1 | ...], one vector a
// readout; an ensemble has one readout a layer. `sample` has the rows for the temperature, if any.
// [[Rcpp::export(rng = false)]]
Rcpp::List readout_grids_cpp(const arma::mat& x, const Rcpp::List& networks, const Rcpp::List& cuts,
                             const Rcpp::List& targets, const arma::vec& lambdas,
                             Rcpp::Nullable<Rcpp::NumericMatrix> new_x,
                             Rcpp::Nullable<Rcpp::List> new_targets, const arma::uvec& sample,
                             const Rcpp::List& sample_targets, bool keep_scores, int threads) {
  GridData data{x, as_targets(targets), lambdas, {}, {}, x.rows(sample - 1), as_targets(sample_targets),
                sample - 1, keep_scores, new_x.isNotNull()};
  if (data.held_out) {
    data.fresh = Rcpp::as<arma::mat>(new_x.get());
    data.fresh_targets = as_targets(Rcpp::as<Rcpp::List>(new_targets.get()));
    cawi::require(data.fresh.n_rows > 0, "resampling", "a held-out part has no rows");
  }
  std::vector<GridNetwork> jobs;
  cawi::require(networks.size() > 0, "grid", "there are no networks");
  for (R_xlen_t n = 0; n < networks.size(); ++n) jobs.push_back(as_grid_network(networks[n], cuts[n]));
  // Small networks in parallel, and the penalties of each: whoever is idle helps. Large ones come one after
  // the other, so that this thread, which alone may ask R for interrupts, can do so all the time.
  const cawi::SingleThreadedBlas guard;
  const cawi::Threads all = as_threads(threads);
  const double columns = static_cast<double>(jobs.front().network.columns());
  const bool large = static_cast<double>(x.n_rows) * columns * columns * static_cast<double>(lambdas.n_elem) > 4e9;
  const bool alone = large || threads == 1 || jobs.size() == 1;
  const cawi::Threads outer{alone ? 1 : threads, all.poll}, inner{threads, alone ? all.poll : nullptr};
  cawi::for_each_task(jobs.size(), outer, [&](cawi::Index n, cawi::Index) { run_grid(data, inner, jobs[n]); });
  Rcpp::List results;
  for (const GridNetwork& job : jobs) results.push_back(as_list(job, static_cast<int>(lambdas.n_elem), keep_scores));
  return results;
}
