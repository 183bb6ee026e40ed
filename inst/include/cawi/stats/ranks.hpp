// Columns ranked once: the sorted order, the dense level of every row and where each level starts.
// Average, first and random ranks, Kendall's tau and tables over ranks all read from here.
#ifndef CAWI_STATS_RANKS_HPP
#define CAWI_STATS_RANKS_HPP

#include <algorithm>
#include <array>
#include <cstring>
#include <numeric>
#include <utility>
#include <vector>

#include "../core/random.hpp"
#include "../core/threads.hpp"
#include "../core/types.hpp"

namespace cawi {

namespace detail {

// Maps doubles to integers of the same order; -0 and +0 become one value.
inline std::uint64_t ordered_bits(double x) {
  x += 0.0;
  std::uint64_t bits;
  std::memcpy(&bits, &x, sizeof bits);
  const std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

struct KeyedRow {
  std::uint64_t key;
  std::uint32_t row;
};

// A type of its own, so that sorting need not call it.
struct ComesBefore {
  bool operator()(const KeyedRow& a, const KeyedRow& b) const {
    return a.key != b.key ? a.key < b.key : a.row < b.row;
  }
};

// Least-significant-digit radix sort of the leading 33 bits, three passes of 11, skipping passes
// whose digit is constant. Those bits settle nearly every pair of doubles; the rare runs that they
// leave equal are sorted by the whole key.
inline void radix_sort(std::vector<KeyedRow>& rows) {
  constexpr int passes = 3, width = 11, lowest = 64 - passes * width;
  constexpr std::uint64_t mask = (1u << width) - 1;
  const auto digit = [](const KeyedRow& r, int p) {
    return (r.key >> (lowest + p * width)) & mask;
  };
  std::vector<std::array<std::uint32_t, 1u << width>> counts(passes);
  for (auto& c : counts) c.fill(0);
  for (const KeyedRow& r : rows) {
    for (int p = 0; p < passes; ++p) ++counts[p][digit(r, p)];
  }
  std::vector<KeyedRow> other(rows.size());
  for (int p = 0; p < passes; ++p) {
    auto& count = counts[p];
    if (count[digit(rows[0], p)] == rows.size()) continue;
    std::uint32_t start = 0;
    for (auto& c : count) start += std::exchange(c, start);
    for (const KeyedRow& r : rows) other[count[digit(r, p)]++] = r;
    rows.swap(other);
  }
  for (auto begin = rows.begin(); begin != rows.end();) {
    auto end = begin + 1;
    bool sorted = true;
    for (; end != rows.end() && end->key >> lowest == begin->key >> lowest; ++end) {
      sorted = sorted && (end - 1)->key <= end->key;
    }
    if (!sorted) std::sort(begin, end, ComesBefore());
    begin = end;
  }
}

inline std::vector<KeyedRow> sorted_rows(const double* x, Index n) {
  std::vector<KeyedRow> rows(n);
  for (Index i = 0; i < n; ++i) rows[i] = {ordered_bits(x[i]), static_cast<std::uint32_t>(i)};
  // Below this the histograms of the radix sort cost more than they save.
  if (n < 400) {
    std::sort(rows.begin(), rows.end(), ComesBefore());
  } else {
    radix_sort(rows);
  }
  return rows;
}

// Up to here comparing all pairs of rows takes less time than sorting them.
constexpr Index few_rows = 256;

// For each of x[0], ..., x[n - 1]: how many of them are less or, with `Equal`, equal. Four vectors
// at a time, because a sum waits for its last addition; the memory has room for them.
template <class D, bool Equal>
CAWI_INLINE void count_rows_body(const double* x, Index n, double* counts) {
  constexpr int some = 4;
  const D one = 1.0 - D{}, zero = {};
  for (Index i = 0; i < n; i += some * sizeof(D) / sizeof(double)) {
    D own[some], count[some];
    std::memcpy(own, x + i, sizeof own);
    CAWI_UNROLL
    for (int v = 0; v < some; ++v) count[v] = zero;
    for (Index k = 0; k < n; ++k) {
      const D other = x[k] - zero;
      CAWI_UNROLL
      for (int v = 0; v < some; ++v) {
        count[v] += (Equal ? other == own[v] : other < own[v]) ? one : zero;
      }
    }
    std::memcpy(counts + i, count, sizeof count);
  }
}
#if CAWI_HAS_AVX2_CLONE
template <bool Equal>
CAWI_AVX2 void count_rows_avx2(const double* x, Index n, double* counts) {
  count_rows_body<Doubles, Equal>(x, n, counts);
}
#endif
#if CAWI_HAS_AVX512_CLONE
template <bool Equal>
CAWI_AVX512 void count_rows_avx512(const double* x, Index n, double* counts) {
  count_rows_body<WideDoubles, Equal>(x, n, counts);
}
#endif

template <bool Equal>
void count_rows(const double* x, Index n, double* counts) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return count_rows_avx512<Equal>(x, n, counts);
#endif
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return count_rows_avx2<Equal>(x, n, counts);
#endif
  count_rows_body<Doubles, Equal>(x, n, counts);
}

// Average ranks of few rows. To sort them, a processor has to guess how comparisons end, and is
// wrong every other time.
inline void average_ranks(const double* x, Index n, double* rank) {
  std::array<double, few_rows + 32> own{}, less, equal;
  std::copy(x, x + n, own.begin());
  count_rows<false>(own.data(), n, less.data());
  // Each pair of rows was counted once, unless it is tied.
  double pairs = 0.0;
  for (Index i = 0; i < n; ++i) pairs += less[i];
  if (2.0 * pairs == static_cast<double>(n * (n - 1))) {
    for (Index i = 0; i < n; ++i) rank[i] = less[i] + 1.0;
    return;
  }
  count_rows<true>(own.data(), n, equal.data());
  for (Index i = 0; i < n; ++i) rank[i] = less[i] + 0.5 * (equal[i] + 1.0);
}

}  // namespace detail

// One ranked column. Level is uint16_t while every rank fits, uint32_t beyond.
template <class Level>
struct RankedColumn {
  std::vector<std::uint32_t> order;   // rows in increasing order, ties by row
  std::vector<Level> level;           // dense level of each row, 0-based
  std::vector<std::uint32_t> starts;  // first position of each level in `order`, then n
  Count tied_pairs = 0;

  Index levels() const { return starts.size() - 1; }
  bool has_ties() const { return tied_pairs > 0; }
  bool is_constant() const { return levels() == 1; }
};

template <class Level>
RankedColumn<Level> rank_column(const double* x, Index n) {
  const std::vector<detail::KeyedRow> rows = detail::sorted_rows(x, n);
  RankedColumn<Level> column;
  column.order.resize(n);
  column.level.resize(n);
  column.starts.reserve(n + 1);
  for (Index i = 0; i < n; ++i) {
    if (i == 0 || rows[i].key != rows[i - 1].key) {
      column.starts.push_back(static_cast<std::uint32_t>(i));
    }
    column.order[i] = rows[i].row;
    column.level[rows[i].row] = static_cast<Level>(column.starts.size() - 1);
  }
  column.starts.push_back(static_cast<std::uint32_t>(n));
  for (Index k = 0; k < column.levels(); ++k) {
    const Count size = column.starts[k + 1] - column.starts[k];
    column.tied_pairs += size * (size - 1) / 2;
  }
  return column;
}

template <class Level>
std::vector<RankedColumn<Level>> rank_columns(const arma::mat& x, const Threads& threads) {
  std::vector<RankedColumn<Level>> columns(x.n_cols);
  for_each_task(x.n_cols, threads,
                [&](Index j, Index) { columns[j] = rank_column<Level>(x.colptr(j), x.n_rows); });
  return columns;
}

enum class Ties { average, first, random };

// Pseudo-observations rank / (m + 1). Random ties shuffle each group with the stream of the column.
inline arma::mat pseudo_observations(const arma::mat& x, Ties ties, std::uint64_t seed,
                                     const Threads& threads) {
  const Index n = x.n_rows;
  const double denominator = static_cast<double>(n) + 1.0;
  arma::mat u(n, x.n_cols);
  for_each_task(x.n_cols, threads, [&](Index j, Index) {
    double* out = u.colptr(j);
    if (ties == Ties::average && n <= detail::few_rows) {
      detail::average_ranks(x.colptr(j), n, out);
      for (Index i = 0; i < n; ++i) out[i] /= denominator;
      return;
    }
    RankedColumn<std::uint32_t> column = rank_column<std::uint32_t>(x.colptr(j), n);
    Stream stream(seed);
    stream.start(j);
    for (Index k = 0; k < column.levels(); ++k) {
      const Index begin = column.starts[k], end = column.starts[k + 1];
      if (ties == Ties::random) {
        for (Index i = end; i > begin + 1; --i) {
          const double r = stream.uniform() * static_cast<double>(i - begin);
          std::swap(column.order[i - 1], column.order[begin + static_cast<Index>(r)]);
        }
      }
      const double middle = 0.5 * static_cast<double>(begin + end + 1);
      for (Index i = begin; i < end; ++i) {
        const double rank = ties == Ties::average ? middle : static_cast<double>(i + 1);
        out[column.order[i]] = rank / denominator;
      }
    }
  });
  return u;
}

// Places new rows among the training rows: (mid-rank of the new value) / (m + 1), always inside
// (0, 1). The likelihood of held-out rows is taken there.
inline arma::mat pseudo_observations_against(const arma::mat& train, const arma::mat& fresh,
                                             const Threads& threads) {
  const double denominator = static_cast<double>(train.n_rows) + 1.0;
  arma::mat u(fresh.n_rows, fresh.n_cols);
  for_each_task(fresh.n_cols, threads, [&](Index j, Index) {
    std::vector<double> sorted(train.begin_col(j), train.end_col(j));
    std::sort(sorted.begin(), sorted.end());
    for (Index i = 0; i < fresh.n_rows; ++i) {
      const auto range = std::equal_range(sorted.begin(), sorted.end(), fresh(i, j));
      const double below = static_cast<double>(range.first - sorted.begin());
      const double upto = static_cast<double>(range.second - sorted.begin());
      u(i, j) = 0.5 * (below + upto + 1.0) / denominator;
    }
  });
  return u;
}

}  // namespace cawi

#endif
