// The ridge problems of all penalties from one eigendecomposition. With S = V diag(v) V', a penalty
// changes only the factors 1 / (v + lambda), so that all penalties share the products with V.
#ifndef CAWI_RIDGE_SPECTRUM_HPP
#define CAWI_RIDGE_SPECTRUM_HPP

#include <algorithm>
#include <limits>
#include <utility>

#include "center.hpp"
#include "solvers.hpp"

namespace cawi {

// What a spectrum makes of some penalties.
struct Shrinkage {
  arma::mat inverse;  // 1 / (v + lambda), values x penalties
  arma::mat stacked;  // the same times V'B, the right-hand sides of a penalty side by side
};

class Spectrum {
 public:
  // Primal: of the sums A'WA, with the right-hand sides A'WY, centered where the center is active.
  static Spectrum primal(Gram gram, const Center& center, const Threads& threads) {
    Spectrum spectrum(false, center);
    spectrum.find(std::move(gram.aa), gram.ay, threads);
    return spectrum;
  }

  // Dual: of the kernel AA', with the right-hand sides Y. Rows are weighted and centered.
  static Spectrum dual(arma::mat kernel, const arma::mat& y, const Center& center,
                       const Threads& threads) {
    Spectrum spectrum(true, center);
    spectrum.find(std::move(kernel), y, threads);
    return spectrum;
  }

  const arma::mat& basis() const { return basis_; }

  // Eigenvalues of the penalized columns.
  arma::vec penalized() const {
    if (!center_.active) return values_;
    arma::vec rest = values_;
    rest.shed_row(ones_value());
    return rest;
  }

  // Effective degrees of freedom, the trace of the hat matrix.
  double freedom(double lambda) const {
    double total = center_.active ? 1.0 : 0.0;
    for (const double v : penalized()) total += v > 0.0 ? v / (v + lambda) : 0.0;
    return total;
  }

  Shrinkage shrinkage(const arma::vec& lambdas) const {
    Shrinkage shrinkage;
    const Index outputs = projected_.n_cols;
    shrinkage.inverse.set_size(values_.n_elem, lambdas.n_elem);
    shrinkage.stacked.set_size(values_.n_elem, lambdas.n_elem * outputs);
    for (Index l = 0; l < lambdas.n_elem; ++l) {
      const arma::vec inverse = this->inverse(lambdas[l]);
      shrinkage.inverse.col(l) = inverse;
      for (Index k = 0; k < outputs; ++k) {
        shrinkage.stacked.col(l * outputs + k) = inverse % projected_.col(k);
      }
    }
    return shrinkage;
  }

  // (S + lambda I)^{-1} B; `singular` says that it is the solution of least norm.
  arma::mat solve(double lambda, const arma::mat& b, bool& singular) const {
    arma::vec inverse = this->inverse(lambda);
    singular = !is_penalized(lambda) && values_.min() <= 0.0;
    if (singular) inverse.elem(arma::find(values_ <= 0.0)).zeros();
    arma::mat projected = basis_.t() * b;
    projected.each_col() %= inverse;
    return basis_ * projected;
  }

  // Takes the null space out of the stacked products of a dual problem without penalty: its limit,
  // which leave-one-out needs, is so large that rounding would bring it into the coefficients.
  // False where there is none.
  bool drop_null_space(const arma::vec& lambdas, Shrinkage& shrinkage) const {
    const arma::uvec zero = arma::find(values_ <= 0.0);
    const arma::uvec penalties = arma::find(lambdas <= rounding_);
    if (zero.is_empty() || penalties.is_empty()) return false;
    const Index outputs = projected_.n_cols;
    for (const arma::uword l : penalties) {
      for (Index k = 0; k < outputs; ++k) {
        double* column = shrinkage.stacked.colptr(l * outputs + k);
        for (const arma::uword i : zero) column[i] = 0.0;
      }
    }
    return true;
  }

 private:
  Spectrum(bool dual, const Center& center) : dual_(dual), center_(center) {}

  void find(arma::mat s, const arma::mat& right, const Threads& threads) {
    Eigensystem system = decompose(std::move(s), "lambda", threads);
    values_ = std::move(system.values);
    basis_ = std::move(system.vectors);
    // Rounding leaves tiny negative values where there should be zeros.
    const double size = static_cast<double>(values_.n_elem);
    const double cut = std::max(values_.max(), 0.0) * size * 2.3e-16;
    values_.transform([&](double v) { return v > cut ? v : 0.0; });
    smallest_ = std::max(cut, std::numeric_limits<double>::min());
    rounding_ = std::max(2.3e-16 * values_.max(), std::numeric_limits<double>::min());
    projected_ = basis_.t() * right;
  }

  // A penalty that rounding of the largest value hides is none: in the null space it would divide
  // what rounding left there.
  bool is_penalized(double lambda) const { return lambda > rounding_; }

  // The eigenvector of the ones: in the dual the one with the largest eigenvalue, in the primal
  // the axis of their column.
  Index ones_value() const {
    return dual_ ? values_.n_elem - 1 : arma::abs(basis_.row(center_.ones)).index_max();
  }

  // In the null space of a problem without penalty: zero in the primal, the limit of a vanishing
  // penalty in the dual. In the dual the ones are no part of the penalized problem.
  arma::vec inverse(double lambda) const {
    arma::vec result = values_;
    const double none = is_penalized(lambda) ? 1.0 / lambda : dual_ ? 1.0 / smallest_ : 0.0;
    result.transform([&](double v) { return v > 0.0 ? 1.0 / (v + lambda) : none; });
    if (dual_ && center_.active) result[ones_value()] = 0.0;
    return result;
  }

  bool dual_;
  Center center_;
  arma::vec values_;
  double smallest_ = 0.0, rounding_ = 0.0;
  arma::mat basis_, projected_;
};

}  // namespace cawi

#endif
