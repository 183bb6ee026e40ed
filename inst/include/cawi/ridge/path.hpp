// The path of penalties of the readouts of one fit, with exact leave-one-out at each.
#ifndef CAWI_RIDGE_PATH_HPP
#define CAWI_RIDGE_PATH_HPP

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "leave_one_out.hpp"
#include "measures.hpp"

namespace cawi {

// Leave-one-out at every lambda.
struct PathErrors {
  arma::mat squared_error;  // weighted sums over rows: lambdas x outputs, or one column for classes
  arma::vec correct;        // weight of the rows whose class is right (classification)
  arma::vec freedom;        // effective degrees of freedom
  arma::uvec best;          // number of the best penalty: one for classes, one per numeric output
  arma::mat scores;         // of all rows, at the best penalties or at those given
  std::optional<Readout> readout;  // at the same penalties, in the dual
};

// For each column the place of the least entry; among equals the last, the largest penalty.
inline arma::uvec best_penalties(const arma::mat& error) {
  arma::uvec best(error.n_cols, arma::fill::zeros);
  for (Index k = 0; k < error.n_cols; ++k) {
    for (Index l = 1; l < error.n_rows; ++l) {
      if (error(l, k) <= error(best[k], k)) best[k] = l;
    }
  }
  return best;
}

// One readout: the spectrum of its sums or of its kernel.
class RidgePath {
 public:
  // Primal: the sums of the rows.
  RidgePath(Gram gram, const Center& center, const Threads& threads)
      : center_(center), spectrum_(centered_spectrum(std::move(gram), center, threads)) {}

  // Dual: the weighted rows. `y` is without case weights, of which `root` has the roots. The kernel
  // leaves its memory to the spectrum.
  RidgePath(DualProblem problem, arma::mat y, arma::vec root, const Threads& threads)
      : center_(problem.center),
        spectrum_(Spectrum::dual(std::move(problem.kernel), problem.y, problem.center, threads)),
        dual_(std::move(problem)),
        y_(std::move(y)),
        root_(std::move(root)) {}

  const Spectrum& spectrum() const { return spectrum_; }

  // Does left_out() look at features? In the dual the kernel has told all.
  bool reads_features() const { return !dual_; }

  // The coefficients at one penalty, or at one per output. In the dual the spectrum gives them
  // away; in the primal a solve from the sums costs less than it did.
  std::optional<Readout> readout(const arma::vec& lambda) const {
    if (!dual_) return std::nullopt;
    const arma::mat& a = dual_->rows;
    return dual_readout(*dual_, lambda,
                        [&](double value, const arma::uvec& outputs, bool& singular) {
                          const arma::mat y = dual_->y.cols(outputs);
                          arma::mat solution = spectrum_.solve(value, y, singular);
                          // Rounding of the largest eigenvalues would show at small penalties.
                          const arma::mat left = y - value * solution - a * (a.t() * solution);
                          solution += spectrum_.solve(value, left, singular);
                          return solution;
                        });
  }

  // Chooses the penalties that left_out() is asked for.
  void set_penalties(const arma::vec& lambdas) {
    shrinkage_ = spectrum_.shrinkage(lambdas);
    if (!dual_) return;
    const arma::mat solution = spectrum_.basis() * shrinkage_.stacked;
    dual_scores_ = dual_left_out(spectrum_, shrinkage_, solution, y_, root_);
  }

  // Leave-one-out scores of some rows, given their features, which are lost: rows x outputs x
  // penalties.
  arma::cube left_out(arma::mat& a, const RowBlock& block, const TrainingRows& rows) const {
    if (dual_) return dual_scores_.rows(block.first, block.last());
    center_.rows(a);
    return spectral_left_out(spectrum_, shrinkage_, center_, a, rows);
  }

 private:
  static Spectrum centered_spectrum(Gram gram, const Center& center, const Threads& threads) {
    const SingleThreadedBlas guard;
    center.apply(gram);
    return Spectrum::primal(std::move(gram), center, threads);
  }

  Center center_;
  Spectrum spectrum_;
  Shrinkage shrinkage_;
  std::optional<DualProblem> dual_;
  arma::mat y_;
  arma::vec root_;
  arma::cube dual_scores_;
};

// The paths of all readouts, which see features that are computed once.
class PathSearch {
 public:
  PathSearch(const FeatureRows& features, const Targets& targets, std::vector<RidgePath>& paths,
             const Threads& threads)
      : features_(features), targets_(targets), paths_(paths), threads_(threads) {}

  // Errors at all lambdas, and scores and readout at the penalties `given`, which are some of them,
  // or, where there are none, at the best ones: least squared error, one for all classes, one per
  // numeric output.
  std::vector<PathErrors> errors(const arma::vec& lambdas, const arma::vec& given) {
    const Index count = paths_.size(), outputs = targets_.outputs;
    // Scores of all penalties stay where they fit; otherwise a second pass computes the best.
    const bool fits = features_.rows() * outputs * lambdas.n_elem * count <= (Index{1} << 25);
    std::vector<arma::cube> kept(fits ? count : 0);
    for (arma::cube& scores : kept) scores.set_size(features_.rows(), outputs, lambdas.n_elem);
    std::vector<PathErrors> errors = measure(lambdas, kept);
    for (Index r = 0; r < count; ++r) {
      const arma::uvec place = given.is_empty() ? errors[r].best : places(given, lambdas);
      errors[r].scores = fits ? chosen(kept[r], place) : scores_at(r, lambdas(place));
      errors[r].readout = paths_[r].readout(lambdas(place));
    }
    return errors;
  }

 private:
  // Calls work(readout, rows, scores) for every block and readout.
  template <class Work>
  void for_each_left_out(const Work& work) {
    const RowBlocks blocks = features_.blocks();
    const bool reads = std::any_of(paths_.begin(), paths_.end(),
                                   [](const RidgePath& path) { return path.reads_features(); });
    std::vector<std::vector<arma::mat>> a(std::max(threads_.count, 1));
    for_each_task(blocks.count(), threads_, [&](Index b, Index slot) {
      a[slot].resize(paths_.size());
      if (reads) features_.block(blocks[b], a[slot]);
      const TrainingRows rows = TrainingRows::of(targets_, blocks[b]);
      for (Index r = 0; r < paths_.size(); ++r) {
        work(r, b, blocks[b], paths_[r].left_out(a[slot][r], blocks[b], rows));
      }
    });
  }

  std::vector<PathErrors> measure(const arma::vec& lambdas, std::vector<arma::cube>& kept) {
    const SingleThreadedBlas guard;
    for (RidgePath& path : paths_) path.set_penalties(lambdas);
    const Index blocks = features_.blocks().count(), penalties = lambdas.n_elem;
    std::vector<std::vector<Measures>> part(blocks * paths_.size());
    for_each_left_out([&](Index r, Index b, const RowBlock& rows, const arma::cube& scores) {
      const arma::mat y = targets_.block(rows);
      const RowTruth truth = RowTruth::of(targets_, rows.first);
      std::vector<Measures>& sums = part[r * blocks + b];
      sums.resize(penalties);
      for (Index l = 0; l < penalties; ++l) sums[l].add_rows(y, scores.slice(l), truth, 0.0);
      if (!kept.empty()) kept[r].rows(rows.first, rows.last()) = scores;
    });
    std::vector<PathErrors> errors;
    for (Index r = 0; r < paths_.size(); ++r) {
      std::vector<Measures> sums(penalties);
      for (Index b = 0; b < blocks; ++b) {
        for (Index l = 0; l < penalties; ++l) sums[l].add(part[r * blocks + b][l]);
      }
      errors.push_back(summary(sums, paths_[r].spectrum(), lambdas));
    }
    return errors;
  }

  PathErrors summary(const std::vector<Measures>& sums, const Spectrum& spectrum,
                     const arma::vec& lambdas) const {
    const Index outputs = targets_.classes.empty() ? targets_.outputs : 1;
    PathErrors errors;
    errors.squared_error.set_size(sums.size(), outputs);
    errors.correct.set_size(sums.size());
    errors.freedom.set_size(sums.size());
    for (Index l = 0; l < sums.size(); ++l) {
      for (Index k = 0; k < outputs; ++k) {
        // Measures have the mean over outputs.
        errors.squared_error(l, k) =
            outputs > 1 ? sums[l].outputs[k]
                        : sums[l].sum[squared_error] * static_cast<double>(targets_.outputs);
      }
      errors.correct[l] = sums[l].sum[hits];
      errors.freedom[l] = spectrum.freedom(lambdas[l]);
    }
    errors.best = best_penalties(errors.squared_error);
    return errors;
  }

  static arma::uvec places(const arma::vec& some, const arma::vec& all) {
    arma::uvec place(some.n_elem);
    for (Index k = 0; k < some.n_elem; ++k) {
      const arma::uvec found = arma::find(all == some[k], 1);
      require(!found.is_empty(), "lambda", "a penalty is not on the path");
      place[k] = found[0];
    }
    return place;
  }

  // The scores of one penalty, or of one per output.
  static arma::mat chosen(const arma::cube& scores, const arma::uvec& penalty) {
    if (penalty.n_elem == 1) return scores.slice(penalty[0]);
    arma::mat result(scores.n_rows, scores.n_cols);
    for (Index k = 0; k < scores.n_cols; ++k) result.col(k) = scores.slice(penalty[k]).col(k);
    return result;
  }

  // The scores of one readout at one penalty, or at one per output.
  arma::mat scores_at(Index readout, const arma::vec& lambda) {
    const SingleThreadedBlas guard;
    const arma::vec distinct = arma::unique(lambda);
    for (RidgePath& path : paths_) path.set_penalties(distinct);
    const arma::uvec place = places(lambda, distinct);
    arma::mat result(features_.rows(), targets_.outputs);
    for_each_left_out([&](Index r, Index, const RowBlock& rows, const arma::cube& scores) {
      if (r == readout) result.rows(rows.first, rows.last()) = chosen(scores, place);
    });
    return result;
  }

  const FeatureRows& features_;
  const Targets& targets_;
  std::vector<RidgePath>& paths_;
  Threads threads_;
};

}  // namespace cawi

#endif
