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

// C += alpha A'A (upper triangle) or alpha AA', for columns or rows of matrices that lie in memory
// with the given distances between columns.
inline void add_square(char trans, Index size, Index inner, double alpha, const double* a,
                       Index a_step, double* c, Index c_step) {
  const char uplo = 'U';
  const auto n = static_cast<arma::blas_int>(size), k = static_cast<arma::blas_int>(inner);
  const auto lda = static_cast<arma::blas_int>(a_step), ldc = static_cast<arma::blas_int>(c_step);
  const double one = 1.0;
  arma::blas::syrk<double>(&uplo, &trans, &n, &k, &alpha, a, &lda, &one, c, &ldc);
}

// C += alpha A'B for a transposed A, alpha AB' otherwise.
inline void add_product(bool transposed, const Tile& tile, Index inner, double alpha,
                        const double* a, const double* b, Index step, double* c, Index c_step) {
  const char first = transposed ? 'T' : 'N', second = transposed ? 'N' : 'T';
  const auto m = static_cast<arma::blas_int>(tile.rows);
  const auto n = static_cast<arma::blas_int>(tile.columns);
  const auto k = static_cast<arma::blas_int>(inner), ld = static_cast<arma::blas_int>(step);
  const auto ldc = static_cast<arma::blas_int>(c_step);
  const double one = 1.0;
  arma::blas::gemm<double>(&first, &second, &m, &n, &k, &alpha, a, &ld, b, &ld, &one, c, &ldc);
}

// Adds one tile of A'A.
inline void add_crossproduct_tile(const arma::mat& a, const Tile& tile, arma::mat& sum) {
  double* c = sum.colptr(tile.column) + tile.row;
  if (tile.on_diagonal()) {
    add_square('T', tile.rows, a.n_rows, 1.0, a.colptr(tile.row), a.n_rows, c, sum.n_rows);
  } else {
    add_product(true, tile, a.n_rows, 1.0, a.colptr(tile.row), a.colptr(tile.column), a.n_rows, c,
                sum.n_rows);
  }
}

}  // namespace detail

// Adds the upper triangle of A'A to that of the sum, with no matrix in between.
inline void add_crossproduct(const arma::mat& a, arma::mat& sum) {
  detail::add_square('T', sum.n_rows, a.n_rows, 1.0, a.memptr(), a.n_rows, sum.memptr(),
                     sum.n_rows);
}

// Adds the upper triangle of AA', A being columns [first, end) of a matrix.
inline void add_outer_product(const arma::mat& a, Index first, Index end, const Threads& threads,
                              arma::mat& sum) {
  if (end == first) return;
  const SingleThreadedBlas guard;
  const Index inner = end - first;
  const double* columns = a.colptr(first);
  if (sum.n_rows <= detail::untiled_size) {
    detail::add_square('N', sum.n_rows, inner, 1.0, columns, a.n_rows, sum.memptr(), sum.n_rows);
    return;
  }
  const std::vector<detail::Tile> tiles = detail::upper_tiles(sum.n_rows);
  for_each_task(tiles.size(), threads, [&](Index t, Index) {
    const detail::Tile& tile = tiles[t];
    double* c = sum.colptr(tile.column) + tile.row;
    if (tile.on_diagonal()) {
      detail::add_square('N', tile.rows, inner, 1.0, columns + tile.row, a.n_rows, c, sum.n_rows);
    } else {
      detail::add_product(false, tile, inner, 1.0, columns + tile.row, columns + tile.column,
                          a.n_rows, c, sum.n_rows);
    }
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

// Writes the factor R of R'R into the upper triangle; what is below it stays. False if there is no
// factor; the matrix is then lost.
inline bool factorize_in_place(arma::mat& s, const Threads& threads) {
  const SingleThreadedBlas guard;
  const auto step = static_cast<arma::blas_int>(s.n_rows);
  const auto factorize = [&](Index first, Index size) {
    char uplo = 'U';
    auto n = static_cast<arma::blas_int>(size), ld = step;
    arma::blas_int info = 0;
    arma::lapack::potrf(&uplo, &n, s.colptr(first) + first, &ld, &info);
    return info == 0;
  };
  bool found = true;
  if (s.n_rows <= detail::untiled_size) {
    found = factorize(0, s.n_rows);
  } else {
    // 1. Factor of a diagonal tile. 2. The tiles to its right. 3. Their products, subtracted from
    // all tiles further down.
    for (Index k = 0; k < s.n_rows && found; k += detail::tile_size) {
      const Index size = std::min<Index>(detail::tile_size, s.n_rows - k), next = k + size;
      found = factorize(k, size);
      if (!found || next == s.n_rows) break;
      const Index panels = (s.n_rows - next + detail::tile_size - 1) / detail::tile_size;
      for_each_task(panels, threads, [&](Index p, Index) {
        const Index first = next + p * detail::tile_size;
        char uplo = 'U', trans = 'T', diag = 'N';
        auto n = static_cast<arma::blas_int>(size), ld = step;
        auto right =
            static_cast<arma::blas_int>(std::min<Index>(detail::tile_size, s.n_rows - first));
        arma::blas_int info = 0;
        arma::lapack::trtrs(&uplo, &trans, &diag, &n, &right, s.colptr(k) + k, &ld,
                            s.colptr(first) + k, &ld, &info);
      });
      const std::vector<detail::Tile> tiles = detail::upper_tiles(s.n_rows, next);
      for_each_task(tiles.size(), threads, [&](Index t, Index) {
        const detail::Tile& tile = tiles[t];
        double* c = s.colptr(tile.column) + tile.row;
        const double *a = s.colptr(tile.row) + k, *b = s.colptr(tile.column) + k;
        if (tile.on_diagonal()) {
          detail::add_square('T', tile.rows, size, -1.0, a, s.n_rows, c, s.n_rows);
        } else {
          detail::add_product(true, tile, size, -1.0, a, b, s.n_rows, c, s.n_rows);
        }
      });
    }
  }
  // Some libraries factorize infinite matrices without a word.
  return found && s.diag().is_finite();
}

}  // namespace cawi

#endif
