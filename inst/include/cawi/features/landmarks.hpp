// Features of a kernel from landmarks Z, some of the training rows: phi(x) = R^-T k(Z, x) with
// k(Z, Z) = R'R. Their inner products are k(x, y) where x or y is a landmark, and the Nystrom
// approximation elsewhere (Williams and Seeger, 2001). With all training rows as landmarks, ridge
// on these features is kernel ridge.
#ifndef CAWI_FEATURES_LANDMARKS_HPP
#define CAWI_FEATURES_LANDMARKS_HPP

#include <algorithm>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "../core/background.hpp"
#include "../core/triangular.hpp"
#include "kernel.hpp"

namespace cawi {

class Landmarks {
 public:
  // `weights` has one landmark per column. Without a root the features are k(x, Z) itself.
  Landmarks(Kernel kernel, const arma::mat& weights, arma::mat root)
      : kernel_(std::move(kernel)), root_(std::move(root)) {
    require(kernel_.inputs() == weights.n_rows, "model", "a metric does not fit its landmarks");
    require(root_.is_empty() || (root_.is_square() && root_.n_rows == weights.n_cols), "model",
            "a root does not fit its landmarks");
    points_ = kernel_.points(weights.t());
    if (!root_.is_empty()) know_landmarks(weights);
  }

  const Kernel& kernel() const { return kernel_; }
  const arma::mat& root() const { return root_; }

  // One column per point: a solve from the left needs no copy of the root.
  arma::mat columns(const KernelPoints& points) const {
    arma::mat k = kernel_.between(points_, points);
    if (!root_.is_empty()) solve_triangular(root_, k, true);
    return k;
  }

  // One row per row. The features of a landmark are its column of the root, so that most rows of a
  // training set cost nothing.
  void write(const arma::mat& input, arma::mat& h) const {
    std::vector<arma::uword> others;
    arma::mat k(points_.count(), input.n_rows);
    for (Index i = 0; i < input.n_rows; ++i) {
      const auto row = arma::conv_to<std::vector<double>>::from(input.row(i));
      const auto found = known_.find(row);
      // A missing value is not in order, but it equals nothing.
      if (found != known_.end() && found->first == row) {
        k.col(i) = root_.col(found->second);
      } else {
        others.push_back(i);
      }
    }
    if (others.size() == input.n_rows) {
      k = columns(kernel_.points(input));
    } else if (!others.empty()) {
      const arma::uvec rows(others);
      k.cols(rows) = columns(kernel_.points(input.rows(rows)));
    }
    h = k.t();
  }

 private:
  // A landmark whose kernel is zero stands for a layer that has none.
  void know_landmarks(const arma::mat& weights) {
    const arma::vec itself = kernel_.itself(points_);
    for (Index j = 0; j < weights.n_cols; ++j) {
      if (itself[j] > 0.0) {
        known_.emplace(arma::conv_to<std::vector<double>>::from(weights.col(j)), j);
      }
    }
  }

  Kernel kernel_;
  arma::mat root_;
  KernelPoints points_;
  std::map<std::vector<double>, Index> known_;
};

// Landmarks among some rows: their numbers, best first, and the border that they add to the root:
// [R, beside; 0, root].
struct NewLandmarks {
  arma::uvec rows;
  arma::mat beside, root;
};

namespace detail {

// P'SP = R'R of a semidefinite matrix; the pivots are chosen greedily by what is left of the
// diagonal, until that is below the tolerance.
struct PivotedCholesky {
  arma::mat s;
  double tolerance = 0.0;
  arma::uvec pivots;

  void operator()() {
    // LAPACK takes the first pivot whatever its size.
    if (s.diag().max() <= tolerance) return;
    const SingleThreadedBlas guard;
    char uplo = 'U';
    auto n = static_cast<arma::blas_int>(s.n_rows);
    arma::blas_int rank = 0, info = 0;
    arma::podarray<arma::blas_int> order(s.n_rows);
    arma::podarray<double> work(2 * s.n_rows);
    arma::lapack::pstrf(&uplo, &n, s.memptr(), &n, order.memptr(), &rank, &tolerance, work.memptr(),
                        &info);
    pivots.set_size(static_cast<Index>(std::max<arma::blas_int>(rank, 0)));
    for (Index k = 0; k < pivots.n_elem; ++k) pivots[k] = static_cast<Index>(order[k]) - 1;
  }
};

// The upper triangle of k(x, x) - phi(x) phi(x)', block by block of columns.
inline arma::mat residual_kernel(const Kernel& kernel, const KernelPoints& points,
                                 const arma::mat& phi, const Threads& threads) {
  const SingleThreadedBlas guard;
  arma::mat s(points.count(), points.count());
  const RowBlocks blocks(points.count(), 128);
  for_each_task(blocks.count(), threads, [&](Index b, Index) {
    const RowBlock block = blocks[b];
    const KernelPoints above = points.some({0, block.end()}), own = points.some(block);
    arma::mat part = kernel.between(above, own);
    if (!phi.is_empty()) {
      part -= phi.head_cols(block.end()).t() * phi.cols(block.first, block.last());
    }
    s.submat(0, block.first, block.last(), block.last()) = part;
  });
  return s;
}

}  // namespace detail

// The best landmarks among some rows, beside those that are known, at most `most`.
inline NewLandmarks choose_landmarks(const Landmarks& known, const arma::mat& rows, Index most,
                                     const Threads& threads) {
  const KernelPoints points = known.kernel().points(rows);
  const bool first = known.root().is_empty();
  const arma::mat phi = first ? arma::mat() : known.columns(points);
  // Products of squares must stay in range.
  require(points.squares.is_finite() && points.squares.max() < 1e150, "hidden",
          "the features are too large for the kernel of infinitely many nodes");
  const double largest = known.kernel().itself(points).max();
  // Beside known landmarks, rounding of what they reach leaves more than of the kernel itself.
  const double rounding =
      static_cast<double>(points.count()) * std::numeric_limits<double>::epsilon();
  const double least = first ? rounding : std::max(rounding, 1e-10);
  detail::PivotedCholesky factor;
  factor.s = detail::residual_kernel(known.kernel(), points, phi, threads);
  factor.tolerance = least * largest;
  factor = in_background(std::move(factor), threads);
  NewLandmarks fresh;
  const Index count = std::min<Index>(factor.pivots.n_elem, most);
  fresh.beside.set_size(first ? 0 : phi.n_rows, 0);
  if (count == 0) return fresh;
  fresh.rows = factor.pivots.head(count);
  fresh.root = arma::trimatu(factor.s.submat(0, 0, arma::size(count, count)));
  if (!first) fresh.beside = phi.cols(fresh.rows);
  return fresh;
}

// The share of the kernel's trace over some rows that landmarks do not reach.
inline double landmark_error(const Landmarks& landmarks, const arma::mat& rows) {
  const SingleThreadedBlas guard;
  const KernelPoints points = landmarks.kernel().points(rows);
  const double whole = arma::accu(landmarks.kernel().itself(points));
  const double reached = arma::accu(arma::square(landmarks.columns(points)));
  return whole > 0.0 ? std::clamp(1.0 - reached / whole, 0.0, 1.0) : 0.0;
}

}  // namespace cawi

#endif
