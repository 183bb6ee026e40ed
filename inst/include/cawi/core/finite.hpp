// Is there a NaN or an infinity among many numbers?
#ifndef CAWI_CORE_FINITE_HPP
#define CAWI_CORE_FINITE_HPP

#include <cstring>

#include "vectors.hpp"

namespace cawi {

namespace detail {

// Zero times a finite number is zero, and NaN otherwise: sums of such products cannot overflow.
CAWI_INLINE bool all_finite_body(const double* x, Index n) {
  constexpr Index step = 4 * vector_lanes;
  Doubles sum = {}, other = {}, a, b, c, d;
  Index i = 0;
  for (; i + step <= n; i += step) {
    std::memcpy(&a, x + i, sizeof a);
    std::memcpy(&b, x + i + vector_lanes, sizeof b);
    std::memcpy(&c, x + i + 2 * vector_lanes, sizeof c);
    std::memcpy(&d, x + i + 3 * vector_lanes, sizeof d);
    sum += a * 0.0 + b * 0.0;
    other += c * 0.0 + d * 0.0;
  }
  const Doubles all = sum + other;
  double rest = (all[0] + all[1]) + (all[2] + all[3]);
  for (; i < n; ++i) rest += x[i] * 0.0;
  return rest == 0.0;
}

#if CAWI_HAS_AVX2_CLONE
CAWI_AVX2 inline bool all_finite_avx2(const double* x, Index n) { return all_finite_body(x, n); }
#endif

}  // namespace detail

inline bool all_finite(const double* x, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (detail::has_avx2()) return detail::all_finite_avx2(x, n);
#endif
  return detail::all_finite_body(x, n);
}

}  // namespace cawi

#endif
