// One row per family: its name and how to make it. A new family is one new file and one new row.
#ifndef CAWI_COPULA_FAMILIES_HPP
#define CAWI_COPULA_FAMILIES_HPP

#include <array>
#include <string>

#include "clayton.hpp"
#include "elliptical.hpp"
#include "frank.hpp"
#include "gumbel.hpp"
#include "independence.hpp"
#include "reflected.hpp"

namespace cawi {

// What a family needs; each reads its own part.
struct Parameters {
  Index dim = 0;
  double theta = 0.0;
  arma::mat cor;
  double df = infinity;
  std::vector<bool> flipped;  // features that enter as 1 - u; empty for none
};

using CopulaPtr = std::unique_ptr<const Copula>;

namespace detail {

// The independence copula is the limit of every Archimedean family at its lower end.
template <class Family>
CopulaPtr make_archimedean(const Parameters& p, double independent_theta) {
  require(p.theta >= independent_theta && p.theta < infinity, "theta", "is outside its range");
  if (p.theta - independent_theta < 1e-12 || p.dim == 1) {
    return std::make_unique<Independence>(p.dim);
  }
  return std::make_unique<Family>(p.dim, p.theta);
}

inline CopulaPtr make_elliptical(const Parameters& p, double df) {
  require(df > 0.0, "df", "must be positive");
  require(p.cor.n_rows == p.dim && p.cor.n_cols == p.dim, "cor", "must be a dim x dim matrix");
  return std::make_unique<StudentCopula>(p.cor, df);
}

struct FamilyRow {
  const char* name;
  CopulaPtr (*make)(const Parameters&);
};

inline constexpr std::array<FamilyRow, 6> family_table{{
    {"independence",
     [](const Parameters& p) -> CopulaPtr { return std::make_unique<Independence>(p.dim); }},
    {"gaussian", [](const Parameters& p) { return make_elliptical(p, infinity); }},
    {"t", [](const Parameters& p) { return make_elliptical(p, p.df); }},
    {"clayton", [](const Parameters& p) { return make_archimedean<Clayton>(p, 0.0); }},
    {"frank", [](const Parameters& p) { return make_archimedean<Frank>(p, 0.0); }},
    {"gumbel", [](const Parameters& p) { return make_archimedean<Gumbel>(p, 1.0); }},
}};

}  // namespace detail

inline CopulaPtr make_copula(const std::string& family, const Parameters& parameters) {
  require(parameters.dim > 0, "dim", "must be positive");
  for (const detail::FamilyRow& row : detail::family_table) {
    if (family != row.name) continue;
    CopulaPtr copula = row.make(parameters);
    if (parameters.flipped.empty()) return copula;
    return std::make_unique<Reflected>(std::move(copula), parameters.flipped);
  }
  throw DomainError("family", "there is no family '" + family + "'");
}

}  // namespace cawi

#endif
