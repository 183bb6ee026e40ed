// Products and factors of symmetric matrices, of which only the upper triangle is computed. Large
// ones are cut into tiles: threads share the tiles, and each tile is computed in the same order
// whoever does it, so that bits do not depend on the number of threads.
#ifndef CAWI_RIDGE_SYMMETRIC_HPP
#define CAWI_RIDGE_SYMMETRIC_HPP

#include <algorithm>
#include <vector>

#include "../core/blocks.hpp"

namespace cawi {

namespace detail {

// Wide enough that products run at nearly full speed, narrow enough for many threads.
constexpr Index tile_size = 256;

// Up to here one thread computes a whole triangle faster than many share it.
constexpr Index untiled_size = 512;

struct Tile {
  Index row, column, rows, columns;

  bool on_diagonal() const { return row == column; }
};

// Tiles of the upper triangle of rows and columns [from, size).
inline std::vector<Tile> upper_tiles(Index size, Index from = 0) {
  std::vector<Tile> tiles;
  for (Index j = from; j < size; j += tile_size) {
    for (Index i = from; i <= j; i += tile_size) {
      tiles.push_back({i, j, std::min(tile_size, size - i), std::min(tile_size, size - j)});
    }
  }
  return tiles;
}

// Part of a matrix, in its memory: where it begins, and the distance between its columns.
struct Place {
  double* data;
  Index step;
};

inline Place place(const arma::mat& s, Index row, Index column) {
  return {const_cast<double*>(s.colptr(column)) + row, s.n_rows};
}

// Adds alpha A'B, or alpha AB', to a tile of a symmetric matrix. A and B are parts of one matrix,
// the same one on the diagonal, where only the upper triangle is computed.
struct TileProduct {
  bool transposed;  // A'B
  Index inner;      // length of the sums
  double alpha;

  void add(const Tile& tile, const Place& a, const Place& b, const Place& c) const {
    const char first = transposed ? 'T' : 'N', second = transposed ? 'N' : 'T', uplo = 'U';
    const auto m = static_cast<arma::blas_int>(tile.rows);
    const auto n = static_cast<arma::blas_int>(tile.columns);
    const auto k = static_cast<arma::blas_int>(inner);
    const auto step = static_cast<arma::blas_int>(a.step);
    const auto own = static_cast<arma::blas_int>(c.step);
    const double one = 1.0;
    if (tile.on_diagonal()) {
      arma::blas::syrk<double>(&uplo, &first, &m, &k, &alpha, a.data, &step, &one, c.data, &own);
    } else {
      arma::blas::gemm<double>(&first, &second, &m, &n, &k, &alpha, a.data, &step, b.data, &step,
                               &one, c.data, &own);
    }
  }
};

// Adds one tile of A'A.
inline void add_crossproduct_tile(const arma::mat& a, const Tile& tile, arma::mat& sum) {
  const TileProduct product{true, a.n_rows, 1.0};
  product.add(tile, place(a, 0, tile.row), place(a, 0, tile.column),
              place(sum, tile.row, tile.column));
}

}  // namespace detail

// Adds the upper triangle of A'A to that of the sum, with no matrix in between.
inline void add_crossproduct(const arma::mat& a, arma::mat& sum) {
  detail::add_crossproduct_tile(a, {0, 0, sum.n_rows, sum.n_rows}, sum);
}

// Adds the upper triangle of AA', A being columns [first, end) of a matrix.
inline void add_outer_product(const arma::mat& a, Index first, Index end, const Threads& threads,
                              arma::mat& sum) {
  if (end == first) return;
  const SingleThreadedBlas guard;
  const detail::TileProduct product{false, end - first, 1.0};
  const bool whole = sum.n_rows <= detail::untiled_size;
  const std::vector<detail::Tile> tiles =
      whole ? std::vector<detail::Tile>{{0, 0, sum.n_rows, sum.n_rows}}
            : detail::upper_tiles(sum.n_rows);
  for_each_task(tiles.size(), threads, [&](Index t, Index) {
    const detail::Tile& tile = tiles[t];
    product.add(tile, detail::place(a, tile.row, first), detail::place(a, tile.column, first),
                detail::place(sum, tile.row, tile.column));
  });
}

inline void copy_upper_to_lower(arma::mat& s) {
  // Square by square: both sides of a copy stay in the cache.
  constexpr Index square = 32;
  for (Index first = 0; first < s.n_cols; first += square) {
    const Index end = std::min<Index>(first + square, s.n_cols);
    for (Index top = 0; top < end; top += square) {
      for (Index j = first; j < end; ++j) {
        for (Index i = top; i < std::min(top + square, j); ++i) s(j, i) = s(i, j);
      }
    }
  }
}

namespace detail {

// The factor of the leading tile, whose rest is solved with it: R_kk, then R_kk^-T S_kj.
inline bool factorize_tile(arma::mat& s, Index first, Index size) {
  char uplo = 'U';
  auto n = static_cast<arma::blas_int>(size), step = static_cast<arma::blas_int>(s.n_rows);
  arma::blas_int info = 0;
  arma::lapack::potrf(&uplo, &n, place(s, first, first).data, &step, &info);
  return info == 0;
}

inline void solve_tile(arma::mat& s, Index first, Index size, Index column) {
  char uplo = 'U', trans = 'T', diag = 'N';
  auto n = static_cast<arma::blas_int>(size), step = static_cast<arma::blas_int>(s.n_rows);
  auto right = static_cast<arma::blas_int>(std::min<Index>(tile_size, s.n_rows - column));
  arma::blas_int info = 0;
  arma::lapack::trtrs(&uplo, &trans, &diag, &n, &right, place(s, first, first).data, &step,
                      place(s, first, column).data, &step, &info);
}

// 1. Factor of a diagonal tile. 2. The tiles to its right. 3. Their products, subtracted from all
// tiles further down.
inline bool factorize_in_tiles(arma::mat& s, const Threads& threads) {
  for (Index k = 0; k < s.n_rows; k += tile_size) {
    const Index size = std::min<Index>(tile_size, s.n_rows - k), next = k + size;
    if (!factorize_tile(s, k, size)) return false;
    const Index panels = (s.n_rows - next + tile_size - 1) / tile_size;
    for_each_task(panels, threads,
                  [&](Index p, Index) { solve_tile(s, k, size, next + p * tile_size); });
    const std::vector<Tile> tiles = upper_tiles(s.n_rows, next);
    const TileProduct product{true, size, -1.0};
    for_each_task(tiles.size(), threads, [&](Index t, Index) {
      product.add(tiles[t], place(s, k, tiles[t].row), place(s, k, tiles[t].column),
                  place(s, tiles[t].row, tiles[t].column));
    });
  }
  return true;
}

}  // namespace detail

// Writes the factor R of R'R into the upper triangle; what is below it stays. False if there is no
// factor; the matrix is then lost.
inline bool factorize_in_place(arma::mat& s, const Threads& threads) {
  const SingleThreadedBlas guard;
  const bool found = s.n_rows <= detail::untiled_size ? detail::factorize_tile(s, 0, s.n_rows)
                                                      : detail::factorize_in_tiles(s, threads);
  // Some libraries factorize infinite matrices without a word.
  return found && s.diag().is_finite();
}

}  // namespace cawi

#endif
