// Sums over rows that are all a readout needs to know of them. Rows can come in parts, in any
// number of places: parts are added, and sums of parts are merged. What was added can be taken away
// again.
#ifndef CAWI_RIDGE_SUMS_HPP
#define CAWI_RIDGE_SUMS_HPP

#include <utility>
#include <vector>

#include "readout.hpp"

namespace cawi {

struct Sums {
  Gram gram;          // A'WA and A'WY
  arma::rowvec yy;    // squares of the outputs
  double rows = 0.0;  // counts are doubles: there may be more rows than an integer holds
  double weight = 0.0;

  static Sums zero(Index columns, Index outputs) {
    return {Gram::zero(columns, outputs), arma::rowvec(outputs, arma::fill::zeros)};
  }

  // With sign -1 the rows of the other sums are taken away.
  void merge(const Sums& other, double sign = 1.0) {
    require(arma::size(gram.aa) == arma::size(other.gram.aa) &&
                arma::size(gram.ay) == arma::size(other.gram.ay) && yy.n_elem == other.yy.n_elem,
            "statistics", "they are of different sizes");
    gram.aa += sign * other.gram.aa;
    gram.ay += sign * other.gram.ay;
    yy += sign * other.yy;
    rows += sign * other.rows;
    weight += sign * other.weight;
  }
};

// Adds rows to the sums of every readout.
inline void add_rows(const FeatureRows& features, const Targets& targets, const Threads& threads,
                     std::vector<Sums>& sums) {
  std::vector<Gram> grams = accumulate_grams(features, targets, threads);
  const RowBlock all{0, features.rows()};
  const arma::vec w = targets.block_weights(all);
  const arma::mat y = targets.block(all);
  const double rows = static_cast<double>(features.rows());
  const arma::rowvec yy =
      w.is_empty() ? arma::rowvec(arma::sum(arma::square(y), 0)) : arma::rowvec(w.t() * (y % y));
  for (Index r = 0; r < sums.size(); ++r) {
    sums[r].merge({std::move(grams[r]), yy, rows, w.is_empty() ? rows : arma::accu(w)});
  }
}

// Squared errors of readouts on rows that they have not seen: one line per penalty, one column per
// output, with the sum of the case weights.
struct Losses {
  arma::mat squared;
  double weight = 0.0;

  // |Y - A b|^2 from sums alone; rounding may leave less than nothing of a perfect fit.
  void add(Index line, const Sums& sums, const arma::mat& coefficients) {
    const arma::mat product = sums.gram.aa * coefficients - 2.0 * sums.gram.ay;
    const arma::rowvec error = sums.yy + arma::sum(coefficients % product, 0);
    squared.row(line) += arma::clamp(error, 0.0, arma::datum::inf);
  }

  void merge(const Losses& other) {
    require(arma::size(squared) == arma::size(other.squared), "statistics",
            "losses are of different sizes");
    squared += other.squared;
    weight += other.weight;
  }
};

// The readouts that learn from `train`, judged on the rows of `fresh`, one line per penalty. With
// `ones` the intercept is that column and has no penalty.
inline Losses held_out_losses(const Sums& train, const Sums& fresh, const arma::vec& lambdas,
                              const Center& center, const Threads& threads) {
  Losses losses{arma::mat(lambdas.n_elem, train.gram.ay.n_cols, arma::fill::zeros), fresh.weight};
  for (Index l = 0; l < lambdas.n_elem; ++l) {
    const arma::vec lambda = lambdas.subvec(l, l);
    losses.add(l, fresh, solve_primal(train.gram, lambda, center, threads).coefficients);
  }
  return losses;
}

}  // namespace cawi

#endif
