// A'WA and A'WY, accumulated over blocks of rows as the features are computed: the whole A need not
// exist. Rows are dealt to a fixed number of lanes, each with a sum of its own, and the lanes are
// added in order, so the result does not depend on the number of threads.
#ifndef CAWI_RIDGE_GRAM_HPP
#define CAWI_RIDGE_GRAM_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../core/blas.hpp"
#include "../core/threads.hpp"
#include "../features/network.hpp"

namespace cawi {

// What the readout is fitted to: a numeric matrix, or the classes 0..k-1 of the rows as one-hot
// columns that exist one block at a time (a class below zero is none of them). Case weights may be
// empty.
struct Targets {
  arma::mat values;
  std::vector<int> classes;
  Index outputs = 0;
  arma::vec weights;
  bool centered = false;  // numbers whose intercept, if there is one, has no penalty

  arma::mat block(Index first, Index count) const {
    if (classes.empty()) return values.rows(first, first + count - 1);
    arma::mat y(count, outputs, arma::fill::zeros);
    for (Index i = 0; i < count; ++i) {
      if (classes[first + i] >= 0) y(i, classes[first + i]) = 1.0;
    }
    return y;
  }

  // Square roots of the weights of a block; empty where there are none.
  arma::vec root_weights(Index first, Index count) const {
    return weights.is_empty() ? arma::vec() : arma::vec(arma::sqrt(weights.subvec(first, first + count - 1)));
  }
};

// The rows of x seen through a network and, for ensembles, a choice of its columns.
class FeatureRows {
 public:
  FeatureRows(const arma::mat& x, const Network& network, arma::uvec columns = {})
      : x_(x), network_(network), columns_(std::move(columns)) {}

  Index rows() const { return x_.n_rows; }
  Index columns() const { return columns_.is_empty() ? network_.columns() : columns_.n_elem; }

  // Place of the ones among the columns.
  bool has_ones() const { return network_.has_ones(); }
  Index ones() const {
    if (columns_.is_empty()) return network_.ones();
    const arma::uvec place = arma::find(columns_ == network_.ones(), 1);
    require(!place.is_empty(), "model", "a readout lacks the column of ones");
    return place[0];
  }

  // The same rows with the first `width` columns only.
  FeatureRows leading(Index width) const {
    if (width == columns()) return *this;
    arma::uvec kept = columns_.is_empty() ? arma::regspace<arma::uvec>(0, network_.columns() - 1) : columns_;
    return FeatureRows(x_, network_, kept.head(width));
  }

  // Fresh memory for every block would cost as much as the activations: `a` is used again.
  void block(Index first, Index count, arma::mat& a) const {
    network_.features(x_, first, count, a);
    if (!columns_.is_empty()) a = arma::mat(a.cols(columns_));
  }

  arma::mat block(Index first, Index count) const {
    arma::mat a;
    block(first, count, a);
    return a;
  }

 private:
  const arma::mat& x_;
  const Network& network_;
  arma::uvec columns_;
};

// Rows of a block: enough that adding up the sums costs little beside the products, few enough for
// the cache, and where there are few rows in all, a quarter of them, so that threads have work. It
// depends on the problem alone, never on the threads.
inline Index block_size(Index rows, Index columns) {
  const Index wanted = std::min<Index>(4 * columns, (Index{1} << 21) / std::max<Index>(columns, 1));
  const Index share = std::max<Index>((rows + 3) / 4, 128);
  return std::min(std::clamp<Index>(wanted, 256, 4096), share);
}

// Calls work(lane, first, count) for every block of rows: lanes in parallel, the blocks of a lane in
// order. Between rounds the calling thread may be interrupted.
template <class Work>
void for_each_block(const FeatureRows& features, Index lanes, const Threads& threads,
                    const Work& work) {
  const SingleThreadedBlas guard;
  const Index rows = features.rows(), size = block_size(rows, features.columns());
  const Index blocks = (rows + size - 1) / size;
  for (Index round = 0; round * lanes < blocks; ++round) {
    const Index first_block = round * lanes;
    for_each_task(std::min(lanes, blocks - first_block), threads, [&](Index lane, Index) {
      const Index first = (first_block + lane) * size;
      work(lane, first, std::min(size, rows - first));
    });
  }
}

// Enough lanes for four threads while their sums stay small.
inline Index gram_lanes(Index rows, Index columns) {
  const Index size = block_size(rows, columns);
  const Index blocks = std::max<Index>(1, (rows + size - 1) / size);
  const Index affordable = std::max<Index>(2, (Index{1} << 24) / std::max<Index>(1, columns * columns));
  return std::min({blocks, affordable, Index{4}});
}

struct Gram {
  arma::mat aa;  // A'WA
  arma::mat ay;  // A'WY
};

// Squares that leave the range of a double would be a silent wrong answer further on. Two finite columns have a
// finite product, so the diagonal of the sums tells all.
inline void require_finite(const arma::vec& squares) {
  for (Index j = 0; j < squares.n_elem; ++j) {
    if (!std::isfinite(squares[j])) throw DomainError("overflow", std::to_string(j + 1));
  }
}

// Sums over blocks of rows: `add(rows, y, sum)` adds the weighted block to the sum of its lane.
template <class Sum, class Add>
Sum accumulate(const FeatureRows& features, const Targets& targets, const Threads& threads,
               const Sum& zero, const Add& add) {
  const Index lanes = gram_lanes(features.rows(), features.columns());
  std::vector<Sum> part(lanes, zero);
  std::vector<arma::mat> work(lanes);
  for_each_block(features, lanes, threads, [&](Index lane, Index first, Index count) {
    arma::mat& rows = work[lane];
    features.block(first, count, rows);
    arma::mat y = targets.block(first, count);
    const arma::vec root = targets.root_weights(first, count);
    if (!root.is_empty()) {
      rows.each_col() %= root;
      y.each_col() %= root;
    }
    add(rows, y, part[lane]);
  });
  for (Index lane = 1; lane < lanes; ++lane) {
    part[0].aa += part[lane].aa;
    part[0].ay += part[lane].ay;
  }
  return std::move(part[0]);
}

// Adds the upper triangle of A'A to that of the sum, with no matrix in between.
inline void add_crossproduct(const arma::mat& a, arma::mat& sum) {
  const char uplo = 'U', trans = 'T';
  const auto n = static_cast<arma::blas_int>(a.n_cols), rows = static_cast<arma::blas_int>(a.n_rows);
  const double one = 1.0;
  arma::blas::syrk<double>(&uplo, &trans, &n, &rows, &one, a.memptr(), &rows, &one, sum.memptr(), &n);
}

inline void copy_upper_to_lower(arma::mat& s) {
  for (Index j = 1; j < s.n_cols; ++j) {
    for (Index i = 0; i < j; ++i) s(j, i) = s(i, j);
  }
}

inline Gram accumulate_gram(const FeatureRows& features, const Targets& targets,
                            const Threads& threads) {
  const Index a = features.columns(), k = targets.outputs;
  const Gram zero{arma::mat(a, a, arma::fill::zeros), arma::mat(a, k, arma::fill::zeros)};
  Gram gram = accumulate(features, targets, threads, zero,
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
  return accumulate(features, targets, threads, zero,
                    [&](const arma::mat& rows, const arma::mat& y, Gram& sum) {
                      const arma::mat added = rows.cols(fresh);
                      sum.aa += rows.t() * added;
                      sum.ay += added.t() * y;
                    });
}

// The whole of A.
inline arma::mat all_features(const FeatureRows& features, const Threads& threads) {
  arma::mat a(features.rows(), features.columns());
  for_each_block(features, 8, threads, [&](Index, Index first, Index count) {
    a.rows(first, first + count - 1) = features.block(first, count);
  });
  return a;
}

// A * coefficients, block by block.
inline arma::mat scores(const FeatureRows& features, const arma::mat& coefficients,
                        const Threads& threads) {
  require(coefficients.n_rows == features.columns(), "model", "coefficients do not fit the features");
  arma::mat out(features.rows(), coefficients.n_cols);
  for_each_block(features, 8, threads, [&](Index, Index first, Index count) {
    out.rows(first, first + count - 1) = features.block(first, count) * coefficients;
  });
  return out;
}

}  // namespace cawi

#endif
