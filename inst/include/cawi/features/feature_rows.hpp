// Rows of A, computed block by block as they are asked for: the whole of A need not exist.
#ifndef CAWI_FEATURES_FEATURE_ROWS_HPP
#define CAWI_FEATURES_FEATURE_ROWS_HPP

#include <utility>

#include "network.hpp"

namespace cawi {

// The rows of x seen through a network. `columns` are those of A that a readout of an ensemble
// sees; none means all.
class FeatureRows {
 public:
  FeatureRows(const arma::mat& x, const Network& network, arma::uvec columns = {})
      : x_(x), network_(network), columns_(std::move(columns)) {}

  Index rows() const { return x_.n_rows; }
  Index columns() const { return columns_.is_empty() ? layout().columns() : columns_.n_elem; }
  RowBlocks blocks() const { return RowBlocks::for_products(rows(), columns()); }

  // Place of the ones among the columns.
  bool has_ones() const { return layout().has_ones(); }
  Index ones() const {
    if (columns_.is_empty()) return layout().ones();
    const arma::uvec place = arma::find(columns_ == layout().ones(), 1);
    require(!place.is_empty(), "model", "a readout lacks the column of ones");
    return place[0];
  }

  // The same rows with the first `count` columns only.
  FeatureRows leading(Index count) const {
    if (count == columns()) return *this;
    arma::uvec kept = columns_.is_empty() ? arma::regspace<arma::uvec>(0, columns() - 1) : columns_;
    return FeatureRows(x_, network_, kept.head(count));
  }

  // Fresh memory for every block would cost as much as the activations: that of `a` is used again.
  void block(const RowBlock& rows, arma::mat& a) const {
    network_.features(x_, rows, a);
    if (!columns_.is_empty()) a = arma::mat(a.cols(columns_));
  }

  arma::mat block(const RowBlock& rows) const {
    arma::mat a;
    block(rows, a);
    return a;
  }

 private:
  const Layout& layout() const { return network_.layout(); }

  const arma::mat& x_;
  const Network& network_;
  arma::uvec columns_;
};

// The whole of A.
inline arma::mat all_features(const FeatureRows& features, const Threads& threads) {
  arma::mat a(features.rows(), features.columns());
  for_each_block(features.blocks(), 8, threads, [&](Index, const RowBlock& rows) {
    a.rows(rows.first, rows.last()) = features.block(rows);
  });
  return a;
}

}  // namespace cawi

#endif
