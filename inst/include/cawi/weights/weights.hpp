// Weight columns: draws of a copula sent through the quantile function of a fixed marginal
// distribution.
#ifndef CAWI_WEIGHTS_WEIGHTS_HPP
#define CAWI_WEIGHTS_WEIGHTS_HPP

#include <array>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "../copula/copula.hpp"

namespace cawi {

namespace detail {

struct MarginalRow {
  const char* name;
  double (*quantile)(double);
};

inline constexpr std::array<MarginalRow, 3> marginal_table{{
    {"uniform", [](double u) { return 2.0 * u - 1.0; }},
    {"normal", [](double u) { return normal_quantile(u); }},
    // The cotangent keeps its digits near zero, where u has them.
    {"cauchy",
     [](double u) {
       constexpr double pi = 3.141592653589793;
       return u < 0.5 ? -1.0 / std::tan(pi * u) : 1.0 / std::tan(pi * (1.0 - u));
     }},
}};

}  // namespace detail

// Fills a dim x hidden matrix. Column t is draw t of the seed, so that a narrower matrix is the
// leading part of a wider one.
inline void write_weights(const Copula& copula, const std::string& marginal, double scale,
                          std::uint64_t seed, const Threads& threads, arma::mat& w) {
  for (const detail::MarginalRow& row : detail::marginal_table) {
    if (marginal != row.name) continue;
    draw_columns(copula, seed, threads, w);
    w.transform([&](double u) { return scale * row.quantile(u); });
    return;
  }
  throw DomainError("marginal", "there is no marginal '" + marginal + "'");
}

namespace detail {

// The place, from `first` on, of one of the items in `order`: each has a probability in proportion
// to its share. Where no share is left the first is taken.
inline Index pick_by_share(const std::vector<Index>& order, Index first, const arma::vec& share,
                           double uniform) {
  double left = 0.0;
  for (Index i = first; i < order.size(); ++i) left += share[order[i]];
  double until = uniform * left;
  for (Index i = first; i < order.size(); ++i) {
    until -= share[order[i]];
    if (until < 0.0) return i;
  }
  // Rounding may leave the end just out of reach.
  Index last = order.size() - 1;
  while (last > first && share[order[last]] <= 0.0) --last;
  return last;
}

}  // namespace detail

// In each column keeps as many weights as `inputs` says, chosen at random, and sets the others to
// zero. Column t depends on the seed and t alone. Without shares all rows are as likely as each
// other; with shares one after the other is drawn, in proportion to the shares of those left.
inline void keep_inputs(arma::mat& w, Index inputs, std::uint64_t seed,
                        const arma::vec& share = arma::vec()) {
  const Index dim = w.n_rows;
  require(share.is_empty() || share.n_elem == dim, "inputs", "there must be one share per row");
  if (inputs >= dim) return;
  const bool even = share.is_empty() || share.min() == share.max();
  std::vector<Index> order(dim);
  Stream stream(seed);
  for (Index t = 0; t < w.n_cols; ++t) {
    std::iota(order.begin(), order.end(), Index{0});
    stream.start(t);
    for (Index i = 0; i < inputs; ++i) {
      const double u = stream.uniform();
      const Index j = even ? i + static_cast<Index>(u * static_cast<double>(dim - i))
                           : detail::pick_by_share(order, i, share, u);
      std::swap(order[i], order[j]);
    }
    for (Index i = inputs; i < dim; ++i) w(order[i], t) = 0.0;
  }
}

}  // namespace cawi

#endif
