// Is there a NaN or an infinity among many numbers?
#ifndef CAWI_CORE_FINITE_HPP
#define CAWI_CORE_FINITE_HPP

#include <cstring>

#include "vectors.hpp"

namespace cawi {

// Zero times a finite number is zero, and NaN otherwise: sums of such products cannot overflow.
inline bool all_finite(const double* x, Index n) {
  constexpr Index step = 2 * detail::vector_lanes;
  detail::Doubles first = {}, second = {}, a, b;
  Index i = 0;
  for (; i + step <= n; i += step) {
    std::memcpy(&a, x + i, sizeof a);
    std::memcpy(&b, x + i + detail::vector_lanes, sizeof b);
    first += a * 0.0;
    second += b * 0.0;
  }
  first += second;
  double total = first[0] + first[1] + first[2] + first[3];
  for (; i < n; ++i) total += x[i] * 0.0;
  return total == 0.0;
}

}  // namespace cawi

#endif
