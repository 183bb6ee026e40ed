// What a readout is fitted to.
#ifndef CAWI_RIDGE_TARGETS_HPP
#define CAWI_RIDGE_TARGETS_HPP

#include <vector>

#include "../core/blocks.hpp"

namespace cawi {

// The class of a row whose own class the training rows do not have.
constexpr int unseen_class = -1;

// A numeric matrix, or the classes 0..k-1 of the rows. Classes become indicator columns one block
// at a time; the indicators of an unseen class are all zero.
struct Targets {
  arma::mat values;
  std::vector<int> classes;
  Index outputs = 0;
  arma::vec case_weights;  // may be empty
  bool centered = false;   // numbers: the intercept, if there is one, has no penalty
  // Rows that are left out together, in order and all of them; none where each is left out alone.
  std::vector<RowBlock> groups;

  arma::mat block(const RowBlock& rows) const {
    if (classes.empty()) return values.rows(rows.first, rows.last());
    arma::mat y(rows.count, outputs, arma::fill::zeros);
    for (Index i = 0; i < rows.count; ++i) {
      if (classes[rows.first + i] >= 0) y(i, classes[rows.first + i]) = 1.0;
    }
    return y;
  }

  // Those of some rows.
  Targets some(const arma::uvec& rows) const {
    Targets part;
    part.outputs = outputs;
    part.centered = centered;
    if (!values.is_empty()) part.values = values.rows(rows);
    if (!classes.empty()) {
      for (const Index i : rows) part.classes.push_back(classes[i]);
    }
    if (!case_weights.is_empty()) part.case_weights = case_weights.elem(rows);
    return part;
  }

  // The case weights of a block and their square roots; empty where there are none.
  arma::vec block_weights(const RowBlock& rows) const {
    if (case_weights.is_empty()) return {};
    return case_weights.subvec(rows.first, rows.last());
  }
  arma::vec block_roots(const RowBlock& rows) const { return arma::sqrt(block_weights(rows)); }

  double case_weight(Index row) const { return case_weights.is_empty() ? 1.0 : case_weights[row]; }
};

}  // namespace cawi

#endif
