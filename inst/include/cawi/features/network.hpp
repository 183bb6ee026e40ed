// The frozen part of a network: what turns rows of x into rows of A, the matrix that the readout
// sees.
#ifndef CAWI_FEATURES_NETWORK_HPP
#define CAWI_FEATURES_NETWORK_HPP

#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "../core/blocks.hpp"
#include "activations.hpp"
#include "landmarks.hpp"
#include "layout.hpp"
#include "sparse_product.hpp"
#include "standardization.hpp"

namespace cawi {

struct Layer {
  arma::mat weights;  // inputs x nodes
  arma::rowvec bias;
  Activation activation;
  // Infinitely many nodes: the weights are landmarks then, and bias and activation are not used.
  std::optional<Landmarks> landmarks = std::nullopt;
};

// What the second and later layers read: the layer before (dRVFL, BLS), or x and the layer before
// (edRVFL).
enum class Wiring { stacked, skip };

class Network {
 public:
  // `direct` says that the readout sees x beside the layers.
  Network(Standardization standardization, std::vector<Layer> layers, Wiring wiring, bool direct,
          Ones ones)
      : standardization_(std::move(standardization)),
        layers_(std::move(layers)),
        wiring_(wiring),
        layout_(direct ? inputs() : 0, nodes(), ones) {
    check_sizes();
    if (!is_ensemble()) {
      readouts_ = {layout_};
      return;
    }
    for (const Index count : nodes()) {
      readouts_.emplace_back(layout_.x().count, std::vector<Index>{count}, ones);
    }
  }

  Index inputs() const { return standardization_.center.n_elem; }
  Index layers() const { return layers_.size(); }
  const Layer& layer(Index l) const { return layers_[l]; }

  // Of A, with all layers.
  const Layout& layout() const { return layout_; }

  // An ensemble has one readout per layer, which sees that layer alone; other networks have one
  // readout for all layers. Ensembles, and no others, are wired with skips: a layer that no
  // common readout joins with the others must have x among its own inputs.
  bool is_ensemble() const { return wiring_ == Wiring::skip; }
  const std::vector<Layout>& readouts() const { return readouts_; }

  // Products of sparse rows with the weights of the layers that read them, made once for many
  // blocks; none for a matrix. Network and rows must outlive them.
  std::vector<SparseProduct> products(const Inputs& x) const {
    std::vector<SparseProduct> all;
    if (!x.is_sparse()) return all;
    const Index reading = is_ensemble() ? layers() : std::min<Index>(layers(), 1);
    for (Index l = 0; l < reading && !layers_[l].landmarks; ++l) {
      all.emplace_back(x.sparse(), standardization_, layers_[l].weights);
    }
    return all;
  }

  // Must the standardized rows be written down for the features?
  bool needs_rows(const Inputs& x) const {
    return !x.is_sparse() || layout_.x().count > 0 || (layers() > 0 && layers_[0].landmarks);
  }

  // The input of layer l (0-based) for some rows; l = layers() gives the input of a layer that
  // would come next. The last bits of a product depend on the place of a row in it, so hidden nodes
  // are rounded to 30 bits: equal rows are ties for the ranks that copulas are fitted to.
  arma::mat layer_input(const Inputs& x, const RowBlock& rows, Index l) const {
    const std::vector<SparseProduct> products =
        l > 0 ? this->products(x) : std::vector<SparseProduct>();
    const bool written = l == 0 || is_ensemble() || needs_rows(x);
    Block block{rows, products, arma::mat(written ? rows.count : 0, inputs())};
    if (written) standardization_.write(x, rows, block.z);
    arma::mat hidden;
    for (Index k = 0; k < l; ++k) {
      arma::mat next(rows.count, layers_[k].weights.n_cols);
      write_layer(k, block, hidden, next);
      hidden = std::move(next);
      // Veltkamp's splitting.
      hidden.transform([](double v) {
        const double shifted = v * (0x1p22 + 1.0);
        return std::isfinite(shifted) ? shifted - (shifted - v) : v;
      });
    }
    if (l == 0) return std::move(block.z);
    return is_ensemble() ? arma::mat(arma::join_rows(block.z, hidden)) : hidden;
  }

  // Some rows of the features, computed once: one matrix per layout, which are that of A or those
  // of the readouts. Memory of `a` is used again where it fits.
  void features(const Inputs& x, const std::vector<SparseProduct>& products, const RowBlock& rows,
                const std::vector<Layout>& layouts, std::vector<arma::mat>& a) const {
    a.resize(layouts.size());
    for (Index r = 0; r < layouts.size(); ++r) {
      a[r].set_size(rows.count, layouts[r].columns());
      if (layouts[r].has_ones()) a[r].col(layouts[r].ones()).ones();
    }
    // Computed where they belong: no copy of x or of the hidden nodes.
    const bool direct = layout_.x().count > 0;
    arma::mat own(direct || !needs_rows(x) ? 0 : rows.count, inputs());
    Block block{rows, products, direct ? view(a[0], layouts[0].x()) : view(own, {0, inputs()})};
    if (needs_rows(x)) standardization_.write(x, rows, block.z);
    for (Index r = 1; direct && r < layouts.size(); ++r) view(a[r], layouts[r].x()) = block.z;
    for (Index l = 0; l < layers(); ++l) {
      arma::mat hidden = place(layouts, a, l);
      write_layer(l, block, l == 0 ? arma::mat() : place(layouts, a, l - 1), hidden);
    }
  }

 private:
  std::vector<Index> nodes() const {
    std::vector<Index> counts;
    for (const Layer& layer : layers_) counts.push_back(layer.weights.n_cols);
    return counts;
  }

  // Some columns of a matrix, in its memory.
  static arma::mat view(arma::mat& a, const ColumnBlock& columns) {
    // A matrix without rows has no memory to look at.
    if (a.n_rows == 0) return arma::mat(0, columns.count);
    return arma::mat(a.colptr(columns.first), a.n_rows, columns.count, false, true);
  }

  // The nodes of layer l.
  static arma::mat place(const std::vector<Layout>& layouts, std::vector<arma::mat>& a, Index l) {
    if (layouts.size() == 1) return view(a[0], layouts[0].layer(l));
    return view(a[l], layouts[l].layer(0));
  }

  // Some rows: standardized and written down, or to be multiplied as they are.
  struct Block {
    const RowBlock& rows;
    const std::vector<SparseProduct>& products;
    arma::mat z;
  };

  // Layer l from x and the layer before.
  void write_layer(Index l, const Block& block, const arma::mat& before, arma::mat& h) const {
    const Layer& layer = layers_[l];
    const bool reads_x = l == 0 || is_ensemble();
    if (reads_x && l < block.products.size()) {
      block.products[l].write(block.rows, h);
      if (l > 0) h += before * layer.weights.tail_rows(before.n_cols);
      return activate(layer, h);
    }
    if (l == 0) {
      write_output(layer, block.z, h);
    } else if (!is_ensemble()) {
      write_output(layer, before, h);
    } else {
      write_output(layer, arma::join_rows(block.z, before), h);
    }
  }

  static void write_output(const Layer& layer, const arma::mat& input, arma::mat& h) {
    if (layer.landmarks) return layer.landmarks->write(input, h);
    h = input * layer.weights;
    activate(layer, h);
  }

  // Bias and activation of one column after the other, while it is in the nearest cache.
  static void activate(const Layer& layer, arma::mat& h) {
    for (Index j = 0; j < h.n_cols; ++j) {
      layer.activation(h.colptr(j), h.n_rows, layer.bias[j]);
    }
  }

  void check_sizes() const {
    require(standardization_.sd.n_elem == inputs(), "model", "center and sd differ in length");
    require(standardization_.ranks.empty() || standardization_.ranks.size() == inputs(), "model",
            "there must be ranks for every feature");
    Index expected = inputs();
    for (const Layer& layer : layers_) {
      require(layer.weights.n_rows == expected, "model", "a layer does not fit its input");
      require(layer.bias.n_elem == layer.weights.n_cols, "model", "a bias does not fit its layer");
      expected = layer.weights.n_cols + (wiring_ == Wiring::skip ? inputs() : 0);
    }
  }

  Standardization standardization_;
  std::vector<Layer> layers_;
  Wiring wiring_;
  Layout layout_;
  std::vector<Layout> readouts_;
};

}  // namespace cawi

#endif
