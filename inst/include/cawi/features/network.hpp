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
#include "rank_scale.hpp"

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

// Of the features in training. With `ranks` they are ranks first.
struct Standardization {
  arma::rowvec center, sd;
  std::vector<RankScale> ranks;
};

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

  // The input of layer l (0-based) for some rows; l = layers() gives the input of a layer that
  // would come next. The last bits of a product depend on the place of a row in it, so hidden nodes
  // are rounded to 30 bits: equal rows are ties for the ranks that copulas are fitted to.
  arma::mat layer_input(const arma::mat& x, const RowBlock& rows, Index l) const {
    arma::mat z(rows.count, inputs()), hidden;
    write_standardized(x, rows, z);
    const auto input = [&](Index k) -> arma::mat {
      if (k == 0) return z;
      return wiring_ == Wiring::stacked ? hidden : arma::mat(arma::join_rows(z, hidden));
    };
    for (Index k = 0; k < l; ++k) {
      const arma::mat from = input(k);
      hidden.set_size(rows.count, layers_[k].weights.n_cols);
      write_output(layers_[k], from, hidden);
      // Veltkamp's splitting.
      hidden.transform([](double v) {
        const double shifted = v * (0x1p22 + 1.0);
        return std::isfinite(shifted) ? shifted - (shifted - v) : v;
      });
    }
    return input(l);
  }

  // Some rows of the features, computed once: one matrix per layout, which are that of A or those
  // of the readouts. Memory of `a` is used again where it fits.
  void features(const arma::mat& x, const RowBlock& rows, const std::vector<Layout>& layouts,
                std::vector<arma::mat>& a) const {
    a.resize(layouts.size());
    for (Index r = 0; r < layouts.size(); ++r) {
      a[r].set_size(rows.count, layouts[r].columns());
      if (layouts[r].has_ones()) a[r].col(layouts[r].ones()).ones();
    }
    // Computed where they belong: no copy of x or of the hidden nodes.
    const bool direct = layout_.x().count > 0;
    arma::mat own(direct ? 0 : rows.count, inputs());
    arma::mat z = direct ? view(a[0], layouts[0].x()) : view(own, {0, inputs()});
    write_standardized(x, rows, z);
    for (Index r = 1; direct && r < layouts.size(); ++r) view(a[r], layouts[r].x()) = z;
    for (Index l = 0; l < layers(); ++l) {
      arma::mat hidden = place(layouts, a, l);
      if (l == 0) {
        write_output(layers_[l], z, hidden);
      } else if (wiring_ == Wiring::stacked) {
        write_output(layers_[l], place(layouts, a, l - 1), hidden);
      } else {
        write_output(layers_[l], arma::join_rows(z, place(layouts, a, l - 1)), hidden);
      }
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
    return arma::mat(a.colptr(columns.first), a.n_rows, columns.count, false, true);
  }

  // The nodes of layer l.
  static arma::mat place(const std::vector<Layout>& layouts, std::vector<arma::mat>& a, Index l) {
    if (layouts.size() == 1) return view(a[0], layouts[0].layer(l));
    return view(a[l], layouts[l].layer(0));
  }

  void write_standardized(const arma::mat& x, const RowBlock& rows, arma::mat& z) const {
    for (Index j = 0; j < z.n_cols; ++j) {
      const double center = standardization_.center[j], sd = standardization_.sd[j];
      const double* from = x.colptr(j) + rows.first;
      double* to = z.colptr(j);
      if (standardization_.ranks.empty()) {
        for (Index i = 0; i < rows.count; ++i) to[i] = (from[i] - center) / sd;
      } else {
        const RankScale& scale = standardization_.ranks[j];
        for (Index i = 0; i < rows.count; ++i) to[i] = (scale(from[i]) - center) / sd;
      }
    }
  }

  // Bias and activation of one column after the other, while it is in the nearest cache.
  static void write_output(const Layer& layer, const arma::mat& input, arma::mat& h) {
    if (layer.landmarks) return layer.landmarks->write(input, h);
    h = input * layer.weights;
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
