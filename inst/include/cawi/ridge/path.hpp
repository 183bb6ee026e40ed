// The whole path of penalties from one eigendecomposition, with exact leave-one-out at each.
#ifndef CAWI_RIDGE_PATH_HPP
#define CAWI_RIDGE_PATH_HPP

#include <algorithm>
#include <limits>

#include "readout.hpp"

namespace cawi {

// Leave-one-out at every lambda.
struct LeaveOneOut {
  arma::mat squared_error;  // weighted sums over rows, lambdas x outputs
  arma::vec correct;        // weight of the rows whose class is right (classification)
  arma::vec freedom;        // effective degrees of freedom, the trace of the hat matrix
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

class RidgePath {
 public:
  // Primal: the spectrum of A'WA, centered where the intercept has no penalty.
  RidgePath(Gram gram, const Center& center, const Threads& threads)
      : threads_(threads), dual_(false), center_(center) {
    center_.apply(gram);
    decompose(gram.aa);
    projected_ = basis_.t() * gram.ay;
  }

  // Dual: the spectrum of AA', with rows already weighted and centered.
  RidgePath(const arma::mat& kernel, const arma::mat& y, const Center& center,
            const Threads& threads)
      : threads_(threads), dual_(true), center_(center) {
    decompose(kernel);
    projected_ = basis_.t() * y;
  }

  // Eigenvalues of the penalized columns.
  arma::vec spectrum() const {
    if (!center_.active) return values_;
    arma::vec rest = values_;
    rest.shed_row(ones_value());
    return rest;
  }

  // Of the dual: (AA' + lambda I)^{-1} Y.
  arma::mat dual_coefficients(double lambda) const {
    return basis_ * (arma::diagmat(inverse(lambda)) * projected_);
  }

  // Of the dual: leave-one-out scores of some of the rows, given their targets and the roots of
  // their case weights.
  arma::mat dual_left_out_scores(const arma::uvec& rows, const arma::mat& y, const arma::vec& root,
                                 double lambda) const {
    return block_left_out_scores({basis_.rows(rows), root}, y, lambda);
  }

  double freedom(double lambda) const {
    double total = center_.active ? 1.0 : 0.0;
    for (const double v : spectrum()) total += v > 0.0 ? v / (v + lambda) : 0.0;
    return total;
  }

  LeaveOneOut leave_one_out(const FeatureRows& features, const Targets& targets,
                            const arma::vec& lambdas) const {
    const Index lanes = 8, count = lambdas.n_elem;
    arma::cube error(count, targets.outputs, lanes, arma::fill::zeros);
    arma::mat correct(count, lanes, arma::fill::zeros);
    for_each_block(features.blocks(), lanes, threads_, [&](Index lane, const RowBlock& rows) {
      const RotatedRows block = rotate(features, targets, rows);
      const arma::mat y = targets.block(rows);
      for (Index l = 0; l < count; ++l) {
        const arma::mat left_out = block_left_out_scores(block, y, lambdas[l]);
        for (Index i = 0; i < rows.count; ++i) {
          const double w = targets.case_weight(rows.first + i);
          error.slice(lane).row(l) += w * arma::square(y.row(i) - left_out.row(i));
          if (targets.classes.empty()) continue;
          const auto truth = static_cast<arma::uword>(targets.classes[rows.first + i]);
          if (left_out.row(i).index_max() == truth) correct(l, lane) += w;
        }
      }
    });
    LeaveOneOut loo{arma::sum(error, 2), arma::sum(correct, 1), arma::vec(count)};
    for (Index l = 0; l < count; ++l) loo.freedom[l] = freedom(lambdas[l]);
    return loo;
  }

  // Leave-one-out scores of all rows, with one penalty or one per output.
  arma::mat left_out_scores(const FeatureRows& features, const Targets& targets,
                            const arma::vec& lambda) const {
    arma::mat scores(features.rows(), targets.outputs);
    for_each_block(features.blocks(), 8, threads_, [&](Index, const RowBlock& rows) {
      const RotatedRows block = rotate(features, targets, rows);
      const arma::mat y = targets.block(rows);
      for_each_penalty(lambda, targets.outputs, [&](double value, const arma::uvec& outputs) {
        const arma::mat part = block_left_out_scores(block, y, value);
        for (const arma::uword k : outputs) {
          scores.submat(rows.first, k, rows.last(), k) = part.col(k);
        }
      });
    });
    return scores;
  }

 private:
  // Weighted rows in the basis of the eigenvectors, and the roots of their case weights.
  struct RotatedRows {
    arma::mat rows;
    arma::vec root;
  };

  void decompose(const arma::mat& s) {
    require(arma::eig_sym(values_, basis_, s, "dc"), "lambda", "the eigendecomposition failed");
    // Rounding leaves tiny negative values where there should be zeros.
    const double cut = std::max(values_.max(), 0.0) * static_cast<double>(s.n_rows) * 2.3e-16;
    values_.transform([&](double v) { return v > cut ? v : 0.0; });
    smallest_ = std::max(cut, std::numeric_limits<double>::min());
  }

  // The eigenvector of the ones: in the dual the one with the largest eigenvalue, in the primal
  // the axis of their column.
  Index ones_value() const {
    return dual_ ? values_.n_elem - 1 : arma::abs(basis_.row(center_.ones)).index_max();
  }

  // In the null space of a problem without penalty: zero in the primal, the limit of a vanishing
  // penalty in the dual. In the dual the ones are no part of the penalized problem.
  arma::vec inverse(double lambda) const {
    arma::vec result = values_ + lambda;
    const double none = dual_ ? 1.0 / smallest_ : 0.0;
    result.transform([&](double v) { return v > 0.0 ? 1.0 / v : none; });
    if (dual_ && center_.active) result[ones_value()] = 0.0;
    return result;
  }

  RotatedRows rotate(const FeatureRows& features, const Targets& targets,
                     const RowBlock& rows) const {
    RotatedRows block;
    block.root = targets.block_roots(rows);
    if (dual_) {
      block.rows = basis_.rows(rows.first, rows.last());
      return block;
    }
    arma::mat a = features.block(rows);
    center_.rows(a);
    if (!block.root.is_empty()) a.each_col() %= block.root;
    block.rows = a * basis_;
    return block;
  }

  // In the units of y, which comes without case weights.
  arma::mat block_left_out_scores(const RotatedRows& block, arma::mat y, double lambda) const {
    const arma::vec shrunk = inverse(lambda);
    const arma::mat half = block.rows * (arma::diagmat(shrunk) * projected_);
    // The leverage in the primal, the diagonal of (K + lambda I)^-1 in the dual.
    arma::vec diagonal = arma::square(block.rows) * shrunk;
    const arma::mat raw = y;
    if (center_.active && !dual_) {
      y.each_row() -= center_.y;
      diagonal += block.root.is_empty()
                      ? arma::vec(block.rows.n_rows, arma::fill::value(1.0 / center_.weight))
                      : arma::vec(arma::square(block.root) / center_.weight);
    }
    if (!block.root.is_empty()) y.each_col() %= block.root;
    // Primal: e_i / (1 - h_ii). Dual: ratios of (K + lambda I)^-1 y and the diagonal of
    // (K + lambda I)^-1, right even where the fit interpolates.
    arma::mat gap = dual_ ? half : arma::mat(y - half);
    gap.each_col() /= dual_ ? diagonal : arma::vec(arma::clamp(1.0 - diagonal, 1e-12, 1.0));
    if (!block.root.is_empty()) gap.each_col() /= block.root;
    return raw - gap;
  }

  Threads threads_;
  bool dual_;
  Center center_;
  arma::vec values_;
  double smallest_ = 0.0;
  arma::mat basis_, projected_;
};

}  // namespace cawi

#endif
