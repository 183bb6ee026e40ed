// Standardized sparse rows times weights, where nothing fills: a row that has only zeros gives one
// and the same product, and every number that is not zero adds what it has beyond a zero.
#ifndef CAWI_FEATURES_SPARSE_PRODUCT_HPP
#define CAWI_FEATURES_SPARSE_PRODUCT_HPP

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

#include "../core/vectors.hpp"
#include "standardization.hpp"

namespace cawi {

class SparseProduct {
 public:
  // The leading rows of the weights, one per column of x, are used. All three must outlive this,
  // but for the weights.
  SparseProduct(const SparseRows& x, const Standardization& standardization,
                const arma::mat& weights)
      : x_(x), standardization_(standardization), of_zeros_(weights.n_cols) {
    const Index inputs = x.columns();
    arma::vec zeros(inputs);
    for (Index j = 0; j < inputs; ++j) zeros[j] = standardization(0.0, j);
    Index kept = 0;
    for (Index t = 0; t < weights.n_cols; ++t) {
      const double* w = weights.colptr(t);
      double sum = 0.0;
      for (Index j = 0; j < inputs; ++j) sum += zeros[j] * w[j];
      of_zeros_[t] = sum;
      kept += inputs - static_cast<Index>(std::count(w, w + inputs, 0.0));
    }
    // Nodes that read a few features each: most products would be with zeros.
    if (4 * kept < inputs * weights.n_cols) {
      few_ = nonzero(weights, inputs).transposed();
    } else {
      many_ = weights.head_rows(inputs).t();
    }
  }

  // Into a matrix with one row per row and one column per column of the weights.
  void write(const RowBlock& rows, arma::mat& h) const {
    // A node of one row is beside the next one here, as they are added to.
    arma::mat sums(of_zeros_.n_elem, rows.count);
    for (Index i = 0; i < rows.count; ++i) {
      double* sum = sums.colptr(i);
      std::copy(of_zeros_.begin(), of_zeros_.end(), sum);
      const SparseRows::Row row = x_.row(rows.first + i);
      for (Index k = 0; k < row.count; ++k) {
        const Index j = static_cast<Index>(row.column[k]);
        add(j, standardization_.beyond_zero(row.value[k], j), sum);
      }
    }
    h = sums.t();
  }

 private:
  static SparseRows nonzero(const arma::mat& weights, Index inputs) {
    SparseRows::Storage columns;
    for (Index t = 0; t < weights.n_cols; ++t) {
      for (Index j = 0; j < inputs; ++j) {
        if (weights(j, t) == 0.0) continue;
        columns.column.push_back(static_cast<int>(j));
        columns.value.push_back(weights(j, t));
      }
      columns.start.push_back(static_cast<int>(columns.value.size()));
    }
    return SparseRows(std::move(columns), inputs);
  }

  void add(Index j, double number, double* sum) const {
    if (few_) {
      const SparseRows::Row nodes = few_->row(j);
      for (Index k = 0; k < nodes.count; ++k) sum[nodes.column[k]] += number * nodes.value[k];
      return;
    }
    constexpr Index lanes = detail::vector_lanes;
    const double* w = many_.colptr(j);
    const Index nodes = many_.n_rows;
    detail::Doubles total, more;
    Index t = 0;
    for (; t + lanes <= nodes; t += lanes) {
      std::memcpy(&total, sum + t, sizeof total);
      std::memcpy(&more, w + t, sizeof more);
      total += number * more;
      std::memcpy(sum + t, &total, sizeof total);
    }
    for (; t < nodes; ++t) sum[t] += number * w[t];
  }

  const SparseRows& x_;
  const Standardization& standardization_;
  arma::vec of_zeros_;
  std::optional<SparseRows> few_;  // the nodes that read each input, with their weights
  arma::mat many_;                 // nodes x inputs, where most are not zero
};

}  // namespace cawi

#endif
