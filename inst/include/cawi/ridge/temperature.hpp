// The temperature that turns scores into probabilities, softmax(temperature * score).
#ifndef CAWI_RIDGE_TEMPERATURE_HPP
#define CAWI_RIDGE_TEMPERATURE_HPP

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/types.hpp"

namespace cawi {

namespace detail {

// Mean and variance of the scores of row i under softmax(temperature * score).
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

// The temperature of least log-loss in [e^-5, e^6]. The loss is convex in it: Newton steps, and
// bisection of its logarithm where they leave the bracket.
inline double best_temperature(const arma::mat& scores, const std::vector<int>& classes,
                               const arma::vec& case_weights) {
  double low = std::exp(-5.0), high = std::exp(6.0), t = 1.0;
  for (int step = 0; step < 100; ++step) {
    double slope = 0.0, curvature = 0.0;
    for (Index i = 0; i < scores.n_rows; ++i) {
      double mean, variance;
      detail::softmax_moments(scores, i, t, mean, variance);
      const double w = case_weights.is_empty() ? 1.0 : case_weights[i];
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

}  // namespace cawi

#endif
