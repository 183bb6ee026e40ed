// Ridge readouts of a nest: networks whose features are the leading columns of one matrix A. Each
// number of leading columns is a "cut".
//
// The Cholesky factor of a leading block of A'A is the leading block of the factor R of A'A. With
// A = T R, the fit and the leverages of a cut are sums over the first columns of T, so that the
// sums of a wider cut continue those of a narrower one: one factor per penalty serves all cuts.
#ifndef CAWI_RIDGE_NESTED_HPP
#define CAWI_RIDGE_NESTED_HPP

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "leave_one_out.hpp"
#include "path.hpp"

namespace cawi {

// Coefficients of all cuts at one penalty, in blocks of neighboring cuts. A block has the outputs
// of its cuts side by side and as many rows as its widest cut has columns; narrower cuts end in
// zeros.
struct CutCoefficients {
  std::vector<arma::mat> blocks;

  // The scores of rows of A: rows x (outputs * cuts), `columns` of them in all.
  arma::mat scores(const arma::mat& a, Index columns) const {
    arma::mat all(a.n_rows, columns);
    Index next = 0;
    for (const arma::mat& block : blocks) {
      arma::mat part(all.colptr(next), a.n_rows, block.n_cols, false, true);
      part = a.head_cols(block.n_rows) * block;
      next += block.n_cols;
    }
    return all;
  }
};

// Some training rows: their numbers among all training rows, their targets and case weights.
struct TrainingRows {
  arma::uvec numbers;
  arma::mat y;
  arma::vec case_weights;  // may be empty
};

// Cuts with fewer columns than rows are solved in the primal, the others in the dual, as single
// fits are. Scores are rows x (outputs * cuts), with the outputs of a cut side by side.
class NestedRidge {
 public:
  NestedRidge(const FeatureRows& features, const Targets& targets, arma::uvec cuts,
              arma::vec lambdas, const Threads& threads)
      : cuts_(std::move(cuts)), lambdas_(std::move(lambdas)), outputs_(targets.outputs) {
    require(cuts_.is_sorted("strictascend") && cuts_.max() <= features.columns(), "hidden",
            "the numbers of columns do not fit the features");
    while (primal_ < cuts_.n_elem && cuts_[primal_] < features.rows()) ++primal_;
    const bool centered = targets.centered && features.has_ones();
    require(!centered || features.ones() < cuts_[0], "hidden",
            "every number of columns must include the ones");
    if (primal_ > 0) {
      gram_ = accumulate_gram(features.leading(cuts_[primal_ - 1]), targets, threads);
      if (centered) center_ = Center::of(gram_, features.ones());
      center_.apply(gram_);
    }
    if (primal_ < cuts_.n_elem) keep_dual_rows(features, targets, centered, threads);
  }

  Index score_columns() const { return outputs_ * cuts_.n_elem; }

  // Rows of A in the form that left_out_scores() takes: centered and transposed, because they are
  // the right-hand sides of a triangular solve. Dual cuts do not read them.
  arma::mat prepared(const arma::mat& a) const {
    if (primal_ == 0) return arma::mat(0, a.n_rows);
    arma::mat transposed = a.head_cols(cuts_[primal_ - 1]).t();
    center_.transposed_rows(transposed);
    return transposed;
  }

  // Computes the factors of all penalties and the spectra of the dual cuts once. Leave-one-out
  // needs them for every block of rows.
  void keep_factors(const Threads& threads) {
    if (!factors_.empty() || !paths_.empty()) return;
    const SingleThreadedBlas guard;
    if (primal_ > 0) {
      factors_.resize(lambdas_.n_elem);
      for_each_task(lambdas_.n_elem, threads, [&](Index l, Index) { factors_[l] = factor(l); });
    }
    std::vector<std::optional<RidgePath>> found(kernels_.size());
    for_each_task(found.size(), threads, [&](Index c, Index) {
      found[c].emplace(kernels_[c], y_, dual_center_, Threads{});
    });
    for (auto& path : found) paths_.push_back(std::move(*path));
  }

  // Coefficients of all cuts at lambda l.
  CutCoefficients coefficients(Index l) const {
    CutCoefficients all;
    if (primal_ > 0 && factors_.empty()) primal_coefficients(factor(l), all);
    if (primal_ > 0 && !factors_.empty()) primal_coefficients(factors_[l], all);
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      bool singular = false;
      const arma::mat dual = paths_.empty()
                                 ? solve_shifted(kernels_[c - primal_], lambdas_[l], y_, singular)
                                 : paths_[c - primal_].dual_coefficients(lambdas_[l]);
      arma::mat block = rows_.head_cols(cuts_[c]).t() * dual;
      dual_center_.intercept(block);
      all.blocks.push_back(std::move(block));
    }
    return all;
  }

  // Leave-one-out scores of training rows at lambda l, given their prepared() features. Call
  // keep_factors() first.
  arma::mat left_out_scores(const arma::mat& prepared, const TrainingRows& rows, Index l) const {
    arma::mat scores(prepared.n_cols, score_columns());
    if (primal_ > 0) primal_left_out_scores(prepared, rows, l, scores);
    const arma::vec root = arma::sqrt(rows.case_weights);
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      scores.cols(score_column(c), score_column(c + 1) - 1) =
          paths_[c - primal_].dual_left_out_scores(rows.numbers, rows.y, root, lambdas_[l]);
    }
    return scores;
  }

 private:
  // For one penalty: R and R^-T A'Y. Where A'A + lambda I is singular there is no R, and each cut
  // has a root B of its pseudo-inverse, B B', and B'A'Y instead.
  struct Factor {
    arma::mat upper, target;
    std::vector<arma::mat> roots, projected;

    bool is_singular() const { return upper.is_empty(); }
  };

  // First column of the scores of a cut.
  Index score_column(Index cut) const { return cut * outputs_; }

  Factor factor(Index l) const {
    Factor factor;
    factor.upper = gram_.aa;
    factor.upper.diag() += lambdas_[l];
    if (factorize_in_place(factor.upper) && (lambdas_[l] > 0.0 || well_conditioned(factor.upper))) {
      factor.target = gram_.ay;
      solve_triangular(factor.upper, factor.target, true);
    } else {
      factor.upper.reset();
      add_roots(lambdas_[l], factor);
    }
    return factor;
  }

  void add_roots(double lambda, Factor& factor) const {
    for (Index c = 0; c < primal_; ++c) {
      const Index p = cuts_[c];
      arma::mat shifted = gram_.aa.submat(0, 0, p - 1, p - 1);
      shifted.diag() += lambda;
      factor.roots.push_back(inverse_root(shifted));
      factor.projected.push_back(factor.roots.back().t() * gram_.ay.head_rows(p));
    }
  }

  // For the dual cuts: the weighted rows of A and Y, and the kernel AA' of each cut. A kernel is
  // that of the cut before plus the products of the columns that the cut adds.
  void keep_dual_rows(const FeatureRows& features, const Targets& targets, bool centered,
                      const Threads& threads) {
    const RowBlock all{0, features.rows()};
    rows_ = all_features(features.leading(cuts_.max()), threads);
    y_ = targets.block(all);
    const arma::vec root = targets.block_roots(all);
    if (!root.is_empty()) {
      rows_.each_col() %= root;
      y_.each_col() %= root;
    }
    require_finite(arma::sum(arma::square(rows_), 0).t());
    std::optional<CenteredRows> part;
    if (centered) {
      part.emplace(rows_, y_, features.ones());
      dual_center_ = part->center();
    }
    const SingleThreadedBlas guard;
    arma::mat kernel(rows_.n_rows, rows_.n_rows, arma::fill::zeros);
    Index from = 0;
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      const arma::mat added = rows_.cols(from, cuts_[c] - 1).t();
      add_crossproduct(added, kernel);
      kernels_.push_back(kernel);
      copy_upper_to_lower(kernels_.back());
      if (part) part->add_ones(kernels_.back());
      from = cuts_[c];
    }
  }

  // Some cuts share a triangular solve: a right-hand side that is zero from row p on gives
  // coefficients that are zero from there on. More cuts per solve make wider products, but more of
  // them with zeros.
  void primal_coefficients(const Factor& factor, CutCoefficients& all) const {
    if (factor.is_singular()) {
      for (Index c = 0; c < primal_; ++c) {
        arma::mat block = factor.roots[c] * factor.projected[c];
        center_.intercept(block);
        all.blocks.push_back(std::move(block));
      }
      return;
    }
    const Index together = std::max<Index>(1, 12 / outputs_);
    for (Index first = 0; first < primal_; first += together) {
      const Index end = std::min(first + together, primal_);
      arma::mat block(cuts_[end - 1], score_column(end - first), arma::fill::zeros);
      for (Index c = first; c < end; ++c) {
        block.submat(0, score_column(c - first), cuts_[c] - 1, score_column(c - first + 1) - 1) =
            factor.target.head_rows(cuts_[c]);
      }
      solve_triangular(factor.upper, block, false);
      center_.intercept(block, end - first);
      all.blocks.push_back(std::move(block));
    }
  }

  void primal_left_out_scores(const arma::mat& prepared, const TrainingRows& rows, Index l,
                              arma::mat& scores) const {
    const Factor& factor = factors_[l];
    arma::mat t;
    if (!factor.is_singular()) {
      t = prepared;
      solve_triangular(factor.upper, t, true);
    }
    const arma::rowvec y_mean =
        center_.active ? center_.y : arma::rowvec(outputs_, arma::fill::zeros);
    const double ones = center_.active ? 1.0 / center_.weight : 0.0;
    arma::mat fitted = arma::repmat(y_mean, prepared.n_cols, 1);
    arma::vec leverage(prepared.n_cols, arma::fill::value(ones));
    Index from = 0;
    for (Index c = 0; c < primal_; ++c) {
      if (factor.is_singular()) {
        const arma::mat part = factor.roots[c].t() * prepared.head_rows(cuts_[c]);
        fitted = part.t() * factor.projected[c];
        fitted.each_row() += y_mean;
        leverage = arma::sum(arma::square(part), 0).t() + ones;
      } else {
        const arma::mat part = t.rows(from, cuts_[c] - 1);
        fitted += part.t() * factor.target.rows(from, cuts_[c] - 1);
        leverage += arma::sum(arma::square(part), 0).t();
        from = cuts_[c];
      }
      scores.cols(score_column(c), score_column(c + 1) - 1) =
          without_row(rows.y, fitted, leverage, rows.case_weights);
    }
  }

  arma::uvec cuts_;
  arma::vec lambdas_;
  Index outputs_, primal_ = 0;  // the first `primal_` cuts are solved in the primal
  Gram gram_;                   // of the primal cuts, centered where the intercept has no penalty
  Center center_, dual_center_;
  std::vector<Factor> factors_;
  arma::mat rows_, y_;  // weighted, for the dual cuts
  std::vector<arma::mat> kernels_;
  std::vector<RidgePath> paths_;
};

}  // namespace cawi

#endif
