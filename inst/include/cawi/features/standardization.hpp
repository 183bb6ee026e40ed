// Center and standard deviation of the features in training, and the standardized rows of others.
#ifndef CAWI_FEATURES_STANDARDIZATION_HPP
#define CAWI_FEATURES_STANDARDIZATION_HPP

#include <vector>

#include "../core/blocks.hpp"
#include "inputs.hpp"
#include "rank_scale.hpp"

namespace cawi {

// With `ranks` features are ranks first.
struct Standardization {
  arma::rowvec center, sd;
  std::vector<RankScale> ranks;

  // Of a number in column j.
  double operator()(double x, Index j) const {
    return ((ranks.empty() ? x : ranks[j](x)) - center[j]) / sd[j];
  }

  // What a number has beyond a zero in column j.
  double beyond_zero(double x, Index j) const {
    return (ranks.empty() ? x : ranks[j](x) - ranks[j](0.0)) / sd[j];
  }

  // Some rows, made dense.
  void write(const Inputs& x, const RowBlock& rows, arma::mat& z) const {
    if (x.is_sparse()) {
      write(x.sparse(), rows, z);
    } else {
      write(x.dense(), rows, z);
    }
  }

 private:
  void write(const arma::mat& x, const RowBlock& rows, arma::mat& z) const {
    for (Index j = 0; j < z.n_cols; ++j) {
      const double middle = center[j], unit = sd[j];
      const double* from = x.colptr(j) + rows.first;
      double* to = z.colptr(j);
      if (ranks.empty()) {
        for (Index i = 0; i < rows.count; ++i) to[i] = (from[i] - middle) / unit;
      } else {
        const RankScale& scale = ranks[j];
        for (Index i = 0; i < rows.count; ++i) to[i] = (scale(from[i]) - middle) / unit;
      }
    }
  }

  void write(const SparseRows& x, const RowBlock& rows, arma::mat& z) const {
    for (Index j = 0; j < z.n_cols; ++j) z.col(j).fill((*this)(0.0, j));
    for (Index i = 0; i < rows.count; ++i) {
      const SparseRows::Row row = x.row(rows.first + i);
      for (Index k = 0; k < row.count; ++k) {
        const Index j = static_cast<Index>(row.column[k]);
        z(i, j) = (*this)(row.value[k], j);
      }
    }
  }
};

}  // namespace cawi

#endif
