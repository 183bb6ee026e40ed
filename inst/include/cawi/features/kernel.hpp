// The limit of infinitely many nodes. The products of H / sqrt(h), h nodes whose weights are drawn
// independently, go to k(x, y) = E[node(x) node(y)], a kernel in closed form (Rahimi and Recht,
// 2007, for sines; Cho and Saul, 2009, for relu). With d = x - y, in units in which the weights of
// the distribution have scale one and no correlation:
//   gaussian     exp(-|d|^2 / 2) / 2       sine with a phase, normal weights
//   laplace      exp(-sum |d_j|) / 2       sine with a phase, independent Cauchy weights
//   exponential  exp(-|d|) / 2             sine with a phase, t with one degree of freedom
//   sinc         prod sin(d_j) / d_j / 2   sine with a phase, independent uniform weights
//   radbas       det(I + 2 C)^(-1/2)       no bias, normal weights; C has x'x, x'y and y'y
//   relu         |x||y| (sin t + (pi - t) cos t) / (2 pi)   the same; t is the angle of x and y
#ifndef CAWI_FEATURES_KERNEL_HPP
#define CAWI_FEATURES_KERNEL_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../core/blocks.hpp"
#include "../core/errors.hpp"
#include "../core/vectors.hpp"

namespace cawi {

// Points in the units of a kernel, one per row, and their squared lengths.
struct KernelPoints {
  arma::mat at;
  arma::vec squares;

  Index count() const { return at.n_rows; }
};

namespace detail {

// Some points beside one other point.
struct PointsBeside {
  const KernelPoints& points;
  RowBlock range;
  const KernelPoints& others;
  Index other;

  Index count() const { return range.count; }
  const double* coordinate(Index j) const { return points.at.colptr(j) + range.first; }
  double other_coordinate(Index j) const { return others.at(other, j); }
  const double* squares() const { return points.squares.memptr() + range.first; }
  double other_square() const { return others.squares[other]; }
};

// exp(-v) / 2.
inline void half_exponential(double* v, Index n) {
  for (Index k = 0; k < n; ++k) v[k] = -v[k];
  exp_in_place(v, n);
  for (Index k = 0; k < n; ++k) v[k] *= 0.5;
}

// The functions below write the values of a kernel over inner products, where they need them.
inline void gaussian_kernel(const PointsBeside& p, double* v) {
  const double* squares = p.squares();
  const double square = p.other_square();
  for (Index k = 0; k < p.count(); ++k) {
    v[k] = std::max(0.5 * (squares[k] + square) - v[k], 0.0);
  }
  half_exponential(v, p.count());
}

inline void laplace_kernel(const PointsBeside& p, double* v) {
  std::fill(v, v + p.count(), 0.0);
  for (Index j = 0; j < p.points.at.n_cols; ++j) {
    const double* z = p.coordinate(j);
    const double x = p.other_coordinate(j);
    for (Index k = 0; k < p.count(); ++k) v[k] += std::abs(z[k] - x);
  }
  half_exponential(v, p.count());
}

// From differences: the root would make rounding of |x|^2 + |y|^2 - 2 x'y half as many digits.
inline void exponential_kernel(const PointsBeside& p, double* v) {
  std::fill(v, v + p.count(), 0.0);
  for (Index j = 0; j < p.points.at.n_cols; ++j) {
    const double* z = p.coordinate(j);
    const double x = p.other_coordinate(j);
    for (Index k = 0; k < p.count(); ++k) v[k] += (z[k] - x) * (z[k] - x);
  }
  for (Index k = 0; k < p.count(); ++k) v[k] = std::sqrt(v[k]);
  half_exponential(v, p.count());
}

inline void sinc_kernel(const PointsBeside& p, double* v) {
  std::vector<double> gap(p.count()), sine(p.count());
  std::fill(v, v + p.count(), 0.5);
  for (Index j = 0; j < p.points.at.n_cols; ++j) {
    const double* z = p.coordinate(j);
    const double x = p.other_coordinate(j);
    for (Index k = 0; k < p.count(); ++k) sine[k] = gap[k] = z[k] - x;
    sine_in_place(sine.data(), p.count());
    for (Index k = 0; k < p.count(); ++k) v[k] *= gap[k] == 0.0 ? 1.0 : sine[k] / gap[k];
  }
}

inline void radbas_kernel(const PointsBeside& p, double* v) {
  const double* squares = p.squares();
  const double square = 1.0 + 2.0 * p.other_square();
  for (Index k = 0; k < p.count(); ++k) {
    v[k] = 1.0 / std::sqrt((1.0 + 2.0 * squares[k]) * square - 4.0 * v[k] * v[k]);
  }
}

inline void relu_kernel(const PointsBeside& p, double* v) {
  constexpr double pi = 3.141592653589793;
  const double* squares = p.squares();
  const double square = p.other_square();
  for (Index k = 0; k < p.count(); ++k) {
    const double lengths = std::sqrt(squares[k] * square);
    const double cosine = lengths > 0.0 ? std::clamp(v[k] / lengths, -1.0, 1.0) : 0.0;
    const double sine = std::sqrt((1.0 - cosine) * (1.0 + cosine));
    v[k] = lengths / (2.0 * pi) * (sine + (pi - std::acos(cosine)) * cosine);
  }
}

struct KernelRow {
  const char* name;
  bool products;  // does it need inner products?
  void (*compare)(const PointsBeside&, double*);
  double (*itself)(double square);  // of a point with itself
};

inline double half(double) { return 0.5; }

inline constexpr std::array<KernelRow, 6> kernel_table{{
    {"gaussian", true, gaussian_kernel, half},
    {"laplace", false, laplace_kernel, half},
    {"exponential", false, exponential_kernel, half},
    {"sinc", false, sinc_kernel, half},
    {"radbas", true, radbas_kernel, [](double s) { return 1.0 / std::sqrt(1.0 + 4.0 * s); }},
    {"relu", true, relu_kernel, [](double s) { return 0.5 * s; }},
}};

inline const KernelRow& find_kernel(const std::string& name) {
  for (const KernelRow& row : kernel_table) {
    if (name == row.name) return row;
  }
  throw DomainError("hidden", "there is no kernel '" + name + "'");
}

}  // namespace detail

class Kernel {
 public:
  // `metric` turns rows into points: one column of factors, or a square matrix L, where L L' is the
  // covariance of the weights.
  Kernel(const std::string& name, arma::mat metric)
      : row_(&detail::find_kernel(name)), metric_(std::move(metric)) {
    require(metric_.n_cols == 1 || metric_.is_square(), "model", "a metric is not square");
  }

  Index inputs() const { return metric_.n_rows; }

  KernelPoints points(const arma::mat& rows) const {
    KernelPoints points;
    if (metric_.is_square()) {
      points.at = rows * metric_;
    } else {
      points.at = rows;
      // Of no rows Armadillo would take the address of a column.
      if (!rows.is_empty()) points.at.each_row() %= metric_.t();
    }
    points.squares = arma::sum(arma::square(points.at), 1);
    return points;
  }

  // Of all points a with all points b. Some points a at a time, which stay in the cache.
  arma::mat between(const KernelPoints& a, const KernelPoints& b) const {
    arma::mat values(a.count(), b.count());
    if (row_->products) values = a.at * b.at.t();
    const RowBlocks ranges(a.count());
    for (Index r = 0; r < ranges.count(); ++r) {
      for (Index i = 0; i < b.count(); ++i) {
        row_->compare({a, ranges[r], b, i}, values.colptr(i) + ranges[r].first);
      }
    }
    return values;
  }

  // Of every point with itself.
  arma::vec itself(const KernelPoints& points) const {
    arma::vec values = points.squares;
    return values.transform(row_->itself);
  }

 private:
  const detail::KernelRow* row_;
  arma::mat metric_;
};

}  // namespace cawi

#endif
