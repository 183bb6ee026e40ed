// What is measured of scores against targets, added up over rows.
#ifndef CAWI_RIDGE_MEASURES_HPP
#define CAWI_RIDGE_MEASURES_HPP

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

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

// Weighted sums over rows of each measure and of its square.
struct Measures {
  double sum[measure_count] = {0.0, 0.0, 0.0, 0.0};
  double square[measure_count] = {0.0, 0.0, 0.0, 0.0};
  std::vector<double> outputs;  // squared errors of each of several numeric outputs

  void add(const Measures& other) {
    for (int k = 0; k < measure_count; ++k) {
      sum[k] += other.sum[k];
      square[k] += other.square[k];
    }
    outputs.resize(std::max(outputs.size(), other.outputs.size()), 0.0);
    for (Index k = 0; k < other.outputs.size(); ++k) outputs[k] += other.outputs[k];
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
      double error[chunk] = {}, top[chunk];
      int best[chunk] = {};
      std::fill_n(top, chunk, -std::numeric_limits<double>::infinity());
      for (Index k = 0; k < y.n_cols; ++k) {
        const double* score = scores.colptr(k) + first;
        const double* target = y.colptr(k) + first;
        for (Index i = 0; i < rows; ++i) {
          const double gap = score[i] - target[i];
          error[i] += gap * gap;
          best[i] = score[i] > top[i] ? static_cast<int>(k) : best[i];
          top[i] = std::max(top[i], score[i]);
        }
      }
      add_errors(error, rows, first, static_cast<double>(y.n_cols), truth);
      if (truth.classes == nullptr) continue;
      add_hits(best, rows, first, truth);
      for (Index i = 0; temperature > 0.0 && i < rows; ++i) {
        add_probabilities(scores, first + i, best[i], truth.classes[first + i],
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
  void add_errors(const double* error, Index rows, Index first, double count,
                  const RowTruth& truth) {
    double total = 0.0, squares = 0.0;
    for (Index i = 0; i < rows; ++i) {
      const double value = error[i] / count, weighted = truth.case_weight(first + i) * value;
      total += weighted;
      squares += weighted * value;
    }
    sum[squared_error] += total;
    square[squared_error] += squares;
  }

  // A hit is one, and so is its square.
  void add_hits(const int* best, Index rows, Index first, const RowTruth& truth) {
    double total = 0.0;
    for (Index i = 0; i < rows; ++i) {
      total += best[i] == truth.classes[first + i] ? truth.case_weight(first + i) : 0.0;
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
  void add_probabilities(const arma::mat& scores, Index i, int best, int own, double weight,
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
