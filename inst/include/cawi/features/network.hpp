// The frozen part of a network: what turns rows of x into rows of A, the matrix the readout sees.
#ifndef CAWI_FEATURES_NETWORK_HPP
#define CAWI_FEATURES_NETWORK_HPP

#include <vector>

#include "activations.hpp"

namespace cawi {

struct Layer {
  arma::mat weights;  // inputs x nodes
  arma::rowvec bias;
  Activation activation;
};

// What the second and later layers read: the layer before (dRVFL, BLS), or x and the layer before
// (edRVFL).
enum class Wiring { stacked, skip };

// A = [x | H1 | ... | HL | 1]; x and the column of ones are optional. x is centred and scaled first.
// With the ones first, A = [x | 1 | H1 | ... | HL], a narrower network is a number of leading columns.
class Network {
 public:
  Network(arma::rowvec centre, arma::rowvec scale, std::vector<Layer> layers, Wiring wiring,
          bool direct, bool intercept, bool ones_first = false)
      : centre_(std::move(centre)),
        scale_(std::move(scale)),
        layers_(std::move(layers)),
        wiring_(wiring),
        direct_(direct),
        intercept_(intercept),
        ones_first_(ones_first) {
    check_sizes();
  }

  Index inputs() const { return centre_.n_elem; }
  const std::vector<Layer>& layers() const { return layers_; }

  Index columns() const {
    Index total = (direct_ ? inputs() : 0) + (intercept_ ? 1 : 0);
    for (const Layer& layer : layers_) total += layer.weights.n_cols;
    return total;
  }

  // Place of the ones in A; there must be some.
  bool has_ones() const { return intercept_; }
  Index ones() const { return ones_first_ ? (direct_ ? inputs() : 0) : columns() - 1; }

  // Columns of A that readout l of an ensemble uses: x, layer l and the ones.
  arma::uvec readout_columns(Index l) const {
    std::vector<arma::uword> columns;
    Index next = direct_ ? inputs() : 0;
    for (Index j = 0; j < next; ++j) columns.push_back(j);
    if (intercept_ && ones_first_) columns.push_back(next++);
    for (Index k = 0; k < layers_.size(); ++k) {
      for (Index j = 0; j < layers_[k].weights.n_cols; ++j, ++next) {
        if (k == l) columns.push_back(next);
      }
    }
    if (intercept_ && !ones_first_) columns.push_back(next);
    return arma::uvec(columns);
  }

  // Standardised rows [first, first + count) of x.
  arma::mat standardized(const arma::mat& x, Index first, Index count) const {
    arma::mat block = x.rows(first, first + count - 1);
    block.each_row() -= centre_;
    block.each_row() /= scale_;
    return block;
  }

  // The input of layer l (0-based) for standardised rows; l = layers().size() is what would come
  // next.
  arma::mat layer_input(const arma::mat& z, Index l) const {
    arma::mat hidden;
    for (Index k = 0; k < l; ++k) hidden = output(layers_[k], k == 0 ? z : source(z, hidden));
    return l == 0 ? z : source(z, hidden);
  }

  // Rows [first, first + count) of A into `a`, whose memory is used again where it fits.
  void features(const arma::mat& x, Index first, Index count, arma::mat& a) const {
    const arma::mat z = standardized(x, first, count);
    a.set_size(count, columns());
    Index next = 0;
    if (direct_) {
      a.head_cols(inputs()) = z;
      next = inputs();
    }
    if (intercept_ && ones_first_) a.col(next++).ones();
    for (Index k = 0; k < layers_.size(); ++k) {
      const Index nodes = layers_[k].weights.n_cols;
      // Computed where they belong: no copy of the hidden nodes.
      arma::mat hidden(a.colptr(next), count, nodes, false, true);
      if (k == 0) {
        write_output(layers_[k], z, hidden);
      } else {
        const arma::mat before(a.colptr(next - layers_[k - 1].weights.n_cols), count,
                               layers_[k - 1].weights.n_cols, false, true);
        write_output(layers_[k], source(z, before), hidden);
      }
      next += nodes;
    }
    if (intercept_ && !ones_first_) a.col(next).ones();
  }

 private:
  arma::mat source(const arma::mat& z, const arma::mat& hidden) const {
    return wiring_ == Wiring::stacked ? hidden : arma::mat(arma::join_rows(z, hidden));
  }

  static arma::mat output(const Layer& layer, const arma::mat& input) {
    arma::mat h(input.n_rows, layer.weights.n_cols);
    write_output(layer, input, h);
    return h;
  }

  // Bias and activation a column at a time, while it is in the nearest cache.
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
    require(scale_.n_elem == inputs(), "model", "centre and scale differ in length");
    Index expected = inputs();
    for (const Layer& layer : layers_) {
      require(layer.weights.n_rows == expected, "model", "a layer does not fit its input");
      require(layer.bias.n_elem == layer.weights.n_cols, "model", "a bias does not fit its layer");
      expected = layer.weights.n_cols + (wiring_ == Wiring::skip ? inputs() : 0);
    }
  }

  arma::rowvec centre_, scale_;
  std::vector<Layer> layers_;
  Wiring wiring_;
  bool direct_, intercept_, ones_first_;
};

}  // namespace cawi

#endif
