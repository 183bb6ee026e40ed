// Class probabilities from scores. The score s of class k has the logit
//   slope_k s + bend_k asinh(s / 0.15) + shift_k,
// and the probabilities are the softmax of the logits. The slope alone is temperature scaling. The
// shift corrects for classes of unequal size. The bend lets the logit fall like a logarithm where
// the score comes near zero, because a score estimates a probability and not its logit.
//
// The parameters minimize the log-loss plus a fixed penalty that weighs as much as a few rows. The
// penalty keeps them finite on separable data. It also draws the classes toward a common curve
// where they have too few rows for curves of their own.
#ifndef CAWI_RIDGE_CALIBRATION_HPP
#define CAWI_RIDGE_CALIBRATION_HPP

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "../core/blas.hpp"
#include "../core/errors.hpp"
#include "../core/types.hpp"

namespace cawi {

namespace detail {

// For slope, bend and shift: the unit; the center; and, in that unit, the precision of what the
// classes have in common and of what each class adds to it. A common shift changes no probability.
constexpr std::array<double, 3> curve_unit{5.0, 1.0, 1.0};
constexpr std::array<double, 3> curve_center{5.0, 0.0, 0.0};
constexpr std::array<double, 3> common_precision{0.1, 0.5, 0.0};
constexpr std::array<double, 3> own_precision{5.0, 5.0, 2.0};
constexpr double bend_unit = 0.15;

}  // namespace detail

class CalibrationFit {
 public:
  // Scores are rows x classes, classes count from zero, case weights are positive.
  CalibrationFit(const arma::mat& scores, const std::vector<int>& classes,
                 const arma::vec& case_weights)
      : count_(scores.n_cols), classes_(classes), case_weights_(case_weights), penalty_(penalty()) {
    require(classes.size() == scores.n_rows && case_weights.n_elem == scores.n_rows, "y",
            "scores and classes differ in rows");
    features_[0] = scores;
    features_[1] = arma::asinh(scores / detail::bend_unit);
    features_[2].ones(arma::size(scores));
    center_.set_size(3 * count_);
    for (Index f = 0; f < 3; ++f) {
      center_.subvec(f * count_, (f + 1) * count_ - 1).fill(detail::curve_center[f]);
    }
  }

  // Newton's steps on a strictly convex function, halved where they go too far. They converge
  // quadratically: a step that gains next to nothing is the last one. It is taken without a look at
  // the loss, whose rounding hides so small a gain. They begin at `start`, or, where it is empty,
  // at the center: a start near the solution saves steps and changes nothing else.
  arma::mat parameters(const arma::mat& start = arma::mat()) {
    const SingleThreadedBlas guard;
    arma::vec now = start.n_elem == center_.n_elem ? arma::vec(arma::vectorise(start)) : center_;
    double loss = evaluate(now);
    for (int iteration = 0; iteration < 100; ++iteration) {
      const arma::vec slope = gradient(now);
      arma::vec step;
      require(arma::solve(step, curvature(), slope, arma::solve_opts::likely_sympd), "y",
              "the calibration has no solution");
      const double gain = arma::dot(step, slope);
      if (gain < 1e-7) {
        now -= step;
        break;
      }
      double size = 1.0, trial = evaluate(now - step);
      while (!(trial <= loss - 1e-4 * size * gain) && size > 1e-6) {
        size /= 2.0;
        trial = evaluate(now - size * step);
      }
      if (trial < loss) {
        now -= size * step;
        loss = trial;
      } else {
        evaluate(now);
      }
      if (size <= 1e-6) break;
    }
    return arma::reshape(now, count_, 3);
  }

 private:
  // Precision of the parameters of one kind: own * I, the common part integrated out (Sherman and
  // Morrison).
  arma::mat penalty() const {
    arma::mat all(3 * count_, 3 * count_, arma::fill::zeros);
    for (Index f = 0; f < 3; ++f) {
      const double own = detail::own_precision[f], common = detail::common_precision[f];
      const double shared =
          common > 0.0 ? own * own / (common + static_cast<double>(count_) * own) : 0.0;
      arma::mat block(count_, count_, arma::fill::value(-shared));
      block.diag() += own;
      const Index from = f * count_, to = (f + 1) * count_ - 1;
      all.submat(from, from, to, to) = block / (detail::curve_unit[f] * detail::curve_unit[f]);
    }
    return all;
  }

  // The penalized log-loss; leaves the probabilities in prob_.
  double evaluate(const arma::vec& parameters) {
    prob_.zeros(arma::size(features_[0]));
    for (Index f = 0; f < 3; ++f) {
      const arma::rowvec b = parameters.subvec(f * count_, (f + 1) * count_ - 1).t();
      prob_ += features_[f].each_row() % b;
    }
    prob_.each_col() -= arma::vec(arma::max(prob_, 1));
    arma::vec at(prob_.n_rows);
    for (Index i = 0; i < prob_.n_rows; ++i) at[i] = prob_(i, classes_[i]);
    prob_ = arma::exp(prob_);
    const arma::vec total = arma::sum(prob_, 1);
    prob_.each_col() /= total;
    const arma::vec gap = parameters - center_;
    return 0.5 * arma::dot(gap, penalty_ * gap) - arma::dot(case_weights_, at - arma::log(total));
  }

  arma::vec gradient(const arma::vec& parameters) const {
    arma::mat gap = prob_;
    for (Index i = 0; i < gap.n_rows; ++i) gap(i, classes_[i]) -= 1.0;
    gap.each_col() %= case_weights_;
    arma::vec slope = penalty_ * (parameters - center_);
    for (Index f = 0; f < 3; ++f) {
      slope.subvec(f * count_, (f + 1) * count_ - 1) += arma::sum(features_[f] % gap, 0).t();
    }
    return slope;
  }

  // Second derivatives: for features f and g, diag(sum p f g) - (p f)'(p g), sums over rows.
  arma::mat curvature() const {
    arma::mat rooted = prob_, weighted = prob_;
    rooted.each_col() %= arma::vec(arma::sqrt(case_weights_));
    weighted.each_col() %= case_weights_;
    arma::mat rows(prob_.n_rows, 3 * count_);
    for (Index f = 0; f < 3; ++f) {
      rows.cols(f * count_, (f + 1) * count_ - 1) = features_[f] % rooted;
    }
    arma::mat all = penalty_ - rows.t() * rows;
    for (Index f = 0; f < 3; ++f) {
      for (Index g = 0; g < 3; ++g) {
        const arma::rowvec own = arma::sum(features_[f] % features_[g] % weighted, 0);
        for (Index k = 0; k < count_; ++k) all(f * count_ + k, g * count_ + k) += own[k];
      }
    }
    return all;
  }

  Index count_;
  const std::vector<int>& classes_;
  const arma::vec& case_weights_;
  std::array<arma::mat, 3> features_;
  arma::vec center_;
  arma::mat penalty_, prob_;
};

}  // namespace cawi

#endif
