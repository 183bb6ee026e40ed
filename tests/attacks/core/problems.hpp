// Ridge problems of small size, and the plain way to solve them.
#ifndef CAWI_ATTACKS_PROBLEMS_HPP
#define CAWI_ATTACKS_PROBLEMS_HPP

#include "networks.hpp"

#include "cawi/ridge/targets.hpp"

namespace attacks {

// A network without layers is its own features: A = [x | 1] or [x].
inline cawi::Network identity(Index inputs, cawi::Ones ones) {
  cawi::Standardization s;
  s.center.zeros(inputs);
  s.sd.ones(inputs);
  return cawi::Network(s, {}, cawi::Wiring::stacked, true, ones);
}

// Numbers are standardized before the core sees them.
inline cawi::Targets any_targets(Input& in, Index rows) {
  cawi::Targets t;
  if (in.flag()) {
    t.outputs = in.count(2, 3);
    t.classes = in.classes(rows, t.outputs);
  } else {
    t.outputs = in.count(1, 3);
    t.values = in.matrix(rows, t.outputs, Numbers::sane);
    t.centered = true;
  }
  if (in.flag()) t.case_weights = in.case_weights(rows);
  return t;
}

// Some of the rows, with their case weights; a column of ones that has no penalty where `ones` is
// its number.
struct PlainRidge {
  arma::mat coefficients;

  PlainRidge(const arma::mat& a, const cawi::Targets& t, double lambda, int ones) {
    const arma::mat y = t.block({0, a.n_rows});
    arma::mat weighted = a;
    if (!t.case_weights.is_empty()) weighted.each_col() %= t.case_weights;
    arma::mat penalty = lambda * arma::eye(a.n_cols, a.n_cols);
    if (ones >= 0) penalty(ones, ones) = 0.0;
    coefficients = arma::solve(arma::symmatu(weighted.t() * a + penalty), weighted.t() * y);
  }
};

// Is there a column that varies, but by less than 1e-5 of its size? The core takes it for a
// constant one beside an intercept without penalty; plain solves do not.
inline bool has_flat_column(const arma::mat& a) {
  for (Index j = 0; j < a.n_cols; ++j) {
    const double deviation = largest(a.col(j) - arma::mean(a.col(j)));
    if (deviation > 0.0 && deviation <= 1e-5 * largest(a.col(j))) return true;
  }
  return false;
}

// All rows but some.
inline arma::uvec all_but(Index rows, const arma::uvec& some) {
  std::vector<arma::uword> rest;
  for (Index i = 0; i < rows; ++i) {
    if (!arma::any(some == i)) rest.push_back(i);
  }
  return arma::uvec(rest);
}

// What fits without some rows predict for them, row by row or group by group.
inline arma::mat refitted(const arma::mat& a, const cawi::Targets& t, double lambda, int ones) {
  arma::mat scores(a.n_rows, t.outputs);
  std::vector<cawi::RowBlock> blocks = t.groups;
  for (Index i = 0; t.groups.empty() && i < a.n_rows; ++i) blocks.push_back({i, 1});
  for (const cawi::RowBlock& rows : blocks) {
    const arma::uvec own = arma::regspace<arma::uvec>(rows.first, rows.last());
    const arma::uvec rest = all_but(a.n_rows, own);
    const PlainRidge fit(a.rows(rest), t.some(rest), lambda, ones);
    scores.rows(own) = a.rows(own) * fit.coefficients;
  }
  return scores;
}

}  // namespace attacks

#endif
