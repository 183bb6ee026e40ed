// A'WA and A'WY, added up over blocks of rows while the features are computed. The result does not
// depend on the number of threads:
// - Narrow features: blocks are dealt to lanes, each with a sum of its own, and the lanes are added
//   in order. The number of lanes depends on the problem alone.
// - Wide features: there is one sum. Some blocks of features are computed, and then the tiles of
//   the sum take them in, each tile in the order of the blocks.
#ifndef CAWI_RIDGE_GRAM_HPP
#define CAWI_RIDGE_GRAM_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "../features/feature_rows.hpp"
#include "symmetric.hpp"
#include "targets.hpp"

namespace cawi {

struct Gram {
  arma::mat aa;  // A'WA
  arma::mat ay;  // A'WY

  static Gram zero(Index columns, Index outputs) {
    return {arma::mat(columns, columns, arma::fill::zeros),
            arma::mat(columns, outputs, arma::fill::zeros)};
  }
};

// Squares that leave the range of a double would be a silent wrong answer further on. Two columns
// of finite squares have a finite product, so the diagonal of the sums tells all.
// The error has the number of the column, counted on from `before`.
inline void require_finite(const arma::vec& squares, Index before = 0) {
  for (Index j = 0; j < squares.n_elem; ++j) {
    if (!std::isfinite(squares[j])) throw DomainError("overflow", std::to_string(before + j + 1));
  }
}

// Features, one matrix per readout, and targets of some rows, multiplied by the roots of the case
// weights.
struct WeightedRows {
  std::vector<arma::mat> a;
  arma::mat y;

  void compute(const FeatureRows& features, const Targets& targets, const RowBlock& rows) {
    features.block(rows, a);
    weigh(targets, rows);
  }

  void weigh(const Targets& targets, const RowBlock& rows) {
    y = targets.block(rows);
    const arma::vec root = targets.block_roots(rows);
    if (root.is_empty()) return;
    for (arma::mat& part : a) part.each_col() %= root;
    y.each_col() %= root;
  }
};

namespace detail {

// Numbers that the sums of all lanes may have together: 16 megabytes.
constexpr Index lane_numbers = Index{1} << 21;

inline Index lanes_for(Index blocks, Index numbers) {
  const Index affordable = lane_numbers / std::max<Index>(numbers, 1);
  return std::clamp<Index>(std::min(blocks, affordable), 1, 32);
}

// Some leading columns of a matrix, in its memory.
inline const arma::mat leading(const arma::mat& a, Index columns) {
  return arma::mat(const_cast<double*>(a.memptr()), a.n_rows, columns, false, true);
}

inline void add_grams_in_lanes(const FeatureRows& features, const Targets& targets, Index lanes,
                               const Threads& threads, std::vector<Gram>& grams) {
  std::vector<WeightedRows> work(std::max(threads.count, 1));
  std::vector<std::vector<Gram>> more(lanes - 1);
  for (auto& lane : more) {
    for (const Gram& gram : grams) lane.push_back(Gram::zero(gram.aa.n_rows, gram.ay.n_cols));
  }
  for_each_block_in_lanes(features.blocks(), lanes, threads,
                          [&](Index lane, Index slot, const RowBlock& rows) {
                            work[slot].compute(features, targets, rows);
                            for (Index r = 0; r < grams.size(); ++r) {
                              Gram& sum = lane == 0 ? grams[r] : more[lane - 1][r];
                              if (sum.aa.is_empty()) continue;
                              const arma::mat a = leading(work[slot].a[r], sum.aa.n_rows);
                              add_crossproduct(a, sum.aa);
                              sum.ay += a.t() * work[slot].y;
                            }
                          });
  for (const auto& lane : more) {
    for (Index r = 0; r < grams.size(); ++r) {
      grams[r].aa += lane[r].aa;
      grams[r].ay += lane[r].ay;
    }
  }
}

inline void add_grams_in_tiles(const FeatureRows& features, const Targets& targets,
                               const Threads& threads, std::vector<Gram>& grams) {
  const SingleThreadedBlas guard;
  const RowBlocks blocks = features.blocks();
  const Index ahead = std::clamp<Index>(
      4 * lane_numbers / std::max<Index>(blocks.size() * features.columns(), 1), 4, 64);
  std::vector<WeightedRows> work(std::min(ahead, blocks.count()));
  std::vector<std::pair<Index, Tile>> tiles;
  for (Index r = 0; r < grams.size(); ++r) {
    for (const Tile& tile : upper_tiles(grams[r].aa.n_rows)) tiles.emplace_back(r, tile);
  }
  for (Index first = 0; first < blocks.count(); first += ahead) {
    const Index count = std::min(ahead, blocks.count() - first);
    for_each_task(count, threads,
                  [&](Index b, Index) { work[b].compute(features, targets, blocks[first + b]); });
    for_each_task(tiles.size(), threads, [&](Index t, Index) {
      const auto& [r, tile] = tiles[t];
      for (Index b = 0; b < count; ++b) {
        const arma::mat& a = work[b].a[r];
        add_crossproduct_tile(a, tile, grams[r].aa);
        if (tile.on_diagonal()) {
          grams[r].ay.rows(tile.row, tile.row + tile.rows - 1) +=
              a.cols(tile.row, tile.row + tile.rows - 1).t() * work[b].y;
        }
      }
    });
  }
}

}  // namespace detail

// Adds to the sums of every readout. Sums with fewer rows than a readout has columns are of its
// leading columns; empty ones stay empty.
inline void add_grams(const FeatureRows& features, const Targets& targets, const Threads& threads,
                      std::vector<Gram>& grams) {
  Index numbers = 0;
  for (const Gram& gram : grams) numbers += gram.aa.n_elem;
  if (numbers == 0) return;
  const Index blocks = features.blocks().count();
  if (detail::lane_numbers / numbers >= 4) {
    const Index lanes = detail::lanes_for(blocks, numbers);
    detail::add_grams_in_lanes(features, targets, lanes, threads, grams);
  } else {
    detail::add_grams_in_tiles(features, targets, threads, grams);
  }
  Index before = 0;
  for (Index r = 0; r < grams.size(); ++r) {
    copy_upper_to_lower(grams[r].aa);
    require_finite(grams[r].aa.diag(), before);
    before += features.columns(r);
  }
}

inline std::vector<Gram> accumulate_grams(const FeatureRows& features, const Targets& targets,
                                          const Threads& threads) {
  std::vector<Gram> grams;
  for (Index r = 0; r < features.readouts(); ++r) {
    grams.push_back(Gram::zero(features.columns(r), targets.outputs));
  }
  add_grams(features, targets, threads, grams);
  return grams;
}

// A'WN and N'WY for some columns N of what a readout sees: what its sums gain when they are added.
inline Gram accumulate_border(const FeatureRows& features, Index readout, const arma::uvec& fresh,
                              const Targets& targets, const Threads& threads) {
  const Index columns = features.columns(readout);
  const Index lanes =
      std::max<Index>(detail::lanes_for(features.blocks().count(), columns * fresh.n_elem),
                      std::min<Index>(features.blocks().count(), 4));
  const Gram zero{arma::mat(columns, fresh.n_elem, arma::fill::zeros),
                  arma::mat(fresh.n_elem, targets.outputs, arma::fill::zeros)};
  std::vector<Gram> part(lanes, zero);
  std::vector<WeightedRows> work(std::max(threads.count, 1));
  for_each_block_in_lanes(features.blocks(), lanes, threads,
                          [&](Index lane, Index slot, const RowBlock& rows) {
                            work[slot].compute(features, targets, rows);
                            const arma::mat& a = work[slot].a[readout];
                            const arma::mat added = a.cols(fresh);
                            part[lane].aa += a.t() * added;
                            part[lane].ay += added.t() * work[slot].y;
                          });
  for (Index lane = 1; lane < lanes; ++lane) {
    part[0].aa += part[lane].aa;
    part[0].ay += part[lane].ay;
  }
  return std::move(part[0]);
}

}  // namespace cawi

#endif
