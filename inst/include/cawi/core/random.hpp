// Counter-based random streams. A stream belongs to a draw, not to a thread: draw i of a seed is
// the same whoever makes it, and the first n draws of a longer sample are the sample of size n.
#ifndef CAWI_CORE_RANDOM_HPP
#define CAWI_CORE_RANDOM_HPP

#include <boost/random/normal_distribution.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "threefry.hpp"
#include "types.hpp"

namespace cawi {

namespace detail {

// The edges x_0 > x_1 > ... of the layers of Boost's ziggurat. Boost does not publish them, but a
// word whose fraction is one half makes it return half an edge.
class ZigguratEdges {
 public:
  ZigguratEdges() {
    for (Index layer = 0; layer < layers; ++layer) {
      OneWord engine{std::uint64_t{1} << 63 | layer << 1 | 1};
      edge_[layer] = 2.0 * boost::random::normal_distribution<double>()(engine);
    }
  }

  const double* data() const { return edge_.data(); }

  static const double* get() {
    static const ZigguratEdges edges;
    return edges.data();
  }

 private:
  static constexpr Index layers = 128;

  // An engine that gives one word, then zeros, which the last layer accepts.
  struct OneWord {
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return std::exchange(word, 0); }
    result_type word;
  };

  std::array<double, layers + 1> edge_ = {};
};

#if CAWI_HAS_AVX512_CLONE
// The draws of eight words, as Stream::inside_layer() gives them one by one. Bits of `outside` are
// set for words outside their layers. The two edges of a layer lie side by side: to load each such
// pair is faster than to gather edges.
CAWI_INLINE CAWI_AVX512 void layer_draws(const std::uint64_t* words, const double* edge,
                                         double* draws, std::uint32_t& outside) {
  using Pair = double __attribute__((vector_size(16)));
  Pair pair[wide_lanes];
  CAWI_UNROLL
  for (Index k = 0; k < wide_lanes; ++k) {
    std::memcpy(&pair[k], edge + ((words[k] & 0xff) >> 1), sizeof pair[k]);
  }
  const WideDoubles outer = {pair[0][0], pair[1][0], pair[2][0], pair[3][0],
                             pair[4][0], pair[5][0], pair[6][0], pair[7][0]};
  const WideDoubles inner = {pair[0][1], pair[1][1], pair[2][1], pair[3][1],
                             pair[4][1], pair[5][1], pair[6][1], pair[7][1]};
  using WideLongs = std::int64_t __attribute__((vector_size(64)));
  WideBits word;
  std::memcpy(&word, words, sizeof word);
  const WideBits fraction = (word & ~std::uint64_t{1 << 11}) >> 8;
  const WideDoubles size =
      __builtin_convertvector(reinterpret_cast<WideLongs>(fraction), WideDoubles) * 0x1p-56 * outer;
  const WideBits minus = ~word << 63;
  const WideBits signed_size = reinterpret_cast<WideBits>(size) ^ minus;
  std::memcpy(draws, &signed_size, sizeof signed_size);
  outside = _mm512_cmp_pd_mask(size, inner, _CMP_GE_OQ);
}

// Draws of words, eight at a time, up to the first that is outside its layer or up to the last
// seven; how many.
CAWI_AVX512 inline Index inside_layers_avx512(const std::uint64_t* words, Index n,
                                              const double* edge, double* draws) {
  Index i = 0;
  for (; i + wide_lanes <= n; i += wide_lanes) {
    std::uint32_t outside;
    layer_draws(words + i, edge, draws + i, outside);
    if (outside != 0) return i + static_cast<Index>(__builtin_ctz(outside));
  }
  return i;
}
#endif

}  // namespace detail

class Stream {
 public:
  explicit Stream(std::uint64_t seed) : seed_(seed) {}

  std::uint64_t seed() const { return seed_; }

  // Jumps to the start of the stream of draw `index`.
  void start(std::uint64_t index) {
    index_ = index;
    counter_ = 0;
    used_ = filled_ = 0;
  }

  std::uint64_t bits() {
    const std::uint64_t word = next_word();
    ++used_;
    return word;
  }

  // Open interval (0, 1): the midpoints of 2^52 cells.
  double uniform() { return to_uniform(bits()); }

  // Into every stride-th element.
  void uniforms(double* u, Index n, Index stride = 1) {
    while (n > 0) {
      if (used_ == filled_) fill(n);
      const Index here = std::min(n, filled_ - used_);
      const std::uint64_t* word = words_.data() + used_;
      for (Index i = 0; i < here; ++i) u[i * stride] = to_uniform(word[i]);
      used_ += here;
      u += here * stride;
      n -= here;
    }
  }

  // The draws of boost::random::normal_distribution. Nearly all words fall inside a layer of its
  // ziggurat, which is settled here; Boost starts again from the others.
  double normal() {
    double x;
    if (!inside_layer(next_word(), x)) return boost_normal();
    ++used_;
    return x;
  }

  // The same draws.
  void normals(double* z, Index n) {
    while (n > 0) {
      if (used_ == filled_) fill(n);
      const Index here = std::min(n, filled_ - used_);
      const Index inside = inside_layers(words_.data() + used_, here, z);
      used_ += inside;
      z += inside;
      n -= inside;
      if (inside == here) continue;
      *z++ = boost_normal();
      --n;
    }
  }

  double exponential() { return -std::log(uniform()); }

  // Gamma(shape) = value * root^(1/shape) where shape is below one: in that form it has a log where
  // the number underflows. From one on, root is one.
  void gamma(double shape, double& value, double& root) {
    value = gamma_from_one(shape < 1.0 ? shape + 1.0 : shape);
    root = shape < 1.0 ? uniform() : 1.0;
  }

  // Draws a gamma variable and gives its log.
  double log_of_gamma_draw(double shape) {
    double value, root;
    gamma(shape, value, root);
    return shape < 1.0 ? std::log(value) + std::log(root) / shape : std::log(value);
  }

 private:
  struct Engine {
    using result_type = std::uint64_t;
    static constexpr result_type min() { return 0; }
    static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
    result_type operator()() { return stream.bits(); }
    Stream& stream;
  };

  // Signed, because processors convert no other integers in one step.
  static double to_uniform(std::uint64_t word) {
    return (static_cast<double>(static_cast<std::int64_t>(word >> 12)) + 0.5) * 0x1p-52;
  }

  // Whether the layer that the word chooses lies under the density there; x is the draw.
  bool inside_layer(std::uint64_t word, double& x) const {
    const Index layer = (word & 0xff) >> 1;
    // Boost leaves bit 11 out.
    const auto fraction = static_cast<std::int64_t>((word & ~std::uint64_t{1 << 11}) >> 8);
    const double size = static_cast<double>(fraction) * 0x1p-56 * edge_[layer];
    // The lowest bit is the sign: a branch on it would be guessed wrong every other time.
    const double signs[2] = {-1.0, 1.0};
    x = size * signs[word & 1];
    return size < edge_[layer + 1];
  }

  // Draws of words up to the first that is outside its layer; how many.
  Index inside_layers(const std::uint64_t* word, Index n, double* z) const {
    Index i = 0;
#if CAWI_HAS_AVX512_CLONE
    if (detail::has_avx512()) i = detail::inside_layers_avx512(word, n, edge_, z);
#endif
    while (i < n && inside_layer(word[i], z[i])) ++i;
    return i;
  }

  double boost_normal() {
    Engine engine{*this};
    return boost::random::normal_distribution<double>()(engine);
  }

  std::uint64_t next_word() {
    if (used_ == filled_) fill(1);
    return words_[used_];
  }

  // As many words as are wanted, if they have room: all at once, because a processor that guesses a
  // branch of their use wrong loses the words that it was at.
  void fill(Index wanted) {
    const Index most = words_.size() - detail::most_words_at_once;
    used_ = filled_ = 0;
    do {
      const Index more = detail::stream_words(seed_, index_, counter_, words_.data() + filled_);
      counter_ += more / 4;
      filled_ += more;
    } while (filled_ < wanted && filled_ <= most);
  }

  // Marsaglia and Tsang (2000), shape at least one.
  double gamma_from_one(double shape) {
    const double d = shape - 1.0 / 3.0, c = 1.0 / std::sqrt(9.0 * d);
    for (;;) {
      const double x = normal(), root = 1.0 + c * x;
      if (root <= 0.0) continue;
      const double v = root * root * root, u = uniform(), x2 = x * x;
      if (u < 1.0 - 0.0331 * x2 * x2) return d * v;
      if (std::log(u) < 0.5 * x2 + d * (1.0 - v + std::log(v))) return d * v;
    }
  }

  std::uint64_t seed_, index_ = 0, counter_ = 0;
  Index used_ = 0, filled_ = 0;
  const double* edge_ = detail::ZigguratEdges::get();
  std::array<std::uint64_t, 8 * detail::most_words_at_once> words_;
};

// A seed of its own for part `index` of a larger task; below 2^52, so that a double holds it.
inline std::uint64_t child_seed(std::uint64_t seed, std::uint64_t index) {
  Stream stream(seed);
  stream.start(index);
  return stream.bits() >> 12;
}

// Fisher-Yates permutation of 0..n-1.
inline std::vector<std::uint32_t> permutation(std::uint64_t seed, Index n) {
  std::vector<std::uint32_t> p(n);
  for (Index i = 0; i < n; ++i) p[i] = static_cast<std::uint32_t>(i);
  Stream stream(seed);
  for (Index i = n; i > 1; --i) {
    const Index j = static_cast<Index>(stream.uniform() * static_cast<double>(i));
    std::swap(p[i - 1], p[j]);
  }
  return p;
}

}  // namespace cawi

#endif
