// Several nests of networks, measured on the same rows.
#ifndef CAWI_RIDGE_GRIDS_HPP
#define CAWI_RIDGE_GRIDS_HPP

#include <vector>

#include "grid.hpp"

namespace cawi {

// The rows that readouts are measured on: held-out rows or, where there are none, the training
// rows by leave-one-out.
struct Judge {
  bool held_out = false;
  arma::mat x;
  Targets targets;
  // Training rows whose leave-one-out scores give the temperatures: numbers, features and targets.
  // None where no probabilities are asked for.
  arma::uvec sample;
  arma::mat sample_x;
  Targets sample_targets;
  bool keep_scores = false;
};

// What all nests share.
struct GridProblem {
  const arma::mat& x;
  Targets targets;
  const arma::vec& lambdas;
  Judge judge;
};

// The largest network of a nest, whose ones come before the layers, with the cuts of each of its
// readouts; and what came out.
struct Nest {
  Network network;
  std::vector<arma::uvec> cuts;
  std::vector<Measures> measures;
  arma::mat temperatures;
  arma::cube scores;  // empty unless they are kept
};

namespace detail {

inline std::vector<FeatureRows> readout_rows(const arma::mat& x, const Network& network) {
  if (!network.is_ensemble()) return {FeatureRows(x, network)};
  std::vector<FeatureRows> readouts;
  for (Index l = 0; l < network.layers(); ++l) {
    readouts.emplace_back(x, network, network.layout().readout_of_layer(l));
  }
  return readouts;
}

inline void measure_nest(const GridProblem& problem, const Threads& threads, Nest& nest) {
  const Judge& judge = problem.judge;
  const std::vector<FeatureRows> training = readout_rows(problem.x, nest.network);
  ReadoutGrid grid(training, nest.cuts, problem.targets, problem.lambdas, threads);
  if (!judge.sample_x.is_empty()) {
    grid.calibrate(readout_rows(judge.sample_x, nest.network), judge.sample_targets, judge.sample);
  }
  if (judge.keep_scores) {
    nest.scores.set_size(judge.held_out ? judge.x.n_rows : problem.x.n_rows,
                         problem.targets.outputs * nest.cuts.front().n_elem,
                         problem.lambdas.n_elem);
  }
  nest.measures = judge.held_out ? grid.held_out_measures(readout_rows(judge.x, nest.network),
                                                          judge.targets, nest.scores)
                                 : grid.left_out_measures(nest.scores);
  nest.temperatures = grid.temperatures();
}

}  // namespace detail

// Small nests run in parallel, and so do the penalties of each, so that an idle thread finds work.
// Large nests run one after the other: the calling thread, which alone may ask for interrupts, can
// then do so all the time.
inline void measure_nests(const GridProblem& problem, const Threads& threads,
                          std::vector<Nest>& nests) {
  require(!nests.empty(), "grid", "there are no networks");
  const SingleThreadedBlas guard;
  const double columns = static_cast<double>(nests.front().network.layout().columns());
  const double work = static_cast<double>(problem.x.n_rows) * columns * columns *
                      static_cast<double>(problem.lambdas.n_elem);
  const bool alone = work > 4e9 || threads.count == 1 || nests.size() == 1;
  const Threads outer{alone ? 1 : threads.count, threads.poll};
  const Threads inner{threads.count, alone ? threads.poll : nullptr};
  for_each_task(nests.size(), outer,
                [&](Index n, Index) { detail::measure_nest(problem, inner, nests[n]); });
}

}  // namespace cawi

#endif
