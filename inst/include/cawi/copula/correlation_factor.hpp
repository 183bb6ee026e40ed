// Products and solves with a factor of a correlation matrix, for some points at a time. The points
// are the lanes of vectors, and each adds its terms in the order of the columns of the factor: the
// result does not depend on the other points, nor on a BLAS.
#ifndef CAWI_COPULA_CORRELATION_FACTOR_HPP
#define CAWI_COPULA_CORRELATION_FACTOR_HPP

#include <vector>

#include "../core/blas.hpp"
#include "../core/vectors.hpp"
#include "../stats/nearest_cor.hpp"
#include "../stats/special.hpp"

namespace cawi {

// Points side by side: coordinate j of point p at panel[panel_points * j + p].
constexpr Index panel_points = 8;
// The same for products, which keep more of them in registers.
constexpr Index draw_points = 16;

namespace detail {

// Points in one vector: a panel is two vectors wide.
constexpr Index half_panel = vector_lanes;

template <class D>
CAWI_INLINE void load_lanes(D& v, const double* from) {
  std::memcpy(&v, from, sizeof v);
}
template <class D>
CAWI_INLINE void store_lanes(const D& v, double* to) {
  std::memcpy(to, &v, sizeof v);
}

// A square matrix by columns, and whether its upper triangle is zero.
struct FactorView {
  const double* data;
  Index dim;
  bool triangular;

  const double* at(Index row, Index column) const { return data + column * dim + row; }
};

// Rows j, ..., j + Rows - 1 of the factor times two vectors of points; the sums stay in registers.
template <class D, int Rows>
CAWI_INLINE void multiply_tile(const FactorView& f, Index j, const double* panel, double* x,
                               Index stride) {
  constexpr Index lanes = sizeof(D) / sizeof(double);
  D low[Rows], high[Rows], z_low, z_high;
  CAWI_UNROLL
  for (int r = 0; r < Rows; ++r) low[r] = high[r] = D{};
  const Index steps = f.triangular ? j + Rows : f.dim;
  const double* factor = f.at(j, 0);
  for (Index k = 0; k < steps; ++k, factor += f.dim, panel += draw_points) {
    load_lanes(z_low, panel);
    load_lanes(z_high, panel + lanes);
    CAWI_UNROLL
    for (int r = 0; r < Rows; ++r) {
      low[r] += factor[r] * z_low;
      high[r] += factor[r] * z_high;
    }
  }
  CAWI_UNROLL
  for (int r = 0; r < Rows; ++r) {
    store_lanes(low[r], x + (j + r) * stride);
    store_lanes(high[r], x + (j + r) * stride + lanes);
  }
}

// Tiles of `Rows` rows fill the registers.
template <class D, int Rows>
CAWI_INLINE void multiply_body(const FactorView& f, const double* panel, double* x, Index stride) {
  constexpr Index width = 2 * sizeof(D) / sizeof(double);
  for (Index first = 0; first < draw_points; first += width, panel += width, x += width) {
    Index j = 0;
    for (; j + Rows <= f.dim; j += Rows) multiply_tile<D, Rows>(f, j, panel, x, stride);
    for (; j + 2 <= f.dim; j += 2) multiply_tile<D, 2>(f, j, panel, x, stride);
    for (; j < f.dim; ++j) multiply_tile<D, 1>(f, j, panel, x, stride);
  }
}

// Solves for the coordinates j, ..., j + Rows - 1, in place, and adds their squares.
template <int Rows>
CAWI_INLINE void solve_tile(const FactorView& f, Index j, double* panel, Doubles& squares_low,
                            Doubles& squares_high) {
  Doubles low[Rows], high[Rows], y_low, y_high;
  double* x = panel + j * panel_points;
  CAWI_UNROLL
  for (int r = 0; r < Rows; ++r) {
    load_lanes(low[r], x + r * panel_points);
    load_lanes(high[r], x + r * panel_points + half_panel);
  }
  const double* factor = f.at(j, 0);
  for (Index k = 0; k < j; ++k, factor += f.dim) {
    load_lanes(y_low, panel + k * panel_points);
    load_lanes(y_high, panel + k * panel_points + half_panel);
    CAWI_UNROLL
    for (int r = 0; r < Rows; ++r) {
      low[r] -= factor[r] * y_low;
      high[r] -= factor[r] * y_high;
    }
  }
  CAWI_UNROLL
  for (int r = 0; r < Rows; ++r, factor += f.dim) {
    low[r] /= factor[r];
    high[r] /= factor[r];
    CAWI_UNROLL
    for (int later = r + 1; later < Rows; ++later) {
      low[later] -= factor[later] * low[r];
      high[later] -= factor[later] * high[r];
    }
    squares_low += low[r] * low[r];
    squares_high += high[r] * high[r];
    store_lanes(low[r], x + r * panel_points);
    store_lanes(high[r], x + r * panel_points + half_panel);
  }
}

CAWI_INLINE void squared_lengths_body(const FactorView& f, double* panel, double* squared) {
  Doubles low = {}, high = {};
  Index j = 0;
  for (; j + 6 <= f.dim; j += 6) solve_tile<6>(f, j, panel, low, high);
  for (; j + 2 <= f.dim; j += 2) solve_tile<2>(f, j, panel, low, high);
  for (; j < f.dim; ++j) solve_tile<1>(f, j, panel, low, high);
  store_lanes(low, squared);
  store_lanes(high, squared + half_panel);
}

#if CAWI_HAS_AVX2_CLONE
CAWI_AVX2 inline void multiply_avx2(const FactorView& f, const double* panel, double* x,
                                    Index stride) {
  multiply_body<Doubles, 6>(f, panel, x, stride);
}
CAWI_AVX2 inline void squared_lengths_avx2(const FactorView& f, double* panel, double* squared) {
  squared_lengths_body(f, panel, squared);
}
#endif
#if CAWI_HAS_AVX512_CLONE
CAWI_AVX512 inline void multiply_avx512(const FactorView& f, const double* panel, double* x,
                                        Index stride) {
  multiply_body<WideDoubles, 8>(f, panel, x, stride);
}
#endif

// Eight points, each with its coordinates side by side, go side by side into a panel for products.
CAWI_INLINE void fill_panel_body(const double* points, Index dim, Index from, double* panel) {
  for (Index p = 0; p < wide_lanes; ++p) {
    for (Index j = from; j < dim; ++j) panel[j * draw_points + p] = points[p * dim + j];
  }
}
#if CAWI_HAS_AVX512_CLONE
CAWI_AVX512 inline void fill_panel_avx512(const double* points, Index dim, double* panel) {
  Index j = 0;
  for (; j + wide_lanes <= dim; j += wide_lanes) {
    WideDoubles tile[wide_lanes];
    CAWI_UNROLL
    for (Index p = 0; p < wide_lanes; ++p) load_lanes(tile[p], points + p * dim + j);
    transpose_tile(tile);
    CAWI_UNROLL
    for (Index p = 0; p < wide_lanes; ++p) store_lanes(tile[p], panel + (j + p) * draw_points);
  }
  fill_panel_body(points, dim, j, panel);
}
#endif

inline void fill_panel(const double* points, Index dim, double* panel) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return fill_panel_avx512(points, dim, panel);
#endif
  fill_panel_body(points, dim, 0, panel);
}

}  // namespace detail

// A factor L with L L' = R: Cholesky, or from the eigenvalues where R is singular, so that every
// positive semidefinite correlation matrix can be sampled.
class CorrelationFactor {
 public:
  explicit CorrelationFactor(const arma::mat& r) {
    // Threads of the BLAS would go on waiting for work beside the draws.
    const SingleThreadedBlas guard;
    triangular_ = is_positive_definite(r, factor_);
    if (triangular_) {
      log_determinant_ = 2.0 * arma::accu(arma::log(factor_.diag()));
      return;
    }
    arma::vec values;
    require(arma::eig_sym(values, factor_, r), "cor", "the eigendecomposition did not converge");
    require(values.min() > -1e-6, "cor", "must be positive semidefinite");
    factor_.each_row() %= arma::sqrt(arma::clamp(values, 0.0, infinity)).t();
    // Clipped eigenvalues lengthen the rows a little; the margins need them to be one.
    factor_.each_col() /= arma::sqrt(arma::sum(arma::square(factor_), 1));
  }

  Index dim() const { return factor_.n_rows; }
  bool is_singular() const { return !triangular_; }
  double log_determinant() const { return log_determinant_; }

  // L z for draw_points points z; coordinate j of the products goes to x + j stride.
  void multiply(const double* panel, double* x, Index stride) const {
#if CAWI_HAS_AVX512_CLONE
    if (detail::has_avx512()) return detail::multiply_avx512(view(), panel, x, stride);
#endif
#if CAWI_HAS_AVX2_CLONE
    if (detail::has_avx2()) return detail::multiply_avx2(view(), panel, x, stride);
#endif
    detail::multiply_body<detail::Doubles, 6>(view(), panel, x, stride);
  }

  // x' R^{-1} x by forward substitution, for the points x of a panel, which is overwritten.
  void quadratic_forms(double* panel, double* forms) const {
#if CAWI_HAS_AVX2_CLONE
    if (detail::has_avx2()) return detail::squared_lengths_avx2(view(), panel, forms);
#endif
    detail::squared_lengths_body(view(), panel, forms);
  }

  // The same for one point.
  double quadratic_form(double* x) const {
    const Index d = dim();
    double sum = 0.0;
    for (Index k = 0; k < d; ++k) {
      const double* column = factor_.colptr(k);
      const double y = x[k] / column[k];
      sum += y * y;
      for (Index j = k + 1; j < d; ++j) x[j] -= column[j] * y;
    }
    return sum;
  }

 private:
  detail::FactorView view() const { return {factor_.memptr(), dim(), triangular_}; }

  arma::mat factor_;
  bool triangular_ = false;
  double log_determinant_ = -infinity;
};

}  // namespace cawi

#endif
