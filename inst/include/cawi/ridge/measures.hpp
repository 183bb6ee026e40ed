// What is measured of scores against targets, added up over rows.
#ifndef CAWI_RIDGE_MEASURES_HPP
#define CAWI_RIDGE_MEASURES_HPP

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "../core/vectors.hpp"
#include "targets.hpp"

namespace cawi {

// Hits are rows whose class is right: more are better, while the other measures are losses.
// Squared errors are means over outputs; those of classes compare scores with 0 and 1. The Brier
// loss and the log-loss are those of probabilities. Numbers have squared errors alone.
enum Measure : int { hits, squared_error, brier_loss, log_loss, measure_count };

// Truth and case weights of the rows of a block. Numbers have no classes; either may be null.
struct RowTruth {
  const int* classes = nullptr;
  const double* case_weights = nullptr;

  static RowTruth of(const Targets& targets, Index first) {
    return {targets.classes.empty() ? nullptr : targets.classes.data() + first,
            targets.case_weights.is_empty() ? nullptr : targets.case_weights.memptr() + first};
  }

  double case_weight(Index i) const { return case_weights == nullptr ? 1.0 : case_weights[i]; }
};

namespace detail {

// Some rows of scores and targets, by columns, and what comes of them: the mean squared error of
// each row, and the number of its largest score.
struct ScoredRows {
  const double* score;
  const double* target;
  Index score_rows, target_rows;  // from column to column
  Index outputs;
  double* error;
  double* best;
};

// D is a vector, or a double.
template <class D>
CAWI_INLINE void compare_rows_at(const ScoredRows& rows, Index i) {
  D error = {}, best = {}, top = -std::numeric_limits<double>::infinity() - D{}, score, target;
  for (Index k = 0; k < rows.outputs; ++k) {
    std::memcpy(&score, rows.score + k * rows.score_rows + i, sizeof score);
    std::memcpy(&target, rows.target + k * rows.target_rows + i, sizeof target);
    const D gap = score - target, number = static_cast<double>(k) - D{};
    error += gap * gap;
    best = score > top ? number : best;
    top = score > top ? score : top;
  }
  error /= static_cast<double>(rows.outputs);
  std::memcpy(rows.error + i, &error, sizeof error);
  std::memcpy(rows.best + i, &best, sizeof best);
}

template <class D>
CAWI_INLINE void compare_rows_body(const ScoredRows& rows, Index n) {
  constexpr Index lanes = sizeof(D) / sizeof(double);
  Index i = 0;
  for (; i + lanes <= n; i += lanes) compare_rows_at<D>(rows, i);
  for (; i < n; ++i) compare_rows_at<double>(rows, i);
}

#if CAWI_HAS_AVX2_CLONE
CAWI_AVX2 inline void compare_rows_avx2(const ScoredRows& rows, Index n) {
  compare_rows_body<Doubles>(rows, n);
}
#endif
#if CAWI_HAS_AVX512_CLONE
CAWI_AVX512 inline void compare_rows_avx512(const ScoredRows& rows, Index n) {
  compare_rows_body<WideDoubles>(rows, n);
}
#endif

inline void compare_rows(const ScoredRows& rows, Index n) {
#if CAWI_HAS_AVX512_CLONE
  if (has_avx512()) return compare_rows_avx512(rows, n);
#endif
#if CAWI_HAS_AVX2_CLONE
  if (has_avx2()) return compare_rows_avx2(rows, n);
#endif
  compare_rows_body<Doubles>(rows, n);
}

}  // namespace detail

// Weighted sums over rows of each measure and of its square. For groups of rows the squares are
// those of the sums of each group, and `cross` are the products of these sums with the weights of
// the groups.
struct Measures {
  double sum[measure_count] = {0.0, 0.0, 0.0, 0.0};
  double square[measure_count] = {0.0, 0.0, 0.0, 0.0};
  double cross[measure_count] = {0.0, 0.0, 0.0, 0.0};
  std::vector<double> outputs;  // squared errors of each of several numeric outputs

  void add(const Measures& other) {
    for (int k = 0; k < measure_count; ++k) {
      sum[k] += other.sum[k];
      square[k] += other.square[k];
      cross[k] += other.cross[k];
    }
    outputs.resize(std::max(outputs.size(), other.outputs.size()), 0.0);
    for (Index k = 0; k < other.outputs.size(); ++k) outputs[k] += other.outputs[k];
  }

  // The rows that were added are a group.
  void close_group(double weight) {
    for (int k = 0; k < measure_count; ++k) {
      square[k] = sum[k] * sum[k];
      cross[k] = sum[k] * weight;
    }
  }

  // Rows of targets and their scores. Probabilities are measured where the temperature is
  // positive. The loop over columns is the outer one, as they lie in memory; rows are added in
  // order.
  void add_rows(const arma::mat& y, const arma::mat& scores, const RowTruth& truth,
                double temperature) {
    constexpr Index chunk = 256;
    if (truth.classes == nullptr && y.n_cols > 1) add_outputs(y, scores, truth);
    for (Index first = 0; first < y.n_rows; first += chunk) {
      const Index rows = std::min<Index>(chunk, y.n_rows - first);
      double error[chunk], best[chunk];
      detail::compare_rows({scores.memptr() + first, y.memptr() + first, scores.n_rows, y.n_rows,
                            y.n_cols, error, best},
                           rows);
      add_errors(error, rows, first, truth);
      if (truth.classes == nullptr) continue;
      add_hits(best, rows, first, truth);
      for (Index i = 0; temperature > 0.0 && i < rows; ++i) {
        add_probabilities(scores, first + i, static_cast<Index>(best[i]), truth.classes[first + i],
                          truth.case_weight(first + i), temperature);
      }
    }
  }

 private:
  void add(Measure measure, double value, double weight) {
    sum[measure] += weight * value;
    square[measure] += weight * value * value;
  }

  // Sums of their own stay in registers; those of the object would go to memory with each row.
  void add_errors(const double* error, Index rows, Index first, const RowTruth& truth) {
    double total = 0.0, squares = 0.0;
    for (Index i = 0; i < rows; ++i) {
      const double weighted = truth.case_weight(first + i) * error[i];
      total += weighted;
      squares += weighted * error[i];
    }
    sum[squared_error] += total;
    square[squared_error] += squares;
  }

  // A hit is one, and so is its square.
  void add_hits(const double* best, Index rows, Index first, const RowTruth& truth) {
    double total = 0.0;
    for (Index i = 0; i < rows; ++i) {
      const bool hit = best[i] == static_cast<double>(truth.classes[first + i]);
      total += hit ? truth.case_weight(first + i) : 0.0;
    }
    sum[hits] += total;
    square[hits] += total;
  }

  void add_outputs(const arma::mat& y, const arma::mat& scores, const RowTruth& truth) {
    outputs.resize(y.n_cols, 0.0);
    for (Index k = 0; k < y.n_cols; ++k) {
      const double* score = scores.colptr(k);
      const double* target = y.colptr(k);
      for (Index i = 0; i < y.n_rows; ++i) {
        const double gap = score[i] - target[i];
        outputs[k] += truth.case_weight(i) * gap * gap;
      }
    }
  }

  // Of row i, whose largest score is that of class `best` and whose class is `own`.
  void add_probabilities(const arma::mat& scores, Index i, Index best, int own, double weight,
                         double temperature) {
    const double top = scores(i, best);
    double total = 0.0, squares = 0.0;
    for (Index k = 0; k < scores.n_cols; ++k) {
      const double e = std::exp(temperature * (scores(i, k) - top));
      total += e;
      squares += e * e;
    }
    // An unseen class has probability zero; its log-loss stops at that of 1e-15.
    double p = 0.0, loss = -std::log(1e-15);
    if (own != unseen_class) {
      const double gap = temperature * (scores(i, own) - top);
      p = std::exp(gap) / total;
      loss = std::min(std::log(total) - gap, loss);
    }
    add(brier_loss, squares / (total * total) - 2.0 * p + 1.0, weight);
    add(log_loss, loss, weight);
  }
};

}  // namespace cawi

#endif
