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

// dim x hidden. Column t is draw t of the seed, so that a narrower matrix is the leading part of a
// wider one.
inline arma::mat weight_columns(const Copula& copula, Index hidden, const std::string& marginal,
                                double scale, std::uint64_t seed, const Threads& threads) {
  for (const detail::MarginalRow& row : detail::marginal_table) {
    if (marginal != row.name) continue;
    arma::mat w = draw_columns(copula, hidden, seed, threads);
    w.transform([&](double u) { return scale * row.quantile(u); });
    return w;
  }
  throw DomainError("marginal", "there is no marginal '" + marginal + "'");
}

// In each column keeps as many weights as `inputs` says, chosen at random, and sets the others to
// zero. Column t depends on the seed and t alone.
inline void keep_inputs(arma::mat& w, Index inputs, std::uint64_t seed) {
  const Index dim = w.n_rows;
  if (inputs >= dim) return;
  std::vector<Index> order(dim);
  Stream stream(seed);
  for (Index t = 0; t < w.n_cols; ++t) {
    std::iota(order.begin(), order.end(), Index{0});
    stream.start(t);
    for (Index i = 0; i < inputs; ++i) {
      const Index j = i + static_cast<Index>(stream.uniform() * static_cast<double>(dim - i));
      std::swap(order[i], order[j]);
    }
    for (Index i = inputs; i < dim; ++i) w(order[i], t) = 0.0;
  }
}

}  // namespace cawi

#endif
