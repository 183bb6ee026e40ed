// The rows that a network reads: a matrix, or rows of which few numbers are not zero and which are
// never made a matrix as a whole.
#ifndef CAWI_FEATURES_INPUTS_HPP
#define CAWI_FEATURES_INPUTS_HPP

#include <optional>
#include <utility>

#include "sparse_rows.hpp"

namespace cawi {

class Inputs {
 public:
  Inputs() = default;
  // A matrix may be a view of memory that outlives this; moving keeps it one.
  explicit Inputs(arma::mat dense) : dense_(std::move(dense)) {}
  explicit Inputs(SparseRows sparse) : sparse_(std::move(sparse)) {}

  Index rows() const { return sparse_ ? sparse_->rows() : dense_.n_rows; }
  Index columns() const { return sparse_ ? sparse_->columns() : dense_.n_cols; }

  bool is_sparse() const { return sparse_.has_value(); }
  // The one that there is.
  const arma::mat& dense() const { return dense_; }
  const SparseRows& sparse() const { return *sparse_; }

  Inputs some(const arma::uvec& numbers) const {
    return sparse_ ? Inputs(sparse_->some(numbers)) : Inputs(arma::mat(dense_.rows(numbers)));
  }

 private:
  arma::mat dense_;
  std::optional<SparseRows> sparse_;
};

}  // namespace cawi

#endif
