// The intercept of a numeric outcome has no penalty. The columns of A and of Y are centered at
// their weighted means, which makes them orthogonal to the ones; the ones then take no part in the
// penalized problem, and the intercept follows from the means. The column of ones stays where it
// is, so that no column changes its number.
#ifndef CAWI_RIDGE_CENTER_HPP
#define CAWI_RIDGE_CENTER_HPP

#include <algorithm>

#include "gram.hpp"

namespace cawi {

struct Center {
  bool active = false;
  Index ones = 0;       // column of the ones
  double weight = 0.0;  // sum of the case weights
  arma::rowvec a, y;    // means; that of the ones is one
  double size = 0.0;    // eigenvalue of the ones in a kernel, where they were added to it

  // More than any eigenvalue of a kernel.
  static double largest(const arma::mat& kernel) {
    const double trace = arma::trace(kernel);
    return trace > 0.0 ? 2.0 * trace : 1.0;
  }

  // From sums over rows: the row of the ones has the weighted sums of all columns.
  static Center of(const Gram& gram, Index ones) {
    Center center;
    center.active = true;
    center.ones = ones;
    center.weight = gram.aa(ones, ones);
    require(center.weight > 0.0, "model", "the sum of the case weights is not positive");
    center.a = gram.aa.row(ones) / center.weight;
    center.y = gram.ay.row(ones) / center.weight;
    return center;
  }

  // Turns sums over rows into sums over centered rows. The ones become a problem of their own,
  // whose diagonal may be anything but zero.
  void apply(Gram& gram) const {
    if (!active) return;
    const arma::vec squares = gram.aa.diag();
    for (Index j = 0; j < gram.aa.n_cols; ++j) {
      const double factor = weight * a[j];
      double* column = gram.aa.colptr(j);
      for (Index i = 0; i < gram.aa.n_rows; ++i) column[i] -= factor * a[i];
    }
    gram.ay -= weight * (a.t() * y);
    clear(ones, gram);
    gram.aa(ones, ones) = weight;
    // Where a column does not vary, what rounding left would be taken for a variance, and the
    // column would share the intercept.
    for (Index j = 0; j < gram.aa.n_cols; ++j) {
      if (gram.aa(j, j) <= 1e-13 * squares[j]) clear(j, gram);
    }
  }

  // Rows of A, or of its leading columns; the ones become zero.
  void rows(arma::mat& block) const {
    if (active) block.each_row() -= a.head(block.n_cols);
  }
  void transposed_rows(arma::mat& block) const {
    if (active) block.each_col() -= a.head(block.n_rows).t();
  }

  // Writes the intercepts into coefficients of the leading columns. The coefficients have
  // `repeats` sets of outputs side by side.
  void intercept(arma::mat& coefficients, Index repeats = 1) const {
    if (!active) return;
    coefficients.row(ones).zeros();
    coefficients.row(ones) =
        arma::repmat(y, 1, repeats) - a.head(coefficients.n_rows) * coefficients;
  }

 private:
  static void clear(Index column, Gram& gram) {
    gram.aa.row(column).zeros();
    gram.aa.col(column).zeros();
    gram.ay.row(column).zeros();
  }
};

// The same for weighted rows of A and Y, which it centers. In them the column of ones is the root
// of the case weights.
class CenteredRows {
 public:
  CenteredRows(arma::mat& a, arma::mat& y, Index ones) : root_(a.col(ones)) {
    center_.active = true;
    center_.ones = ones;
    center_.weight = arma::dot(root_, root_);
    require(center_.weight > 0.0, "model", "the sum of the case weights is not positive");
    center_.a = root_.t() * a / center_.weight;
    center_.y = root_.t() * y / center_.weight;
    const arma::rowvec squares = arma::sum(arma::square(a), 0);
    squares_ = arma::accu(squares);
    a -= root_ * center_.a;
    y -= root_ * center_.y;
    a.col(ones).zeros();
    // What rounding leaves of a column that does not vary is not orthogonal to the ones.
    for (Index j = 0; j < a.n_cols; ++j) {
      if (arma::dot(a.col(j), a.col(j)) <= 1e-26 * squares[j]) a.col(j).zeros();
    }
  }

  const Center& center() const { return center_; }

  // All other columns are orthogonal to the ones: in the kernel the ones get an eigenvector of
  // their own, with the largest eigenvalue, which stands for "no penalty". Returns that eigenvalue.
  // Where columns hardly vary, rounding leaves them not quite orthogonal to the ones, and must be
  // small beside these.
  double add_ones(arma::mat& kernel) const {
    const double size = std::max(Center::largest(kernel), 1e-10 * squares_);
    kernel += (root_ * root_.t()) * (size / center_.weight);
    return size;
  }

 private:
  arma::vec root_;
  double squares_ = 0.0;  // of all rows before they were centered
  Center center_;
};

}  // namespace cawi

#endif
