#ifndef CAWI_COPULA_COPULA_HPP
#define CAWI_COPULA_COPULA_HPP

#include <algorithm>
#include <memory>
#include <vector>

#include "../core/errors.hpp"
#include "../core/random.hpp"
#include "../core/threads.hpp"
#include "../core/types.hpp"
#include "../stats/special.hpp"

namespace cawi {

// The contract of every family. Observations are columns here (d values next to each other), because
// a weight column is one draw; the free functions below speak the rows of R.
class Copula {
 public:
  virtual ~Copula() = default;

  virtual Index dim() const = 0;

  // Log-density at one point of the open unit cube; `work` has dim() elements. May be -infinity
  // where the density underflows, never NaN.
  virtual double log_density(const double* u, double* work) const = 0;

  // `count` draws, each dim() values in the open unit interval: draw k goes to u + k dim() and comes
  // from the stream that starts at first + k.
  virtual void draw(Stream& stream, Index first, Index count, double* u) const = 0;
};

namespace detail {
// Rows a task handles: fixed, so that sums over tasks do not depend on the number of threads.
constexpr Index block_rows = 256;
inline Index blocks(Index rows) { return (rows + block_rows - 1) / block_rows; }
}  // namespace detail

// Log-densities at the rows of u; -infinity outside the open unit cube.
inline arma::vec log_densities(const Copula& copula, const arma::mat& u, const Threads& threads) {
  const Index d = copula.dim(), n = u.n_rows;
  arma::vec result(n);
  for_each_task(detail::blocks(n), threads, [&](Index block, Index) {
    std::vector<double> point(d), work(d);
    const Index end = std::min(n, (block + 1) * detail::block_rows);
    for (Index i = block * detail::block_rows; i < end; ++i) {
      bool inside = true;
      for (Index j = 0; j < d; ++j) {
        point[j] = u(i, j);
        inside = inside && point[j] > 0.0 && point[j] < 1.0;
      }
      result[i] = inside ? copula.log_density(point.data(), work.data()) : -infinity;
    }
  });
  return result;
}

// Sum of log-densities, added block by block so that threads do not change the rounding.
inline double log_likelihood(const Copula& copula, const arma::mat& u, const Threads& threads) {
  return arma::accu(log_densities(copula, u, threads));
}

// dim x count matrix; column t is draw t of the seed.
inline arma::mat draw_columns(const Copula& copula, Index count, std::uint64_t seed,
                              const Threads& threads) {
  arma::mat u(copula.dim(), count);
  for_each_task(detail::blocks(count), threads, [&](Index block, Index) {
    Stream stream(seed);
    const Index begin = block * detail::block_rows;
    const Index end = std::min(count, begin + detail::block_rows);
    copula.draw(stream, begin, end - begin, u.colptr(begin));
  });
  return u;
}

// Fills a count x dim matrix; row t is draw t of the seed.
inline void draw_rows(const Copula& copula, std::uint64_t seed, const Threads& threads,
                      arma::mat& u) {
  const Index d = copula.dim(), count = u.n_rows;
  for_each_task(detail::blocks(count), threads, [&](Index block, Index) {
    Stream stream(seed);
    const Index begin = block * detail::block_rows;
    const Index end = std::min(count, begin + detail::block_rows);
    std::vector<double> draws(d * (end - begin));
    copula.draw(stream, begin, end - begin, draws.data());
    for (Index j = 0; j < d; ++j) {
      double* column = u.colptr(j);
      for (Index t = begin; t < end; ++t) column[t] = draws[d * (t - begin) + j];
    }
  });
}

}  // namespace cawi

#endif
