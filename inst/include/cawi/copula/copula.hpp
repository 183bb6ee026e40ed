#ifndef CAWI_COPULA_COPULA_HPP
#define CAWI_COPULA_COPULA_HPP

#include <algorithm>
#include <memory>
#include <vector>

#include "../core/blocks.hpp"
#include "../core/errors.hpp"
#include "../core/random.hpp"
#include "../stats/special.hpp"
#include "draw_block.hpp"

namespace cawi {

// The contract of every family.
class Copula {
 public:
  virtual ~Copula() = default;

  virtual Index dim() const = 0;

  // Log-density at one point of the open unit cube; `work` has dim() elements. May be -infinity
  // where the density underflows, never NaN.
  virtual double log_density(const double* u, double* work) const = 0;

  // Fills a block of draws, each dim() values in the open unit interval: draw k comes from the
  // stream that starts at k, and from nothing else.
  virtual void draw(Stream& stream, DrawBlock& u) const = 0;
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

namespace detail {

// Calls write(block) for blocks that hold the draws 0, ..., count - 1 of the seed.
template <class Write>
void for_each_draw_block(const Copula& copula, Index count, std::uint64_t seed,
                         const Threads& threads, const Write& write) {
  const RowBlocks blocks(count);
  std::vector<DrawBlock> scratch(static_cast<Index>(std::max(threads.count, 1)));
  for_each_task(blocks.count(), threads, [&](Index b, Index slot) {
    Stream stream(seed);
    scratch[slot].resize(copula.dim(), blocks[b].first, blocks[b].count);
    copula.draw(stream, scratch[slot]);
    write(scratch[slot]);
  });
}

}  // namespace detail

// Fills a dim x count matrix; column t is draw t of the seed.
inline void draw_columns(const Copula& copula, std::uint64_t seed, const Threads& threads,
                         arma::mat& u) {
  detail::for_each_draw_block(copula, u.n_cols, seed, threads, [&](const DrawBlock& block) {
    for (Index t = 0; t < block.count(); ++t) {
      double* draw = u.colptr(block.first() + t);
      for (Index j = 0; j < block.dim(); ++j) draw[j] = block.column(j)[t];
    }
  });
}

// Fills a count x dim matrix; row t is draw t of the seed.
inline void draw_rows(const Copula& copula, std::uint64_t seed, const Threads& threads,
                      arma::mat& u) {
  detail::for_each_draw_block(copula, u.n_rows, seed, threads, [&](const DrawBlock& block) {
    for (Index j = 0; j < block.dim(); ++j) {
      std::copy_n(block.column(j), block.count(), u.colptr(j) + block.first());
    }
  });
}

}  // namespace cawi

#endif
