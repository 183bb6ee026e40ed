// Rows that are left out together: what a fit without all of them would predict for them, exactly
// and without fitting again. With H the block of the hat matrix that belongs to the rows and e
// their residuals, the residuals without them are (I - H)^-1 e.
#ifndef CAWI_RIDGE_LEAVE_GROUP_OUT_HPP
#define CAWI_RIDGE_LEAVE_GROUP_OUT_HPP

#include <utility>

#include "solvers.hpp"
#include "targets.hpp"

namespace cawi {

namespace detail {

// S^-1 B for a positive definite S; where rounding has taken that away, its eigenvalues stop at
// 1e-12, as the leverages of single rows do.
inline arma::mat solve_left_out(const arma::mat& s, const arma::mat& b) {
  arma::mat upper = s, solution = b;
  if (arma::chol(upper, s) && upper.diag().min() > 1e-6) {
    solve_triangular(upper, solution, true);
    solve_triangular(upper, solution, false);
    return solution;
  }
  arma::vec values;
  arma::mat vectors;
  require(arma::eig_sym(values, vectors, s), "group", "the rows of a group cannot be left out");
  values = arma::clamp(values, 1e-12, arma::datum::inf);
  arma::mat projected = vectors.t() * b;
  projected.each_col() /= values;
  return vectors * projected;
}

}  // namespace detail

// (I - H)^-1 e with H = T'T, solved in as many dimensions as there are rows or columns, whichever
// are fewer: (I - T'T)^-1 = I + T'(I - TT')^-1 T. Rows are weighted.
inline arma::mat residuals_without(const arma::mat& t, const arma::mat& residuals) {
  if (t.n_cols <= t.n_rows) {
    arma::mat s = -t.t() * t;
    s.diag() += 1.0;
    return detail::solve_left_out(s, residuals);
  }
  arma::mat s = -t * t.t();
  s.diag() += 1.0;
  return residuals + t.t() * detail::solve_left_out(s, t * residuals);
}

// Writes over the fit of some rows what a fit without them would give. `half` has T for rows of
// weight one, without the intercept that has no penalty, whose part of every leverage is `ones`.
inline void leave_out_together(const arma::mat& y, const arma::vec& case_weights, arma::mat half,
                               double ones, arma::mat& fitted) {
  if (ones > 0.0) half.insert_rows(half.n_rows, arma::rowvec(half.n_cols).fill(std::sqrt(ones)));
  arma::mat residuals = y - fitted;
  if (case_weights.is_empty()) {
    fitted = y - residuals_without(half, residuals);
    return;
  }
  const arma::vec root = arma::sqrt(case_weights);
  half.each_row() %= root.t();
  residuals.each_col() %= root;
  residuals = residuals_without(half, residuals);
  residuals.each_col() /= root;
  fitted = y - residuals;
}

}  // namespace cawi

#endif
