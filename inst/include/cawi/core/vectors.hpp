// Exponentials, logarithms and sines of whole arrays, four or eight numbers at a time, within two
// units in the last place. Vector kernels use GNU vector extensions: on x86-64 they are compiled
// for each kind of vectors and chosen at run time, so that one binary serves machines with and
// without AVX2 or AVX-512. No copy fuses multiplications with additions, so all give the same bits.
#ifndef CAWI_CORE_VECTORS_HPP
#define CAWI_CORE_VECTORS_HPP

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <type_traits>

#include "types.hpp"

// Not on Windows: GCC keeps 32-byte vectors on a stack that is aligned to 16 bytes there.
#if defined(__GNUC__) && defined(__x86_64__) && !defined(_WIN32)
#define CAWI_HAS_AVX2_CLONE 1
#define CAWI_AVX2 __attribute__((target("avx2")))
#else
#define CAWI_HAS_AVX2_CLONE 0
#endif
// AVX-512 brings fused multiplications, which would give other bits; only GCC can be told not to
// use them in one function.
#if CAWI_HAS_AVX2_CLONE && !defined(__clang__)
#define CAWI_HAS_AVX512_CLONE 1
#include <immintrin.h>
#define CAWI_AVX512                                                           \
  __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"), \
                 optimize("fp-contract=off")))
#define CAWI_AVX512_POPCOUNT __attribute__((target("avx512f,avx512vpopcntdq")))
// For factors and products, which need not give the same bits everywhere.
#define CAWI_AVX512_FUSED __attribute__((target("avx512f")))
#else
#define CAWI_HAS_AVX512_CLONE 0
#define CAWI_AVX512_FUSED
#endif
#if defined(__GNUC__)
#define CAWI_INLINE inline __attribute__((always_inline))
#else
#define CAWI_INLINE inline
#endif
// Short loops over registers must be unrolled for the registers to be used.
#if defined(__GNUC__) && !defined(__clang__)
#define CAWI_UNROLL _Pragma("GCC unroll 8")
#else
#define CAWI_UNROLL
#endif

namespace cawi {
namespace detail {

// How many bits the vectors may have at most. The environment variable stands in for a machine with
// shorter ones, so that all copies can be tested on one machine.
inline bool may_have_bits(int bits) {
  const char* const most = std::getenv("CAWI_VECTOR_BITS");
  return most == nullptr || bits <= std::atoi(most);
}

#if CAWI_HAS_AVX2_CLONE
inline bool has_avx2() {
  static const bool yes = may_have_bits(256) && __builtin_cpu_supports("avx2");
  return yes;
}
#endif

#if CAWI_HAS_AVX512_CLONE
// The first processors with AVX-512 slow down when they use it; those that count bits of vectors
// do not.
inline bool has_avx512() {
  static const bool yes = may_have_bits(512) && __builtin_cpu_supports("avx512f") &&
                          __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512vpopcntdq");
  return yes;
}
#endif

using Doubles = double __attribute__((vector_size(32)));
using Longs = std::int64_t __attribute__((vector_size(32)));
using Bits = std::uint64_t __attribute__((vector_size(32)));
using WideDoubles = double __attribute__((vector_size(64)));
using WideBits = std::uint64_t __attribute__((vector_size(64)));
constexpr Index vector_lanes = 4;
constexpr Index wide_lanes = 8;

// The unsigned integers that go with a vector of doubles.
template <class D>
using BitsOf = std::conditional_t<sizeof(D) == sizeof(Doubles), Bits, WideBits>;

// Two vectors, or two pairs of them, that go through the same operations side by side. A long chain
// of operations leaves a processor waiting for each of them; with several chains it has work
// meanwhile.
template <class D>
struct Twins {
  D first, second;
};

#define CAWI_TWINS_OPERATOR(op)                                            \
  template <class D>                                                       \
  CAWI_INLINE Twins<D> operator op(const Twins<D>& a, const Twins<D>& b) { \
    return {a.first op b.first, a.second op b.second};                     \
  }                                                                        \
  template <class D>                                                       \
  CAWI_INLINE Twins<D> operator op(const Twins<D>& a, double b) {          \
    return {a.first op b, a.second op b};                                  \
  }                                                                        \
  template <class D>                                                       \
  CAWI_INLINE Twins<D> operator op(double a, const Twins<D>& b) {          \
    return {a op b.first, a op b.second};                                  \
  }
CAWI_TWINS_OPERATOR(+)
CAWI_TWINS_OPERATOR(-)
CAWI_TWINS_OPERATOR(*)
CAWI_TWINS_OPERATOR(/)
#undef CAWI_TWINS_OPERATOR

#if CAWI_HAS_AVX512_CLONE
// Eight rows of eight become columns: rows exchange single numbers, then pairs, then halves.
CAWI_INLINE void transpose_tile(WideDoubles (&row)[wide_lanes]) {
  constexpr WideBits low[3] = {
      {0, 8, 2, 10, 4, 12, 6, 14}, {0, 1, 8, 9, 4, 5, 12, 13}, {0, 1, 2, 3, 8, 9, 10, 11}};
  constexpr WideBits high[3] = {
      {1, 9, 3, 11, 5, 13, 7, 15}, {2, 3, 10, 11, 6, 7, 14, 15}, {4, 5, 6, 7, 12, 13, 14, 15}};
  CAWI_UNROLL
  for (int step = 0; step < 3; ++step) {
    CAWI_UNROLL
    for (int i = 0; i < 8; ++i) {
      if ((i >> step & 1) != 0) continue;
      const WideDoubles own = row[i], other = row[i | 1 << step];
      row[i] = __builtin_shuffle(own, other, low[step]);
      row[i | 1 << step] = __builtin_shuffle(own, other, high[step]);
    }
  }
}
#endif

// Functions that are templates take vectors of either size, by reference, because each instruction
// set passes values in another way. They compare inside `?:`, because AVX-512 has no fast way to
// keep a comparison in a vector.

// p times two to the power of the integer in the low bits of `shifted`. Unsigned, because the bits
// of a NaN may carry over; callers put it back.
template <class D>
CAWI_INLINE void times_power_of_two(D& p, const D& shifted) {
  using B = BitsOf<D>;
  p = reinterpret_cast<D>(reinterpret_cast<B>(p) + (reinterpret_cast<B>(shifted) << 52));
}
template <class D>
CAWI_INLINE void times_power_of_two(Twins<D>& p, const Twins<D>& shifted) {
  times_power_of_two(p.first, shifted.first);
  times_power_of_two(p.second, shifted.second);
}

// e^x for x in [-708, 709]: x = k log 2 + r with |r| <= log(2)/2; the Taylor series of degree 13 of
// e^r is exact to half a unit, and k goes into the exponent.
template <class D>
CAWI_INLINE void exp_series(D& x) {
  // Adding 1.5 * 2^52 rounds to an integer and leaves it in the low bits.
  const D shifted = x * 1.44269504088896340736 + 0x1.8p52;
  const D k = shifted - 0x1.8p52;
  const D r = (x - k * 0x1.62e42fefa3800p-1) - k * 0x1.ef35793c76730p-45;
  // Even and odd powers apart: two short chains of operations instead of a long one.
  const D r2 = r * r;
  D even = r2 * (1.0 / 479001600) + 1.0 / 3628800;
  D odd = r2 * (1.0 / 6227020800) + 1.0 / 39916800;
  even = even * r2 + 1.0 / 40320;
  odd = odd * r2 + 1.0 / 362880;
  even = even * r2 + 1.0 / 720;
  odd = odd * r2 + 1.0 / 5040;
  even = even * r2 + 1.0 / 24;
  odd = odd * r2 + 1.0 / 120;
  even = even * r2 + 0.5;
  odd = odd * r2 + 1.0 / 6;
  x = 1.0 + (r + r2 * (even + r * odd));
  times_power_of_two(x, shifted);
}

// Arguments below -708 give zero, finite ones above 709 the value at 709; infinity and NaN stay
// what they are.
struct VectorExp {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D given = x, zero = {}, high = 709.0 - zero;
    x = x > high ? high : x;
    x = given < -708.0 ? zero : x;
    exp_series(x);
    x = given < -708.0 ? zero : x;
    // The payload of a NaN, such as that of R's NA, went into the exponent and made it a number.
    x = given <= std::numeric_limits<double>::max() ? x : given;
  }
};

// The same series without the care for infinity, NaN and arguments above 709, which callers keep
// away; arguments below -708 give zero.
struct VectorExpFinite {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D from = x;
    x = from >= -708.0 ? from : D{};
    exp_series(x);
    x = from >= -708.0 ? x : D{};
  }
};

// Positive normal x = 2^k z with z in [sqrt(1/2), sqrt(2)); with s = (z - 1)/(z + 1) the logarithm
// of z is 2 atanh(s), |s| < 0.172. The series of atanh ends after seven terms that are interpolated
// at Chebyshev nodes; their relative error is below 5e-18.
struct VectorLog {
  CAWI_INLINE void operator()(Doubles& x) const {
    constexpr std::uint64_t root_half = 0x3fe6a09e667f3bcd, one = 0x3ff0000000000000;
    const Bits bits = reinterpret_cast<Bits>(x);
    // Unsigned: AVX2 has no shift of signed numbers of 64 bits.
    const Bits exponent = (bits - root_half + one) >> 52;
    const Doubles z = reinterpret_cast<Doubles>(bits - (exponent << 52) + one);
    // Small integers become doubles by way of the bits of 2^52.
    const Doubles k =
        reinterpret_cast<Doubles>(exponent | std::uint64_t{0x4330000000000000}) - (0x1p52 + 1023.0);
    const Doubles s = (z - 1.0) / (z + 1.0), s2 = s * s;
    const Doubles s4 = s2 * s2;
    Doubles even = s4 * 0.07308292712444311 + 0.09091444727837474;
    Doubles odd = s4 * 0.07665855309105386 + 0.11111105565129939;
    even = even * s4 + 0.14285714313001635;
    odd = odd * s4 + 0.19999999999949722;
    even = even * s4 + 0.3333333333333335;
    const Doubles p = even + s2 * odd;
    const Doubles two_s = s + s;
    x = k * 0x1.62e42fefa3800p-1 + (two_s + (two_s * s2 * p + k * 0x1.ef35793c76730p-45));
  }
};

// x = k pi + r, |r| <= pi/2, pi in three parts; sin x = (-1)^k sin r by its Taylor series.
struct VectorSine {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    using B = BitsOf<D>;
    const D shifted = x * 0.31830988618379067154 + 0x1.8p52;
    const D k = shifted - 0x1.8p52;
    const D r =
        ((x - k * 0x1.921fb54400000p+1) - k * 0x1.0b4611a600000p-33) - k * 0x1.3198a2e037073p-68;
    const D r2 = r * r;
    D p = r2 * (1.0 / 51090942171709440000.0) - 1.0 / 121645100408832000.0;
    p = p * r2 + 1.0 / 355687428096000.0;
    p = p * r2 - 1.0 / 1307674368000.0;
    p = p * r2 + 1.0 / 6227020800.0;
    p = p * r2 - 1.0 / 39916800.0;
    p = p * r2 + 1.0 / 362880.0;
    p = p * r2 - 1.0 / 5040.0;
    p = p * r2 + 1.0 / 120.0;
    p = p * r2 - 1.0 / 6.0;
    p = r + r * r2 * p;
    // The lowest bit of k becomes the sign.
    x = reinterpret_cast<D>(reinterpret_cast<B>(p) ^ (reinterpret_cast<B>(shifted) << 63));
  }
};

// Inside the open unit interval whatever the rounding.
struct VectorClamp {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D low = std::numeric_limits<double>::min() - D{};
    const D high = (1.0 - 0x1p-53) - D{};
    x = x > high ? high : x;
    x = x < low ? low : x;
  }

  template <class D>
  CAWI_INLINE void operator()(Twins<D>& x) const {
    (*this)(x.first);
    (*this)(x.second);
  }
};

template <class D, class Function>
CAWI_INLINE void transform_body(const Function& f, double* x, Index n) {
  constexpr Index lanes = sizeof(D) / sizeof(double);
  D v;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    std::memcpy(&v, x + i, sizeof v);
    f(v);
    std::memcpy(x + i, &v, sizeof v);
  }
  if (i == n) return;
  // The rest, padded with a harmless argument.
  double tail[lanes];
  std::fill(std::copy(x + i, x + n, tail), tail + lanes, 1.0);
  std::memcpy(&v, tail, sizeof v);
  f(v);
  std::memcpy(tail, &v, sizeof v);
  std::copy(tail, tail + (n - i), x + i);
}

// Several vectors at a time, then one.
template <class Several, class D, class Function>
CAWI_INLINE void transform_several_body(const Function& f, double* x, Index n) {
  constexpr Index step = sizeof(Several) / sizeof(double);
  Several v;
  Index i = 0;
  for (; i + step <= n; i += step) {
    std::memcpy(&v, x + i, sizeof v);
    f(v);
    std::memcpy(x + i, &v, sizeof v);
  }
  transform_body<D>(f, x + i, n - i);
}

#if CAWI_HAS_AVX2_CLONE
template <class Function>
CAWI_AVX2 void transform_avx2(const Function& f, double* x, Index n) {
  transform_body<Doubles>(f, x, n);
}
#endif

#if CAWI_HAS_AVX512_CLONE
template <class Function>
CAWI_AVX512 void transform_avx512(const Function& f, double* x, Index n) {
  transform_body<WideDoubles>(f, x, n);
}
#endif

template <class Function>
CAWI_INLINE void transform_pairs_body(const Function& f, double* x, const double* y, Index n) {
  for (Index i = 0; i < n; i += vector_lanes) {
    Doubles v, w;
    std::memcpy(&v, x + i, sizeof v);
    std::memcpy(&w, y + i, sizeof w);
    f(v, w);
    std::memcpy(x + i, &v, sizeof v);
  }
}

#if CAWI_HAS_AVX2_CLONE
template <class Function>
CAWI_AVX2 void transform_pairs_avx2(const Function& f, double* x, const double* y, Index n) {
  transform_pairs_body(f, x, y, n);
}
#endif

// x <- f(x, y); both arrays have room for n rounded up to a multiple of four.
template <class Function>
void transform_pairs(const Function& f, double* x, const double* y, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return transform_pairs_avx2(f, x, y, n);
#endif
  transform_pairs_body(f, x, y, n);
}

// x <- f(x), where f works on Doubles and may have parameters.
template <class Function>
void transform(const Function& f, double* x, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return transform_avx2(f, x, n);
#endif
  transform_body<Doubles>(f, x, n);
}

// The same where f works on vectors of either size.
template <class Function>
void transform_wide(const Function& f, double* x, Index n) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return transform_avx512(f, x, n);
#endif
  transform(f, x, n);
}

// x <- f(x, y, z) element by element, where f works on vectors of either size. The arrays end where
// they end.
template <class D, class Function>
CAWI_INLINE void combine_body(const Function& f, double* x, const double* y, const double* z,
                              Index n) {
  constexpr Index lanes = sizeof(D) / sizeof(double);
  D a, b, c;
  Index i = 0;
  for (; i + lanes <= n; i += lanes) {
    std::memcpy(&a, x + i, sizeof(D));
    std::memcpy(&b, y + i, sizeof(D));
    std::memcpy(&c, z + i, sizeof(D));
    f(a, b, c);
    std::memcpy(x + i, &a, sizeof(D));
  }
  if (i == n) return;
  a = D{};
  b = D{};
  c = D{};
  const std::size_t rest = static_cast<std::size_t>(n - i) * sizeof(double);
  std::memcpy(&a, x + i, rest);
  std::memcpy(&b, y + i, rest);
  std::memcpy(&c, z + i, rest);
  f(a, b, c);
  std::memcpy(x + i, &a, rest);
}

#if CAWI_HAS_AVX2_CLONE
template <class Function>
CAWI_AVX2 void combine_avx2(const Function& f, double* x, const double* y, const double* z,
                            Index n) {
  combine_body<Doubles>(f, x, y, z, n);
}
#endif

#if CAWI_HAS_AVX512_CLONE
template <class Function>
CAWI_AVX512 void combine_avx512(const Function& f, double* x, const double* y, const double* z,
                                Index n) {
  combine_body<WideDoubles>(f, x, y, z, n);
}
#endif

template <class Function>
void combine(const Function& f, double* x, const double* y, const double* z, Index n) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return combine_avx512(f, x, y, z, n);
#endif
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return combine_avx2(f, x, y, z, n);
#endif
  combine_body<Doubles>(f, x, y, z, n);
}

#if CAWI_HAS_AVX512_CLONE
template <class Function>
CAWI_AVX512 void transform_several_avx512(const Function& f, double* x, Index n) {
  transform_several_body<Twins<Twins<WideDoubles>>, WideDoubles>(f, x, n);
}
#endif

// The same where f works on twins, too, and has a long chain of operations. Other machines have
// fewer registers.
template <class Function>
void transform_several(const Function& f, double* x, Index n) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return transform_several_avx512(f, x, n);
#endif
  transform(f, x, n);
}

}  // namespace detail

inline void exp_in_place(double* x, Index n) { detail::transform_wide(detail::VectorExp(), x, n); }

// Beyond a million the reduction would lose digits. Infinities give NaN, and NaN stays NaN.
inline void sine_in_place(double* x, Index n) {
  const auto is_large = [](double v) { return !(std::abs(v) <= 1e6); };
  if (!std::any_of(x, x + n, is_large)) return detail::transform_wide(detail::VectorSine(), x, n);
  for (Index i = 0; i < n; ++i) x[i] = std::sin(x[i]);
}

// For positive normal numbers only: zero, subnormal and negative numbers, infinity and NaN give a
// number without meaning, so callers keep them away.
inline void log_in_place(double* x, Index n) { detail::transform(detail::VectorLog(), x, n); }

}  // namespace cawi

#endif
