// Is there a NaN, an infinity or a number below the normal range among many numbers?
#ifndef CAWI_CORE_FINITE_HPP
#define CAWI_CORE_FINITE_HPP

#include <cstdint>
#include <cstring>
#include <limits>

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

// By their bits, because a thread may be set to take such numbers for zero: without the sign they
// are from one to the last below the smallest normal number.
CAWI_INLINE bool any_subnormal_body(const double* x, Index n) {
  constexpr std::int64_t size = std::numeric_limits<std::int64_t>::max();
  constexpr std::int64_t normal = std::int64_t{1} << 52;
  Longs any = {}, v;
  Index i = 0;
  for (; i + vector_lanes <= n; i += vector_lanes) {
    std::memcpy(&v, x + i, sizeof v);
    v &= size;
    any |= (v > 0) & (v < normal);
  }
  bool found = (any[0] | any[1] | any[2] | any[3]) != 0;
  for (; i < n; ++i) {
    std::int64_t bits;
    std::memcpy(&bits, x + i, sizeof bits);
    bits &= size;
    found = found || (bits > 0 && bits < normal);
  }
  return found;
}

#if CAWI_HAS_AVX2_CLONE
CAWI_AVX2 inline bool all_finite_avx2(const double* x, Index n) { return all_finite_body(x, n); }
CAWI_AVX2 inline bool any_subnormal_avx2(const double* x, Index n) {
  return any_subnormal_body(x, n);
}
#endif

}  // namespace detail

inline bool all_finite(const double* x, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (detail::has_avx2()) return detail::all_finite_avx2(x, n);
#endif
  return detail::all_finite_body(x, n);
}

inline bool any_subnormal(const double* x, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (detail::has_avx2()) return detail::any_subnormal_avx2(x, n);
#endif
  return detail::any_subnormal_body(x, n);
}

}  // namespace cawi

#endif
