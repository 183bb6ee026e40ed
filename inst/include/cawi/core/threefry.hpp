// The counter-based generator threefry (Salmon et al. 2011) with four words of 64 bits and 13
// rounds, which pass the strictest batteries of tests. Four counters share a vector register; the
// words are those of sitmo::threefry_13_64.
#ifndef CAWI_CORE_THREEFRY_HPP
#define CAWI_CORE_THREEFRY_HPP

#include "vectors.hpp"

namespace cawi {
namespace detail {

template <class Words>
CAWI_INLINE void mix(Words& a, Words& b, int rotation) {
  a += b;
  b = ((b << rotation) | (b >> (64 - rotation))) ^ a;
}

template <class Words>
CAWI_INLINE void mix_all(Words (&x)[4], const int (&rotation)[8]) {
  mix(x[0], x[1], rotation[0]);
  mix(x[2], x[3], rotation[1]);
  mix(x[0], x[3], rotation[2]);
  mix(x[2], x[1], rotation[3]);
  mix(x[0], x[1], rotation[4]);
  mix(x[2], x[3], rotation[5]);
  mix(x[0], x[3], rotation[6]);
  mix(x[2], x[1], rotation[7]);
}

// x holds the four words of the counters, one counter per lane, and becomes their random words. The
// key is (seed, 0, 0, 0): of the five words that are added after every fourth round only the first
// and the last, their parity, are not zero.
template <class Words>
CAWI_INLINE void threefry(std::uint64_t seed, Words (&x)[4]) {
  constexpr int odd[8] = {14, 16, 52, 57, 23, 40, 5, 37},
                even[8] = {25, 33, 46, 12, 58, 22, 32, 32};
  const std::uint64_t parity = 0x1BD11BDAA9FC1A22 ^ seed;
  x[0] += seed;
  mix_all(x, odd);
  x[3] += parity + 1;
  mix_all(x, even);
  x[2] += parity;
  x[3] += seed + 2;
  mix_all(x, odd);
  x[1] += parity;
  x[2] += seed;
  x[3] += std::uint64_t{3};
  mix(x[0], x[1], even[0]);
  mix(x[2], x[3], even[1]);
}

constexpr Index most_words_at_once = 32;

CAWI_INLINE void stream_words_body(std::uint64_t seed, std::uint64_t index, std::uint64_t counter,
                                   std::uint64_t* words) {
  Bits x[4] = {counter + Bits{0, 1, 2, 3}, index + Bits{}, Bits{}, Bits{}};
  threefry(seed, x);
  for (Index lane = 0; lane < vector_lanes; ++lane) {
    const Bits row = {x[0][lane], x[1][lane], x[2][lane], x[3][lane]};
    std::memcpy(words + vector_lanes * lane, &row, sizeof row);
  }
}

// The midpoints of 2^52 cells of the unit interval. The leading 52 bits become a number in [1, 2);
// the subtraction is exact.
CAWI_INLINE void to_uniforms(const Bits& words, Doubles& u) {
  u = reinterpret_cast<Doubles>((words >> 12) | std::uint64_t{0x3ff0000000000000}) -
      (1.0 - 0x1p-53);
}

CAWI_INLINE void stream_columns_body(std::uint64_t seed, std::uint64_t first, Index count,
                                     Index words, double* const* column) {
  for (Index w = 0; w < words; w += 4) {
    const Index here = std::min<Index>(4, words - w);
    for (Index k = 0; k < count; k += vector_lanes) {
      Bits x[4] = {w / 4 + Bits{}, first + k + Bits{0, 1, 2, 3}, Bits{}, Bits{}};
      threefry(seed, x);
      for (Index i = 0; i < here; ++i) {
        Doubles u;
        to_uniforms(x[i], u);
        std::memcpy(column[w + i] + k, &u, sizeof u);
      }
    }
  }
}

#if CAWI_HAS_AVX2_CLONE
CAWI_AVX2 inline void stream_words_avx2(std::uint64_t seed, std::uint64_t index,
                                        std::uint64_t counter, std::uint64_t* words) {
  stream_words_body(seed, index, counter, words);
}
CAWI_AVX2 inline void stream_columns_avx2(std::uint64_t seed, std::uint64_t first, Index count,
                                          Index words, double* const* column) {
  stream_columns_body(seed, first, count, words, column);
}
#endif
#if CAWI_HAS_AVX512_CLONE
CAWI_AVX512 inline void stream_words_avx512(std::uint64_t seed, std::uint64_t index,
                                            std::uint64_t counter, std::uint64_t* words) {
  WideBits x[4] = {counter + WideBits{0, 1, 2, 3, 4, 5, 6, 7}, index + WideBits{}, WideBits{},
                   WideBits{}};
  threefry(seed, x);
  // The four words of a counter side by side, by shuffles of whole vectors: lane by lane the
  // compiler goes through memory, which takes as long as the rounds.
  constexpr WideBits evens = {0, 8, 2, 10, 4, 12, 6, 14}, odds = {1, 9, 3, 11, 5, 13, 7, 15};
  constexpr WideBits low = {0, 1, 8, 9, 2, 3, 10, 11}, high = {4, 5, 12, 13, 6, 7, 14, 15};
  constexpr WideBits first = {0, 1, 2, 3, 8, 9, 10, 11}, second = {4, 5, 6, 7, 12, 13, 14, 15};
  const WideBits even = __builtin_shuffle(x[0], x[1], evens);
  const WideBits odd = __builtin_shuffle(x[0], x[1], odds);
  const WideBits even_rest = __builtin_shuffle(x[2], x[3], evens);
  const WideBits odd_rest = __builtin_shuffle(x[2], x[3], odds);
  const WideBits of_0_2 = __builtin_shuffle(even, even_rest, low);
  const WideBits of_1_3 = __builtin_shuffle(odd, odd_rest, low);
  const WideBits of_4_6 = __builtin_shuffle(even, even_rest, high);
  const WideBits of_5_7 = __builtin_shuffle(odd, odd_rest, high);
  const WideBits rows[4] = {
      __builtin_shuffle(of_0_2, of_1_3, first), __builtin_shuffle(of_0_2, of_1_3, second),
      __builtin_shuffle(of_4_6, of_5_7, first), __builtin_shuffle(of_4_6, of_5_7, second)};
  std::memcpy(words, rows, sizeof rows);
}
// Vectors of four, but AVX-512 rotates in one step.
CAWI_AVX512 inline void stream_columns_avx512(std::uint64_t seed, std::uint64_t first, Index count,
                                              Index words, double* const* column) {
  stream_columns_body(seed, first, count, words, column);
}
#endif

// The words of stream `index` that four or eight counters from `counter` on give, and how many
// they are.
inline Index stream_words(std::uint64_t seed, std::uint64_t index, std::uint64_t counter,
                          std::uint64_t* words) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) {
    stream_words_avx512(seed, index, counter, words);
    return 32;
  }
#endif
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) {
    stream_words_avx2(seed, index, counter, words);
    return 16;
  }
#endif
  stream_words_body(seed, index, counter, words);
  return 16;
}

}  // namespace detail

// Word w of stream first + k, as a number of the open unit interval, goes to column[w][k]. Columns
// have room for `count` rounded up to a multiple of four.
inline void stream_columns(std::uint64_t seed, std::uint64_t first, Index count, Index words,
                           double* const* column) {
#if CAWI_HAS_AVX512_CLONE
  if (detail::has_avx512()) return detail::stream_columns_avx512(seed, first, count, words, column);
#endif
#if CAWI_HAS_AVX2_CLONE
  if (detail::has_avx2()) return detail::stream_columns_avx2(seed, first, count, words, column);
#endif
  detail::stream_columns_body(seed, first, count, words, column);
}

}  // namespace cawi

#endif
