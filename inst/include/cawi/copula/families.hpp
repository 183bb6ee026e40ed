// One row per family: its name, how to make it, and for Archimedean families what relates theta to
// Kendall's tau. A new family is one new file and one new row.
#ifndef CAWI_COPULA_FAMILIES_HPP
#define CAWI_COPULA_FAMILIES_HPP

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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

struct FamilyRow {
  const char* name;
  CopulaPtr (*make)(const Parameters&);
  // Archimedean families only; see Archimedean for their meaning.
  double (*tau_of_theta)(double) = nullptr;
  double (*theta_of_tau)(double) = nullptr;
  double independence = 0.0;
  double largest_tau = 0.0;

  constexpr bool is_archimedean() const { return theta_of_tau != nullptr; }
};

namespace detail {

// The independence copula is the limit of every Archimedean family at its lower end.
template <class Family>
CopulaPtr make_archimedean(const Parameters& p) {
  require(p.theta >= Family::independence && p.theta < infinity, "theta", "is outside its range");
  if (p.theta - Family::independence < 1e-12 || p.dim == 1) {
    return std::make_unique<Independence>(p.dim);
  }
  return std::make_unique<Family>(p.dim, p.theta);
}

inline CopulaPtr make_elliptical(const Parameters& p, double df) {
  require(df > 0.0, "df", "must be positive");
  require(p.cor.n_rows == p.dim && p.cor.n_cols == p.dim, "cor", "must be a dim x dim matrix");
  return std::make_unique<StudentCopula>(p.cor, df);
}

inline CopulaPtr make_independence(const Parameters& p) {
  return std::make_unique<Independence>(p.dim);
}
inline CopulaPtr make_gaussian(const Parameters& p) { return make_elliptical(p, infinity); }
inline CopulaPtr make_t(const Parameters& p) { return make_elliptical(p, p.df); }

template <class Family>
constexpr FamilyRow archimedean_row(const char* name) {
  return {name,
          make_archimedean<Family>,
          Family::tau_of_theta,
          Family::theta_of_tau,
          Family::independence,
          Family::largest_tau};
}

}  // namespace detail

inline constexpr std::array<FamilyRow, 6> family_table{{
    {"independence", detail::make_independence},
    {"gaussian", detail::make_gaussian},
    {"t", detail::make_t},
    detail::archimedean_row<Clayton>("clayton"),
    detail::archimedean_row<Frank>("frank"),
    detail::archimedean_row<Gumbel>("gumbel"),
}};

inline const FamilyRow& find_family(const std::string& name) {
  for (const FamilyRow& row : family_table) {
    if (name == row.name) return row;
  }
  throw DomainError("family", "there is no family '" + name + "'");
}

inline const FamilyRow& find_archimedean(const std::string& name) {
  const FamilyRow& row = find_family(name);
  if (!row.is_archimedean()) throw DomainError("family", "'" + name + "' is not Archimedean");
  return row;
}

inline CopulaPtr make_copula(const std::string& family, const Parameters& parameters) {
  require(parameters.dim > 0, "dim", "must be positive");
  CopulaPtr copula = find_family(family).make(parameters);
  if (parameters.flipped.empty()) return copula;
  return std::make_unique<Reflected>(std::move(copula), parameters.flipped);
}

}  // namespace cawi

#endif
