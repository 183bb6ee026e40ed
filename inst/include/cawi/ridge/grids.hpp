// Several nests of networks, measured on the same rows.
#ifndef CAWI_RIDGE_GRIDS_HPP
#define CAWI_RIDGE_GRIDS_HPP

#include <algorithm>
#include <vector>

#include "grid.hpp"

namespace cawi {

// The rows that readouts are measured on: held-out rows or, where there are none, the training
// rows by leave-one-out.
struct Judge {
  bool held_out = false;
  Inputs x;
  Targets targets;
  // Training rows whose leave-one-out scores give the temperatures: numbers, features and targets.
  // None where no probabilities are asked for.
  arma::uvec sample;
  Inputs sample_x;
  Targets sample_targets;
  bool keep_scores = false;
};

// What all nests share.
struct GridProblem {
  const Inputs& x;
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

inline void measure_nest(const GridProblem& problem, const Threads& threads, Nest& nest) {
  const Judge& judge = problem.judge;
  const FeatureRows training(problem.x, nest.network), sample(judge.sample_x, nest.network);
  const CalibrationSample calibration{judge.sample, sample, judge.sample_targets};
  const Index judged = judge.sample.n_elem + (judge.held_out ? 0 : problem.x.rows());
  ReadoutGrid grid(training, nest.cuts, problem.targets, problem.lambdas, judged, threads);
  if (judge.keep_scores) {
    nest.scores.set_size(judge.held_out ? judge.x.rows() : problem.x.rows(),
                         problem.targets.outputs * nest.cuts.front().n_elem,
                         problem.lambdas.n_elem);
  }
  nest.measures = judge.held_out ? grid.held_out_measures(FeatureRows(judge.x, nest.network),
                                                          judge.targets, calibration, nest.scores)
                                 : grid.left_out_measures(calibration, nest.scores);
  nest.temperatures = grid.temperatures();
}

// Nests at work at the same time share 256 megabytes; a larger one is alone.
inline int nests_at_once(const std::vector<Nest>& nests, int threads) {
  Index widest = 1;
  for (const Nest& nest : nests) widest = std::max(widest, nest.network.layout().columns());
  const Index affordable = (Index{1} << 25) / (6 * widest * widest);
  return static_cast<int>(std::clamp<Index>(affordable, 1, static_cast<Index>(threads)));
}

}  // namespace detail

// Nests run in parallel, and so do the loops of each, so that an idle thread finds work.
inline void measure_nests(const GridProblem& problem, const Threads& threads,
                          std::vector<Nest>& nests) {
  require(!nests.empty(), "grid", "there are no networks");
  const SingleThreadedBlas guard;
  const Threads outer{detail::nests_at_once(nests, std::max(threads.count, 1)), threads.poll};
  run_in_team(threads, [&] {
    for_each_task(nests.size(), outer,
                  [&](Index n, Index) { detail::measure_nest(problem, threads, nests[n]); });
  });
}

}  // namespace cawi

#endif
