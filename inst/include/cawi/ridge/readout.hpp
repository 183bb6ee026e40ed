// The readout at given penalties: in the primal from the sums A'WA, or, where A has more columns
// than rows, in the dual from the kernel AA'.
#ifndef CAWI_RIDGE_READOUT_HPP
#define CAWI_RIDGE_READOUT_HPP

#include <utility>

#include "center.hpp"
#include "solvers.hpp"

namespace cawi {

struct Readout {
  arma::mat coefficients;  // features x outputs
  bool singular = false;
};

// Calls solve(lambda, outputs) for every distinct penalty: one factor serves the outputs that
// share it. `lambda` has one penalty, or one per output.
template <class Solve>
void for_each_penalty(const arma::vec& lambda, Index outputs, const Solve& solve) {
  require(lambda.n_elem == 1 || lambda.n_elem == outputs, "lambda",
          "there must be one penalty per output");
  if (lambda.n_elem == 1) return solve(lambda[0], arma::regspace<arma::uvec>(0, outputs - 1));
  for (const double value : arma::vec(arma::unique(lambda))) {
    solve(value, arma::uvec(arma::find(lambda == value)));
  }
}

// With an active center the intercept has no penalty.
inline Readout solve_primal(Gram gram, const arma::vec& lambda, const Center& center) {
  center.apply(gram);
  Readout readout;
  readout.coefficients.set_size(arma::size(gram.ay));
  for_each_penalty(lambda, gram.ay.n_cols, [&](double value, const arma::uvec& outputs) {
    bool singular = false;
    readout.coefficients.cols(outputs) =
        solve_shifted(gram.aa, value, gram.ay.cols(outputs), singular);
    readout.singular = readout.singular || singular;
  });
  center.intercept(readout.coefficients);
  return readout;
}

// Weighted rows of A and Y, centered where the intercept has no penalty, and the kernel AA'.
struct DualProblem {
  arma::mat rows, y, kernel;
  Center center;

  DualProblem(arma::mat a, arma::mat targets, bool centered, Index ones)
      : rows(std::move(a)), y(std::move(targets)) {
    require_finite(arma::sum(arma::square(rows), 0).t());
    if (!centered) {
      kernel = rows * rows.t();
      return;
    }
    const CenteredRows part(rows, y, ones);
    center = part.center();
    kernel = rows * rows.t();
    part.add_ones(kernel);
  }
};

inline Readout solve_dual(const DualProblem& dual, const arma::vec& lambda) {
  Readout readout;
  readout.coefficients.set_size(dual.rows.n_cols, dual.y.n_cols);
  for_each_penalty(lambda, dual.y.n_cols, [&](double value, const arma::uvec& outputs) {
    bool singular = false;
    readout.coefficients.cols(outputs) =
        dual.rows.t() * solve_shifted(dual.kernel, value, dual.y.cols(outputs), singular);
    readout.singular = readout.singular || singular;
  });
  dual.center.intercept(readout.coefficients);
  return readout;
}

// A times the coefficients, block by block.
inline arma::mat readout_scores(const FeatureRows& features, const arma::mat& coefficients,
                                const Threads& threads) {
  require(coefficients.n_rows == features.columns(), "model",
          "coefficients do not fit the features");
  arma::mat scores(features.rows(), coefficients.n_cols);
  for_each_block(features.blocks(), 8, threads, [&](Index, const RowBlock& rows) {
    scores.rows(rows.first, rows.last()) = features.block(rows) * coefficients;
  });
  return scores;
}

}  // namespace cawi

#endif
