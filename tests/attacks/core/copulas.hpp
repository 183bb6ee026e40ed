// Copulas of all families with parameters from everywhere in their ranges.
#ifndef CAWI_ATTACKS_COPULAS_HPP
#define CAWI_ATTACKS_COPULAS_HPP

#include "input.hpp"

#include "cawi/copula/families.hpp"
#include "cawi/copula/fit_archimedean.hpp"

namespace attacks {

struct AnyCopula {
  std::string family;
  cawi::Parameters parameters;

  cawi::CopulaPtr make() const { return cawi::make_copula(family, parameters); }
};

// A correlation matrix of d features: a random one, the identity, or one with all entries alike,
// singular at its end.
inline arma::mat correlation(Input& in, Index d) {
  const std::uint8_t kind = in.byte() % 3;
  arma::mat r(d, d, arma::fill::eye);
  if (kind == 1) {
    r.fill(in.byte() % 8 == 7 ? 1.0 : in.unit());
  } else if (kind == 2) {
    arma::mat x = in.matrix(d, d + 1, Numbers::sane);
    x.diag() += 0.5;
    r = x * x.t();
    const arma::vec root = arma::sqrt(r.diag()) + 1e-12;
    r.each_col() /= root;
    r.each_row() /= root.t();
  }
  r.diag().ones();
  return arma::symmatu(r);
}

inline AnyCopula any_copula(Input& in, Index d) {
  const char* families[] = {"independence", "gaussian", "t", "clayton", "frank", "gumbel"};
  AnyCopula any{in.one_of(families), {}};
  cawi::Parameters& p = any.parameters;
  p.dim = d;
  const cawi::FamilyRow& row = cawi::find_family(any.family);
  if (row.is_archimedean()) {
    // From tau, near the ends at times, or any number at all.
    const std::uint8_t kind = in.byte() % 4;
    const double tau = kind == 2 ? std::ldexp(0.5, -static_cast<int>(in.byte() % 60)) : in.unit();
    p.theta = kind == 3 ? in.number(Numbers::any) : row.theta_of_tau(row.largest_tau * tau);
  } else if (any.family != "independence") {
    p.cor = correlation(in, d);
    p.df = in.byte() % 8 == 7 ? in.number(Numbers::any) : std::exp(12.0 * in.unit() - 3.0);
    // R has none between zero and this; the core itself refuses those that are not positive.
    if (p.df > 0.0) p.df = std::max(p.df, 0.05);
  }
  if (in.byte() % 4 == 3) {
    p.flipped.resize(d);
    for (Index j = 0; j < d; ++j) p.flipped[j] = in.flag();
  }
  return any;
}

}  // namespace attacks

#endif
