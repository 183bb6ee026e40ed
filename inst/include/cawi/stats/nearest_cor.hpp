// The nearest correlation matrix in the Frobenius norm whose eigenvalues are at least `floor`.
//
// Newton's method on the dual (Qi and Sun 2006; Borsdorf and Higham 2010). With B = A - floor I and
// b = 1 - floor the answer is floor I + (B + Diag(y))_+, where y solves diag((B + Diag(y))_+) = b:
//  1. Eigendecompose B + Diag(y) = P diag(l) P'.
//  2. Stop when the gradient diag(P l_+ P') - b is small.
//  3. Solve the Newton system by conjugate gradients; its matrix acts as
//     h -> diag(P (W o (P' Diag(h) P)) P') with W the divided differences of l_+.
//  4. Armijo line search on the dual objective.
#ifndef CAWI_STATS_NEAREST_COR_HPP
#define CAWI_STATS_NEAREST_COR_HPP

#include <cmath>
#include <limits>
#include <utility>

#include "../core/eigen.hpp"

namespace cawi {

namespace detail {

class NearestCorrelation {
 public:
  NearestCorrelation(const arma::mat& a, double floor, void (*poll)())
      : poll_(poll), b_(a), target_(1.0 - floor), floor_(floor), y_(a.n_rows, arma::fill::zeros) {
    b_.diag() -= floor;
    // Start where the diagonal is right before the projection.
    y_ = target_ - b_.diag();
    decompose(y_);
  }

  arma::mat solve() {
    const double tolerance = 1e-9 * std::sqrt(static_cast<double>(b_.n_rows));
    for (int iteration = 0; iteration < 200; ++iteration) {
      const double size = arma::norm(gradient_);
      if (size <= tolerance) break;
      line_search(newton_direction(std::min(0.1, 0.1 * size)));
      if (stalled_) break;
    }
    // Entries far beyond one leave no digits for a diagonal of ones.
    require(arma::norm(gradient_) <= 1e3 * tolerance, "r",
            "no nearest correlation matrix was found, because entries are too far from one");
    arma::mat r = positive_part();
    r.diag() += floor_;
    // Scaling removes what the stopping rule left on the diagonal, and keeps definiteness.
    const arma::vec factor = 1.0 / arma::sqrt(r.diag());
    r.each_col() %= factor;
    r.each_row() %= factor.t();
    r.diag().ones();
    return arma::symmatu(r);
  }

 private:
  void decompose(const arma::vec& y) {
    if (poll_) poll_();
    arma::mat shifted = b_;
    shifted.diag() += y;
    Eigensystem system = cawi::decompose(std::move(shifted), "r", Threads{1, poll_});
    values_ = std::move(system.values);
    vectors_ = std::move(system.vectors);
    first_positive_ = 0;
    while (first_positive_ < values_.n_elem && values_[first_positive_] <= 0.0) ++first_positive_;
    gradient_.set_size(y.n_elem);
    objective_ = -target_ * arma::accu(y);
    gradient_.fill(-target_);
    for (Index k = first_positive_; k < values_.n_elem; ++k) {
      gradient_ += values_[k] * arma::square(vectors_.col(k));
      objective_ += 0.5 * values_[k] * values_[k];
    }
  }

  arma::mat positive_part() const {
    if (first_positive_ == values_.n_elem) {
      return arma::mat(b_.n_rows, b_.n_rows, arma::fill::zeros);
    }
    arma::mat half = vectors_.cols(first_positive_, values_.n_elem - 1);
    half.each_row() %= arma::sqrt(values_.subvec(first_positive_, values_.n_elem - 1)).t();
    return half * half.t();
  }

  // W of step 3 between positive (rows) and non-positive (columns) eigenvalues; it is one between
  // positive ones and zero between the others.
  arma::mat divided_differences() const {
    const Index positive = values_.n_elem - first_positive_;
    arma::mat w(positive, first_positive_);
    for (Index j = 0; j < first_positive_; ++j) {
      for (Index i = 0; i < positive; ++i) {
        const double l = values_[first_positive_ + i];
        w(i, j) = l / (l - values_[j]);
      }
    }
    return w;
  }

  // diag(P (W o (P'HP)) P') with P = [N | Q] split at the sign: twice the mixed block plus the
  // positive block, whose part of P'HP is Q'HQ.
  arma::vec apply_hessian(const arma::vec& h, const arma::mat& w) const {
    const arma::mat negative = vectors_.head_cols(first_positive_);
    const arma::mat positive = vectors_.tail_cols(values_.n_elem - first_positive_);
    arma::mat scaled = positive;
    scaled.each_col() %= h;
    arma::mat middle = 0.5 * positive * (positive.t() * scaled);
    if (first_positive_ > 0) middle += negative * (w % (scaled.t() * negative)).t();
    return 2.0 * arma::sum(middle % positive, 1) + regularization * h;
  }

  arma::vec hessian_diagonal(const arma::mat& w) const {
    const arma::mat negative = arma::square(vectors_.head_cols(first_positive_));
    const arma::mat positive = arma::square(vectors_.tail_cols(values_.n_elem - first_positive_));
    const arma::vec weight = arma::sum(positive, 1);
    arma::vec diagonal = weight % weight;
    if (first_positive_ > 0) diagonal += 2.0 * arma::sum((positive * w) % negative, 1);
    return arma::clamp(diagonal + regularization, 1e-8, infinity_);
  }

  arma::vec newton_direction(double relative_tolerance) const {
    const arma::mat w = divided_differences();
    const arma::vec diagonal = hessian_diagonal(w);
    arma::vec x(y_.n_elem, arma::fill::zeros), residual = -gradient_;
    arma::vec z = residual / diagonal, p = z;
    double rz = arma::dot(residual, z);
    const double target = relative_tolerance * arma::norm(residual);
    for (int k = 0; k < 200 && arma::norm(residual) > target; ++k) {
      if (poll_) poll_();
      const arma::vec q = apply_hessian(p, w);
      const double step = rz / arma::dot(p, q);
      x += step * p;
      residual -= step * q;
      z = residual / diagonal;
      const double next = arma::dot(residual, z);
      p = z + (next / rz) * p;
      rz = next;
    }
    return x;
  }

  void line_search(const arma::vec& direction) {
    const arma::vec start = y_;
    const double before = objective_, slope = arma::dot(gradient_, direction);
    double step = 1.0;
    for (int k = 0; k < 30; ++k, step *= 0.5) {
      y_ = start + step * direction;
      decompose(y_);
      // Rounding of the objective hides the last digits of progress.
      if (objective_ <= before + 1e-4 * step * slope + 1e-12 * std::abs(before)) return;
    }
    stalled_ = true;
  }

  static constexpr double regularization = 1e-10;
  static constexpr double infinity_ = std::numeric_limits<double>::infinity();

  void (*poll_)();
  arma::mat b_;
  double target_, floor_;
  arma::vec y_, values_, gradient_;
  arma::mat vectors_;
  double objective_ = 0.0;
  Index first_positive_ = 0;
  bool stalled_ = false;
};

}  // namespace detail

// Cholesky with all pivots clearly positive.
inline bool is_positive_definite(const arma::mat& r, arma::mat& lower) {
  return arma::chol(lower, r, "lower") && lower.diag().min() > 1e-7;
}

// Ones on the diagonal, symmetric, no entry beyond one but for rounding, and no negative eigenvalue
// but for rounding. False if there is a NaN.
inline bool is_correlation(const arma::mat& r) {
  const Index d = r.n_rows;
  if (r.n_cols != d) return false;
  bool sound = true;
  for (Index j = 0; j < d; ++j) {
    const double* column = r.colptr(j);
    for (Index i = 0; i < j; ++i) {
      sound = sound && std::abs(column[i]) <= 1.0 + 1e-12 && std::abs(r.at(j, i)) <= 1.0 + 1e-12 &&
              std::abs(column[i] - r.at(j, i)) <= 1e-12;
    }
    if (!sound || column[j] != 1.0) return false;
  }
  const SingleThreadedBlas guard;
  arma::mat lower;
  if (arma::chol(lower, r, "lower")) return true;
  arma::vec values;
  return arma::eig_sym(values, r) && values.min() >= -1e-8;
}

// `r` is symmetric. A correlation matrix whose eigenvalues reach the floor comes back as it is; the
// shifted matrix then has a Cholesky factor. `poll` may throw to stop the work.
inline arma::mat nearest_correlation(const arma::mat& r, double floor = 1e-8,
                                     void (*poll)() = nullptr) {
  const SingleThreadedBlas guard;
  arma::mat lower, shifted = r;
  shifted.diag() -= floor;
  const bool unit_diagonal = arma::all(r.diag() == 1.0);
  if (unit_diagonal && arma::chol(lower, shifted, "lower")) return r;
  return detail::NearestCorrelation(r, floor, poll).solve();
}

}  // namespace cawi

#endif
