// A'WA and A'WY, added up over blocks of rows while the features are computed. Blocks are dealt to
// a fixed number of lanes, each with a sum of its own, and the lanes are added in order, so that
// the result does not depend on the number of threads.
#ifndef CAWI_RIDGE_GRAM_HPP
#define CAWI_RIDGE_GRAM_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../features/feature_rows.hpp"
#include "targets.hpp"

namespace cawi {

struct Gram {
  arma::mat aa;  // A'WA
  arma::mat ay;  // A'WY
};

// Squares that leave the range of a double would be a silent wrong answer further on. Two columns
// of finite squares have a finite product, so the diagonal of the sums tells all.
inline void require_finite(const arma::vec& squares) {
  for (Index j = 0; j < squares.n_elem; ++j) {
    if (!std::isfinite(squares[j])) throw DomainError("overflow", std::to_string(j + 1));
  }
}

// Adds the upper triangle of A'A to that of the sum, with no matrix in between.
inline void add_crossproduct(const arma::mat& a, arma::mat& sum) {
  const char uplo = 'U', trans = 'T';
  const auto n = static_cast<arma::blas_int>(a.n_cols);
  const auto rows = static_cast<arma::blas_int>(a.n_rows);
  const double one = 1.0;
  arma::blas::syrk<double>(&uplo, &trans, &n, &rows, &one, a.memptr(), &rows, &one, sum.memptr(),
                           &n);
}

inline void copy_upper_to_lower(arma::mat& s) {
  for (Index j = 1; j < s.n_cols; ++j) {
    for (Index i = 0; i < j; ++i) s(j, i) = s(i, j);
  }
}

namespace detail {

// Enough lanes for four threads while their sums stay small.
inline Index gram_lanes(Index blocks, Index columns) {
  const Index affordable =
      std::max<Index>(2, (Index{1} << 24) / std::max<Index>(1, columns * columns));
  return std::min({std::max<Index>(1, blocks), affordable, Index{4}});
}

// `add(rows, y, sum)` adds a weighted block to the sum of its lane.
template <class Add>
Gram accumulate(const FeatureRows& features, const Targets& targets, const Threads& threads,
                const Gram& zero, const Add& add) {
  const Index lanes = gram_lanes(features.blocks().count(), features.columns());
  std::vector<Gram> part(lanes, zero);
  std::vector<arma::mat> work(lanes);
  for_each_block(features.blocks(), lanes, threads, [&](Index lane, const RowBlock& rows) {
    arma::mat& a = work[lane];
    features.block(rows, a);
    arma::mat y = targets.block(rows);
    const arma::vec root = targets.block_roots(rows);
    if (!root.is_empty()) {
      a.each_col() %= root;
      y.each_col() %= root;
    }
    add(a, y, part[lane]);
  });
  for (Index lane = 1; lane < lanes; ++lane) {
    part[0].aa += part[lane].aa;
    part[0].ay += part[lane].ay;
  }
  return std::move(part[0]);
}

}  // namespace detail

inline Gram accumulate_gram(const FeatureRows& features, const Targets& targets,
                            const Threads& threads) {
  const Index a = features.columns(), k = targets.outputs;
  const Gram zero{arma::mat(a, a, arma::fill::zeros), arma::mat(a, k, arma::fill::zeros)};
  Gram gram = detail::accumulate(features, targets, threads, zero,
                                 [](const arma::mat& rows, const arma::mat& y, Gram& sum) {
                                   add_crossproduct(rows, sum.aa);
                                   sum.ay += rows.t() * y;
                                 });
  copy_upper_to_lower(gram.aa);
  require_finite(gram.aa.diag());
  return gram;
}

// A'WN and N'WY for some columns N of A: what a Gram matrix gains when they are added.
inline Gram accumulate_border(const FeatureRows& features, const arma::uvec& fresh,
                              const Targets& targets, const Threads& threads) {
  const Gram zero{arma::mat(features.columns(), fresh.n_elem, arma::fill::zeros),
                  arma::mat(fresh.n_elem, targets.outputs, arma::fill::zeros)};
  return detail::accumulate(features, targets, threads, zero,
                            [&](const arma::mat& rows, const arma::mat& y, Gram& sum) {
                              const arma::mat added = rows.cols(fresh);
                              sum.aa += rows.t() * added;
                              sum.ay += added.t() * y;
                            });
}

}  // namespace cawi

#endif
