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
//
// The first two without correlations, and sinc, are products over features. Nodes that read k of d
// features, all choices alike, have the mean over all choices of k features of these products.
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
  // exp(at) and exp(-at), where a kernel needs them and they are in range.
  arma::mat up, down;

  Index count() const { return at.n_rows; }

  KernelPoints some(const RowBlock& rows) const {
    const auto part = [&](const arma::mat& m) {
      return m.is_empty() ? arma::mat() : arma::mat(m.rows(rows.first, rows.last()));
    };
    return {part(at), squares.subvec(rows.first, rows.last()), part(up), part(down)};
  }
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

struct AddGap {
  double x;

  template <class D>
  CAWI_INLINE void operator()(D& sum, const D& z, const D&) const {
    const D gap = z - x;
    sum += gap < 0.0 ? -gap : gap;
  }
};

inline void laplace_kernel(const PointsBeside& p, double* v) {
  std::fill(v, v + p.count(), 0.0);
  for (Index j = 0; j < p.points.at.n_cols; ++j) {
    const double* z = p.coordinate(j);
    const double x = p.other_coordinate(j);
    combine(AddGap{x}, v, z, z, p.count());
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

// The determinant is 1 + 2 (x'x + y'y) + 4 (x'x y'y - (x'y)^2): far out rounding of its last part
// must not reach the others.
inline void radbas_kernel(const PointsBeside& p, double* v) {
  const double* squares = p.squares();
  const double square = p.other_square();
  for (Index k = 0; k < p.count(); ++k) {
    const double apart = std::max(squares[k] * square - v[k] * v[k], 0.0);
    v[k] = 1.0 / std::sqrt(1.0 + 2.0 * (squares[k] + square) + 4.0 * apart);
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

// The factors of a kernel that is a product over features, each one at zero: of feature j, for all
// points beside the other one.
inline void feature_gaps(const PointsBeside& p, Index j, double* gap) {
  const double* z = p.coordinate(j);
  const double x = p.other_coordinate(j);
  for (Index k = 0; k < p.count(); ++k) gap[k] = z[k] - x;
}

inline void gaussian_factors(const PointsBeside& p, Index j, double* f) {
  feature_gaps(p, j, f);
  for (Index k = 0; k < p.count(); ++k) f[k] = -0.5 * f[k] * f[k];
  exp_in_place(f, p.count());
}

inline void sinc_factors(const PointsBeside& p, Index j, double* f) {
  feature_gaps(p, j, f);
  std::vector<double> sine(f, f + p.count());
  sine_in_place(sine.data(), p.count());
  for (Index k = 0; k < p.count(); ++k) f[k] = f[k] == 0.0 ? 1.0 : sine[k] / f[k];
}

// exp(-|z - x|) is the smaller one of e^z e^-x and e^-z e^x: no exponential per pair of points, as
// long as these are in range.
struct LesserProduct {
  double up, down;

  template <class D>
  CAWI_INLINE void operator()(D& f, const D& z_up, const D& z_down) const {
    const D a = z_up * down, b = z_down * up;
    f = a < b ? a : b;
  }
};

inline void laplace_factors(const PointsBeside& p, Index j, double* f) {
  if (p.points.up.is_empty() || p.others.up.is_empty()) {
    feature_gaps(p, j, f);
    for (Index k = 0; k < p.count(); ++k) f[k] = -std::abs(f[k]);
    return exp_in_place(f, p.count());
  }
  const LesserProduct product{p.others.up(p.other, j), p.others.down(p.other, j)};
  combine(product, f, p.points.up.colptr(j) + p.range.first,
          p.points.down.colptr(j) + p.range.first, p.count());
}

struct TakeFeature {
  double take, leave;

  template <class D>
  CAWI_INLINE void operator()(D& mean, const D& factor, const D& before) const {
    mean = leave * mean + take * factor * before;
  }
};

// Half the mean over all choices of r features of the products of their factors, which is p_r after
// the last of d features: p_r(j) = ((j - r) p_r(j - 1) + r f_j p_{r-1}(j - 1)) / j, and p_0 = 1.
inline void mean_product_kernel(const PointsBeside& p,
                                void (*factors)(const PointsBeside&, Index, double*), Index read,
                                double* v) {
  const Index n = p.count();
  std::vector<double> f(n), mean((read + 1) * n, 0.0);
  std::fill(mean.begin(), mean.begin() + static_cast<std::ptrdiff_t>(n), 1.0);
  for (Index j = 0; j < p.points.at.n_cols; ++j) {
    factors(p, j, f.data());
    for (Index r = std::min(read, j + 1); r > 0; --r) {
      const double take = static_cast<double>(r) / static_cast<double>(j + 1);
      double* own = mean.data() + r * n;
      combine(TakeFeature{take, 1.0 - take}, own, f.data(), own - n, n);
    }
  }
  const double* last = mean.data() + read * n;
  for (Index k = 0; k < n; ++k) v[k] = 0.5 * last[k];
}

struct KernelRow {
  const char* name;
  bool products;  // does it need inner products?
  void (*compare)(const PointsBeside&, double*);
  double (*itself)(double square);  // of a point with itself
  // Where it is a product over features.
  void (*factors)(const PointsBeside&, Index feature, double*);
};

inline double half(double) { return 0.5; }

inline constexpr std::array<KernelRow, 6> kernel_table{{
    {"gaussian", true, gaussian_kernel, half, gaussian_factors},
    {"laplace", false, laplace_kernel, half, laplace_factors},
    {"exponential", false, exponential_kernel, half, nullptr},
    {"sinc", false, sinc_kernel, half, sinc_factors},
    {"radbas", true, radbas_kernel, [](double s) { return 1.0 / std::sqrt(1.0 + 4.0 * s); },
     nullptr},
    {"relu", true, relu_kernel, [](double s) { return 0.5 * s; }, nullptr},
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
  // covariance of the weights. `read` is the number of features that a node reads, 0 for all.
  Kernel(const std::string& name, arma::mat metric, Index read = 0)
      : row_(&detail::find_kernel(name)), metric_(std::move(metric)), read_(read) {
    require(metric_.n_cols == 1 || metric_.is_square(), "model", "a metric is not square");
    if (read_ >= inputs()) read_ = 0;
    require(read_ == 0 || (row_->factors && metric_.n_cols == 1), "inputs",
            "this kernel is no product over features");
  }

  Index inputs() const { return metric_.n_rows; }
  std::string name() const { return row_->name; }
  const arma::mat& metric() const { return metric_; }
  Index read() const { return read_; }

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
    if (read_ > 0 && row_->factors == detail::laplace_factors) {
      // Products of two of them stay in range.
      const bool in_range = !arma::any(arma::vectorise(arma::abs(points.at)) > 300.0);
      if (in_range) {
        points.up = arma::exp(points.at);
        points.down = 1.0 / points.up;
      }
    }
    return points;
  }

  // Of all points a with all points b. Some points a at a time, which stay in the cache.
  arma::mat between(const KernelPoints& a, const KernelPoints& b) const {
    arma::mat values(a.count(), b.count());
    if (row_->products && read_ == 0) values = a.at * b.at.t();
    const RowBlocks ranges(a.count());
    for (Index r = 0; r < ranges.count(); ++r) {
      for (Index i = 0; i < b.count(); ++i) {
        compare({a, ranges[r], b, i}, values.colptr(i) + ranges[r].first);
      }
    }
    return values;
  }

  // Where it is a product over features: the factors of feature j, of all points beside point i of
  // others.
  void factors(const KernelPoints& points, const KernelPoints& others, Index i, Index j,
               double* values) const {
    row_->factors({points, {0, points.count()}, others, i}, j, values);
  }

  // Of every point with itself.
  arma::vec itself(const KernelPoints& points) const {
    arma::vec values = points.squares;
    return values.transform(row_->itself);
  }

 private:
  void compare(const detail::PointsBeside& points, double* values) const {
    if (read_ == 0) return row_->compare(points, values);
    detail::mean_product_kernel(points, row_->factors, read_, values);
  }

  const detail::KernelRow* row_;
  arma::mat metric_;
  Index read_;
};

}  // namespace cawi

#endif
