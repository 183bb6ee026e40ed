// The readouts at many penalties, from one decomposition, and the leave-one-out scores of rows
// there: what one fit per penalty would give.
#ifndef CAWI_RIDGE_PATH_FITS_HPP
#define CAWI_RIDGE_PATH_FITS_HPP

#include <utility>

#include "path.hpp"

namespace cawi {

struct PathFits {
  arma::mat coefficients;  // features x (outputs * penalties), the outputs of a penalty together
  arma::cube left_out;     // rows x outputs x penalties
};

// Primal, from sums. `a` has features of some of the rows that the sums are of; it is lost.
// Without features there are no leave-one-out scores.
inline PathFits primal_path_fits(const Gram& gram, const Center& center, const arma::vec& lambdas,
                                 arma::mat& a, const TrainingRows& rows, const Threads& threads) {
  const SingleThreadedBlas guard;
  Gram system = gram;
  center.apply(system);
  const Spectrum spectrum = Spectrum::primal(system, center, threads);
  const Shrinkage shrinkage = spectrum.shrinkage(lambdas);
  const Index outputs = gram.ay.n_cols;
  PathFits fits;
  fits.coefficients = spectrum.basis() * shrinkage.stacked;
  // Rounding of the largest eigenvalues would show at small penalties.
  arma::mat left = arma::repmat(system.ay, 1, lambdas.n_elem) - system.aa * fits.coefficients;
  for (Index l = 0; l < lambdas.n_elem; ++l) {
    const arma::span columns(l * outputs, (l + 1) * outputs - 1);
    left.cols(columns.a, columns.b) -= lambdas[l] * fits.coefficients.cols(columns.a, columns.b);
  }
  left = spectrum.basis().t() * left;
  for (Index j = 0; j < left.n_cols; ++j) left.col(j) %= shrinkage.inverse.col(j / outputs);
  fits.coefficients += spectrum.basis() * left;
  center.intercept(fits.coefficients, lambdas.n_elem);
  if (a.is_empty()) return fits;
  center.rows(a);
  fits.left_out = spectral_left_out(spectrum, shrinkage, center, a, rows);
  return fits;
}

// Dual, from weighted rows. `targets` are those of all rows.
inline PathFits dual_path_fits(DualProblem problem, const Targets& targets,
                               const arma::vec& lambdas, const Threads& threads) {
  const RowBlock all{0, problem.rows.n_rows};
  const Index outputs = problem.y.n_cols, columns = problem.rows.n_cols;
  RidgePath path(std::move(problem), targets.block(all), targets.block_roots(all), threads);
  path.set_penalties(lambdas);
  PathFits fits;
  fits.coefficients.set_size(columns, outputs * lambdas.n_elem);
  for (Index l = 0; l < lambdas.n_elem; ++l) {
    fits.coefficients.cols(l * outputs, (l + 1) * outputs - 1) =
        path.readout(arma::vec{lambdas[l]})->coefficients;
  }
  arma::mat none;
  fits.left_out = path.left_out(none, all, {});
  return fits;
}

}  // namespace cawi

#endif
