// Ridge readouts of a nest at all cuts and penalties. Cuts with fewer columns than rows are solved
// in the primal, the others in the dual, as single fits are.
#ifndef CAWI_RIDGE_NESTED_HPP
#define CAWI_RIDGE_NESTED_HPP

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "primal_nest.hpp"

namespace cawi {

// The columns at which one readout is cut, ascending, and how many of the cuts are primal.
struct Cuts {
  arma::uvec columns;
  Index primal = 0;

  Cuts(arma::uvec all, Index rows, Index widest) : columns(std::move(all)) {
    require(columns.is_sorted("strictascend") && columns.max() <= widest, "hidden",
            "the numbers of columns do not fit the features");
    while (primal < columns.n_elem && columns[primal] < rows) ++primal;
  }

  bool has_dual() const { return primal < columns.n_elem; }
  Index widest_primal() const { return primal == 0 ? 0 : columns[primal - 1]; }
};

// The weighted rows of A and Y that the dual cuts of a readout are solved from.
class DualRows {
 public:
  DualRows(arma::mat a, const Targets& targets, bool centered, Index ones) : rows_(std::move(a)) {
    const RowBlock all{0, rows_.n_rows};
    y_ = given_y_ = targets.block(all);
    root_ = targets.block_roots(all);
    groups_ = targets.groups;
    if (!root_.is_empty()) {
      rows_.each_col() %= root_;
      y_.each_col() %= root_;
    }
    require_finite(arma::sum(arma::square(rows_), 0).t());
    if (centered) part_.emplace(rows_, y_, ones);
  }

  const arma::mat& rows() const { return rows_; }
  const arma::mat& y() const { return y_; }
  const arma::mat& given_y() const { return given_y_; }
  const arma::vec& root() const { return root_; }
  const std::vector<RowBlock>& groups() const { return groups_; }
  Center center() const { return part_ ? part_->center() : Center{}; }

  // The kernel AA' of a cut from the sums of its columns.
  arma::mat kernel(const arma::mat& sums) const {
    arma::mat kernel = sums;
    copy_upper_to_lower(kernel);
    if (part_) part_->add_ones(kernel);
    return kernel;
  }

 private:
  arma::mat rows_, y_, given_y_;
  arma::vec root_;
  std::vector<RowBlock> groups_;
  std::optional<CenteredRows> part_;
};

class NestedRidge {
 public:
  NestedRidge(Cuts cuts, arma::vec lambdas, Index outputs)
      : cuts_(std::move(cuts)), lambdas_(std::move(lambdas)), outputs_(outputs) {}

  // The sums are those of the widest primal cut. `judged` is the number of rows that leave-one-out
  // scores will be asked for.
  void set_primal(Gram gram, const Center& center, Index judged) {
    center.apply(gram);
    primal_.emplace(std::move(gram), center, cuts_.columns.head(cuts_.primal), lambdas_, judged);
  }

  // Solves the dual cuts at all penalties at once. A kernel is that of the cut before plus the
  // products of the columns that the cut adds; of its spectrum only the solutions stay.
  void set_dual(DualRows dual, const Threads& threads) {
    const SingleThreadedBlas guard;
    arma::mat sums(dual.rows().n_rows, dual.rows().n_rows, arma::fill::zeros);
    Index from = 0;
    for (Index c = cuts_.primal; c < cuts_.columns.n_elem; ++c) {
      add_outer_product(dual.rows(), from, cuts_.columns[c], threads, sums);
      from = cuts_.columns[c];
      const Spectrum spectrum = Spectrum::dual(dual.kernel(sums), dual.y(), dual.center(), threads);
      Shrinkage shrinkage = spectrum.shrinkage(lambdas_);
      DualCut cut{spectrum.basis() * shrinkage.stacked, {}};
      cut.left_out = dual_left_out(spectrum, shrinkage, cut.solution, dual.given_y(), dual.root(),
                                   dual.groups());
      if (spectrum.drop_null_space(lambdas_, shrinkage)) {
        cut.solution = spectrum.basis() * shrinkage.stacked;
      }
      dual_cuts_.push_back(std::move(cut));
    }
    dual_.emplace(std::move(dual));
  }

  // Do leave-one-out scores look at features? In the dual the kernel has told all.
  bool reads_features() const { return primal_.has_value(); }

  // How many penalties may be solved at a time.
  Index together() const { return primal_ ? primal_->together() : lambdas_.n_elem; }

  void solve(const Penalties& penalties, const Threads& threads) {
    if (primal_) primal_->solve(penalties, threads);
  }

  // Room for the coefficients of all cuts at all penalties. They are written for some penalties at
  // a time; when all are, intercepts are added.
  CutCoefficients no_coefficients() const {
    return CutCoefficients(cuts_.columns, outputs_ * lambdas_.n_elem);
  }

  void write_coefficients(const Penalties& penalties, const Threads& threads,
                          CutCoefficients& all) const {
    if (primal_) {
      const Index step = primal_->at_once();
      const Index parts = (penalties.count() + step - 1) / step;
      for_each_task(parts, threads, [&](Index p, Index) {
        const Index first = penalties.first + p * step;
        primal_->write_coefficients({first, std::min(first + step, penalties.end)}, threads, all);
      });
    }
    const Index first = penalties.first * outputs_, count = penalties.count() * outputs_;
    for (Index c = 0; c < dual_cuts_.size(); ++c) {
      all.part(cuts_.primal + c, first, count) =
          dual_->rows().head_cols(cuts_.columns[cuts_.primal + c]).t() *
          dual_cuts_[c].solution.cols(first, first + count - 1);
    }
  }

  void add_intercepts(CutCoefficients& all) const {
    for (Index c = 0; c < all.cuts.size(); ++c) {
      const Center center = c < cuts_.primal ? primal_->center() : dual_->center();
      center.intercept(all.cuts[c], lambdas_.n_elem);
    }
  }

  // Adds leave-one-out scores of training rows, given their features, at the penalties that were
  // solved last: rows x (outputs * cuts) x penalties.
  void add_left_out(const arma::mat& a, const TrainingRows& rows, const Penalties& penalties,
                    arma::cube& scores) const {
    if (primal_) primal_->add_left_out(a, rows, penalties, scores);
    Index column = outputs_ * cuts_.primal;
    for (const DualCut& cut : dual_cuts_) {
      for (Index l = 0; l < penalties.count(); ++l) {
        scores.slice(l).cols(column, column + outputs_ - 1) +=
            cut.left_out.slice(penalties.first + l).rows(rows.numbers);
      }
      column += outputs_;
    }
  }

 private:
  struct DualCut {
    arma::mat solution;   // least (K + lambda I)^-1 Y, the outputs of a penalty side by side
    arma::cube left_out;  // scores of all rows
  };

  Cuts cuts_;
  arma::vec lambdas_;
  Index outputs_;
  std::optional<PrimalNest> primal_;
  std::optional<DualRows> dual_;
  std::vector<DualCut> dual_cuts_;
};

// One nest per readout, from features that are computed once for all of them.
inline std::vector<NestedRidge> nested_ridges(const FeatureRows& features,
                                              const std::vector<arma::uvec>& columns,
                                              const Targets& targets, const arma::vec& lambdas,
                                              Index judged, const Threads& threads) {
  std::vector<Cuts> cuts;
  std::vector<Gram> grams;
  bool any_dual = false;
  for (Index r = 0; r < features.readouts(); ++r) {
    cuts.emplace_back(columns[r], features.rows(), features.columns(r));
    grams.push_back(Gram::zero(cuts[r].widest_primal(), targets.outputs));
    any_dual = any_dual || cuts[r].has_dual();
  }
  add_grams(features, targets, threads, grams);
  std::vector<arma::mat> rows;
  if (any_dual) rows = all_features(features, threads);
  Index before = 0;
  for (const arma::mat& part : rows) {
    require_finite(arma::sum(arma::square(part), 0).t(), before);
    before += part.n_cols;
  }
  std::vector<NestedRidge> nests;
  for (Index r = 0; r < features.readouts(); ++r) {
    const Layout& layout = features.layout(r);
    const bool centered = targets.centered && layout.has_ones();
    const Index ones = centered ? layout.ones() : 0;
    require(!centered || ones < cuts[r].columns[0], "hidden",
            "every number of columns must include the ones");
    nests.emplace_back(cuts[r], lambdas, targets.outputs);
    if (cuts[r].primal > 0) {
      const Center center = centered ? Center::of(grams[r], ones) : Center{};
      nests[r].set_primal(std::move(grams[r]), center, judged);
    }
    if (cuts[r].has_dual()) {
      arma::mat leading = rows[r].head_cols(cuts[r].columns.back());
      rows[r].reset();
      nests[r].set_dual(DualRows(std::move(leading), targets, centered, ones), threads);
    }
  }
  return nests;
}

}  // namespace cawi

#endif
