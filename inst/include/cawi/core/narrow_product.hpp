// Products of a matrix with one of few columns, as scores at all penalties are. A BLAS first copies
// both into an order of its own, which takes long beside so small a product, and may not know the
// vectors of the processor. Only where there is AVX-512: with shorter vectors the BLAS is as fast.
#ifndef CAWI_CORE_NARROW_PRODUCT_HPP
#define CAWI_CORE_NARROW_PRODUCT_HPP

#include <algorithm>
#include <vector>

#include "vectors.hpp"

namespace cawi {

namespace detail {

#if CAWI_HAS_AVX512_CLONE
// Beyond it a tile of A leaves the nearest cache, which a BLAS sees to.
constexpr Index longest_sums = 512;

// Rows of some vectors of A times some columns of B; the sums stay in registers. Of the last vector
// only the rows of the mask are read and written.
template <int Vectors, int Columns>
CAWI_AVX512_FUSED inline void product_tile(const arma::mat& a, Index columns, Index row,
                                           __mmask8 mask, const double* const* b,
                                           double* const* out) {
  __m512d sum[Vectors][Columns], left[Vectors];
  __mmask8 lanes[Vectors];
  CAWI_UNROLL
  for (int v = 0; v < Vectors; ++v) lanes[v] = v == Vectors - 1 ? mask : __mmask8{0xff};
  CAWI_UNROLL
  for (int v = 0; v < Vectors; ++v) {
    CAWI_UNROLL
    for (int j = 0; j < Columns; ++j) sum[v][j] = _mm512_setzero_pd();
  }
  const double* from = a.memptr() + row;
  for (Index k = 0; k < columns; ++k, from += a.n_rows) {
    CAWI_UNROLL
    for (int v = 0; v < Vectors; ++v) {
      left[v] = _mm512_maskz_loadu_pd(lanes[v], from + v * wide_lanes);
    }
    CAWI_UNROLL
    for (int j = 0; j < Columns; ++j) {
      const __m512d right = _mm512_set1_pd(b[j][k]);
      CAWI_UNROLL
      for (int v = 0; v < Vectors; ++v) sum[v][j] = _mm512_fmadd_pd(left[v], right, sum[v][j]);
    }
  }
  CAWI_UNROLL
  for (int v = 0; v < Vectors; ++v) {
    CAWI_UNROLL
    for (int j = 0; j < Columns; ++j) {
      _mm512_mask_storeu_pd(out[j] + row + v * wide_lanes, lanes[v], sum[v][j]);
    }
  }
}

template <int Vectors>
void product_rows(const arma::mat& a, Index columns, Index row, __mmask8 mask,
                  const std::vector<const double*>& b, double* const* out) {
  Index j = 0;
  for (; j + 8 <= b.size(); j += 8) {
    product_tile<Vectors, 8>(a, columns, row, mask, b.data() + j, out + j);
  }
  for (; j + 3 <= b.size(); j += 3) {
    product_tile<Vectors, 3>(a, columns, row, mask, b.data() + j, out + j);
  }
  for (; j < b.size(); ++j) {
    product_tile<Vectors, 1>(a, columns, row, mask, b.data() + j, out + j);
  }
}
#endif

}  // namespace detail

// The leading columns of A, as many as B has rows, times B; column j of the product goes to out[j].
inline void multiply_leading(const arma::mat& a, const arma::mat& b, double* const* out) {
#if CAWI_HAS_AVX512_CLONE
  if (detail::has_avx512() && b.n_rows <= detail::longest_sums) {
    std::vector<const double*> columns(b.n_cols);
    for (Index j = 0; j < b.n_cols; ++j) columns[j] = b.colptr(j);
    constexpr Index lanes = detail::wide_lanes, together = 3 * lanes;
    Index row = 0;
    for (; row + together <= a.n_rows; row += together) {
      detail::product_rows<3>(a, b.n_rows, row, 0xff, columns, out);
    }
    for (; row < a.n_rows; row += lanes) {
      const Index left = std::min<Index>(lanes, a.n_rows - row);
      const auto mask = static_cast<__mmask8>((1u << left) - 1u);
      detail::product_rows<1>(a, b.n_rows, row, mask, columns, out);
    }
    return;
  }
#endif
  const arma::mat product = a.head_cols(b.n_rows) * b;
  for (Index j = 0; j < b.n_cols; ++j) std::copy_n(product.colptr(j), product.n_rows, out[j]);
}

}  // namespace cawi

#endif
