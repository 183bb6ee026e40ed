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

// Collects the signs of differences. A vector compares four pairs of rows; its lane j goes to bit k
// of word j where it is vector k of 64, which takes no shuffling of lanes.
class SignWriter {
 public:
  CAWI_INLINE SignWriter(std::uint64_t* above, std::uint64_t* differ)
      : above_(above), differ_(differ) {}

  // Lanes where `counted` is zero are ties.
  CAWI_INLINE void compare(const double* a, const double* b, const Bits& counted) {
    Doubles x, y;
    std::memcpy(&x, a, sizeof x);
    std::memcpy(&y, b, sizeof y);
    const Bits bit = bit_ & counted;
    greater_ |= reinterpret_cast<Bits>(x > y) & bit;
    unequal_ |= reinterpret_cast<Bits>(x != y) & bit;
    bit_ += bit_;
    if (++filled_ == 64) flush();
  }

  CAWI_INLINE void flush() {
    std::memcpy(above_, &greater_, sizeof greater_);
    std::memcpy(differ_, &unequal_, sizeof unequal_);
    above_ += vector_lanes;
    differ_ += vector_lanes;
    greater_ = unequal_ = Bits{};
    bit_ = 1 - Bits{};
    filled_ = 0;
  }

  bool is_empty() const { return filled_ == 0; }

 private:
  std::uint64_t *above_, *differ_;
  Bits greater_ = {}, unequal_ = {}, bit_ = 1 - Bits{};
  Index filled_ = 0;
};

// `circle` goes on with its first rows, so that every row finds those that follow it.
struct ComparePairs {
  CAWI_INLINE static void run(const double* circle, const RowPairs* pairs, std::uint64_t* above,
                              std::uint64_t* differ) {
    SignWriter signs(above, differ);
    for (Index lag = 1; lag <= pairs->lags(); ++lag) {
      const Index count = pairs->count(lag), whole = count - count % vector_lanes;
      for (Index i = 0; i < whole; i += vector_lanes) {
        signs.compare(circle + i, circle + i + lag, ~Bits{});
      }
      if (whole == count) continue;
      const Bits rest = count - whole + Bits{};
      signs.compare(circle + whole, circle + whole + lag,
                    reinterpret_cast<Bits>(Bits{0, 1, 2, 3} < rest));
    }
    if (!signs.is_empty()) signs.flush();
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

#if CAWI_HAS_AVX512_CLONE
// Both counts for eight words at a time.
CAWI_AVX512_POPCOUNT inline Count sum_of_lanes(const __m512i& counts) {
  Count lane[wide_lanes], total = 0;
  std::memcpy(lane, &counts, sizeof counts);
  for (const Count l : lane) total += l;
  return total;
}

CAWI_AVX512_POPCOUNT inline Count count_discordant_avx512(const std::uint64_t* x,
                                                          const std::uint64_t* y, Index words) {
  __m512i total = _mm512_setzero_si512();
  for (Index k = 0; k < words; k += wide_lanes) {
    const __m512i differs = _mm512_loadu_si512(x + k) ^ _mm512_loadu_si512(y + k);
    total += _mm512_popcnt_epi64(differs);
  }
  return sum_of_lanes(total);
}

CAWI_AVX512_POPCOUNT inline Count count_balance_avx512(const std::uint64_t* x,
                                                       const std::uint64_t* y,
                                                       const std::uint64_t* x_differs,
                                                       const std::uint64_t* y_differs,
                                                       Index words) {
  __m512i both = _mm512_setzero_si512(), discordant = _mm512_setzero_si512();
  for (Index k = 0; k < words; k += wide_lanes) {
    const __m512i counted = _mm512_loadu_si512(x_differs + k) & _mm512_loadu_si512(y_differs + k);
    const __m512i differs = _mm512_loadu_si512(x + k) ^ _mm512_loadu_si512(y + k);
    both += _mm512_popcnt_epi64(counted);
    discordant += _mm512_popcnt_epi64(differs & counted);
  }
  return sum_of_lanes(both) - 2 * sum_of_lanes(discordant);
}
#endif

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

inline Count count_discordant(const std::uint64_t* x, const std::uint64_t* y, Index words) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return count_discordant_avx512(x, y, words);
#endif
  return run_kernel<CountDiscordant>(x, y, words);
}

inline Count count_balance(const std::uint64_t* x, const std::uint64_t* y,
                           const std::uint64_t* x_differs, const std::uint64_t* y_differs,
                           Index words) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return count_balance_avx512(x, y, x_differs, y_differs, words);
#endif
  return run_kernel<CountBalance>(x, y, x_differs, y_differs, words);
}

// Signs of the differences of all columns over the pairs of rows, in one piece of memory.
class SignBits {
 public:
  SignBits(const arma::mat& x, const RowPairs& pairs, const Threads& threads) {
    Index vectors = 0;
    for (Index lag = 1; lag <= pairs.lags(); ++lag) {
      vectors += (pairs.count(lag) + vector_lanes - 1) / vector_lanes;
      total_ += static_cast<Count>(pairs.count(lag));
    }
    // Whole vectors of eight words; those that are not filled are ties.
    words_ = (vectors + 127) / 128 * wide_lanes;
    above_.resize(x.n_cols * words_);
    differ_.resize(x.n_cols * words_);
    untied_.resize(x.n_cols);
    for_each_task(x.n_cols, threads, [&](Index j, Index) { read(x.colptr(j), pairs, j); });
  }

  // Pairs of rows between which column j differs.
  Count untied(Index j) const { return untied_[j]; }

  // Concordant minus discordant pairs of rows.
  Count balance(Index i, Index j) const {
    if (untied_[i] == total_ && untied_[j] == total_) {
      return total_ - 2 * count_discordant(above(i), above(j), words_);
    }
    return count_balance(above(i), above(j), differ(i), differ(j), words_);
  }

 private:
  void read(const double* column, const RowPairs& pairs, Index j) {
    // Lanes beyond the last row are read, and count nowhere.
    std::vector<double> circle(pairs.rows() + pairs.lags() + vector_lanes);
    std::copy_n(column, pairs.rows(), circle.data());
    std::copy_n(column, pairs.lags(), circle.data() + pairs.rows());
    run_kernel<ComparePairs>(circle.data(), &pairs, above_.data() + j * words_,
                             differ_.data() + j * words_);
    untied_[j] = count_balance(above(j), above(j), differ(j), differ(j), words_);
  }

  const std::uint64_t* above(Index j) const { return above_.data() + j * words_; }
  const std::uint64_t* differ(Index j) const { return differ_.data() + j * words_; }

  Index words_ = 0;
  Count total_ = 0;
  std::vector<std::uint64_t> above_, differ_;
  std::vector<Count> untied_;
};

}  // namespace detail

// Tau-b of all pairs of columns over at most `most` pairs of rows (more where there are more rows
// than that). Finite data, at least one row. A column without untied pairs gives 0 off the
// diagonal.
inline arma::mat kendall_of_row_pairs(const arma::mat& x, Index most, const Threads& threads) {
  const Index d = x.n_cols;
  const detail::SignBits signs(x, RowPairs(x.n_rows, most), threads);
  arma::vec root(d);
  for (Index j = 0; j < d; ++j) root[j] = std::sqrt(static_cast<double>(signs.untied(j)));
  arma::mat tau(d, d, arma::fill::eye);
  for_each_task(d, threads, [&](Index i, Index) {
    for (Index j = i + 1; j < d; ++j) {
      // Equal counts divide exactly, so a column and its copy give exactly one.
      const double scale = signs.untied(i) == signs.untied(j) ? static_cast<double>(signs.untied(i))
                                                              : root[i] * root[j];
      const Count balance = signs.balance(i, j);
      tau(i, j) = tau(j, i) = scale > 0.0 ? static_cast<double>(balance) / scale : 0.0;
    }
  });
  return tau;
}

}  // namespace cawi

#endif
