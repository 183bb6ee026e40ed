// Losses of scores against targets, added up row by row, and the temperature that turns scores into
// probabilities.
#ifndef CAWI_RIDGE_LOSSES_HPP
#define CAWI_RIDGE_LOSSES_HPP

#include <cmath>
#include <limits>
#include <vector>

#include "gram.hpp"

namespace cawi {

namespace detail {

// Mean and variance of the scores under softmax(temperature * score).
inline void softmax_moments(const arma::mat& scores, Index i, double temperature, double& mean,
                            double& variance) {
  double top = scores(i, 0);
  for (Index k = 1; k < scores.n_cols; ++k) top = std::max(top, scores(i, k));
  double total = 0.0, first = 0.0, second = 0.0;
  for (Index k = 0; k < scores.n_cols; ++k) {
    const double gap = scores(i, k) - top, e = std::exp(temperature * gap);
    total += e;
    first += e * gap;
    second += e * gap * gap;
  }
  mean = first / total;
  variance = second / total - mean * mean;
  mean += top;
}

}  // namespace detail

// The temperature in [e^-5, e^6] of least log-loss of softmax(temperature * score). The loss is convex
// in it: Newton steps, with bisection of the logarithm where they leave the bracket.
inline double best_temperature(const arma::mat& scores, const std::vector<int>& classes,
                               const arma::vec& weights) {
  double low = std::exp(-5.0), high = std::exp(6.0), t = 1.0;
  for (int step = 0; step < 100; ++step) {
    double slope = 0.0, curvature = 0.0;
    for (Index i = 0; i < scores.n_rows; ++i) {
      double mean, variance;
      detail::softmax_moments(scores, i, t, mean, variance);
      const double w = weights.is_empty() ? 1.0 : weights[i];
      slope += w * (mean - scores(i, classes[i]));
      curvature += w * variance;
    }
    (slope > 0.0 ? high : low) = t;
    double next = curvature > 0.0 ? t - slope / curvature : t;
    if (!(next > low && next < high)) next = std::sqrt(low * high);
    if (std::fabs(next - t) <= 1e-12 * t) return next;
    t = next;
  }
  return t;
}

// In place of a row's class: one that the training rows do not have.
constexpr int unseen_class = -1;

// Weighted sums of losses and of their squares. Classification: hits, squared error of the scores
// against 0 and 1, Brier score, log-loss (the last two where there is a temperature); regression:
// squared error. Squared errors are means over outputs.
enum LossKind : int { hit_loss, squared_loss, brier_loss, log_loss, loss_kinds };

struct Losses {
  double sum[loss_kinds] = {0.0, 0.0, 0.0, 0.0};
  double square[loss_kinds] = {0.0, 0.0, 0.0, 0.0};
  std::vector<double> outputs;  // squared errors of each of several numeric outputs

  void add(LossKind kind, double loss, double weight) {
    sum[kind] += weight * loss;
    square[kind] += weight * loss * loss;
  }

  void add(const Losses& other) {
    for (int k = 0; k < loss_kinds; ++k) {
      sum[k] += other.sum[k];
      square[k] += other.square[k];
    }
    outputs.resize(std::max(outputs.size(), other.outputs.size()), 0.0);
    for (Index k = 0; k < other.outputs.size(); ++k) outputs[k] += other.outputs[k];
  }

  // Rows of y and of their scores, which are columns [from, from + outputs). `truth` has the classes of
  // the rows, `weights` their weights; either may be null. Columns come first, as they lie in memory;
  // rows are added in order.
  void add_rows(const arma::mat& y, const arma::mat& scores, Index from, const int* truth,
                const double* weights, double temperature) {
    constexpr Index chunk = 256;
    if (truth == nullptr && y.n_cols > 1) add_outputs(y, scores, from, weights);
    for (Index first = 0; first < y.n_rows; first += chunk) {
      const Index rows = std::min<Index>(chunk, y.n_rows - first);
      double error[chunk] = {}, top[chunk];
      int best[chunk] = {};
      std::fill_n(top, chunk, -std::numeric_limits<double>::infinity());
      for (Index k = 0; k < y.n_cols; ++k) {
        const double* score = scores.colptr(from + k) + first;
        const double* target = y.colptr(k) + first;
        for (Index i = 0; i < rows; ++i) {
          const double gap = score[i] - target[i];
          error[i] += gap * gap;
          best[i] = score[i] > top[i] ? static_cast<int>(k) : best[i];
          top[i] = std::max(top[i], score[i]);
        }
      }
      for (Index i = 0; i < rows; ++i) {
        const double weight = weights == nullptr ? 1.0 : weights[first + i];
        add(squared_loss, error[i] / static_cast<double>(y.n_cols), weight);
        if (truth == nullptr) continue;
        add(hit_loss, best[i] == truth[first + i] ? 1.0 : 0.0, weight);
        if (temperature > 0.0) {
          add_probabilities(scores, first + i, from, y.n_cols, best[i], truth[first + i], weight, temperature);
        }
      }
    }
  }

 private:
  void add_outputs(const arma::mat& y, const arma::mat& scores, Index from, const double* weights) {
    outputs.resize(y.n_cols, 0.0);
    for (Index k = 0; k < y.n_cols; ++k) {
      const double* score = scores.colptr(from + k);
      const double* target = y.colptr(k);
      for (Index i = 0; i < y.n_rows; ++i) {
        const double gap = score[i] - target[i];
        outputs[k] += (weights == nullptr ? 1.0 : weights[i]) * gap * gap;
      }
    }
  }

  void add_probabilities(const arma::mat& scores, Index i, Index from, Index count, int best,
                         int truth, double weight, double temperature) {
    const double top = scores(i, from + best);
    double total = 0.0, squares = 0.0;
    for (Index k = 0; k < count; ++k) {
      const double e = std::exp(temperature * (scores(i, from + k) - top));
      total += e;
      squares += e * e;
    }
    // A class that was never seen has probability zero; its log-loss stops at that of 1e-15.
    double p = 0.0, loss = -std::log(1e-15);
    if (truth != unseen_class) {
      const double gap = temperature * (scores(i, from + truth) - top);
      p = std::exp(gap) / total;
      loss = std::min(std::log(total) - gap, loss);
    }
    add(brier_loss, squares / (total * total) - 2.0 * p + 1.0, weight);
    add(log_loss, loss, weight);
  }
};

}  // namespace cawi

#endif
