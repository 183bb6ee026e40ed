// Vectors of eight doubles, for the kernels that gain most by them: compiled a third time, for
// x86-64 with AVX-512. The copies are chosen at run time and give the same bits as the others.
#ifndef CAWI_CORE_WIDE_VECTORS_HPP
#define CAWI_CORE_WIDE_VECTORS_HPP

#include "vectors.hpp"

// AVX-512 brings fused multiplications, which would give other bits; only GCC can be told not to
// use them in one function.
#if CAWI_HAS_AVX2_CLONE && !defined(__clang__)
#define CAWI_HAS_AVX512_CLONE 1
#include <immintrin.h>
#define CAWI_AVX512                                                           \
  __attribute__((target("avx512f,avx512dq,avx512vl,prefer-vector-width=512"), \
                 optimize("fp-contract=off")))
#define CAWI_AVX512_POPCOUNT __attribute__((target("avx512f,avx512vpopcntdq")))
#else
#define CAWI_HAS_AVX512_CLONE 0
#endif

namespace cawi {
namespace detail {

#if CAWI_HAS_AVX512_CLONE
// The first processors with AVX-512 slow down when they use it; those that count bits of vectors
// do not.
inline bool has_avx512() {
  static const bool yes = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                          __builtin_cpu_supports("avx512vl") &&
                          __builtin_cpu_supports("avx512vpopcntdq");
  return yes;
}
#endif

using WideDoubles = double __attribute__((vector_size(64)));
using WideBits = std::uint64_t __attribute__((vector_size(64)));
constexpr Index wide_lanes = 8;

template <>
struct BitsOf<WideDoubles> {
  using Type = WideBits;
};

#if CAWI_HAS_AVX512_CLONE
template <class Function>
CAWI_AVX512 void transform_avx512(const Function& f, double* x, Index n) {
  WideDoubles v;
  for (Index i = 0; i < n; i += wide_lanes) {
    std::memcpy(&v, x + i, sizeof v);
    f(v);
    std::memcpy(x + i, &v, sizeof v);
  }
}
#endif

// x <- f(x), where f works on vectors of either width.
template <class Function>
void transform_wide(const Function& f, double* x, Index n) {
  Index done = 0;
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) {
    done = n - n % wide_lanes;
    transform_avx512(f, x, done);
  }
#endif
  transform(f, x + done, n - done);
}

}  // namespace detail
}  // namespace cawi

#endif
