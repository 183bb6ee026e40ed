// Kendall's tau-b from some of the pairs of rows: a reduced U-statistic (Blom 1976; Brown and
// Kildea 1978). Row i is compared with the rows i + 1, ..., i + lags, counted round a circle, so
// that every row is in 2 lags pairs. Without dependence the variance of tau is close to
//   4 / (9 m) + 7 / (9 m lags),
// where all pairs of m rows have the first term alone. The rows must be in random order, unless all
// pairs are taken.
//
// A comparison is one bit: two columns are compared over 64 pairs of rows at a time.
#ifndef CAWI_STATS_ROW_PAIRS_HPP
#define CAWI_STATS_ROW_PAIRS_HPP

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "../core/threads.hpp"
#include "../core/types.hpp"
#include "../core/vectors.hpp"

namespace cawi {

// Which rows are compared: all pairs where they are at most `most`, else as many lags as fit.
class RowPairs {
 public:
  RowPairs(Index rows, Index most) : rows_(rows) {
    const Index all = rows * (rows - 1) / 2;
    lags_ = all <= most ? rows / 2 : std::max<Index>(1, most / rows);
  }

  Index rows() const { return rows_; }
  Index lags() const { return lags_; }

  // The lag of half the rows meets every pair twice.
  Index count(Index lag) const { return 2 * lag == rows_ ? lag : rows_; }

 private:
  Index rows_, lags_;
};

namespace detail {

constexpr Index pair_block = 256;
constexpr Index block_words = pair_block / 64;

// Bit k of word j belongs to pair 4 k + j, which takes no shuffling of lanes.
struct ComparePairs {
  CAWI_INLINE static void run(const double* a, const double* b, std::uint64_t* above,
                              std::uint64_t* differ) {
    Bits greater = {}, unequal = {}, bit = 1 - Bits{};
    Doubles x, y;
    for (Index k = 0; k < 64; ++k, bit += bit) {
      std::memcpy(&x, a + vector_lanes * k, sizeof x);
      std::memcpy(&y, b + vector_lanes * k, sizeof y);
      greater |= reinterpret_cast<Bits>(x > y) & bit;
      unequal |= reinterpret_cast<Bits>(x != y) & bit;
    }
    std::memcpy(above, &greater, sizeof greater);
    std::memcpy(differ, &unequal, sizeof unequal);
  }
};

struct CountDiscordant {
  CAWI_INLINE static Count run(const std::uint64_t* x, const std::uint64_t* y, Index words) {
    Count total = 0;
    for (Index k = 0; k < words; ++k) total += __builtin_popcountll(x[k] ^ y[k]);
    return total;
  }
};

// Concordant minus discordant among the pairs that are tied in neither column.
struct CountBalance {
  CAWI_INLINE static Count run(const std::uint64_t* x, const std::uint64_t* y,
                               const std::uint64_t* x_differs, const std::uint64_t* y_differs,
                               Index words) {
    Count both = 0, discordant = 0;
    for (Index k = 0; k < words; ++k) {
      const std::uint64_t counted = x_differs[k] & y_differs[k];
      both += __builtin_popcountll(counted);
      discordant += __builtin_popcountll((x[k] ^ y[k]) & counted);
    }
    return both - 2 * discordant;
  }
};

#if CAWI_HAS_AVX2_CLONE
template <class Kernel, class... Arguments>
CAWI_AVX2 auto run_avx2(Arguments... arguments) {
  return Kernel::run(arguments...);
}
#endif

template <class Kernel, class... Arguments>
auto run_kernel(Arguments... arguments) {
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return run_avx2<Kernel>(arguments...);
#endif
  return Kernel::run(arguments...);
}

// Signs of the differences of one column over the pairs of rows.
class SignBits {
 public:
  SignBits() = default;

  SignBits(const double* column, const RowPairs& pairs) {
    std::vector<double> circle(column, column + pairs.rows());
    circle.insert(circle.end(), column, column + pairs.lags());
    Block block;
    for (Index lag = 1; lag <= pairs.lags(); ++lag) {
      const double *from = circle.data(), *end = from + pairs.count(lag);
      while (from < end) {
        const Index some = std::min<Index>(pair_block - block.filled, end - from);
        if (some == pair_block) {
          add(from, from + lag, some);
        } else {
          block.fill(from, from + lag, some);
          if (block.filled == pair_block) add(block);
        }
        from += some;
      }
    }
    if (block.filled > 0) add(block);
    untied_ = run_kernel<CountBalance>(above_.data(), above_.data(), differ_.data(), differ_.data(),
                                       words());
  }

  // Pairs of rows between which the column differs.
  Count untied() const { return untied_; }

  // Concordant minus discordant pairs of rows.
  static Count balance(const SignBits& x, const SignBits& y) {
    if (x.untied_ == x.total_ && y.untied_ == y.total_) {
      return x.total_ -
             2 * run_kernel<CountDiscordant>(x.above_.data(), y.above_.data(), x.words());
    }
    return run_kernel<CountBalance>(x.above_.data(), y.above_.data(), x.differ_.data(),
                                    y.differ_.data(), x.words());
  }

 private:
  // Pairs of rows from the ends of the lags. What is not filled are ties, which count nowhere.
  struct Block {
    std::array<double, pair_block> left{}, right{};
    Index filled = 0;

    void fill(const double* a, const double* b, Index count) {
      std::copy_n(a, count, left.data() + filled);
      std::copy_n(b, count, right.data() + filled);
      filled += count;
    }
  };

  void add(const double* a, const double* b, Index count) {
    const Index at = words();
    above_.resize(at + block_words);
    differ_.resize(at + block_words);
    run_kernel<ComparePairs>(a, b, above_.data() + at, differ_.data() + at);
    total_ += static_cast<Count>(count);
  }

  void add(Block& block) {
    add(block.left.data(), block.right.data(), block.filled);
    block = {};
  }

  Index words() const { return above_.size(); }

  std::vector<std::uint64_t> above_, differ_;
  Count total_ = 0, untied_ = 0;
};

}  // namespace detail

// Tau-b of all pairs of columns over at most `most` pairs of rows (more where there are more rows
// than that). Finite data, at least one row. A column without untied pairs gives 0 off the
// diagonal.
inline arma::mat kendall_of_row_pairs(const arma::mat& x, Index most, const Threads& threads) {
  const Index d = x.n_cols;
  const RowPairs pairs(x.n_rows, most);
  std::vector<detail::SignBits> columns(d);
  for_each_task(d, threads,
                [&](Index j, Index) { columns[j] = detail::SignBits(x.colptr(j), pairs); });
  arma::mat tau(d, d, arma::fill::eye);
  for_each_task(d, threads, [&](Index i, Index) {
    const double own = static_cast<double>(columns[i].untied());
    for (Index j = i + 1; j < d; ++j) {
      const double other = static_cast<double>(columns[j].untied());
      // Equal counts divide exactly, so a column and its copy give exactly one.
      const double scale = own == other ? own : std::sqrt(own) * std::sqrt(other);
      const Count balance = detail::SignBits::balance(columns[i], columns[j]);
      tau(i, j) = tau(j, i) = scale > 0.0 ? static_cast<double>(balance) / scale : 0.0;
    }
  });
  return tau;
}

}  // namespace cawi

#endif
