// The order of the columns of A, the matrix that the readout sees. It is written down here and
// nowhere else.
#ifndef CAWI_FEATURES_LAYOUT_HPP
#define CAWI_FEATURES_LAYOUT_HPP

#include <vector>

#include "../core/types.hpp"

namespace cawi {

// The place of the column of ones, which carries the intercept.
//   last           A = [x | H1 | ... | HL | 1], as fitted models have it
//   before_layers  A = [x | 1 | H1 | ... | HL], as grids have it: a narrower or shallower network
//                  of a nest is then a number of leading columns
enum class Ones { none, last, before_layers };

// Columns [first, first + count).
struct ColumnBlock {
  Index first = 0, count = 0;
};

class Layout {
 public:
  // `inputs` columns of x, zero where the readout does not see x; `hidden` nodes per layer.
  Layout(Index inputs, const std::vector<Index>& hidden, Ones ones) : inputs_(inputs), ones_(ones) {
    starts_.push_back(inputs + (ones == Ones::before_layers ? 1 : 0));
    for (const Index nodes : hidden) starts_.push_back(starts_.back() + nodes);
  }

  Index columns() const { return starts_.back() + (ones_ == Ones::last ? 1 : 0); }

  ColumnBlock x() const { return {0, inputs_}; }
  ColumnBlock layer(Index l) const { return {starts_[l], starts_[l + 1] - starts_[l]}; }

  Index layers() const { return starts_.size() - 1; }

  bool has_ones() const { return ones_ != Ones::none; }
  // There must be ones.
  Index ones() const { return ones_ == Ones::last ? starts_.back() : inputs_; }

 private:
  Index inputs_;
  Ones ones_;
  std::vector<Index> starts_;  // first column of each layer, then the end of the last
};

}  // namespace cawi

#endif
