// Calibration and temperature: the minimum is one, whatever the scores are.
#include "input.hpp"

#include "cawi/ridge/calibration.hpp"
#include "cawi/ridge/temperature.hpp"

namespace {

using namespace attacks;

double log_loss(const arma::mat& scores, const std::vector<int>& classes, const arma::vec& w,
                double temperature) {
  double total = 0.0;
  for (Index i = 0; i < scores.n_rows; ++i) {
    const arma::rowvec z = temperature * (scores.row(i) - scores.row(i).max());
    const double weight = w.is_empty() ? 1.0 : w[i];
    total += weight * (std::log(arma::accu(arma::exp(z))) - z[classes[i]]);
  }
  return total;
}

}  // namespace

void attack(Input& in) {
  const bool sane = in.byte() % 4 != 3;
  const Index m = in.size(1, 80), k = in.count(2, 4);
  const arma::mat scores = in.matrix(m, k, sane ? Numbers::sane : Numbers::finite);
  const std::vector<int> classes = in.classes(m, k);
  arma::vec w = in.case_weights(m);
  const double t = cawi::best_temperature(scores, classes, w);
  CHECK(t >= std::exp(-5.0) * (1.0 - 1e-9) && t <= std::exp(6.0) * (1.0 + 1e-9));
  if (sane) {
    const double least = log_loss(scores, classes, w, t);
    for (const double other : {0.5 * t, 0.99 * t, 1.01 * t, 2.0 * t}) {
      if (other < std::exp(-5.0) || other > std::exp(6.0)) continue;
      CHECK(least <= log_loss(scores, classes, w, other) + 1e-8 * (1.0 + least));
    }
  }
  cawi::CalibrationFit fit(scores, classes, w);
  const arma::mat found = fit.parameters();
  CHECK(found.n_rows == k && found.n_cols == 3);
  CHECK(found.is_finite());
  if (!sane) return;
  // Another start ends at the same place.
  const arma::mat again = cawi::CalibrationFit(scores, classes, w).parameters(found + 0.1);
  CHECK(close(found, again, 1e-3, 1.0 + largest(found)));
}
