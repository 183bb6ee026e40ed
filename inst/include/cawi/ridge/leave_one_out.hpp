// Leave-one-out scores: what a fit without a row would predict for it, exactly and without fitting
// again. One engine serves single fits and grids; what differs is how fits and leverages are found.
//
// Scores of several penalties are a cube, rows x outputs x penalties.
#ifndef CAWI_RIDGE_LEAVE_ONE_OUT_HPP
#define CAWI_RIDGE_LEAVE_ONE_OUT_HPP

#include <algorithm>
#include <utility>
#include <vector>

#include "leave_group_out.hpp"
#include "readout.hpp"
#include "spectrum.hpp"

namespace cawi {

// Some training rows: their numbers among all training rows, their targets and case weights, and
// whether they are left out together or each alone.
struct TrainingRows {
  arma::uvec numbers;
  arma::mat y;
  arma::vec case_weights;  // may be empty
  bool together = false;

  static TrainingRows of(const Targets& targets, const RowBlock& rows) {
    return {arma::regspace<arma::uvec>(rows.first, rows.last()), targets.block(rows),
            targets.block_weights(rows), !targets.groups.empty()};
  }
};

// y - e / (1 - h) with e the residual and h the leverage of a row, written over the fit.
// `leverage` is that of a row of weight one; it is lost.
inline void leave_out(const TrainingRows& rows, double* leverage, double* fitted) {
  const Index count = rows.y.n_rows;
  for (Index i = 0; i < count; ++i) {
    if (!rows.case_weights.is_empty()) leverage[i] *= rows.case_weights[i];
    leverage[i] = 1.0 / std::clamp(1.0 - leverage[i], 1e-12, 1.0);
  }
  for (Index k = 0; k < rows.y.n_cols; ++k) {
    const double* y = rows.y.colptr(k);
    for (Index i = 0; i < count; ++i) {
      double& value = fitted[k * count + i];
      value = y[i] - (y[i] - value) * leverage[i];
    }
  }
}

// Primal, from a spectrum: two products serve all penalties. `a` has features of the rows,
// centered; it is lost.
inline arma::cube spectral_left_out(const Spectrum& spectrum, const Shrinkage& shrinkage,
                                    const Center& center, arma::mat& a, const TrainingRows& rows) {
  arma::mat rotated = a * spectrum.basis();
  const Index outputs = rows.y.n_cols, penalties = shrinkage.inverse.n_cols;
  arma::cube scores(a.n_rows, outputs, penalties);
  arma::mat fitted(scores.memptr(), a.n_rows, outputs * penalties, false, true);
  fitted = rotated * shrinkage.stacked;
  if (rows.together) {
    if (center.active) scores.each_slice() += arma::repmat(center.y, a.n_rows, 1);
    for (Index l = 0; l < penalties; ++l) {
      arma::mat half = rotated.t();
      half.each_col() %= arma::sqrt(shrinkage.inverse.col(l));
      leave_out_together(rows.y, rows.case_weights, std::move(half),
                         center.active ? 1.0 / center.weight : 0.0, scores.slice(l));
    }
    return scores;
  }
  rotated = arma::square(rotated);
  arma::mat leverage = rotated * shrinkage.inverse;
  if (center.active) {
    leverage += 1.0 / center.weight;
    scores.each_slice() += arma::repmat(center.y, a.n_rows, 1);
  }
  for (Index l = 0; l < penalties; ++l) {
    leave_out(rows, leverage.colptr(l), scores.slice_memptr(l));
  }
  return scores;
}

// Dual, of all rows: ratios of (K + lambda I)^-1 Y and the diagonal of (K + lambda I)^-1, right
// even where the fit interpolates. Of rows that are left out together, the blocks of the latter
// take the place of its diagonal. `solution` has the former, the outputs of a penalty side by side.
// `y` comes without case weights, of which `root` has the roots.
inline arma::cube dual_left_out(const Spectrum& spectrum, const Shrinkage& shrinkage,
                                const arma::mat& solution, const arma::mat& y,
                                const arma::vec& root, const std::vector<RowBlock>& groups = {}) {
  const Index outputs = y.n_cols, penalties = shrinkage.inverse.n_cols;
  arma::mat diagonal;
  if (groups.empty()) diagonal = arma::square(spectrum.basis()) * shrinkage.inverse;
  arma::cube scores(y.n_rows, outputs, penalties);
  for (Index l = 0; l < penalties; ++l) {
    arma::mat gap = solution.cols(l * outputs, (l + 1) * outputs - 1);
    if (groups.empty()) gap.each_col() /= diagonal.col(l);
    for (const RowBlock& rows : groups) {
      const arma::mat basis = spectrum.basis().rows(rows.first, rows.last());
      arma::mat block = basis;
      block.each_row() %= shrinkage.inverse.col(l).t();
      block *= basis.t();
      gap.rows(rows.first, rows.last()) = arma::solve(
          block, arma::mat(gap.rows(rows.first, rows.last())), arma::solve_opts::likely_sympd);
    }
    if (!root.is_empty()) gap.each_col() /= root;
    scores.slice(l) = y - gap;
  }
  return scores;
}

// For some of the rows of a primal fit, given their features and targets: one triangular solve per
// row is cheaper than a spectrum. An error where the problem is singular.
inline arma::mat sampled_left_out(const Gram& gram, const Center& center, const arma::vec& lambda,
                                  const arma::mat& coefficients, const arma::mat& a,
                                  const Targets& targets, const Threads& threads) {
  const SingleThreadedBlas guard;
  const TrainingRows rows = TrainingRows::of(targets, {0, a.n_rows});
  arma::mat scores = a * coefficients;
  for_each_penalty(lambda, rows.y.n_cols, [&](double value, const arma::uvec& outputs) {
    Gram system = gram;
    center.apply(system);
    system.aa.diag() += value;
    require(factorize_in_place(system.aa, threads), "lambda", "the normal equations are singular");
    arma::mat half = a.t();
    center.transposed_rows(half);
    solve_triangular(system.aa, half, true);
    arma::vec leverage = arma::sum(arma::square(half), 0).t();
    if (center.active) leverage += 1.0 / center.weight;
    arma::mat part = scores.cols(outputs);
    leave_out({rows.numbers, rows.y.cols(outputs), rows.case_weights}, leverage.memptr(),
              part.memptr());
    scores.cols(outputs) = part;
  });
  return scores;
}

}  // namespace cawi

#endif
