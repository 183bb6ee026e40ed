#ifndef CAWI_COPULA_COPULA_HPP
#define CAWI_COPULA_COPULA_HPP

#include <algorithm>
#include <memory>
#include <vector>

#include "../core/blocks.hpp"
#include "../core/errors.hpp"
#include "../core/random.hpp"
#include "../stats/special.hpp"

namespace cawi {

// The contract of every family. Here the d values of an observation stand next to each other,
// because a column of weights is one draw; in R an observation is a row of a matrix.
class Copula {
 public:
  virtual ~Copula() = default;

  virtual Index dim() const = 0;

  // Log-density at one point of the open unit cube; `work` has dim() elements. May be -infinity
  // where the density underflows, never NaN.
  virtual double log_density(const double* u, double* work) const = 0;

  // `count` draws, each dim() values in the open unit interval: draw k goes to u + k dim() and
  // comes from the stream that starts at first + k.
  virtual void draw(Stream& stream, Index first, Index count, double* u) const = 0;
};

// Log-densities at the rows of u; -infinity outside the open unit cube.
inline arma::vec log_densities(const Copula& copula, const arma::mat& u, const Threads& threads) {
  const Index d = copula.dim();
  const RowBlocks blocks(u.n_rows);
  arma::vec result(u.n_rows);
  for_each_task(blocks.count(), threads, [&](Index b, Index) {
    std::vector<double> point(d), work(d);
    const RowBlock rows = blocks[b];
    for (Index i = rows.first; i < rows.end(); ++i) {
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

// The sum of the log-densities, added up on one thread, so that the number of threads does not
// change the rounding.
inline double log_likelihood(const Copula& copula, const arma::mat& u, const Threads& threads) {
  return arma::accu(log_densities(copula, u, threads));
}

// dim x count matrix; column t is draw t of the seed.
inline arma::mat draw_columns(const Copula& copula, Index count, std::uint64_t seed,
                              const Threads& threads) {
  const RowBlocks blocks(count);
  arma::mat u(copula.dim(), count);
  for_each_task(blocks.count(), threads, [&](Index b, Index) {
    Stream stream(seed);
    const RowBlock draws = blocks[b];
    copula.draw(stream, draws.first, draws.count, u.colptr(draws.first));
  });
  return u;
}

// Fills a count x dim matrix; row t is draw t of the seed.
inline void draw_rows(const Copula& copula, std::uint64_t seed, const Threads& threads,
                      arma::mat& u) {
  const Index d = copula.dim();
  const RowBlocks blocks(u.n_rows);
  for_each_task(blocks.count(), threads, [&](Index b, Index) {
    Stream stream(seed);
    const RowBlock rows = blocks[b];
    std::vector<double> draws(d * rows.count);
    copula.draw(stream, rows.first, rows.count, draws.data());
    for (Index j = 0; j < d; ++j) {
      double* column = u.colptr(j) + rows.first;
      for (Index t = 0; t < rows.count; ++t) column[t] = draws[d * t + j];
    }
  });
}

}  // namespace cawi

#endif
