// Ridge readouts on the leading columns of A, for several numbers of columns ("cuts") and penalties.
// The Cholesky factor of a leading block is the leading block of the factor: with A = T R, scores and
// leverages of all cuts are running sums over the columns of T, so one factor a penalty serves all
// widths of a network whose nodes are nested.
#ifndef CAWI_RIDGE_NESTED_HPP
#define CAWI_RIDGE_NESTED_HPP

#include <optional>

#include "ridge.hpp"

namespace cawi {

// Coefficients of cuts in order, some cuts a block; the rows of a block are as many as its last cut has
// columns, with zeros below the others.
struct CutCoefficients {
  std::vector<arma::mat> blocks;

  // a times the coefficients, the outputs of a cut side by side.
  arma::mat scores(const arma::mat& a, Index width) const {
    arma::mat all(a.n_rows, width);
    Index next = 0;
    for (const arma::mat& block : blocks) {
      arma::mat part(all.colptr(next), a.n_rows, block.n_cols, false, true);
      part = a.head_cols(block.n_rows) * block;
      next += block.n_cols;
    }
    return all;
  }
};

// Cuts below the number of rows are solved in the primal, the others in the dual, as single fits are.
// Scores come as rows x (outputs * cuts), the outputs of a cut side by side.
class NestedRidge {
 public:
  NestedRidge(const FeatureRows& features, const Targets& targets, arma::uvec cuts,
              arma::vec lambdas, const Threads& threads)
      : cuts_(std::move(cuts)), lambdas_(std::move(lambdas)), outputs_(targets.outputs) {
    require(cuts_.is_sorted("strictascend") && cuts_.max() <= features.columns(), "hidden",
            "the numbers of columns do not fit the features");
    while (primal_ < cuts_.n_elem && cuts_[primal_] < features.rows()) ++primal_;
    const bool centered = targets.centered && features.has_ones();
    require(!centered || features.ones() < cuts_[0], "hidden", "every number of columns must include the ones");
    if (primal_ > 0) {
      gram_ = accumulate_gram(features.leading(cuts_[primal_ - 1]), targets, threads);
      if (centered) center_ = Center::of(gram_, features.ones());
      center_.apply(gram_);
    }
    if (primal_ < cuts_.n_elem) weigh_rows(features, targets, centered, threads);
  }

  // Features of rows as left_out() takes them: turned, so that rows of A are the right-hand sides of a triangular
  // solve, and centered. Dual cuts do not read them.
  arma::mat prepared(const arma::mat& a) const {
    if (primal_ == 0) return arma::mat(0, a.n_rows);
    arma::mat turned = a.head_cols(cuts_[primal_ - 1]).t();
    center_.transposed_rows(turned);
    return turned;
  }

  Index scores_at_once() const { return outputs_ * cuts_.n_elem; }

  // The factors of all penalties and the spectra of the dual cuts, for who comes back to them:
  // leave-one-out does, block after block.
  void keep_factors(const Threads& threads) {
    if (!factors_.empty() || !paths_.empty()) return;
    const SingleThreadedBlas guard;
    if (primal_ > 0) {
      factors_.resize(lambdas_.n_elem);
      for_each_task(lambdas_.n_elem, threads, [&](Index l, Index) { factors_[l] = factor(l); });
    }
    std::vector<std::optional<RidgePath>> found(kernels_.size());
    for_each_task(found.size(), threads, [&](Index c, Index) { found[c].emplace(kernels_[c], y_, dual_center_, Threads{}); });
    for (auto& path : found) paths_.push_back(std::move(*path));
  }

  // Coefficients of all cuts at lambda l.
  CutCoefficients coefficients(Index l) const {
    CutCoefficients all;
    if (primal_ > 0 && factors_.empty()) primal_coefficients(factor(l), all);
    if (primal_ > 0 && !factors_.empty()) primal_coefficients(factors_[l], all);
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      bool singular = false;
      const arma::mat dual = paths_.empty() ? solve_shifted(kernels_[c - primal_], lambdas_[l], y_, singular)
                                            : paths_[c - primal_].dual_coefficients(lambdas_[l]);
      arma::mat block = rows_.head_cols(cuts_[c]).t() * dual;
      dual_center_.intercept(block);
      all.blocks.push_back(std::move(block));
    }
    return all;
  }

  // Leave-one-out scores at lambda l of training rows, given their prepared() features, numbers and targets.
  // Needs the factors.
  arma::mat left_out(const arma::mat& prepared, const arma::uvec& rows, const arma::mat& y,
                     const arma::vec& weights, Index l) const {
    arma::mat scores(prepared.n_cols, scores_at_once());
    if (primal_ > 0) primal_left_out(prepared, y, weights, l, scores);
    const arma::vec root = arma::sqrt(weights);
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      scores.cols(at(c), at(c + 1) - 1) = paths_[c - primal_].dual_left_out(rows, y, root, lambdas_[l]);
    }
    return scores;
  }

 private:
  // A penalty's factor R, or, where there is none, a basis of the column space for every cut.
  struct Factor {
    arma::mat upper, target;  // R, R^-T A'Y
    std::vector<arma::mat> basis, projected;
  };

  Index at(Index cut) const { return cut * outputs_; }

  Factor factor(Index l) const {
    Factor factor;
    factor.upper = gram_.aa;
    factor.upper.diag() += lambdas_[l];
    if (factorize_in_place(factor.upper) && (lambdas_[l] > 0.0 || well_conditioned(factor.upper))) {
      factor.target = gram_.ay;
      solve_triangular(factor.upper, factor.target, true);
    } else {
      span_columns(lambdas_[l], factor);
    }
    return factor;
  }

  void span_columns(double lambda, Factor& factor) const {
    factor.upper.reset();
    for (Index c = 0; c < primal_; ++c) {
      const Index p = cuts_[c];
      arma::mat shifted = gram_.aa.submat(0, 0, p - 1, p - 1);
      shifted.diag() += lambda;
      factor.basis.push_back(inverse_root(shifted));
      factor.projected.push_back(factor.basis.back().t() * gram_.ay.head_rows(p));
    }
  }

  // Of the dual cuts: A, weighted, and A A' of each, which grows by the columns that a cut adds.
  void weigh_rows(const FeatureRows& features, const Targets& targets, bool centered, const Threads& threads) {
    rows_ = all_features(features.leading(cuts_.max()), threads);
    y_ = targets.block(0, features.rows());
    const arma::vec root = targets.root_weights(0, features.rows());
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

  // One triangular solve for some cuts: a target cut off at p gives zeros below p. More cuts at once are
  // wider products, but more of them with zeros.
  void primal_coefficients(const Factor& factor, CutCoefficients& all) const {
    if (factor.upper.is_empty()) {
      for (Index c = 0; c < primal_; ++c) {
        arma::mat block = factor.basis[c] * factor.projected[c];
        center_.intercept(block);
        all.blocks.push_back(std::move(block));
      }
      return;
    }
    const Index together = std::max<Index>(1, 12 / outputs_);
    for (Index first = 0; first < primal_; first += together) {
      const Index end = std::min(first + together, primal_);
      arma::mat block(cuts_[end - 1], at(end - first), arma::fill::zeros);
      for (Index c = first; c < end; ++c) {
        block.submat(0, at(c - first), cuts_[c] - 1, at(c - first + 1) - 1) = factor.target.head_rows(cuts_[c]);
      }
      solve_triangular(factor.upper, block, false);
      center_.intercept(block, end - first);
      all.blocks.push_back(std::move(block));
    }
  }

  void primal_left_out(const arma::mat& prepared, const arma::mat& y, const arma::vec& weights, Index l,
                       arma::mat& scores) const {
    const Factor& factor = factors_[l];
    arma::mat t;
    if (!factor.upper.is_empty()) {
      t = prepared;
      solve_triangular(factor.upper, t, true);
    }
    const arma::rowvec y_mean = center_.active ? center_.y : arma::rowvec(outputs_, arma::fill::zeros);
    const double ones = center_.active ? 1.0 / center_.weight : 0.0;
    arma::mat fitted = arma::repmat(y_mean, prepared.n_cols, 1);
    arma::vec leverage(prepared.n_cols, arma::fill::value(ones));
    Index from = 0;
    for (Index c = 0; c < primal_; ++c) {
      if (factor.upper.is_empty()) {
        const arma::mat part = factor.basis[c].t() * prepared.head_rows(cuts_[c]);
        fitted = part.t() * factor.projected[c];
        fitted.each_row() += y_mean;
        leverage = arma::sum(arma::square(part), 0).t() + ones;
      } else {
        const arma::mat part = t.rows(from, cuts_[c] - 1);
        fitted += part.t() * factor.target.rows(from, cuts_[c] - 1);
        leverage += arma::sum(arma::square(part), 0).t();
        from = cuts_[c];
      }
      scores.cols(at(c), at(c + 1) - 1) = without_row(y, fitted, leverage, weights);
    }
  }

  arma::uvec cuts_;
  arma::vec lambdas_;
  Index outputs_, primal_ = 0;
  Gram gram_;  // of the primal cuts, centered where the intercept has no penalty
  Center center_, dual_center_;
  std::vector<Factor> factors_;
  arma::mat rows_, y_;  // weighted, for the dual cuts
  std::vector<arma::mat> kernels_;
  std::vector<RidgePath> paths_;
};

}  // namespace cawi

#endif
