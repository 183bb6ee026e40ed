// Kendall's tau-b of all pairs of columns (Knight 1966) on integer ranks.
#ifndef CAWI_STATS_KENDALL_HPP
#define CAWI_STATS_KENDALL_HPP

#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "../core/blocks.hpp"
#include "inversions.hpp"
#include "ranks.hpp"

namespace cawi {

namespace detail {

inline int bits_for(Index values) {
  int bits = 0;
  while ((Index{1} << bits) < values) ++bits;
  return bits;
}

inline Count choose2(Count n) { return n * (n - 1) / 2; }

// Concordant minus discordant pairs of two ranked columns; holds the scratch memory of one thread.
template <class Level>
class ConcordanceCounter {
 public:
  using Column = RankedColumn<Level>;

  Count operator()(const Column& x, const Column& y) {
    const Index cells = x.levels() * y.levels();
    if (cells <= std::max<Index>(64, x.level.size() / 4)) return from_table(x, y);
    // Ordering by a column without ties is cheaper, and so is counting over fewer levels.
    if (!x.has_ties() && (y.has_ties() || y.levels() <= x.levels())) return from_order(x, y);
    return from_order(y, x);
  }

 private:
  // C + D follows from the ties, so only the discordant pairs D are counted.
  Count from_order(const Column& x, const Column& y) {
    const Index n = x.level.size();
    const int bits = bits_for(y.levels());
    const Count untied = choose2(static_cast<Count>(n)) - x.tied_pairs - y.tied_pairs;
    if (!x.has_ties()) {
      const auto in_order = [order = x.order.data(), level = y.level.data()](Index i) {
        return level[order[i]];
      };
      return untied - 2 * inversions_.count(in_order, y.starts, bits);
    }
    sequence_.resize(n);
    order_by_x_then_y(x, y);
    const Count tied_in_both = y.has_ties() ? joint_ties(x) : 0;
    const auto in_order = [sequence = sequence_.data()](Index i) { return sequence[i]; };
    return untied + tied_in_both - 2 * inversions_.count(in_order, y.starts, bits);
  }

  // A stable counting sort by x of rows already in the order of y: inside a level of x the levels
  // of y increase, so tied pairs never count as inversions.
  void order_by_x_then_y(const Column& x, const Column& y) {
    next_.assign(x.starts.begin(), x.starts.end());
    for (const std::uint32_t row : y.order) sequence_[next_[x.level[row]]++] = y.level[row];
  }

  Count joint_ties(const Column& x) const {
    Count pairs = 0;
    for (Index k = 0; k < x.levels(); ++k) {
      Count run = 0;
      for (Index i = x.starts[k] + 1; i < x.starts[k + 1]; ++i) {
        run = sequence_[i] == sequence_[i - 1] ? run + 1 : 0;
        pairs += run;
      }
    }
    return pairs;
  }

  // Few levels: a contingency table. Every cell meets the sum of the cells below it to the right
  // (concordant) and to the left (discordant).
  Count from_table(const Column& x, const Column& y) {
    const Index rows = x.levels(), cols = y.levels();
    table_.assign(rows * cols, 0);
    for (Index i = 0; i < x.level.size(); ++i) ++table_[x.level[i] * cols + y.level[i]];
    below_.assign(cols, 0);
    Count balance = 0;
    for (Index r = rows; r-- > 0;) {
      const Count* row = table_.data() + r * cols;
      Count left = 0, right = 0;
      for (Index c = 1; c < cols; ++c) right += below_[c];
      for (Index c = 0; c < cols; ++c) {
        balance += row[c] * (right - left);
        left += below_[c];
        if (c + 1 < cols) right -= below_[c + 1];
      }
      for (Index c = 0; c < cols; ++c) below_[c] += row[c];
    }
    return balance;
  }

  InversionCounter<Level> inversions_;
  std::vector<Level> sequence_;
  std::vector<std::uint32_t> next_;
  std::vector<Count> table_, below_;
};

// Zero where a column is constant: tau-b is 0/0 there.
template <class Level>
double tau_b(Count balance, const RankedColumn<Level>& x, const RankedColumn<Level>& y) {
  const Count pairs = choose2(static_cast<Count>(x.level.size()));
  const Count free_x = pairs - x.tied_pairs, free_y = pairs - y.tied_pairs;
  if (free_x == 0 || free_y == 0) return 0.0;
  // Equal counts divide exactly, so a column and its copy give exactly one.
  const double free_pairs = free_x == free_y ? static_cast<double>(free_x)
                                             : std::sqrt(static_cast<double>(free_x)) *
                                                   std::sqrt(static_cast<double>(free_y));
  return static_cast<double>(balance) / free_pairs;
}

// Pair number k of (0, 1), (0, 2), (1, 2), (0, 3), ...: the pairs before those of column j are
// j (j - 1) / 2.
inline std::pair<Index, Index> pair_at(Index k) {
  Index j = static_cast<Index>((1.0 + std::sqrt(1.0 + 8.0 * static_cast<double>(k))) / 2.0);
  // The root is off by one at most.
  while (j * (j - 1) / 2 > k) --j;
  while (j * (j + 1) / 2 <= k) ++j;
  return {k - j * (j - 1) / 2, j};
}

// Calls work(k, counter) for `pairs` pairs of columns with n rows. A task takes enough pairs that
// handing it out costs little.
template <class Level, class Work>
void for_each_pair(Index pairs, Index n, const Threads& threads, const Work& work) {
  const RowBlocks tasks(pairs, std::max<Index>(1, 8192 / n));
  std::vector<ConcordanceCounter<Level>> counters(static_cast<Index>(std::max(threads.count, 1)));
  for_each_task(tasks.count(), threads, [&](Index task, Index slot) {
    for (Index k = tasks[task].first; k < tasks[task].end(); ++k) work(k, counters[slot]);
  });
}

template <class Level>
arma::mat kendall_within(const arma::mat& x, const Threads& threads) {
  const Index d = x.n_cols;
  const auto columns = rank_columns<Level>(x, threads);
  arma::mat tau(d, d, arma::fill::eye);
  for_each_pair<Level>(d * (d - 1) / 2, x.n_rows, threads, [&](Index k, auto& balance) {
    const auto [i, j] = pair_at(k);
    tau(i, j) = tau(j, i) = tau_b(balance(columns[i], columns[j]), columns[i], columns[j]);
  });
  return tau;
}

template <class Level>
arma::mat kendall_between(const arma::mat& x, const arma::mat& y, const Threads& threads) {
  const auto left = rank_columns<Level>(x, threads), right = rank_columns<Level>(y, threads);
  arma::mat tau(x.n_cols, y.n_cols);
  for_each_pair<Level>(tau.n_elem, x.n_rows, threads, [&](Index k, auto& balance) {
    const auto& a = left[k % x.n_cols];
    const auto& b = right[k / x.n_cols];
    tau[k] = tau_b(balance(a, b), a, b);
  });
  return tau;
}

inline bool fits_16_bits(Index n) { return n <= std::numeric_limits<std::uint16_t>::max(); }

}  // namespace detail

// Finite data, at least one row. Constant columns give 0 off the diagonal.
inline arma::mat kendall_matrix(const arma::mat& x, const Threads& threads) {
  return detail::fits_16_bits(x.n_rows) ? detail::kendall_within<std::uint16_t>(x, threads)
                                        : detail::kendall_within<std::uint32_t>(x, threads);
}

inline arma::mat kendall_matrix(const arma::mat& x, const arma::mat& y, const Threads& threads) {
  return detail::fits_16_bits(x.n_rows) ? detail::kendall_between<std::uint16_t>(x, y, threads)
                                        : detail::kendall_between<std::uint32_t>(x, y, threads);
}

}  // namespace cawi

#endif
