// Leave-one-out scores of one fit: what a fit without a row would predict for it, exactly and
// without fitting again.
#ifndef CAWI_RIDGE_LEAVE_ONE_OUT_HPP
#define CAWI_RIDGE_LEAVE_ONE_OUT_HPP

#include "readout.hpp"

namespace cawi {

// y - e / (1 - h), with e the residual and h the leverage of a row. `leverage` is that of a row of
// weight one.
inline arma::mat without_row(const arma::mat& y, const arma::mat& fitted, arma::vec leverage,
                             const arma::vec& case_weights) {
  if (!case_weights.is_empty()) leverage %= case_weights;
  arma::mat gap = y - fitted;
  gap.each_col() /= arma::vec(arma::clamp(1.0 - leverage, 1e-12, 1.0));
  return y - gap;
}

// For some of the rows of a primal fit, given their features and targets: one triangular solve per
// row is cheaper than the eigendecomposition of a path.
inline arma::mat primal_left_out_scores(Gram gram, const Center& center, const arma::vec& lambda,
                                        const arma::mat& coefficients, const arma::mat& a,
                                        const Targets& targets) {
  center.apply(gram);
  const arma::mat fitted = a * coefficients, y = targets.block({0, a.n_rows});
  arma::mat rows = a.t();
  center.transposed_rows(rows);
  arma::mat scores(arma::size(y));
  for_each_penalty(lambda, y.n_cols, [&](double value, const arma::uvec& outputs) {
    arma::mat upper = gram.aa, half = rows;
    upper.diag() += value;
    require(factorize_in_place(upper), "lambda", "the normal equations are singular");
    solve_triangular(upper, half, true);
    arma::vec leverage = arma::sum(arma::square(half), 0).t();
    if (center.active) leverage += 1.0 / center.weight;
    scores.cols(outputs) =
        without_row(y.cols(outputs), fitted.cols(outputs), leverage, targets.case_weights);
  });
  return scores;
}

}  // namespace cawi

#endif
