// Matrices that are no correlation matrices, and the correlation matrices close to them.
#include "input.hpp"

#include "cawi/copula/fit_elliptical.hpp"
#include "cawi/stats/kendall.hpp"
#include "cawi/stats/leading_cor.hpp"
#include "cawi/stats/nearest_cor.hpp"

namespace {

using namespace attacks;

// Symmetric, as R makes it.
arma::mat symmetric(Input& in, Index d, Numbers numbers) {
  const arma::mat x = in.matrix(d, d, numbers);
  return 0.5 * x + 0.5 * x.t();
}

double distance(const arma::mat& a, const arma::mat& b) { return arma::norm(a - b, "fro"); }

void check_correlation(const arma::mat& r, double floor) {
  CHECK(cawi::is_correlation(r));
  CHECK(arma::all(r.diag() == 1.0));
  CHECK(same(r, r.t()));
  const arma::vec values = arma::eig_sym(r);
  CHECK(values.min() >= floor - 1e-7);
}

// The nearest one is not further than others.
void check_nearest(const arma::mat& r, double floor) {
  const arma::mat nearest = cawi::nearest_correlation(r, floor);
  check_correlation(nearest, floor);
  const Index d = r.n_rows;
  const double found = distance(r, nearest), slack = 1e-6 * (1.0 + largest(r));
  CHECK(found <= distance(r, arma::eye(d, d)) + slack);
  for (const double share : {0.01, 0.1, 0.5}) {
    arma::mat other = (1.0 - share) * nearest;
    other.diag().ones();
    CHECK(found <= distance(r, other) + slack);
  }
  CHECK(distance(cawi::nearest_correlation(nearest, floor), nearest) <= 1e-6);
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 4;
  const Index d = in.size(1, 60);
  if (kind == 0) {
    // What R lets through: finite and symmetric.
    const arma::mat r = symmetric(in, d, Numbers::finite);
    cawi::is_correlation(in.matrix(d, in.count(d, d + 1), Numbers::any));
    const arma::mat nearest = cawi::nearest_correlation(r, in.unit());
    CHECK(nearest.is_finite());
    return;
  }
  if (kind == 1) {
    // Of size one, far from any correlation matrix, with any floor.
    return check_nearest(symmetric(in, d, Numbers::sane), in.flag() ? 1e-8 : 0.9 * in.unit());
  }
  const Index m = in.count(1, 40);
  const arma::mat tau = cawi::kendall_matrix(in.matrix(m, d, Numbers::finite), cawi::Threads{1});
  if (kind == 2) {
    check_correlation(cawi::correlation_from_tau(tau), 0.0);
  } else {
    check_correlation(cawi::leading_correlation_from_tau(tau), 0.0);
  }
}
