// The readout at given penalties: in the primal from the sums A'WA, or, where A has more columns
// than rows, in the dual from the kernel AA'.
#ifndef CAWI_RIDGE_READOUT_HPP
#define CAWI_RIDGE_READOUT_HPP

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

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

// With an active center the intercept has no penalty. The sums are copied once per penalty, and
// once more where the problem is singular.
inline Readout solve_primal(const Gram& gram, const arma::vec& lambda, const Center& center,
                            const Threads& threads) {
  const SingleThreadedBlas guard;
  Readout readout;
  readout.coefficients.set_size(arma::size(gram.ay));
  for_each_penalty(lambda, gram.ay.n_cols, [&](double value, const arma::uvec& outputs) {
    const auto shifted = [&] {
      Gram copy = gram;
      center.apply(copy);
      copy.aa.diag() += value;
      return copy;
    };
    Gram system = shifted();
    arma::mat solution = system.ay.cols(outputs);
    if (solve_in_place(system.aa, value > 0.0, threads, solution)) {
      readout.coefficients.cols(outputs) = solution;
      return;
    }
    readout.singular = true;
    system = shifted();
    readout.coefficients.cols(outputs) =
        solve_semidefinite(std::move(system.aa), system.ay.cols(outputs), threads);
  });
  center.intercept(readout.coefficients);
  return readout;
}

// Weighted rows of A and Y, centered where the intercept has no penalty, and the kernel AA'.
struct DualProblem {
  arma::mat rows, y, kernel;
  Center center;

  // Where only the kernel is known.
  DualProblem() = default;

  DualProblem(arma::mat a, arma::mat targets, bool centered, Index ones, const Threads& threads)
      : rows(std::move(a)), y(std::move(targets)) {
    require_finite(arma::sum(arma::square(rows), 0).t());
    std::optional<CenteredRows> part;
    if (centered) part.emplace(rows, y, ones);
    kernel.zeros(rows.n_rows, rows.n_rows);
    add_outer_product(rows, 0, rows.n_cols, threads, kernel);
    copy_upper_to_lower(kernel);
    if (!part) return;
    center = part->center();
    center.size = part->add_ones(kernel);
  }
};

// solve(lambda, outputs, singular) gives (AA' + lambda I)^{-1} Y of some outputs, and says whether
// the solution of least norm was needed.
template <class Solve>
Readout dual_readout(const DualProblem& dual, const arma::vec& lambda, const Solve& solve) {
  const SingleThreadedBlas guard;
  Readout readout;
  readout.coefficients.set_size(dual.rows.n_cols, dual.y.n_cols);
  for_each_penalty(lambda, dual.y.n_cols, [&](double value, const arma::uvec& outputs) {
    bool singular = false;
    const arma::mat solution = solve(value, outputs, singular);
    readout.coefficients.cols(outputs) = dual.rows.t() * solution;
    readout.singular = readout.singular || singular;
  });
  dual.center.intercept(readout.coefficients);
  return readout;
}

inline Readout solve_dual(const DualProblem& dual, const arma::vec& lambda,
                          const Threads& threads) {
  return dual_readout(dual, lambda, [&](double value, const arma::uvec& outputs, bool& singular) {
    return solve_shifted(dual.kernel, value, dual.y.cols(outputs), threads, singular);
  });
}

// What the readouts give for the rows, averaged over the readouts, block by block.
inline void write_scores(const FeatureRows& features, const std::vector<arma::mat>& coefficients,
                         const Threads& threads, arma::mat& scores) {
  require(coefficients.size() == features.readouts(), "model",
          "there must be coefficients for every readout");
  for (Index r = 0; r < coefficients.size(); ++r) {
    require(coefficients[r].n_rows == features.columns(r), "model",
            "coefficients do not fit the features");
  }
  std::vector<std::vector<arma::mat>> work(std::max(threads.count, 1));
  for_each_block(features.blocks(), threads, [&](Index slot, const RowBlock& rows) {
    features.block(rows, work[slot]);
    arma::mat total = work[slot][0] * coefficients[0];
    for (Index r = 1; r < coefficients.size(); ++r) total += work[slot][r] * coefficients[r];
    if (coefficients.size() > 1) total /= static_cast<double>(coefficients.size());
    scores.rows(rows.first, rows.last()) = total;
  });
}

}  // namespace cawi

#endif
