// The normal distribution function of whole arrays.
#ifndef CAWI_STATS_NORMAL_HPP
#define CAWI_STATS_NORMAL_HPP

#include "../core/vectors.hpp"

namespace cawi {

namespace detail {

// Mills' ratio: for x >= 0, e^{x^2/2} Phi(-x) = g(q) / (1 + 2x) with q = (x - 5)/(x + 5). The
// smooth function g is a polynomial of degree 22 on 0 <= x <= 39, interpolated at Chebyshev nodes
// in 50 digits; its relative error is below 2e-17.
template <class D>
CAWI_INLINE void mills_ratio(D& x) {
  const D sum = x + 5.0, rate = 2.0 * x + 1.0;
  // One division for both quotients.
  const D both = 1.0 / (sum * rate);
  const D q = (x - 5.0) * (rate * both), q2 = q * q, q4 = q2 * q2;
  D p0 = q4 * -1.1219325599986036e-09 + 1.7232169331153652e-07;
  D p1 = q4 * 8.646440980013591e-09 + 4.3709649248848374e-07;
  D p2 = q4 * 1.7765727731750866e-09 - 3.2920205468884096e-08;
  D p3 = q4 * -6.986455843606939e-08 - 2.86336634052618e-06;
  p0 = p0 * q4 - 2.643735845214353e-05;
  p1 = p1 * q4 + 1.9392487500176515e-05;
  p2 = p2 * q4 + 5.371638963472169e-07;
  p3 = p3 * q4 - 0.00010817738225863915;
  p0 = p0 * q4 - 0.0035716954352974432;
  p1 = p1 * q4 - 0.00011869346099295901;
  p2 = p2 * q4 + 0.0004250958876619354;
  p3 = p3 * q4 + 0.015422845669178039;
  p0 = p0 * q4 - 0.10065743821675983;
  p1 = p1 * q4 + 0.072487826976612;
  p2 = p2 * q4 - 0.03933220135556429;
  p3 = p3 * q4 + 0.10088858203453757;
  p0 = p0 * q4 + 0.8461123547250693;
  p1 = p1 * q4 - 0.03964700840400565;
  p2 = p2 * q4 - 0.05400807503407684;
  x = ((p0 + q * p1) + q2 * (p2 + q * p3)) * (sum * both);
}

// The bits of x that the mask has.
template <class D>
CAWI_INLINE void keep_bits(D& x, std::uint64_t mask) {
  x = reinterpret_cast<D>(reinterpret_cast<BitsOf<D>>(x) & mask);
}
template <class D>
CAWI_INLINE void keep_bits(Twins<D>& x, std::uint64_t mask) {
  keep_bits(x.first, mask);
  keep_bits(x.second, mask);
}

// e^{-x^2/2} for 0 <= x <= 37.5. The square of the leading 26 bits of x is exact; the rest of the
// square is small, and four terms of its exponential do.
template <class D>
CAWI_INLINE void normal_kernel(D& x) {
  D high = x;
  keep_bits(high, ~std::uint64_t{0x7ffffff});
  const D rest = (x - high) * (x + high) * 0.5;
  x = high * high * -0.5;
  exp_series(x);
  x = x - x * (rest * (1.0 - rest * (0.5 - rest * (1.0 / 6.0))));
}

// |x|, at most 37.5: further out the tail is less than the smallest normal number.
template <class D>
CAWI_INLINE void within_reach(D& x) {
  const D reach = 37.5 - D{};
  keep_bits(x, ~std::uint64_t{0} >> 1);
  x = x > reach ? reach : x;
}
template <class D>
CAWI_INLINE void within_reach(Twins<D>& x) {
  within_reach(x.first);
  within_reach(x.second);
}

// The probability below x from that beyond |x|.
template <class D>
CAWI_INLINE void take_side(D& x, const D& tail) {
  x = x > 0.0 ? 1.0 - tail : tail;
}
template <class D>
CAWI_INLINE void take_side(Twins<D>& x, const Twins<D>& tail) {
  take_side(x.first, tail.first);
  take_side(x.second, tail.second);
}

struct VectorNormalCdf {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    D tail = x;
    within_reach(tail);
    D kernel = tail;
    mills_ratio(tail);
    normal_kernel(kernel);
    take_side(x, tail * kernel);
  }
};

// Inside the open unit interval.
struct VectorNormalCdfInside {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    VectorNormalCdf()(x);
    VectorClamp()(x);
  }
};

}  // namespace detail

// x <- Phi(x), within a few units in the last place, also far out in the lower tail, where rounding
// of x / sqrt(2) costs erfc a digit or two. Beyond -37.5 the value there, about 5e-308.
inline void normal_cdf_in_place(double* x, Index n) {
  detail::transform_several(detail::VectorNormalCdf(), x, n);
}

// The same, inside the open unit interval.
inline void inner_normal_cdf_in_place(double* x, Index n) {
  detail::transform_several(detail::VectorNormalCdfInside(), x, n);
}

}  // namespace cawi

#endif
