// Weight columns: draws of a copula sent through the quantile function of a fixed marginal law.
#ifndef CAWI_WEIGHTS_WEIGHTS_HPP
#define CAWI_WEIGHTS_WEIGHTS_HPP

#include <array>
#include <string>

#include "../copula/copula.hpp"

namespace cawi {

namespace detail {

struct MarginalRow {
  const char* name;
  double (*quantile)(double);
};

inline constexpr std::array<MarginalRow, 2> marginal_table{{
    {"uniform", [](double u) { return 2.0 * u - 1.0; }},
    {"normal", [](double u) { return normal_quantile(u); }},
}};

}  // namespace detail

// dim x hidden; column t is draw t of the seed, so fewer columns are the leading ones of more.
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

}  // namespace cawi

#endif
