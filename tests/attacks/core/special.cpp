// Distribution functions, logs of differences and the statistics of gains.
#include "input.hpp"

#include "cawi/stats/signed_rank.hpp"
#include "cawi/stats/special.hpp"
#include "cawi/stats/student.hpp"

namespace {

using namespace attacks;

void check_normal(Input& in) {
  arma::vec x = in.vector(in.count(1, 40), Numbers::any);
  x[0] = in.number(Numbers::any);
  arma::vec p = x, inner = x;
  cawi::normal_cdf_in_place(p.memptr(), p.n_elem);
  cawi::inner_normal_cdf_in_place(inner.memptr(), inner.n_elem);
  for (Index i = 0; i < x.n_elem; ++i) {
    if (std::isnan(x[i])) continue;
    CHECK(p[i] > 0.0 && p[i] <= 1.0 && inner[i] > 0.0 && inner[i] < 1.0);
    if (x[i] > -37.0) CHECK_CLOSE(p[i], cawi::normal_cdf(x[i]), 1e-12, 0.0);
  }
  arma::vec sorted = arma::sort(x.elem(arma::find(x == x)).eval());
  cawi::normal_cdf_in_place(sorted.memptr(), sorted.n_elem);
  for (Index i = 1; i < sorted.n_elem; ++i) CHECK(sorted[i] >= sorted[i - 1] * (1.0 - 1e-14));
  const double u = in.unit();
  CHECK_CLOSE(cawi::normal_cdf(cawi::normal_quantile(u)), u, 1e-13, 0.0);
}

void check_student(Input& in) {
  const double nu = in.byte() % 8 == 7 ? std::abs(in.number(Numbers::finite)) + 1e-300
                                       : std::exp(18.0 * in.unit() - 3.0);
  const cawi::StudentTable table(nu);
  const double u = in.flag() ? in.unit() : std::ldexp(in.unit(), -static_cast<int>(in.byte()) * 4);
  if (!(u > 0.0)) return;
  const double x = table.quantile(u);
  CHECK(!std::isnan(x) && (u < 0.5 ? x <= 0.0 : x >= 0.0));
  if (std::isfinite(x) && u > 1e-290) CHECK_CLOSE(table.cdf(x), u, 1e-9, 0.0);
  std::vector<double> p, q;
  for (double v = 0.5; v > 1e-12 && p.size() < 30; v *= 0.1 + 0.8 * in.unit()) p.push_back(v);
  table.lower_quantiles(p, q);
  for (Index i = 0; i < p.size(); ++i) {
    CHECK_CLOSE(q[i], table.quantile(p[i]), 1e-9, 1e-300);
    CHECK(i == 0 || q[i] <= q[i - 1]);
  }
  arma::vec at = in.vector(in.count(1, 20), Numbers::finite), inside = at;
  table.cdf_in_place(inside.memptr(), inside.n_elem);
  for (Index i = 0; i < at.n_elem; ++i) {
    CHECK(inside[i] > 0.0 && inside[i] < 1.0);
    CHECK_CLOSE(table.cdf(at[i]) + table.cdf(-at[i]), 1.0, 1e-13, 0.0);
  }
}

void check_logs(Input& in) {
  const double x = std::abs(in.number(Numbers::finite)) + 1e-300, y = in.number(Numbers::finite);
  CHECK(cawi::log1mexp(x) <= 0.0);
  CHECK(cawi::log1pexp(y) >= std::max(y, 0.0) * (1.0 - 1e-15));
  CHECK(cawi::log_add(x, y) >= std::max(x, y));
  const arma::vec some = in.vector(in.count(1, 9), Numbers::finite);
  const double sum = cawi::log_sum_exp(some.memptr(), some.n_elem);
  CHECK(sum >= some.max() && sum <= some.max() + std::log(9.0) + 1e-15 * std::abs(some.max()));
  const double a = std::exp(10.0 * in.unit() - 3.0);
  CHECK_CLOSE(cawi::lgamma_half_step(a), std::lgamma(a + 0.5) - std::lgamma(a), 1e-9, 1.0);
  const Index steps = in.count(0, 9);
  const double up = a + 0.5 * static_cast<double>(steps);
  CHECK_CLOSE(cawi::lgamma_half_steps(a, steps), std::lgamma(up) - std::lgamma(a), 1e-9, 1.0);
}

// R gives finite gains, the first of which is the pseudo-observation.
void check_gains(Input& in) {
  const Index n = in.count(1, 30), draws = in.count(1, 20);
  const arma::vec x = in.vector(n, Numbers::sane);
  const std::vector<double> gain(x.begin(), x.end());
  std::vector<double> sorted = gain;
  std::sort(sorted.begin(), sorted.end());
  const double limit = 4.0 * in.unit() - 2.0, rope = in.unit();
  for (const bool strict : {true, false}) {
    const std::vector<double> below = cawi::means_below(sorted, limit, strict);
    for (Index a = 0; a < n; ++a) {
      double count = 0.0;
      for (const double b : sorted) {
        const double mean = (sorted[a] + b) / 2.0;
        count += (strict ? mean < limit : mean <= limit) ? 1.0 : 0.0;
      }
      CHECK(below[a] == count);
    }
  }
  const std::uint64_t seed = in.seed();
  const cawi::Threads one{1};
  for (const double mean : cawi::bootstrap_means(gain, draws, seed, one)) {
    CHECK(mean >= x.min() - 1e-12 && mean <= x.max() + 1e-12);
  }
  const arma::mat shares = cawi::signed_rank_shares(gain, rope, draws, seed, one);
  for (Index t = 0; t < draws; ++t) {
    CHECK_CLOSE(arma::accu(shares.col(t)), 1.0, 1e-12, 0.0);
    CHECK(shares.col(t).min() >= -1e-12);
  }
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 4;
  if (kind == 0) return check_normal(in);
  if (kind == 1) return check_student(in);
  if (kind == 2) return check_logs(in);
  check_gains(in);
}
