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

// Training rows whose leave-one-out scores give the temperatures: numbers, features and targets.
// Without any, no probabilities are measured.
struct CalibrationSample {
  arma::uvec numbers;
  const FeatureRows& features;
  const Targets& targets;
};

class ReadoutGrid {
 public:
  // `cuts` has one entry per readout; all readouts have the same number of cuts. `judged` is the
  // number of rows that leave-one-out scores will be asked for. The features and the targets must
  // outlive the grid.
  ReadoutGrid(const FeatureRows& training, const std::vector<arma::uvec>& cuts,
              const Targets& targets, const arma::vec& lambdas, Index judged,
              const Threads& threads)
      : training_(training),
        targets_(targets),
        threads_(threads),
        lambdas_(lambdas.n_elem),
        cuts_(cuts.front().n_elem),
        fits_(nested_ridges(training, cuts, targets, lambdas, judged, threads)) {
    temperatures_.zeros(lambdas_, cuts_);
  }

  // Lambdas x cuts; zero where there was no sample.
  const arma::mat& temperatures() const { return temperatures_; }

  // The measures of lambda l and cut c are at l + lambdas * c. All scores are written to `keep`,
  // rows x (outputs * cuts) x lambdas, unless it is empty.
  std::vector<Measures> left_out_measures(const CalibrationSample& sample, arma::cube& keep) {
    std::vector<Measures> all(lambdas_ * cuts_);
    for_some_penalties([&](const Penalties& penalties) {
      solve(penalties);
      calibrate(sample, penalties);
      const auto scores = [&](const std::vector<arma::mat>& a, const RowBlock& rows) {
        return left_out_scores(a, TrainingRows::of(targets_, rows), penalties);
      };
      bool reads = false;
      for (const NestedRidge& fit : fits_) reads = reads || fit.reads_features();
      const Rows rows{training_, targets_, reads};
      add_up(rows, penalties, scores, keep, all);
    });
    return all;
  }

  // The same for rows that were not fitted.
  std::vector<Measures> held_out_measures(const FeatureRows& features, const Targets& targets,
                                          const CalibrationSample& sample, arma::cube& keep) {
    std::vector<CutCoefficients> coefficients;
    for (const NestedRidge& fit : fits_) coefficients.push_back(fit.no_coefficients());
    for_some_penalties([&](const Penalties& penalties) {
      if (!sample.numbers.is_empty()) solve(penalties);
      calibrate(sample, penalties);
      for (Index r = 0; r < fits_.size(); ++r) {
        fits_[r].write_coefficients(penalties, threads_, coefficients[r]);
      }
    });
    for (Index r = 0; r < fits_.size(); ++r) fits_[r].add_intercepts(coefficients[r]);
    const Penalties penalties{0, lambdas_};
    const auto scores = [&](const std::vector<arma::mat>& a, const RowBlock& rows) {
      arma::cube sums(rows.count, targets.outputs * cuts_, lambdas_, arma::fill::none), more;
      if (fits_.size() > 1) more.copy_size(sums);
      for (Index r = 0; r < fits_.size(); ++r) {
        coefficients[r].write_scores(a[r], targets.outputs, r == 0 ? sums : more);
        if (r > 0) sums += more;
      }
      return mean(std::move(sums));
    };
    std::vector<Measures> all(lambdas_ * cuts_);
    add_up({features, targets, true}, penalties, scores, keep, all);
    return all;
  }

 private:
  // As many penalties at a time as memory allows.
  template <class Work>
  void for_some_penalties(const Work& work) {
    Index together = lambdas_;
    for (const NestedRidge& fit : fits_) together = std::min(together, fit.together());
    for (Index first = 0; first < lambdas_; first += together) {
      work(Penalties{first, std::min(first + together, lambdas_)});
    }
  }

  void solve(const Penalties& penalties) {
    for (NestedRidge& fit : fits_) fit.solve(penalties, threads_);
  }

  // Finds the temperatures of the penalties that were solved last.
  void calibrate(const CalibrationSample& sample, const Penalties& penalties) {
    if (sample.numbers.is_empty()) return;
    const RowBlock all{0, sample.numbers.n_elem};
    const TrainingRows rows{sample.numbers, sample.targets.block(all), sample.targets.case_weights};
    std::vector<arma::mat> a;
    sample.features.block(all, a);
    const arma::cube scores = left_out_scores(a, rows, penalties);
    for_each_task(penalties.count(), threads_, [&](Index i, Index) {
      for (Index c = 0; c < cuts_; ++c) {
        temperatures_(penalties.first + i, c) = best_temperature(
            cut_scores(scores.slice(i), c), sample.targets.classes, sample.targets.case_weights);
      }
    });
  }

  arma::cube left_out_scores(const std::vector<arma::mat>& a, const TrainingRows& rows,
                             const Penalties& penalties) const {
    arma::cube sums(rows.y.n_rows, targets_.outputs * cuts_, penalties.count(), arma::fill::zeros);
    for (Index r = 0; r < fits_.size(); ++r) fits_[r].add_left_out(a[r], rows, penalties, sums);
    return mean(std::move(sums));
  }

  arma::cube mean(arma::cube sums) const {
    if (fits_.size() > 1) sums /= static_cast<double>(fits_.size());
    return sums;
  }

  // The scores of cut c, in the memory of those of all cuts.
  const arma::mat cut_scores(const arma::mat& scores, Index c) const {
    const Index outputs = targets_.outputs;
    return arma::mat(const_cast<double*>(scores.colptr(c * outputs)), scores.n_rows, outputs, false,
                     true);
  }

  // Rows that are judged, and whether their features are looked at.
  struct Rows {
    const FeatureRows& features;
    const Targets& targets;
    bool reads;
  };

  // Rows that are left out together are one block.
  static std::vector<RowBlock> judged_blocks(const Targets& targets, Index rows) {
    if (!targets.groups.empty()) return targets.groups;
    const RowBlocks cut(rows);
    std::vector<RowBlock> blocks;
    for (Index b = 0; b < cut.count(); ++b) blocks.push_back(cut[b]);
    return blocks;
  }

  static double weight_of(const Targets& targets, const RowBlock& rows) {
    const arma::vec weights = targets.block_weights(rows);
    return weights.is_empty() ? static_cast<double>(rows.count) : arma::accu(weights);
  }

  // `scores(features, rows)` gives the scores of a block at the penalties. Every block has sums of
  // its own, which are added in order.
  template <class Scores>
  void add_up(const Rows& judged, const Penalties& penalties, const Scores& scores,
              arma::cube& keep, std::vector<Measures>& all) const {
    const FeatureRows& features = judged.features;
    const Targets& targets = judged.targets;
    const std::vector<RowBlock> blocks = judged_blocks(targets, features.rows());
    std::vector<std::vector<Measures>> part(blocks.size());
    std::vector<std::vector<arma::mat>> work(std::max(threads_.count, 1));
    for_each_task(blocks.size(), threads_, [&](Index b, Index slot) {
      const RowBlock rows = blocks[b];
      work[slot].resize(fits_.size());
      if (judged.reads) features.block(rows, work[slot]);
      const arma::cube s = scores(work[slot], rows);
      part[b].resize(penalties.count() * cuts_);
      const arma::mat y = targets.block(rows);
      const RowTruth truth = RowTruth::of(targets, rows.first);
      for (Index i = 0; i < penalties.count(); ++i) {
        const Index l = penalties.first + i;
        if (!keep.is_empty()) keep.slice(l).rows(rows.first, rows.last()) = s.slice(i);
        for (Index c = 0; c < cuts_; ++c) {
          Measures& measures = part[b][i + penalties.count() * c];
          measures.add_rows(y, cut_scores(s.slice(i), c), truth, temperatures_(l, c));
          if (!targets.groups.empty()) measures.close_group(weight_of(targets, rows));
        }
      }
    });
    for (const auto& block : part) {
      for (Index i = 0; i < penalties.count(); ++i) {
        for (Index c = 0; c < cuts_; ++c) {
          all[penalties.first + i + lambdas_ * c].add(block[i + penalties.count() * c]);
        }
      }
    }
  }

  const FeatureRows& training_;
  const Targets& targets_;
  Threads threads_;
  Index lambdas_, cuts_;
  std::vector<NestedRidge> fits_;
  arma::mat temperatures_;
};

}  // namespace cawi

#endif
