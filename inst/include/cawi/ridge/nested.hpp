// Ridge readouts on the leading columns of A, for several numbers of columns ("cuts") and penalties.
// The Cholesky factor of a leading block is the leading block of the factor: with A = T R, scores and
// leverages of all cuts are running sums over the columns of T, so one factor a penalty serves all
// widths of a network whose nodes are nested.
#ifndef CAWI_RIDGE_NESTED_HPP
#define CAWI_RIDGE_NESTED_HPP

#include <optional>

#include "ridge.hpp"

namespace cawi {

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
    if (primal_ > 0) factorize(features, targets, threads);
    if (primal_ < cuts_.n_elem) decompose(features, targets, threads);
  }

  Index columns() const { return cuts_.max(); }
  Index scores_at_once() const { return outputs_ * cuts_.n_elem; }

  // Coefficients of all cuts at lambda l, with zeros below the cut.
  arma::mat coefficients(Index l) const {
    arma::mat all(columns(), scores_at_once(), arma::fill::zeros);
    if (primal_ > 0) primal_coefficients(l, all);
    for (Index c = primal_; c < cuts_.n_elem; ++c) {
      const arma::mat dual = paths_[c - primal_].dual_coefficients(lambdas_[l]);
      all.submat(0, at(c), cuts_[c] - 1, at(c + 1) - 1) = rows_.head_cols(cuts_[c]).t() * dual;
    }
    return all;
  }

  // Leave-one-out scores at lambda l of training rows, given their features, numbers and targets.
  arma::mat left_out(const arma::mat& a, const arma::uvec& rows, const arma::mat& y,
                     const arma::vec& weights, Index l) const {
    arma::mat scores(a.n_rows, scores_at_once());
    if (primal_ > 0) primal_left_out(a, y, weights, l, scores);
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

  void factorize(const FeatureRows& features, const Targets& targets, const Threads& threads) {
    const Index width = cuts_[primal_ - 1];
    const Gram gram = accumulate_gram(features.leading(width), targets, threads);
    factors_.resize(lambdas_.n_elem);
    const SingleThreadedBlas guard;
    for_each_task(lambdas_.n_elem, threads, [&](Index l, Index) {
      arma::mat shifted = gram.aa;
      shifted.diag() += lambdas_[l];
      Factor& factor = factors_[l];
      if (arma::chol(factor.upper, shifted) && (lambdas_[l] > 0.0 || well_conditioned(factor.upper))) {
        factor.target = gram.ay;
        solve_triangular(factor.upper, factor.target, true);
      } else {
        span_columns(shifted, gram.ay, factor);
      }
    });
  }

  void span_columns(const arma::mat& shifted, const arma::mat& ay, Factor& factor) const {
    factor.upper.reset();
    for (Index c = 0; c < primal_; ++c) {
      const Index p = cuts_[c];
      factor.basis.push_back(inverse_root(shifted.submat(0, 0, p - 1, p - 1)));
      factor.projected.push_back(factor.basis.back().t() * ay.head_rows(p));
    }
  }

  void decompose(const FeatureRows& features, const Targets& targets, const Threads& threads) {
    rows_ = all_features(features.leading(columns()), threads);
    arma::mat y = targets.block(0, features.rows());
    const arma::vec root = targets.root_weights(0, features.rows());
    if (!root.is_empty()) {
      rows_.each_col() %= root;
      y.each_col() %= root;
    }
    const SingleThreadedBlas guard;
    std::vector<std::optional<RidgePath>> found(cuts_.n_elem - primal_);
    for_each_task(found.size(), threads, [&](Index c, Index) {
      found[c].emplace(rows_.head_cols(cuts_[primal_ + c]), y, Threads{});
    });
    for (auto& path : found) paths_.push_back(std::move(*path));
  }

  // One triangular solve for all cuts: a target cut off at p gives zeros below p.
  void primal_coefficients(Index l, arma::mat& all) const {
    const Factor& factor = factors_[l];
    const Index width = cuts_[primal_ - 1];
    arma::mat right(width, at(primal_), arma::fill::zeros);
    for (Index c = 0; c < primal_; ++c) {
      const Index p = cuts_[c];
      if (factor.upper.is_empty()) {
        right.submat(0, at(c), p - 1, at(c + 1) - 1) = factor.basis[c] * factor.projected[c];
      } else {
        right.submat(0, at(c), p - 1, at(c + 1) - 1) = factor.target.head_rows(p);
      }
    }
    if (!factor.upper.is_empty()) solve_triangular(factor.upper, right, false);
    all.submat(0, 0, width - 1, at(primal_) - 1) = right;
  }

  void primal_left_out(const arma::mat& a, const arma::mat& y, const arma::vec& weights, Index l,
                       arma::mat& scores) const {
    const Factor& factor = factors_[l];
    // Transposed, so that rows of A are the right-hand sides of a triangular solve.
    arma::mat t;
    if (!factor.upper.is_empty()) {
      t = a.head_cols(cuts_[primal_ - 1]).t();
      solve_triangular(factor.upper, t, true);
    }
    arma::mat fitted(a.n_rows, outputs_, arma::fill::zeros);
    arma::vec leverage(a.n_rows, arma::fill::zeros);
    Index from = 0;
    for (Index c = 0; c < primal_; ++c) {
      if (factor.upper.is_empty()) {
        const arma::mat part = (a.head_cols(cuts_[c]) * factor.basis[c]).t();
        fitted = part.t() * factor.projected[c];
        leverage = arma::sum(arma::square(part), 0).t();
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
  std::vector<Factor> factors_;
  arma::mat rows_;  // weighted rows of A, for the dual cuts
  std::vector<RidgePath> paths_;
};

}  // namespace cawi

#endif
