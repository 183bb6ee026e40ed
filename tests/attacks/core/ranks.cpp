// Pseudo-observations against ranks that are counted pair by pair.
#include "input.hpp"

#include "cawi/stats/ranks.hpp"

namespace {

using namespace attacks;

// Numbers below and equal to a value.
struct Counts {
  double less = 0.0, equal = 0.0;
};

Counts counts(const arma::mat& x, Index column, double value) {
  Counts c;
  for (Index k = 0; k < x.n_rows; ++k) {
    c.less += x(k, column) < value ? 1.0 : 0.0;
    c.equal += x(k, column) == value ? 1.0 : 0.0;
  }
  return c;
}

// Each rank once; a smaller value never has a larger rank.
void check_distinct(const arma::mat& x, const arma::mat& u, bool by_row) {
  const double m = static_cast<double>(x.n_rows);
  for (Index j = 0; j < x.n_cols; ++j) {
    std::vector<bool> seen(x.n_rows + 1, false);
    for (Index i = 0; i < x.n_rows; ++i) {
      const double rank = std::round(u(i, j) * (m + 1.0));
      CHECK(rank >= 1.0 && rank <= m && u(i, j) == rank / (m + 1.0));
      CHECK(!seen[static_cast<Index>(rank)]);
      seen[static_cast<Index>(rank)] = true;
      const Counts c = counts(x, j, x(i, j));
      CHECK(rank > c.less && rank <= c.less + c.equal);
      for (Index k = 0; by_row && k < i; ++k) CHECK(x(k, j) != x(i, j) || u(k, j) < u(i, j));
    }
  }
}

}  // namespace

void attack(Input& in) {
  const Index m = in.size(1, 450), d = in.count(1, 3);
  const cawi::Threads one{1};
  const arma::mat x = in.matrix(m, d, Numbers::finite);
  const std::uint64_t seed = in.seed();
  const double rows = static_cast<double>(m);

  const arma::mat average = cawi::pseudo_observations(x, cawi::Ties::average, seed, one);
  for (Index j = 0; j < d; ++j) {
    double sum = 0.0;
    for (Index i = 0; i < m; ++i) {
      const Counts c = counts(x, j, x(i, j));
      CHECK(average(i, j) == (c.less + 0.5 * (c.equal + 1.0)) / (rows + 1.0));
      sum += c.less + 0.5 * (c.equal + 1.0);
    }
    CHECK(sum == 0.5 * rows * (rows + 1.0));
  }
  check_distinct(x, cawi::pseudo_observations(x, cawi::Ties::first, seed, one), true);
  const arma::mat random = cawi::pseudo_observations(x, cawi::Ties::random, seed, one);
  check_distinct(x, random, false);
  CHECK(same(random, cawi::pseudo_observations(x, cawi::Ties::random, seed, one)));

  const arma::mat fresh = in.matrix(in.count(0, 20), d, Numbers::finite);
  const arma::mat against = cawi::pseudo_observations_against(x, fresh, one);
  for (Index j = 0; j < d; ++j) {
    for (Index i = 0; i < fresh.n_rows; ++i) {
      const Counts c = counts(x, j, fresh(i, j));
      CHECK(against(i, j) == 0.5 * (2.0 * c.less + c.equal + 1.0) / (rows + 1.0));
      CHECK(against(i, j) > 0.0 && against(i, j) < 1.0);
    }
  }
}
