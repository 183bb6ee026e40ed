// Networks of all kinds, of small size, and rows for them.
#ifndef CAWI_ATTACKS_NETWORKS_HPP
#define CAWI_ATTACKS_NETWORKS_HPP

#include "input.hpp"

#include "cawi/features/network.hpp"

namespace attacks {

inline cawi::Activation any_activation(Input& in) {
  return cawi::detail::activation_table[in.byte() % cawi::detail::activation_table.size()].apply;
}

// What training rows of the columns would give.
inline cawi::Standardization standardization(Input& in, Index inputs, bool ranks) {
  cawi::Standardization s;
  s.center.zeros(inputs);
  s.sd.ones(inputs);
  for (Index j = 0; j < inputs; ++j) {
    s.center[j] = 2.0 * in.unit() - 1.0;
    s.sd[j] = 0.2 + in.unit();
  }
  for (Index j = 0; ranks && j < inputs; ++j) {
    const arma::vec values = arma::unique(in.vector(in.count(1, 12), Numbers::finite));
    s.ranks.push_back({values, arma::linspace(0.0, 1.0, values.n_elem)});
  }
  return s;
}

inline cawi::Network any_network(Input& in, Index inputs, cawi::Ones ones, bool smooth = false) {
  const auto wiring = in.flag() ? cawi::Wiring::skip : cawi::Wiring::stacked;
  const bool direct = in.flag();
  const Index layers = in.count(wiring == cawi::Wiring::skip || !direct ? 1 : 0, 3);
  std::vector<cawi::Layer> all;
  Index reads = inputs;
  for (Index l = 0; l < layers; ++l) {
    const Index nodes = in.count(1, 9);
    arma::mat weights = in.matrix(reads, nodes, Numbers::sane);
    const cawi::Activation activation =
        smooth ? cawi::find_activation(in.flag() ? "sigmoid" : "radbas") : any_activation(in);
    all.push_back({weights, in.vector(nodes, Numbers::sane).t(), activation});
    reads = nodes + (wiring == cawi::Wiring::skip ? inputs : 0);
  }
  return cawi::Network(standardization(in, inputs, !smooth && in.byte() % 4 == 3), std::move(all),
                       wiring, direct, ones);
}

// Where most numbers are zero, only the others.
inline cawi::SparseRows sparse(const arma::mat& x) {
  cawi::SparseRows::Storage rows;
  for (Index i = 0; i < x.n_rows; ++i) {
    for (Index j = 0; j < x.n_cols; ++j) {
      if (x(i, j) == 0.0) continue;
      rows.column.push_back(static_cast<int>(j));
      rows.value.push_back(x(i, j));
    }
    rows.start.push_back(static_cast<int>(rows.value.size()));
  }
  return cawi::SparseRows(std::move(rows), x.n_cols);
}

}  // namespace attacks

#endif
