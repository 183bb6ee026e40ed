// Rows of features, computed block by block as they are asked for: the whole of A need not exist. A
// block is computed once, for all readouts.
#ifndef CAWI_FEATURES_FEATURE_ROWS_HPP
#define CAWI_FEATURES_FEATURE_ROWS_HPP

#include <algorithm>
#include <utility>
#include <vector>

#include "network.hpp"

namespace cawi {

// The rows of x seen through a network, both of which must outlive this.
class FeatureRows {
 public:
  // As the readouts see them: one matrix per readout.
  FeatureRows(const Inputs& x, const Network& network)
      : FeatureRows(x, network, network.readouts()) {}

  // As one matrix A with all layers.
  static FeatureRows whole(const Inputs& x, const Network& network) {
    return FeatureRows(x, network, {network.layout()});
  }

  Index rows() const { return x_.rows(); }
  Index readouts() const { return layouts_.size(); }
  const Layout& layout(Index readout) const { return layouts_[readout]; }
  Index columns(Index readout) const { return layouts_[readout].columns(); }
  Index columns() const {
    Index total = 0;
    for (const Layout& layout : layouts_) total += layout.columns();
    return total;
  }
  RowBlocks blocks() const {
    // Sparse rows that are written down for a moment need room beside the features.
    const Index beside = x_.is_sparse() && network_.needs_rows(x_) ? x_.columns() : 0;
    return RowBlocks::for_products(rows(), columns() + beside);
  }

  // Fresh memory for every block would cost as much as the activations: that of `a` is used again.
  void block(const RowBlock& rows, std::vector<arma::mat>& a) const {
    network_.features(x_, products_, rows, layouts_, a);
  }

 private:
  FeatureRows(const Inputs& x, const Network& network, std::vector<Layout> layouts)
      : x_(x), network_(network), products_(network.products(x)), layouts_(std::move(layouts)) {
    require(x.columns() == network.inputs(), "model", "the rows do not fit the network");
  }

  const Inputs& x_;
  const Network& network_;
  std::vector<SparseProduct> products_;
  std::vector<Layout> layouts_;
};

// All rows, one matrix per readout, into matrices of the right size.
inline void write_features(const FeatureRows& features, const Threads& threads,
                           std::vector<arma::mat>& all) {
  std::vector<std::vector<arma::mat>> work(std::max(threads.count, 1));
  for_each_block(features.blocks(), threads, [&](Index slot, const RowBlock& rows) {
    features.block(rows, work[slot]);
    for (Index r = 0; r < all.size(); ++r) {
      all[r].rows(rows.first, rows.last()) = work[slot][r];
    }
  });
}

inline std::vector<arma::mat> all_features(const FeatureRows& features, const Threads& threads) {
  std::vector<arma::mat> all;
  for (Index r = 0; r < features.readouts(); ++r) {
    all.emplace_back(features.rows(), features.columns(r));
  }
  write_features(features, threads, all);
  return all;
}

}  // namespace cawi

#endif
