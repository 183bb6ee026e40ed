// The frozen part of a network: what turns rows of x into rows of A, the matrix that the readout
// sees.
#ifndef CAWI_FEATURES_NETWORK_HPP
#define CAWI_FEATURES_NETWORK_HPP

#include <utility>
#include <vector>

#include "../core/blocks.hpp"
#include "activations.hpp"
#include "layout.hpp"

namespace cawi {

struct Layer {
  arma::mat weights;  // inputs x nodes
  arma::rowvec bias;
  Activation activation;
};

// What the second and later layers read: the layer before (dRVFL, BLS), or x and the layer before
// (edRVFL).
enum class Wiring { stacked, skip };

// Of the features in training.
struct Standardization {
  arma::rowvec center, sd;
};

class Network {
 public:
  // `direct` says that the readout sees x beside the layers.
  Network(Standardization standardization, std::vector<Layer> layers, Wiring wiring, bool direct,
          Ones ones)
      : standardization_(std::move(standardization)),
        layers_(std::move(layers)),
        wiring_(wiring),
        layout_(direct ? inputs() : 0, nodes(layers_), ones) {
    check_sizes();
  }

  Index inputs() const { return standardization_.center.n_elem; }
  Index layers() const { return layers_.size(); }
  const Layout& layout() const { return layout_; }

  // An ensemble has one readout per layer, which sees that layer alone; other networks have one
  // readout for all layers. Ensembles, and no others, are wired with skips: a layer that no
  // common readout joins with the others must have x among its own inputs.
  bool is_ensemble() const { return wiring_ == Wiring::skip; }

  arma::mat standardized(const arma::mat& x, const RowBlock& rows) const {
    arma::mat block = x.rows(rows.first, rows.last());
    block.each_row() -= standardization_.center;
    block.each_row() /= standardization_.sd;
    return block;
  }

  // The input of layer l (0-based) for standardized rows; l = layers() gives the input of a layer
  // that would come next.
  arma::mat layer_input(const arma::mat& z, Index l) const {
    arma::mat hidden;
    for (Index k = 0; k < l; ++k) hidden = output(layers_[k], k == 0 ? z : source(z, hidden));
    return l == 0 ? z : source(z, hidden);
  }

  // Some rows of A into `a`, whose memory is used again where it fits.
  void features(const arma::mat& x, const RowBlock& rows, arma::mat& a) const {
    const arma::mat z = standardized(x, rows);
    a.set_size(rows.count, layout_.columns());
    if (layout_.x().count > 0) view(a, layout_.x()) = z;
    if (layout_.has_ones()) a.col(layout_.ones()).ones();
    for (Index l = 0; l < layers(); ++l) {
      // Computed where they belong: no copy of the hidden nodes.
      arma::mat hidden = view(a, layout_.layer(l));
      if (l == 0) {
        write_output(layers_[l], z, hidden);
      } else {
        write_output(layers_[l], source(z, view(a, layout_.layer(l - 1))), hidden);
      }
    }
  }

 private:
  static std::vector<Index> nodes(const std::vector<Layer>& layers) {
    std::vector<Index> counts;
    for (const Layer& layer : layers) counts.push_back(layer.weights.n_cols);
    return counts;
  }

  // Some columns of a matrix, in its memory.
  static arma::mat view(arma::mat& a, const ColumnBlock& columns) {
    return arma::mat(a.colptr(columns.first), a.n_rows, columns.count, false, true);
  }

  arma::mat source(const arma::mat& z, const arma::mat& hidden) const {
    return wiring_ == Wiring::stacked ? hidden : arma::mat(arma::join_rows(z, hidden));
  }

  static arma::mat output(const Layer& layer, const arma::mat& input) {
    arma::mat h(input.n_rows, layer.weights.n_cols);
    write_output(layer, input, h);
    return h;
  }

  // Bias and activation of one column after the other, while it is in the nearest cache.
  static void write_output(const Layer& layer, const arma::mat& input, arma::mat& h) {
    h = input * layer.weights;
    for (Index j = 0; j < h.n_cols; ++j) {
      double* column = h.colptr(j);
      const double bias = layer.bias[j];
      for (Index i = 0; i < h.n_rows; ++i) column[i] += bias;
      layer.activation(column, h.n_rows);
    }
  }

  void check_sizes() const {
    require(standardization_.sd.n_elem == inputs(), "model", "center and sd differ in length");
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
};

}  // namespace cawi

#endif
