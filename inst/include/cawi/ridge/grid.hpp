// One nest of networks, with all its cuts and penalties, measured by leave-one-out or on held-out
// rows. An ensemble has several readouts, whose scores are averaged.
#ifndef CAWI_RIDGE_GRID_HPP
#define CAWI_RIDGE_GRID_HPP

#include <utility>
#include <vector>

#include "measures.hpp"
#include "nested.hpp"
#include "temperature.hpp"

namespace cawi {

class ReadoutGrid {
 public:
  // `training` and `cuts` have one entry per readout; all readouts have the same number of cuts.
  // The features and the targets must outlive the grid.
  ReadoutGrid(const std::vector<FeatureRows>& training, const std::vector<arma::uvec>& cuts,
              const Targets& targets, const arma::vec& lambdas, const Threads& threads)
      : training_(training),
        targets_(targets),
        threads_(threads),
        lambdas_(lambdas.n_elem),
        cuts_(cuts.front().n_elem) {
    for (Index r = 0; r < training.size(); ++r) {
      fits_.emplace_back(training[r], targets, cuts[r], lambdas, threads);
    }
    temperatures_.zeros(lambdas_, cuts_);
  }

  // Finds the temperatures from the leave-one-out scores of some training rows, given their
  // features, targets and numbers. Without this step no probabilities are measured.
  void calibrate(const std::vector<FeatureRows>& features, const Targets& targets,
                 const arma::uvec& numbers) {
    keep_factors();
    const SingleThreadedBlas guard;
    const RowBlock all{0, numbers.n_elem};
    const TrainingRows rows{numbers, targets.block(all), targets.case_weights};
    const std::vector<arma::mat> a = prepared_blocks(features, all);
    for_each_task(lambdas_, threads_, [&](Index l, Index) {
      const arma::mat scores = mean_left_out_scores(a, rows, l);
      for (Index c = 0; c < cuts_; ++c) {
        temperatures_(l, c) =
            best_temperature(cut_scores(scores, c), targets.classes, targets.case_weights);
      }
    });
  }

  // Lambdas x cuts; zero where calibrate() was not called.
  const arma::mat& temperatures() const { return temperatures_; }

  // The measures of lambda l and cut c are at l + lambdas * c. All scores are written to `keep`,
  // rows x (outputs * cuts) x lambdas, unless it is empty.
  std::vector<Measures> left_out_measures(arma::cube& keep) {
    keep_factors();
    const auto prepare = [&](const RowBlock& rows) { return prepared_blocks(training_, rows); };
    const auto scores = [&](const std::vector<arma::mat>& a, const RowBlock& rows, Index l) {
      const TrainingRows training{arma::regspace<arma::uvec>(rows.first, rows.last()),
                                  targets_.block(rows), targets_.block_weights(rows)};
      return mean_left_out_scores(a, training, l);
    };
    return add_up(RowBlocks(training_.front().rows()), targets_, keep, prepare, scores);
  }

  // The same for rows that were not fitted.
  std::vector<Measures> held_out_measures(const std::vector<FeatureRows>& features,
                                          const Targets& targets, arma::cube& keep) const {
    std::vector<std::vector<CutCoefficients>> coefficients(fits_.size());
    for (auto& readout : coefficients) readout.resize(lambdas_);
    {
      const SingleThreadedBlas guard;
      for_each_task(lambdas_, threads_, [&](Index l, Index) {
        for (Index r = 0; r < fits_.size(); ++r) coefficients[r][l] = fits_[r].coefficients(l);
      });
    }
    const auto prepare = [&](const RowBlock& rows) { return blocks(features, rows); };
    const auto scores = [&](const std::vector<arma::mat>& a, const RowBlock&, Index l) {
      return mean_over_readouts(
          [&](Index r) { return coefficients[r][l].scores(a[r], fits_[r].score_columns()); });
    };
    return add_up(RowBlocks(features.front().rows()), targets, keep, prepare, scores);
  }

 private:
  void keep_factors() {
    for (NestedRidge& fit : fits_) fit.keep_factors(threads_);
  }

  // Features of a block of rows, one matrix per readout.
  static std::vector<arma::mat> blocks(const std::vector<FeatureRows>& features,
                                       const RowBlock& rows) {
    std::vector<arma::mat> result;
    for (const FeatureRows& readout : features) result.push_back(readout.block(rows));
    return result;
  }

  std::vector<arma::mat> prepared_blocks(const std::vector<FeatureRows>& features,
                                         const RowBlock& rows) const {
    std::vector<arma::mat> result = blocks(features, rows);
    for (Index r = 0; r < result.size(); ++r) result[r] = fits_[r].prepared(result[r]);
    return result;
  }

  template <class Scores>
  arma::mat mean_over_readouts(const Scores& scores) const {
    arma::mat total = scores(0);
    for (Index r = 1; r < fits_.size(); ++r) total += scores(r);
    if (fits_.size() > 1) total /= static_cast<double>(fits_.size());
    return total;
  }

  arma::mat mean_left_out_scores(const std::vector<arma::mat>& prepared, const TrainingRows& rows,
                                 Index l) const {
    return mean_over_readouts(
        [&](Index r) { return fits_[r].left_out_scores(prepared[r], rows, l); });
  }

  // The scores of cut c, in the memory of those of all cuts.
  const arma::mat cut_scores(const arma::mat& scores, Index c) const {
    const Index outputs = targets_.outputs;
    return arma::mat(const_cast<double*>(scores.colptr(c * outputs)), scores.n_rows, outputs, false,
                     true);
  }

  // Every block has sums of its own, which are added in order. `prepare(rows)` gives the features
  // of a block and `scores(features, rows, l)` its scores. Many blocks run in parallel; where there
  // are few, their features are kept and all pairs of a block and a penalty run in parallel.
  template <class Prepare, class Scores>
  std::vector<Measures> add_up(const RowBlocks& blocks, const Targets& targets, arma::cube& keep,
                               const Prepare& prepare, const Scores& scores) const {
    const SingleThreadedBlas guard;
    const Index count = blocks.count();
    std::vector<std::vector<Measures>> part(count, std::vector<Measures>(lambdas_ * cuts_));
    const auto add = [&](const std::vector<arma::mat>& a, Index b, Index l) {
      const RowBlock rows = blocks[b];
      const arma::mat s = scores(a, rows, l);
      if (!keep.is_empty()) keep.slice(l).rows(rows.first, rows.last()) = s;
      add_block(targets, rows, s, l, part[b]);
    };
    if (count < 8) {
      std::vector<std::vector<arma::mat>> kept(count);
      for_each_task(count, threads_, [&](Index b, Index) { kept[b] = prepare(blocks[b]); });
      for_each_task(count * lambdas_, threads_, [&](Index task, Index) {
        add(kept[task % count], task % count, task / count);
      });
    } else {
      for_each_task(count, threads_, [&](Index b, Index) {
        const std::vector<arma::mat> a = prepare(blocks[b]);
        for (Index l = 0; l < lambdas_; ++l) add(a, b, l);
      });
    }
    for (Index b = 1; b < count; ++b) {
      for (Index k = 0; k < part[0].size(); ++k) part[0][k].add(part[b][k]);
    }
    return std::move(part[0]);
  }

  // Adds the scores of a block at lambda l to the measures of every cut.
  void add_block(const Targets& targets, const RowBlock& rows, const arma::mat& scores, Index l,
                 std::vector<Measures>& measures) const {
    const arma::mat y = targets.block(rows);
    const RowTruth truth = RowTruth::of(targets, rows.first);
    for (Index c = 0; c < cuts_; ++c) {
      measures[l + lambdas_ * c].add_rows(y, cut_scores(scores, c), truth, temperatures_(l, c));
    }
  }

  const std::vector<FeatureRows>& training_;
  const Targets& targets_;
  Threads threads_;
  Index lambdas_, cuts_;
  std::vector<NestedRidge> fits_;
  arma::mat temperatures_;
};

}  // namespace cawi

#endif
