// Gradients of the scores with respect to the standardized features, by the chain rule through all
// layers, and their mean outer product. A large entry on its diagonal is a feature that the scores
// depend on; its leading eigenvectors are the directions in which they change most.
//
// With pre-activations z and nodes act(z), layer l gives back
//   delta_l = act'(z_l) * (coefficients of its nodes + what the layer above gives back to them)
// and the features get the coefficients of the direct links and delta_l W_l' of every layer that
// reads them: the first, and in an ensemble all. The scores of an ensemble are averaged over its
// readouts, and so are their coefficients here.
#ifndef CAWI_FEATURES_GRADIENTS_HPP
#define CAWI_FEATURES_GRADIENTS_HPP

#include <algorithm>
#include <utility>
#include <vector>

#include "network.hpp"

namespace cawi {

class ScoreGradients {
 public:
  // Scratch memory of one thread.
  struct Work {
    std::vector<arma::mat> slopes;  // act'(z), per layer
    arma::mat gradient;             // rows x features, of one output
  };

  // `coefficients` has one matrix per readout. Rows and network must outlive this.
  ScoreGradients(const Inputs& x, const Network& network,
                 const std::vector<arma::mat>& coefficients)
      : x_(x), network_(network) {
    const std::vector<Layout>& readouts = network.readouts();
    require(coefficients.size() == readouts.size(), "model",
            "there must be coefficients for every readout");
    for (Index r = 0; r < readouts.size(); ++r) {
      require(coefficients[r].n_rows == readouts[r].columns() &&
                  coefficients[r].n_cols == coefficients[0].n_cols,
              "model", "coefficients do not fit the features");
    }
    const double share = 1.0 / static_cast<double>(readouts.size());
    direct_.zeros(network.inputs(), coefficients[0].n_cols);
    for (Index r = 0; r < readouts.size(); ++r) {
      const ColumnBlock x_block = readouts[r].x();
      if (x_block.count > 0) direct_ += share * rows_of(coefficients[r], x_block);
      for (Index l = 0; l < readouts[r].layers(); ++l) {
        nodes_.push_back(share * rows_of(coefficients[r], readouts[r].layer(l)));
      }
    }
  }

  Index rows() const { return x_.rows(); }
  Index inputs() const { return network_.inputs(); }
  Index outputs() const { return direct_.n_cols; }
  RowBlocks blocks() const {
    const Index beside = x_.is_sparse() ? inputs() : 0;
    return RowBlocks::for_products(rows(), network_.layout().columns() + beside);
  }

  // Calls use(output, gradient) for every output, with the gradients of some rows, which it may
  // change.
  template <class Use>
  void each_output(const RowBlock& rows, Work& work, const Use& use) const {
    write_slopes(rows, work.slopes);
    for (Index k = 0; k < outputs(); ++k) {
      write_gradient(k, rows.count, work);
      use(k, work.gradient);
    }
  }

 private:
  static arma::mat rows_of(const arma::mat& coefficients, const ColumnBlock& block) {
    if (block.count == 0) return arma::mat(0, coefficients.n_cols);
    return coefficients.rows(block.first, block.first + block.count - 1);
  }

  void write_slopes(const RowBlock& rows, std::vector<arma::mat>& slopes) const {
    const arma::mat z = network_.layer_input(x_, rows, 0);
    arma::mat input = z;
    slopes.resize(network_.layers());
    for (Index l = 0; l < network_.layers(); ++l) {
      const Layer& layer = network_.layer(l);
      require(!layer.landmarks, "hidden", "gradients of infinitely many nodes are not known here");
      arma::mat& pre = slopes[l];
      pre = input * layer.weights;
      if (l + 1 < network_.layers()) {
        arma::mat hidden = pre;
        activate_columns(layer.activation, layer.bias, hidden);
        input = network_.is_ensemble() ? arma::mat(arma::join_rows(z, hidden)) : std::move(hidden);
      }
      activate_columns(slope_of(layer.activation), layer.bias, pre);
    }
  }

  static void activate_columns(Activation function, const arma::rowvec& bias, arma::mat& pre) {
    for (Index j = 0; j < pre.n_cols; ++j) function(pre.colptr(j), pre.n_rows, bias[j]);
  }

  void write_gradient(Index k, Index count, Work& work) const {
    work.gradient = arma::repmat(direct_.col(k).t(), count, 1);
    arma::mat from_above;
    for (Index l = network_.layers(); l-- > 0;) {
      arma::mat delta = work.slopes[l];
      for (Index j = 0; j < delta.n_cols; ++j) {
        if (from_above.is_empty()) {
          delta.col(j) *= nodes_[l](j, k);
        } else {
          delta.col(j) %= from_above.col(j) + nodes_[l](j, k);
        }
      }
      const arma::mat back = delta * network_.layer(l).weights.t();
      if (l == 0) {
        work.gradient += back;
      } else if (network_.is_ensemble()) {
        work.gradient += back.head_cols(inputs());
        from_above = back.tail_cols(back.n_cols - inputs());
      } else {
        from_above = back;
      }
    }
  }

  const Inputs& x_;
  const Network& network_;
  arma::mat direct_;              // features x outputs
  std::vector<arma::mat> nodes_;  // nodes x outputs, per layer
};

// Into a matrix with, for each output, one column per feature.
inline void write_gradients(const ScoreGradients& gradients, const Threads& threads,
                            arma::mat& all) {
  std::vector<ScoreGradients::Work> work(std::max(threads.count, 1));
  const Index inputs = gradients.inputs();
  for_each_block(gradients.blocks(), threads, [&](Index slot, const RowBlock& rows) {
    gradients.each_output(rows, work[slot], [&](Index k, const arma::mat& g) {
      all.submat(rows.first, k * inputs, rows.last(), (k + 1) * inputs - 1) = g;
    });
  });
}

namespace detail {

// Adds the products of some rows, multiplied by their roots of case weights where there are any.
inline void add_products(const ScoreGradients& gradients, const RowBlock& rows,
                         const arma::vec& case_weights, ScoreGradients::Work& work,
                         arma::mat& sum) {
  arma::vec root;
  if (!case_weights.is_empty()) root = arma::sqrt(case_weights.subvec(rows.first, rows.last()));
  gradients.each_output(rows, work, [&](Index, arma::mat& g) {
    if (!root.is_empty()) g.each_col() %= root;
    sum += g.t() * g;
  });
}

}  // namespace detail

// The mean over rows, by their case weights (empty: all equal), of the sum over outputs of g g'.
// Blocks are dealt to lanes whose number depends on the problem alone, and lanes are added in
// order, so the result does not depend on the number of threads.
inline arma::mat mean_gradient_product(const ScoreGradients& gradients,
                                       const arma::vec& case_weights, const Threads& threads) {
  const Index inputs = gradients.inputs();
  const RowBlocks blocks = gradients.blocks();
  const Index affordable = (Index{1} << 21) / std::max<Index>(inputs * inputs, 1);
  const Index lanes = std::clamp<Index>(std::min(blocks.count(), affordable), 1, 32);
  std::vector<arma::mat> sums(lanes, arma::mat(inputs, inputs, arma::fill::zeros));
  std::vector<ScoreGradients::Work> work(std::max(threads.count, 1));
  const auto add = [&](Index lane, Index slot, const RowBlock& rows) {
    detail::add_products(gradients, rows, case_weights, work[slot], sums[lane]);
  };
  for_each_block_in_lanes(blocks, lanes, threads, add);
  for (Index lane = 1; lane < lanes; ++lane) sums[0] += sums[lane];
  const double total =
      case_weights.is_empty() ? static_cast<double>(gradients.rows()) : arma::accu(case_weights);
  return sums[0] / total;
}

}  // namespace cawi

#endif
