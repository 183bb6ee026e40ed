// Losses of a whole grid of readouts, leave-one-out or on held-out rows: every cut of the columns and
// every penalty on one set of features. Ensembles have several readouts, whose scores are averaged.
#ifndef CAWI_RIDGE_GRID_HPP
#define CAWI_RIDGE_GRID_HPP

#include "losses.hpp"
#include "nested.hpp"

namespace cawi {

class ReadoutGrid {
 public:
  // One FeatureRows and one vector of cuts a readout, all with the same number of cuts.
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

  // Finds the temperatures from the leave-one-out scores of some training rows, whose features are
  // given. Without it the losses of probabilities stay zero.
  void calibrate(const std::vector<FeatureRows>& features, const Targets& targets,
                 const arma::uvec& rows) {
    keep_factors();
    const SingleThreadedBlas guard;
    const std::vector<arma::mat> a = prepared_blocks(features, 0, rows.n_elem);
    for_each_task(lambdas_, threads_, [&](Index l, Index) {
      const arma::mat scores = left_out(a, rows, targets.block(0, rows.n_elem), targets.weights, l);
      for (Index c = 0; c < cuts_; ++c) {
        temperatures_(l, c) = best_temperature(cut_scores(scores, c), targets.classes, targets.weights);
      }
    });
  }

  const arma::mat& temperatures() const { return temperatures_; }

  // Losses of configuration (l, c) at l + lambdas * c. `keep` takes all scores where it is not empty:
  // rows x (outputs * cuts) x lambdas.
  std::vector<Losses> left_out_losses(arma::cube& keep) {
    keep_factors();
    const auto scores = [&](const std::vector<arma::mat>& a, Index first, Index l) {
      const Index count = a.front().n_cols;
      const arma::vec weights = targets_.weights.is_empty()
                                    ? arma::vec()
                                    : arma::vec(targets_.weights.subvec(first, first + count - 1));
      return left_out(a, arma::regspace<arma::uvec>(first, first + count - 1),
                      targets_.block(first, count), weights, l);
    };
    const auto prepared = [&](const std::vector<FeatureRows>& features, Index first, Index count) {
      return prepared_blocks(features, first, count);
    };
    return add_up(training_, targets_, keep, prepared, scores);
  }

  std::vector<Losses> held_out_losses(const std::vector<FeatureRows>& features,
                                      const Targets& targets, arma::cube& keep) const {
    std::vector<std::vector<CutCoefficients>> coefficients(fits_.size());
    for (auto& readout : coefficients) readout.resize(lambdas_);
    {
      const SingleThreadedBlas guard;
      for_each_task(lambdas_, threads_, [&](Index l, Index) {
        for (Index r = 0; r < fits_.size(); ++r) coefficients[r][l] = fits_[r].coefficients(l);
      });
    }
    return add_up(features, targets, keep, blocks, [&](const std::vector<arma::mat>& a, Index, Index l) {
      return mean_over_readouts(
          [&](Index r) { return coefficients[r][l].scores(a[r], fits_[r].scores_at_once()); });
    });
  }

 private:
  void keep_factors() {
    for (NestedRidge& fit : fits_) fit.keep_factors(threads_);
  }

  static std::vector<arma::mat> blocks(const std::vector<FeatureRows>& features, Index first,
                                       Index count) {
    std::vector<arma::mat> result;
    for (const FeatureRows& rows : features) result.push_back(rows.block(first, count));
    return result;
  }

  std::vector<arma::mat> prepared_blocks(const std::vector<FeatureRows>& features, Index first, Index count) const {
    std::vector<arma::mat> result = blocks(features, first, count);
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

  arma::mat left_out(const std::vector<arma::mat>& a, const arma::uvec& rows, const arma::mat& y,
                     const arma::vec& weights, Index l) const {
    return mean_over_readouts([&](Index r) { return fits_[r].left_out(a[r], rows, y, weights, l); });
  }

  arma::mat cut_scores(const arma::mat& scores, Index c) const {
    return scores.cols(c * targets_.outputs, (c + 1) * targets_.outputs - 1);
  }

  // Blocks of rows, in the form that the scores ask for, each with sums of its own that are added in order.
  // Many blocks run in parallel; where there are few, they are kept and the penalties of each run in
  // parallel.
  template <class Form, class Scores>
  std::vector<Losses> add_up(const std::vector<FeatureRows>& features, const Targets& targets,
                             arma::cube& keep, const Form& form, const Scores& scores) const {
    const SingleThreadedBlas guard;
    const Index rows = features.front().rows(), size = 256, count = (rows + size - 1) / size;
    const auto first_row = [&](Index b) { return b * size; };
    const auto rows_of = [&](Index b) { return std::min(rows, (b + 1) * size) - b * size; };
    std::vector<std::vector<Losses>> part(count, std::vector<Losses>(lambdas_ * cuts_));
    const auto add = [&](const std::vector<arma::mat>& a, Index b, Index l) {
      const arma::mat s = scores(a, first_row(b), l);
      if (!keep.is_empty()) keep.slice(l).rows(first_row(b), first_row(b) + rows_of(b) - 1) = s;
      add_block(targets.block(first_row(b), rows_of(b)), s, targets, first_row(b), l, part[b]);
    };
    if (count < 8) {
      std::vector<std::vector<arma::mat>> kept(count);
      for_each_task(count, threads_, [&](Index b, Index) { kept[b] = form(features, first_row(b), rows_of(b)); });
      for_each_task(count * lambdas_, threads_, [&](Index task, Index) {
        add(kept[task % count], task % count, task / count);
      });
    } else {
      for_each_task(count, threads_, [&](Index b, Index) {
        const std::vector<arma::mat> a = form(features, first_row(b), rows_of(b));
        for (Index l = 0; l < lambdas_; ++l) add(a, b, l);
      });
    }
    for (Index b = 1; b < count; ++b) {
      for (Index k = 0; k < part[0].size(); ++k) part[0][k].add(part[b][k]);
    }
    return std::move(part[0]);
  }

  void add_block(const arma::mat& y, const arma::mat& scores, const Targets& targets, Index first,
                 Index l, std::vector<Losses>& losses) const {
    const int* truth = targets.classes.empty() ? nullptr : targets.classes.data() + first;
    const double* weights = targets.weights.is_empty() ? nullptr : targets.weights.memptr() + first;
    for (Index c = 0; c < cuts_; ++c) {
      losses[l + lambdas_ * c].add_rows(y, scores, c * y.n_cols, truth, weights, temperatures_(l, c));
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
