// Log-densities of all families anywhere in the unit cube, and outside.
#include "copulas.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

// Points of the cube, of its edges and of anywhere.
arma::mat points(Input& in, Index n, Index d) {
  constexpr double edge[] = {0.5,    2.2250738585072014e-308,
                             5e-324, 1.0 - 0x1p-53,
                             1e-300, 1e-16,
                             0.25,   1.0 - 1e-10,
                             0.0,    1.0,
                             1e-5,   0.75};
  arma::mat u(n, d);
  for (double& v : u) {
    const std::uint8_t kind = in.byte();
    v = kind < 128 ? in.unit() : kind < 240 ? in.one_of(edge) : in.number(Numbers::any);
  }
  return u;
}

bool is_inside(const arma::rowvec& u) {
  for (const double v : u) {
    if (!(v > 0.0 && v < 1.0)) return false;
  }
  return true;
}

// Exchangeable families do not see the order of the features.
void check_order(const AnyCopula& any, const arma::mat& u, const arma::vec& values) {
  const bool exchangeable = any.family != "gaussian" && any.family != "t";
  if (!exchangeable || !any.parameters.flipped.empty()) return;
  const arma::vec turned = cawi::log_densities(*any.make(), arma::fliplr(u), one);
  for (Index i = 0; i < u.n_rows; ++i) {
    if (std::abs(values[i]) > 1e200) continue;
    CHECK(close(values[i], turned[i], 1e-9, 1.0));
  }
}

// Elliptical families are symmetric about the middle of the cube.
void check_middle(const AnyCopula& any, const arma::mat& u, const arma::vec& values) {
  if (any.family != "gaussian" && any.family != "t") return;
  const arma::mat turned = 1.0 - u;
  const arma::vec other = cawi::log_densities(*any.make(), turned, one);
  for (Index i = 0; i < u.n_rows; ++i) {
    const bool exact = same(1.0 - turned.row(i), u.row(i));
    if (exact && std::isfinite(values[i])) CHECK(close(values[i], other[i], 1e-8, 1.0));
  }
}

}  // namespace

void attack(Input& in) {
  const Index d = in.byte() % 32 == 31 ? in.count(90, 140) : in.count(1, 5);
  const AnyCopula any = any_copula(in, d);
  const cawi::CopulaPtr copula = any.make();
  const arma::mat u = points(in, in.count(1, d > 5 ? 1 : 6), d);
  const arma::vec values = cawi::log_densities(*copula, u, one);
  for (Index i = 0; i < u.n_rows; ++i) {
    if (!is_inside(u.row(i))) {
      CHECK(values[i] == -infinity);
      continue;
    }
    CHECK(!std::isnan(values[i]) && values[i] < infinity);
    if (any.family == "independence") CHECK(values[i] == 0.0);
  }
  if (any.family == "gaussian" &&
      arma::approx_equal(any.parameters.cor, arma::eye(d, d), "absdiff", 0.0)) {
    for (Index i = 0; i < u.n_rows; ++i) {
      if (is_inside(u.row(i))) CHECK(std::abs(values[i]) <= 1e-9);
    }
  }
  check_order(any, u, values);
  check_middle(any, u, values);
}
