// Counts the inversions of a sequence of small integers: pairs i < j with a[i] > a[j].
//
// A most-significant-digit radix recursion with digits of up to 8 bits:
//  1. Pairs whose leading digits differ are counted in one pass over the sequence. Chunks of 32
//     digits live in one vector register; a table says how many earlier digits exceed each value.
//  2. A stable scatter brings equal leading digits together (the same table says where each bucket
//     starts), and each bucket is counted by its remaining bits in the same way.
//  3. Small buckets of bytes are compared pair by pair, 32 pairs per instruction.
// The cost is O(n log n), the logarithm in base 256.
#ifndef CAWI_STATS_INVERSIONS_HPP
#define CAWI_STATS_INVERSIONS_HPP

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "../core/types.hpp"
#include "../core/vectors.hpp"

namespace cawi {
namespace detail {

constexpr Index chunk = 32;

using Bytes = std::int8_t __attribute__((vector_size(32)));
// Counts beyond 127; a mask that is true counts as one when it is subtracted.
using Counts = std::uint8_t __attribute__((vector_size(32)));
using Words = std::uint16_t __attribute__((vector_size(32)));

template <class Vector, class T>
CAWI_INLINE void load(Vector& v, const T* from) {
  std::memcpy(&v, from, sizeof v);
}

// Adds unsigned bytes in pairs.
template <class Vector>
CAWI_INLINE void add_bytes(Words& total, const Vector& bytes) {
  Words pairs;
  std::memcpy(&pairs, &bytes, sizeof pairs);
  total += (pairs & 0xff) + (pairs >> 8);
}

CAWI_INLINE Count sum(const Words& v) {
  Count total = 0;
  for (Index i = 0; i < sizeof(Words) / sizeof(v[0]); ++i) total += v[i];
  return total;
}

// Row i has ones in the lanes after i: the partners of element i inside a chunk.
struct LaterLanes {
  std::int8_t lane[chunk][chunk];
  constexpr LaterLanes() : lane() {
    for (Index i = 0; i < chunk; ++i) {
      for (Index j = 0; j < chunk; ++j) lane[i][j] = j > i ? 1 : 0;
    }
  }
};

// Ones, then zeros: loaded at 32 - k it keeps the first k lanes of a vector.
struct LeadingLanes {
  std::int8_t lane[2 * chunk];
  constexpr LeadingLanes() : lane() {
    for (Index i = 0; i < chunk; ++i) lane[i] = -1;
  }
};

struct DigitLanes {
  std::int8_t lane[256];
  constexpr DigitLanes() : lane() {
    for (int i = 0; i < 256; ++i) lane[i] = static_cast<std::int8_t>(i < 128 ? i : i - 256);
  }
};

inline constexpr LaterLanes later_lanes{};
inline constexpr LeadingLanes leading_lanes{};
inline constexpr DigitLanes digit_lanes{};

// more[k] = number of the digits that exceed lane[k], for 32 * Vectors lanes. A call takes at most
// four vectors: they and their counters then stay in registers.
template <int Vectors>
CAWI_INLINE void count_above(const std::int8_t* digits, Index n, const std::int8_t* lane,
                             std::uint8_t* more) {
  Bytes values[Vectors], counts[Vectors];
  CAWI_UNROLL
  for (int v = 0; v < Vectors; ++v) {
    load(values[v], lane + chunk * v);
    counts[v] = Bytes{};
  }
  for (Index i = 0; i < n; ++i) {
    const Bytes one = digits[i] - Bytes{};
    CAWI_UNROLL
    for (int v = 0; v < Vectors; ++v) counts[v] -= one > values[v];
  }
  CAWI_UNROLL
  for (int v = 0; v < Vectors; ++v) std::memcpy(more + chunk * v, &counts[v], chunk);
}

// For each lane of a chunk the number of earlier members that exceed it; also(i) is called for each
// member on the way.
template <class Also>
CAWI_INLINE void count_within(const std::int8_t* d, Index length, Bytes& within, const Also& also) {
  Bytes members, keep;
  load(members, d);
  load(keep, leading_lanes.lane + chunk - length);
  within = Bytes{};
  for (Index i = 0; i < length; ++i) {
    const Bytes one = d[i] - Bytes{};
    Bytes later;
    load(later, later_lanes.lane[i]);
    within += (one > members) & later;
    also(i);
  }
  within &= keep;
}

// Step 1. `digits` has one chunk of readable memory after its end. `above` has 32 * Vectors
// elements; on return above[k] is the number of digits greater than k, where k is the digit read as
// an unsigned byte.
template <int Vectors, class Level>
CAWI_INLINE Count cross_digit_body(const std::int8_t* digits, Index n, Level* above) {
  constexpr Index values = chunk * Vectors;
  std::fill_n(above, values, Level{0});
  alignas(32) std::uint8_t more[values];
  Count total = 0;
  Words inside = {};
  Index pending = 0;
  for (Index begin = 0; begin < n; begin += chunk) {
    const Index length = std::min(chunk, n - begin);
    const std::int8_t* d = digits + begin;
    Bytes within;
    Count earlier = 0;
    count_within(d, length, within,
                 [&](Index i) { earlier += above[static_cast<std::uint8_t>(d[i])]; });
    add_bytes(inside, within);
    total += earlier;
    // A lane of `inside` gains at most 62 per chunk.
    if (++pending == 1000) {
      total += sum(inside);
      inside = Words{};
      pending = 0;
    }
    constexpr int step = Vectors < 4 ? Vectors : 4;
    for (Index first = 0; first < values; first += chunk * step) {
      count_above<step>(d, length, digit_lanes.lane + first, more + first);
    }
    for (Index k = 0; k < values; ++k) above[k] = static_cast<Level>(above[k] + more[k]);
  }
  return total + sum(inside);
}

// Step 3. `a` has one chunk of readable memory after its end. Each chunk is compared with all that
// comes before it; a lane counts at most 255 at a time.
CAWI_INLINE Count all_pairs_body(const std::int8_t* a, Index n) {
  Words total = {};
  for (Index begin = 0; begin < n; begin += chunk) {
    const Index length = std::min(chunk, n - begin);
    Bytes members, within;
    Counts keep;
    count_within(a + begin, length, within, [](Index) {});
    add_bytes(total, within);
    load(members, a + begin);
    load(keep, leading_lanes.lane + chunk - length);
    for (Index first = 0; first < begin; first += 7 * chunk) {
      const Index last = std::min(first + 7 * chunk, begin);
      Counts count = {};
      for (Index i = first; i < last; ++i) {
        count -= reinterpret_cast<Counts>((a[i] - Bytes{}) > members);
      }
      count &= keep;
      add_bytes(total, count);
    }
  }
  return sum(total);
}

#if CAWI_HAS_AVX2_CLONE
template <int Vectors, class Level>
CAWI_AVX2 Count cross_digit_avx2(const std::int8_t* d, Index n, Level* above) {
  return cross_digit_body<Vectors>(d, n, above);
}
CAWI_AVX2 inline Count all_pairs_avx2(const std::int8_t* a, Index n) {
  return all_pairs_body(a, n);
}
#endif

template <int Vectors, class Level>
Count cross_digit_inversions(const std::int8_t* digits, Index n, Level* above) {
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return cross_digit_avx2<Vectors>(digits, n, above);
#endif
  return cross_digit_body<Vectors>(digits, n, above);
}

inline Count all_pairs_inversions(const std::int8_t* a, Index n) {
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return all_pairs_avx2(a, n);
#endif
  return all_pairs_body(a, n);
}

}  // namespace detail

// Scratch memory of one thread, reused from call to call.
template <class Level>
class InversionCounter {
 public:
  // The sequence value(0), ..., value(n - 1) of integers below 2^bits. `starts` says how many of
  // them are less than 0, 1, ...; its last element is n. So the buckets of step 2 are known before
  // step 1, and one pass reads the sequence, takes the digits and scatters the rest.
  template <class Value>
  Count count(const Value& value, const std::vector<std::uint32_t>& starts, int bits) {
    const Index n = starts.back();
    digits_.resize(n + detail::chunk);
    leaves_.resize(n + detail::chunk);
    if (bits <= byte_bits) {
      for (Index i = 0; i < n; ++i) leaves_[i] = biased(value(i), 128);
      return count_bytes(leaves_.data(), n);
    }
    const Digit digit(bits);
    Bounds bounds;
    for (Index k = 0; k < bounds.size(); ++k) {
      bounds[k] = starts[std::min(k << digit.shift, starts.size() - 1)];
    }
    if (digit.shift > byte_bits) other_.resize(2 * n);
    scatter(value, n, digit, bounds, other_.data());
    const Count crossing = cross_digits(digits_.data(), n, digit.width);
    // Buckets of bytes have no working space to point to.
    Level* const space = digit.shift > byte_bits ? other_.data() + n : nullptr;
    return crossing + within_buckets(other_.data(), space, n, digit, bounds);
  }

 private:
  using Byte = std::int8_t;
  static constexpr int byte_bits = 8;
  // Up to here comparing all pairs beats a pass with a table.
  static constexpr Index small = 320;

  // Bytes compare as signed numbers: a full byte is shifted down by 128.
  static Byte biased(Level value, int bias) {
    return static_cast<Byte>(static_cast<int>(value & 0xff) - bias);
  }

  // The leading digit of numbers of some bits; the lower `shift` bits are left.
  struct Digit {
    explicit Digit(int bits)
        : width(std::min(byte_bits, (bits + 1) / 2)),
          shift(bits - width),
          bias(width == byte_bits ? 128 : 0),
          rest(static_cast<Level>((Index{1} << shift) - 1)) {}
    int width, shift, bias;
    Level rest;
  };

  // Where the bucket of each digit starts.
  using Bounds = std::array<std::uint32_t, 257>;

  // Digits of the sequence go to digits_, and what is left of each element, as write(rest) makes
  // it, to the bucket of the digit. Arguments are copies: stores of bytes might otherwise change
  // them for all that the compiler knows, and it would read them again each time.
  template <class Value, class Write, class Rest>
  void scatter(Value value, Index n, Digit digit, const Bounds& bounds, Write write, Rest* rest) {
    Bounds next = bounds;
    Byte* digits = digits_.data();
    for (Index i = 0; i < n; ++i) {
      const Level v = value(i);
      const Index k = v >> digit.shift;
      digits[i] = static_cast<Byte>(static_cast<int>(k) - digit.bias);
      rest[next[k]++] = write(static_cast<Level>(v & digit.rest));
    }
  }

  // Where what is left is a byte it goes to leaves_, otherwise to `rest`.
  template <class Value>
  void scatter(Value value, Index n, Digit digit, const Bounds& bounds, Level* rest) {
    if (digit.shift <= byte_bits) {
      const auto as_byte = [](Level v) { return biased(v, 128); };
      scatter(value, n, digit, bounds, as_byte, leaves_.data());
    } else {
      scatter(
          value, n, digit, bounds, [](Level v) { return v; }, rest);
    }
  }

  // The same for a bucket, whose digits must be counted first.
  Count count(Level* a, Level* other, Index n, int bits) {
    if (n < 2 || bits <= 0) return 0;
    if (bits <= byte_bits) {
      for (Index i = 0; i < n; ++i) leaves_[i] = biased(a[i], 128);
      return count_bytes(leaves_.data(), n);
    }
    const Digit digit(bits);
    for (Index i = 0; i < n; ++i) {
      digits_[i] = static_cast<Byte>(static_cast<int>(a[i] >> digit.shift) - digit.bias);
    }
    const Count crossing = cross_digits(digits_.data(), n, digit.width);
    Bounds bounds;
    bounds.fill(static_cast<std::uint32_t>(n));
    bounds[0] = 0;
    for (Index k = 0; k < Index{1} << digit.width; ++k) {
      const Byte byte = static_cast<Byte>(static_cast<int>(k) - digit.bias);
      bounds[k + 1] = static_cast<std::uint32_t>(n - above_[static_cast<std::uint8_t>(byte)]);
    }
    scatter([a](Index i) { return a[i]; }, n, digit, bounds, other);
    return crossing + within_buckets(other, a, n, digit, bounds);
  }

  // Pairs with equal leading digits, after scatter(); `other` is working space.
  Count within_buckets(Level* rest, Level* other, Index n, const Digit& digit,
                       const Bounds& bounds) {
    Count total = 0;
    for (Index k = 0; bounds[k] < n; ++k) {
      const Index first = bounds[k], size = bounds[k + 1] - first;
      total += digit.shift <= byte_bits ? count_bytes(leaves_.data() + first, size)
                                        : count(rest + first, other + first, size, digit.shift);
    }
    return total;
  }

  Count count_bytes(const Byte* bytes, Index n) {
    if (n < 2) return 0;
    return n <= small ? detail::all_pairs_inversions(bytes, n) : cross_digits(bytes, n, byte_bits);
  }

  Count cross_digits(const Byte* digits, Index n, int width) {
    switch (width) {
      case 8:
        return detail::cross_digit_inversions<8>(digits, n, above_.data());
      case 7:
        return detail::cross_digit_inversions<4>(digits, n, above_.data());
      case 6:
        return detail::cross_digit_inversions<2>(digits, n, above_.data());
      default:
        return detail::cross_digit_inversions<1>(digits, n, above_.data());
    }
  }

  std::vector<Level> other_;
  std::vector<Byte> digits_, leaves_;
  std::array<Level, 256> above_;
};

}  // namespace cawi

#endif
