// A readout at given penalties with the leave-one-out scores of all its rows: what a search keeps
// of a network whose penalty is known. In the dual one Cholesky factor gives the coefficients, and
// its inverse the diagonal of (K + lambda I)^-1, for a tenth of the cost of a spectrum.
#ifndef CAWI_RIDGE_EXACT_FIT_HPP
#define CAWI_RIDGE_EXACT_FIT_HPP

#include <optional>
#include <utility>
#include <vector>

#include "leave_one_out.hpp"

namespace cawi {

struct ExactFit {
  Readout readout;
  arma::mat left_out;  // rows x outputs
};

namespace detail {

// The diagonal of S^-1 from S = R'R: the squares of the rows of R^-1. R is lost.
inline arma::vec inverse_diagonal(arma::mat& upper) {
  char uplo = 'U', diag = 'N';
  auto n = static_cast<arma::blas_int>(upper.n_rows);
  arma::blas_int info = 0;
  arma::lapack::trtri(&uplo, &diag, &n, upper.memptr(), &n, &info);
  arma::vec diagonal(upper.n_rows, arma::fill::zeros);
  for (Index j = 0; j < upper.n_cols; ++j) {
    const double* column = upper.colptr(j);
    for (Index i = 0; i <= j; ++i) diagonal[i] += column[i] * column[i];
  }
  return diagonal;
}

// The ones have the largest eigenvalue of the kernel instead of no penalty: their part of the
// inverse goes.
inline void drop_ones(const DualProblem& dual, const arma::vec& root, double lambda,
                      arma::vec& diagonal) {
  if (!dual.center.active) return;
  for (Index i = 0; i < diagonal.n_elem; ++i) {
    const double square = root.is_empty() ? 1.0 : root[i] * root[i];
    diagonal[i] -= square / dual.center.weight / (dual.center.size + lambda);
  }
}

// (K + lambda I)^-1 Y of some outputs, and their leave-one-out scores over `y`, which comes without
// case weights, of which `root` has the roots.
inline arma::mat factored_dual(const DualProblem& dual, double lambda, const arma::uvec& outputs,
                               const arma::vec& root, const Threads& threads, arma::mat& y) {
  arma::mat factor = dual.kernel, solution = dual.y.cols(outputs);
  factor.diag() += lambda;
  require(solve_in_place(factor, lambda > 0.0, threads, solution), "lambda",
          "the normal equations are singular");
  arma::vec diagonal = inverse_diagonal(factor);
  drop_ones(dual, root, lambda, diagonal);
  arma::mat gap = solution;
  gap.each_col() /= diagonal;
  if (!root.is_empty()) gap.each_col() /= root;
  y.cols(outputs) -= gap;
  return solution;
}

inline ExactFit exact_dual(const DualProblem& dual, arma::mat y, const arma::vec& root,
                           const arma::vec& lambda, const Threads& threads) {
  const SingleThreadedBlas guard;
  ExactFit fit;
  fit.readout = dual_readout(dual, lambda, [&](double value, const arma::uvec& outputs, bool&) {
    return factored_dual(dual, value, outputs, root, threads, y);
  });
  fit.left_out = std::move(y);
  return fit;
}

inline Gram gram_of(const WeightedRows& rows, const Threads& threads) {
  const SingleThreadedBlas guard;
  const arma::mat& a = rows.a[0];
  Gram gram = Gram::zero(a.n_cols, rows.y.n_cols);
  gram.ay = a.t() * rows.y;
  const std::vector<Tile> tiles = upper_tiles(a.n_cols);
  for_each_task(tiles.size(), threads,
                [&](Index t, Index) { add_crossproduct_tile(a, tiles[t], gram.aa); });
  copy_upper_to_lower(gram.aa);
  require_finite(gram.aa.diag());
  return gram;
}

// `a` has the features of all rows.
inline ExactFit exact_primal(const arma::mat& a, const WeightedRows& rows, const Targets& targets,
                             const std::optional<Index>& ones, const arma::vec& lambda,
                             const Threads& threads) {
  const Gram gram = gram_of(rows, threads);
  const Center center = ones ? Center::of(gram, *ones) : Center{};
  ExactFit fit{solve_primal(gram, lambda, center, threads), {}};
  require(!fit.readout.singular, "lambda", "the normal equations are singular");
  fit.left_out =
      sampled_left_out(gram, center, lambda, fit.readout.coefficients, a, targets, threads);
  return fit;
}

}  // namespace detail

// For each readout. An error where a problem is singular.
inline std::vector<ExactFit> exact_fits(const FeatureRows& features, const Targets& targets,
                                        const arma::vec& lambda, const Threads& threads) {
  const RowBlock every{0, features.rows()};
  const std::vector<arma::mat> a = all_features(features, threads);
  std::vector<ExactFit> fits;
  for (Index r = 0; r < a.size(); ++r) {
    const Layout& layout = features.layout(r);
    std::optional<Index> ones;
    if (targets.centered && layout.has_ones()) ones = layout.ones();
    WeightedRows rows{{a[r]}, {}};
    rows.weigh(targets, every);
    if (a[r].n_cols < a[r].n_rows) {
      fits.push_back(detail::exact_primal(a[r], rows, targets, ones, lambda, threads));
      continue;
    }
    const DualProblem dual(std::move(rows.a[0]), std::move(rows.y), ones.has_value(),
                           ones.value_or(0), threads);
    fits.push_back(detail::exact_dual(dual, targets.block(every), targets.block_roots(every),
                                      lambda, threads));
  }
  return fits;
}

}  // namespace cawi

#endif
