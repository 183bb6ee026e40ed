// Counter-based random streams (threefry, Salmon et al. 2011). A stream belongs to a draw, not to a
// thread: draw i of a seed is the same whoever makes it, and the first n draws of a longer sample
// are the sample of size n.
#ifndef CAWI_CORE_RANDOM_HPP
#define CAWI_CORE_RANDOM_HPP

#include <threefry.h>

#include <boost/random/normal_distribution.hpp>

#include <cmath>
#include <utility>
#include <vector>

#include "types.hpp"

namespace cawi {

class Stream {
 public:
  explicit Stream(std::uint64_t seed) : engine_(seed) {}

  // Jumps to the start of the stream of draw `index`.
  void start(std::uint64_t index) { engine_.set_counter(0, index); }

  std::uint64_t bits() { return engine_(); }

  // Open interval (0, 1): the midpoints of 2^52 cells.
  double uniform() { return (static_cast<double>(engine_() >> 12) + 0.5) * 0x1p-52; }

  void uniforms(double* u, Index n) {
    for (Index i = 0; i < n; ++i) u[i] = uniform();
  }

  double normal() { return normal_(engine_); }
  double exponential() { return -std::log(uniform()); }

  // Draws a gamma variable and gives its log. Below shape one, Gamma(a) = Gamma(a + 1) U^(1/a): its
  // log survives where the number underflows.
  double log_of_gamma_draw(double shape) {
    if (shape >= 1.0) return std::log(gamma_from_one(shape));
    return std::log(gamma_from_one(shape + 1.0)) + std::log(uniform()) / shape;
  }

 private:
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

  // 13 rounds pass the strictest batteries of tests.
  sitmo::threefry_13_64 engine_;
  boost::random::normal_distribution<double> normal_;
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
