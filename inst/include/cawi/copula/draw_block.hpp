// Some draws of a copula side by side: value j of all draws is a column. Draws are then the lanes
// of vectors, each with its own arithmetic, so that a draw does not depend on its neighbors.
#ifndef CAWI_COPULA_DRAW_BLOCK_HPP
#define CAWI_COPULA_DRAW_BLOCK_HPP

#include <vector>

#include "../core/types.hpp"

namespace cawi {

class DrawBlock {
 public:
  // Columns have room for a multiple of this number of draws.
  static constexpr Index panel = 16;

  // Draws first, ..., first + count - 1 of `dim` values; keeps the memory that it has.
  void resize(Index dim, Index first, Index count) {
    dim_ = dim;
    first_ = first;
    count_ = count;
    // Never a power of two: columns at such a distance would share few lines of the cache.
    stride_ = (count + panel - 1) / panel * panel + 8;
    if (values_.size() < dim_ * stride_) values_.resize(dim_ * stride_);
  }

  Index dim() const { return dim_; }
  Index first() const { return first_; }
  Index count() const { return count_; }
  // Distance between the values of a draw.
  Index stride() const { return stride_; }

  double* column(Index j) { return values_.data() + j * stride_; }
  const double* column(Index j) const { return values_.data() + j * stride_; }

 private:
  Index dim_ = 0, first_ = 0, count_ = 0, stride_ = 0;
  std::vector<double> values_;
};

}  // namespace cawi

#endif
