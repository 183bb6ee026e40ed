// Ridge problems of one matrix at eight penalties at a time: each number of a factor is a vector
// with a lane per penalty, so that small factors run at full speed. Only where there is AVX-512:
// with shorter vectors the BLAS is as fast.
#ifndef CAWI_RIDGE_PENALTY_LANES_HPP
#define CAWI_RIDGE_PENALTY_LANES_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

#include "../core/vectors.hpp"
#include "gram.hpp"

namespace cawi {

constexpr Index penalty_lanes = 8;

namespace detail {

// Up to here a factor of all lanes stays near the processor.
constexpr Index widest_lanes = 320;

// A tile is four rows and four columns of vectors. The matrix is kept in panels of four columns,
// each with its rows one after the other.
constexpr Index tile_side = 4;
constexpr Index panel_row = tile_side * penalty_lanes;

struct LaneTile {
  WideDoubles at[tile_side][tile_side];

  CAWI_INLINE void load(const double* from) {
    CAWI_UNROLL
    for (Index i = 0; i < tile_side; ++i) {
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) {
        std::memcpy(&at[i][j], from + i * panel_row + j * penalty_lanes, sizeof at[i][j]);
      }
    }
  }

  CAWI_INLINE void store(double* to) const {
    CAWI_UNROLL
    for (Index i = 0; i < tile_side; ++i) {
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) {
        std::memcpy(to + i * panel_row + j * penalty_lanes, &at[i][j], sizeof at[i][j]);
      }
    }
  }
};

// Subtracts A'B, where A and B have some rows of two panels.
CAWI_INLINE void subtract_products(const double* a, const double* b, Index rows, LaneTile& sum) {
  WideDoubles left, right[tile_side];
  for (Index k = 0; k < rows; ++k, a += panel_row, b += panel_row) {
    CAWI_UNROLL
    for (Index j = 0; j < tile_side; ++j) {
      std::memcpy(&right[j], b + j * penalty_lanes, sizeof right[j]);
    }
    CAWI_UNROLL
    for (Index i = 0; i < tile_side; ++i) {
      std::memcpy(&left, a + i * penalty_lanes, sizeof left);
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) sum.at[i][j] -= left * right[j];
    }
  }
}

// The tile's own rows: R_ii^-T times the tile. `inverse` has the reciprocals of the diagonal.
CAWI_INLINE void solve_tile_rows(const double* diagonal, const double* inverse, LaneTile& tile) {
  WideDoubles factor;
  CAWI_UNROLL
  for (Index i = 0; i < tile_side; ++i) {
    CAWI_UNROLL
    for (Index k = 0; k < i; ++k) {
      std::memcpy(&factor, diagonal + k * panel_row + i * penalty_lanes, sizeof factor);
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) tile.at[i][j] -= factor * tile.at[k][j];
    }
    std::memcpy(&factor, inverse + i * penalty_lanes, sizeof factor);
    CAWI_UNROLL
    for (Index j = 0; j < tile_side; ++j) tile.at[i][j] *= factor;
  }
}

// The other way: R_ii^-1 times the tile.
CAWI_INLINE void solve_tile_back(const double* diagonal, const double* inverse, LaneTile& tile) {
  WideDoubles factor;
  CAWI_UNROLL
  for (Index from_end = 0; from_end < tile_side; ++from_end) {
    const Index i = tile_side - 1 - from_end;
    CAWI_UNROLL
    for (Index k = i + 1; k < tile_side; ++k) {
      std::memcpy(&factor, diagonal + i * panel_row + k * penalty_lanes, sizeof factor);
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) tile.at[i][j] -= factor * tile.at[k][j];
    }
    std::memcpy(&factor, inverse + i * penalty_lanes, sizeof factor);
    CAWI_UNROLL
    for (Index j = 0; j < tile_side; ++j) tile.at[i][j] *= factor;
  }
}

// Subtracts the products of some rows of a panel with a tile of solutions.
CAWI_AVX512_FUSED inline void subtract_solved(const double* panel, Index rows, const double* solved,
                                              double* x) {
  LaneTile b;
  b.load(solved);
  WideDoubles sum[tile_side], factor;
  for (Index k = 0; k < rows; ++k, panel += panel_row, x += panel_row) {
    CAWI_UNROLL
    for (Index j = 0; j < tile_side; ++j) {
      std::memcpy(&sum[j], x + j * penalty_lanes, sizeof sum[j]);
    }
    CAWI_UNROLL
    for (Index c = 0; c < tile_side; ++c) {
      std::memcpy(&factor, panel + c * penalty_lanes, sizeof factor);
      CAWI_UNROLL
      for (Index j = 0; j < tile_side; ++j) sum[j] -= factor * b.at[c][j];
    }
    CAWI_UNROLL
    for (Index j = 0; j < tile_side; ++j) {
      std::memcpy(x + j * penalty_lanes, &sum[j], sizeof sum[j]);
    }
  }
}

CAWI_AVX512_FUSED inline void off_diagonal_tile(const double* left, const double* inverse,
                                                Index rows, double* right) {
  LaneTile tile;
  tile.load(right + rows * panel_row);
  subtract_products(left, right, rows, tile);
  solve_tile_rows(left + rows * panel_row, inverse, tile);
  tile.store(right + rows * panel_row);
}

CAWI_AVX512_FUSED inline void diagonal_products(double* panel, Index rows) {
  LaneTile tile;
  tile.load(panel + rows * panel_row);
  subtract_products(panel, panel, rows, tile);
  tile.store(panel + rows * panel_row);
}

CAWI_AVX512_FUSED inline void diagonal_solve(const double* diagonal, const double* inverse,
                                             double* x) {
  LaneTile tile;
  tile.load(x);
  solve_tile_back(diagonal, inverse, tile);
  tile.store(x);
}

}  // namespace detail

// R and R^-T A'Y of A'A + lambda I = R'R for up to eight positive penalties.
class PenaltyLanes {
 public:
  static bool serve(Index columns) {
#if CAWI_HAS_AVX512_CLONE
    return columns <= detail::widest_lanes && detail::has_avx512();
#else
    return columns == 0;
#endif
  }

  // The factors are kept in `memory`, which grows as needed and must outlive this.
  PenaltyLanes(const Gram& gram, const double* lambdas, Index count, std::vector<double>& memory)
      : columns_(gram.aa.n_cols),
        panels_((gram.aa.n_cols + side - 1) / side),
        target_panels_((gram.ay.n_cols + side - 1) / side),
        inverse_(panels_ * row, 1.0) {
    found_.fill(true);
    take(memory);
    for (Index p = 0; p < panels_; ++p) fill_panel(gram.aa, p * side, (p + 1) * side, panel(p));
    for (Index q = 0; q < target_panels_; ++q) {
      fill_panel(gram.ay, q * side, panels_ * side, target(q));
    }
    // Lanes without a penalty of their own repeat the last one.
    for (Index lane = 0; lane < penalty_lanes; ++lane) {
      add_to_diagonal(lambdas[std::min(lane, count - 1)], lane);
    }
    factorize();
  }

  // Is there a factor at this penalty?
  bool found(Index lane) const { return found_[lane]; }

  // Calls write(lane, output, solution, step) for every penalty and output of the problem that the
  // leading columns make: the numbers of a solution are `step` apart.
  template <class Write>
  void solve_leading(Index columns, Index outputs, const Write& write) {
    for (Index q = 0; q < target_panels_; ++q) {
      solve_panel(columns, q);
      for (Index output = q * side; output < std::min(outputs, (q + 1) * side); ++output) {
        for (Index lane = 0; lane < penalty_lanes; ++lane) {
          write(lane, output, work_.data() + (output - q * side) * penalty_lanes + lane, row);
        }
      }
    }
  }

 private:
  static constexpr Index side = detail::tile_side, row = detail::panel_row;

  // Four outputs: rows one after the other, in each the outputs, in each the lanes.
  void solve_panel(Index columns, Index q) {
    const Index panels = (columns + side - 1) / side;
    work_.assign(target(q), target(q) + panels * side * row);
    std::fill(work_.data() + columns * row, work_.data() + work_.size(), 0.0);
    for (Index p = panels; p-- > 0;) {
      double* own = work_.data() + p * side * row;
      detail::diagonal_solve(panel(p) + p * side * row, inverse_.data() + p * row, own);
      detail::subtract_solved(panel(p), p * side, own, work_.data());
    }
  }

  // A panel of the matrix ends with its diagonal tile; those of the targets have all rows.
  Index place(Index p) const { return p * (p + 1) / 2 * side * row; }
  double* panel(Index p) { return start_ + place(p); }
  const double* panel(Index p) const { return start_ + place(p); }
  double* target(Index q) { return start_ + place(panels_) + q * panels_ * side * row; }
  const double* target(Index q) const { return start_ + place(panels_) + q * panels_ * side * row; }

  // Vectors that begin at cache lines are read twice as fast.
  void take(std::vector<double>& memory) {
    constexpr Index line = 64;
    const Index wanted = place(panels_) + target_panels_ * panels_ * side * row;
    if (memory.size() < wanted + line) memory.resize(wanted + line);
    const auto address = reinterpret_cast<std::uintptr_t>(memory.data());
    start_ = memory.data() + (line - address % line) % line / sizeof(double);
  }

  // Four columns of a matrix, each number in all lanes; zeros beyond the matrix.
  static void fill_panel(const arma::mat& from, Index first, Index rows, double* to) {
    for (Index i = 0; i < rows; ++i) {
      for (Index j = first; j < first + side; ++j, to += penalty_lanes) {
        const bool inside = i < from.n_rows && j < from.n_cols;
        std::fill_n(to, penalty_lanes, inside ? from(i, j) : 0.0);
      }
    }
  }

  // What pads the matrix has a factor of its own.
  void add_to_diagonal(double lambda, Index lane) {
    for (Index i = 0; i < panels_ * side; ++i) {
      panel(i / side)[i * row + i % side * penalty_lanes + lane] += i < columns_ ? lambda : 1.0;
    }
  }

  // Some panels at a time take in the panels to their left, which are then read once for all.
  void factorize() {
    constexpr Index together = 4;
    const Index all = panels_ + target_panels_;
    for (Index first = 0; first < all; first += together) {
      const Index end = std::min(first + together, all);
      for (Index i = 0; i < std::min(end, panels_); ++i) {
        if (i >= first) factorize_diagonal(i);
        for (Index j = std::max(first, i + 1); j < end; ++j) {
          double* right = j < panels_ ? panel(j) : target(j - panels_);
          detail::off_diagonal_tile(panel(i), inverse_.data() + i * row, i * side, right);
        }
      }
    }
  }

  void factorize_diagonal(Index p) {
    detail::diagonal_products(panel(p), p * side);
    for (Index lane = 0; lane < penalty_lanes; ++lane) {
      factorize_lane(panel(p) + p * side * row + lane, inverse_.data() + p * row + lane, lane);
    }
  }

  // Four rows and columns in one lane.
  void factorize_lane(double* tile, double* inverse, Index lane) {
    const auto at = [&](Index i, Index j) -> double& { return tile[i * row + j * penalty_lanes]; };
    for (Index i = 0; i < side; ++i) {
      for (Index j = i; j < side; ++j) {
        for (Index k = 0; k < i; ++k) at(i, j) -= at(k, i) * at(k, j);
      }
      found_[lane] = found_[lane] && at(i, i) > 0.0 && std::isfinite(at(i, i));
      const double reciprocal = 1.0 / std::sqrt(at(i, i));
      inverse[i * penalty_lanes] = reciprocal;
      for (Index j = i; j < side; ++j) at(i, j) *= reciprocal;
    }
  }

  Index columns_, panels_, target_panels_;
  std::vector<double> inverse_, work_;
  double* start_ = nullptr;
  std::array<bool, penalty_lanes> found_;
};

}  // namespace cawi

#endif
