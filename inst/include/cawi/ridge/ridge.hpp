// The exact ridge readout: one solve at a given lambda, and the whole path of lambdas with exact
// leave-one-out errors from one eigendecomposition.
#ifndef CAWI_RIDGE_RIDGE_HPP
#define CAWI_RIDGE_RIDGE_HPP

#include "center.hpp"

namespace cawi {

// The factor R of R'R into the upper triangle; what is below stays. False if there is none, and the
// matrix is lost.
inline bool factorize_in_place(arma::mat& s) {
  char uplo = 'U';
  auto n = static_cast<arma::blas_int>(s.n_rows);
  arma::blas_int info = 0;
  arma::lapack::potrf(&uplo, &n, s.memptr(), &n, &info);
  return info == 0;
}

// R^{-T} b or R^{-1} b in place, R the upper triangle, or as much of its leading part as b has rows.
// arma::solve() would estimate the condition of R each time, which costs as much as the solve.
inline void solve_triangular(const arma::mat& upper, arma::mat& b, bool transposed) {
  char uplo = 'U', trans = transposed ? 'T' : 'N', diag = 'N';
  auto n = static_cast<arma::blas_int>(b.n_rows), right = static_cast<arma::blas_int>(b.n_cols);
  auto rows = static_cast<arma::blas_int>(upper.n_rows);
  arma::blas_int info = 0;
  arma::lapack::trtrs(&uplo, &trans, &diag, &n, &right, upper.memptr(), &rows, b.memptr(), &n, &info);
  require(info == 0, "lambda", "a triangular system is singular");
}

// B with B B' the pseudo-inverse of a symmetric positive semidefinite matrix.
inline arma::mat inverse_root(const arma::mat& s) {
  arma::vec values;
  arma::mat vectors;
  require(arma::eig_sym(values, vectors, s, "dc"), "lambda", "the eigendecomposition failed");
  const double cut = values.max() * static_cast<double>(s.n_rows) * 2.3e-16;
  for (double& v : values) v = v > cut ? 1.0 / std::sqrt(v) : 0.0;
  vectors.each_row() %= values.t();
  return vectors;
}

// Minimum-norm solution of a symmetric positive semidefinite system.
inline arma::mat solve_semidefinite(const arma::mat& s, const arma::mat& b) {
  const arma::mat root = inverse_root(s);
  return root * (root.t() * b);
}

// Is the factor of an unpenalised problem good enough to be used?
inline bool well_conditioned(const arma::mat& upper) {
  return upper.diag().min() >= 1e-8 * std::sqrt(static_cast<double>(upper.n_rows)) * upper.diag().max();
}

// What a fit without the row would predict for it: y - e / (1 - h).
inline arma::mat without_row(const arma::mat& y, const arma::mat& fitted, arma::vec leverage,
                             const arma::vec& weights) {
  if (!weights.is_empty()) leverage %= weights;
  arma::mat gap = y - fitted;
  gap.each_col() /= arma::vec(arma::clamp(1.0 - leverage, 1e-12, 1.0));
  return y - gap;
}

// (S + lambda I)^{-1} B by Cholesky; `singular` says that the minimum-norm solution was needed.
inline arma::mat solve_shifted(arma::mat s, double lambda, const arma::mat& b, bool& singular) {
  s.diag() += lambda;
  arma::mat upper = s;
  const bool factored = factorize_in_place(upper);
  singular = !factored || (lambda <= 0.0 && !well_conditioned(upper));
  if (singular) return solve_semidefinite(s, b);
  arma::mat solution = b;
  solve_triangular(upper, solution, true);
  solve_triangular(upper, solution, false);
  return solution;
}

struct Readout {
  arma::mat coefficients;  // features x outputs
  bool singular = false;
};

// Calls solve(lambda, outputs) for every distinct penalty: one factor serves the outputs that share it.
template <class Solve>
void for_each_penalty(const arma::vec& lambda, Index outputs, const Solve& solve) {
  require(lambda.n_elem == 1 || lambda.n_elem == outputs, "lambda", "there must be one penalty per output");
  if (lambda.n_elem == 1) return solve(lambda[0], arma::regspace<arma::uvec>(0, outputs - 1));
  for (const double value : arma::vec(arma::unique(lambda))) solve(value, arma::uvec(arma::find(lambda == value)));
}

// `lambda` has one penalty, or one per output. With `center` the intercept has none.
inline Readout solve_primal(Gram gram, const arma::vec& lambda, const Center& center) {
  center.apply(gram);
  Readout readout;
  readout.coefficients.set_size(arma::size(gram.ay));
  for_each_penalty(lambda, gram.ay.n_cols, [&](double value, const arma::uvec& outputs) {
    bool singular = false;
    readout.coefficients.cols(outputs) = solve_shifted(gram.aa, value, gram.ay.cols(outputs), singular);
    readout.singular = readout.singular || singular;
  });
  center.intercept(readout.coefficients);
  return readout;
}

// A A' of weighted rows, centered with Y where the intercept has no penalty.
struct Kernel {
  arma::mat rows, y, kernel;
  Center center;

  Kernel(arma::mat a, arma::mat targets, bool centered, Index ones) : rows(std::move(a)), y(std::move(targets)) {
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

inline Readout solve_dual(const Kernel& dual, const arma::vec& lambda) {
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

// Leave-one-out scores of a primal fit, for some of its rows: one triangular solve per row instead of an
// eigendecomposition.
inline arma::mat left_out_scores(Gram gram, const arma::vec& lambda, const Center& center,
                                 const arma::mat& coefficients, const arma::mat& a, const arma::mat& y,
                                 const arma::vec& weights) {
  center.apply(gram);
  const arma::mat fitted = a * coefficients;
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
    scores.cols(outputs) = without_row(y.cols(outputs), fitted.cols(outputs), leverage, weights);
  });
  return scores;
}

// Leave-one-out of every lambda. Row i of a ridge fit has the leave-one-out residual
// e_i / (1 - h_ii).
struct LeaveOneOut {
  arma::mat squared_error;  // weighted sums over rows, lambdas x outputs
  arma::vec correct;        // weight of the rows whose class is right (classification)
  arma::vec freedom;        // effective degrees of freedom, trace of the hat matrix
};

class RidgePath {
 public:
  // Primal: spectrum of A'WA, centered where the intercept has no penalty.
  RidgePath(Gram gram, const Center& center, const Threads& threads)
      : threads_(threads), dual_(false), center_(center) {
    center_.apply(gram);
    decompose(gram.aa);
    projected_ = basis_.t() * gram.ay;
  }

  // Dual: spectrum of AA', rows already weighted.
  RidgePath(const arma::mat& kernel, const arma::mat& y, const Center& center, const Threads& threads)
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

  // Of the dual: (AA' + lambda I)^{-1} Y, and leave-one-out scores of some of the rows.
  arma::mat dual_coefficients(double lambda) const {
    return basis_ * (arma::diagmat(inverse(lambda)) * projected_);
  }
  arma::mat dual_left_out(const arma::uvec& rows, const arma::mat& y, const arma::vec& root,
                          double lambda) const {
    return left_out_scores({basis_.rows(rows), root}, y, lambda);
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
    for_each_block(features, lanes, threads_, [&](Index lane, Index first, Index rows) {
      const Rotated block = rotate(features, targets, first, rows);
      const arma::mat y = targets.block(first, rows);
      for (Index l = 0; l < count; ++l) {
        const arma::mat left_out = left_out_scores(block, y, lambdas[l]);
        for (Index i = 0; i < rows; ++i) {
          const double w = targets.weights.is_empty() ? 1.0 : targets.weights[first + i];
          error.slice(lane).row(l) += w * arma::square(y.row(i) - left_out.row(i));
          if (targets.classes.empty()) continue;
          if (left_out.row(i).index_max() == static_cast<arma::uword>(targets.classes[first + i])) {
            correct(l, lane) += w;
          }
        }
      }
    });
    LeaveOneOut loo{arma::sum(error, 2), arma::sum(correct, 1), arma::vec(count)};
    for (Index l = 0; l < count; ++l) loo.freedom[l] = freedom(lambdas[l]);
    return loo;
  }

  // Leave-one-out scores of the given rows (all of them, or a sample), with one penalty or one per output.
  arma::mat scores(const FeatureRows& features, const Targets& targets, const arma::vec& lambda) const {
    arma::mat out(features.rows(), targets.outputs);
    for_each_block(features, 8, threads_, [&](Index, Index first, Index rows) {
      const Rotated block = rotate(features, targets, first, rows);
      const arma::mat y = targets.block(first, rows);
      for_each_penalty(lambda, targets.outputs, [&](double value, const arma::uvec& outputs) {
        const arma::mat part = left_out_scores(block, y, value);
        for (const arma::uword k : outputs) out.submat(first, k, first + rows - 1, k) = part.col(k);
      });
    });
    return out;
  }

 private:
  // Rows in the basis of the eigenvectors, weighted, with their root weights.
  struct Rotated {
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

  // Which eigenvector is that of the ones: in the dual the one with the largest eigenvalue, in the primal the axis
  // of their column.
  Index ones_value() const {
    return dual_ ? values_.n_elem - 1 : arma::abs(basis_.row(center_.ones)).index_max();
  }

  // In the null space of an unpenalised problem: zero in the primal, the limit of a vanishing penalty
  // in the dual. The ones of the dual are no part of the penalized problem.
  arma::vec inverse(double lambda) const {
    arma::vec result = values_ + lambda;
    const double none = dual_ ? 1.0 / smallest_ : 0.0;
    result.transform([&](double v) { return v > 0.0 ? 1.0 / v : none; });
    if (dual_ && center_.active) result[ones_value()] = 0.0;
    return result;
  }

  Rotated rotate(const FeatureRows& features, const Targets& targets, Index first,
                 Index rows) const {
    Rotated block;
    block.root = targets.root_weights(first, rows);
    if (dual_) {
      block.rows = basis_.rows(first, first + rows - 1);
      return block;
    }
    arma::mat a = features.block(first, rows);
    center_.rows(a);
    if (!block.root.is_empty()) a.each_col() %= block.root;
    block.rows = a * basis_;
    return block;
  }

  // What a fit without the row would predict for it, on the scale of y.
  arma::mat left_out_scores(const Rotated& block, arma::mat y, double lambda) const {
    const arma::vec shrunk = inverse(lambda);
    const arma::mat half = block.rows * (arma::diagmat(shrunk) * projected_);
    arma::vec weight = arma::square(block.rows) * shrunk;
    const arma::mat raw = y;
    if (center_.active && !dual_) {
      y.each_row() -= center_.y;
      weight += block.root.is_empty() ? arma::vec(block.rows.n_rows, arma::fill::value(1.0 / center_.weight))
                                      : arma::vec(arma::square(block.root) / center_.weight);
    }
    if (!block.root.is_empty()) y.each_col() %= block.root;
    // Dual: residuals are ratios of (K + lambda I)^-1 y and the diagonal of (K + lambda I)^-1, right
    // even where the fit interpolates. Primal: e_i / (1 - h_ii).
    arma::mat gap = dual_ ? half : arma::mat(y - half);
    gap.each_col() /= dual_ ? weight : arma::vec(arma::clamp(1.0 - weight, 1e-12, 1.0));
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
