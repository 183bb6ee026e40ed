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
      next_word();
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

  // The same draws, into every stride-th element. Words in the buffer are used up in one go, and
  // their number is not looked at each time.
  void normals(double* z, Index n, Index stride = 1) {
    double* const end = z + n * stride;
    while (z != end) {
      next_word();
      const Index left = static_cast<Index>(end - z) / stride;
      const std::uint64_t* word = words_.data() + used_;
      const std::uint64_t* const last = word + std::min<Index>(left, filled_ - used_);
      for (; word != last && inside_layer(*word, *z); ++word) z += stride;
      used_ = static_cast<Index>(word - words_.data());
      if (word == last) continue;
      *z = boost_normal();
      z += stride;
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

  double boost_normal() {
    Engine engine{*this};
    return boost::random::normal_distribution<double>()(engine);
  }

  std::uint64_t next_word() {
    if (used_ == filled_) {
      filled_ = detail::stream_words(seed_, index_, counter_, words_.data());
      counter_ += filled_ / 4;
      used_ = 0;
    }
    return words_[used_];
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
  std::array<std::uint64_t, detail::most_words_at_once> words_;
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
