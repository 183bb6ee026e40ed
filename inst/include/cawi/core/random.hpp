// Counter-based random streams (threefry, Salmon et al. 2011). A stream belongs to a draw, not to a
// thread: draw i of a seed is the same whoever makes it, and the first n draws of a longer sample
// are the sample of size n.
#ifndef CAWI_CORE_RANDOM_HPP
#define CAWI_CORE_RANDOM_HPP

#include <threefry.h>

#include <boost/random/exponential_distribution.hpp>
#include <boost/random/gamma_distribution.hpp>
#include <boost/random/normal_distribution.hpp>

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

  double normal() { return normal_(engine_); }
  double exponential() { return exponential_(engine_); }
  double gamma(double shape) { return boost::random::gamma_distribution<double>(shape)(engine_); }

 private:
  sitmo::threefry_20_64 engine_;
  boost::random::normal_distribution<double> normal_;
  boost::random::exponential_distribution<double> exponential_;
};

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
