// Student's t distribution for many arguments at one number of degrees of freedom.
//
// The lower tail is tabulated at 65 nodes as Taylor polynomials: the density satisfies
// (nu + x^2) f' + (nu + 1) x f = 0, which gives the coefficients by a two-term recurrence. Between
// nodes the relative error stays near 1e-14; beyond the table Boost answers.
#ifndef CAWI_STATS_STUDENT_HPP
#define CAWI_STATS_STUDENT_HPP

#include <boost/math/distributions/students_t.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "normal.hpp"
#include "special.hpp"

namespace cawi {

class StudentTable {
 public:
  // nu > 0; infinity is the normal distribution.
  explicit StudentTable(double nu)
      : nu_(nu), normal_(!(nu < largest_nu)), distribution_(normal_ ? 1.0 : nu) {
    if (normal_) return;
    log_constant_ = lgamma_half_step(0.5 * nu) - 0.5 * std::log(nu * pi);
    tabulated_ = nu >= smallest_tabulated_nu;
    if (!tabulated_) return;
    lowest_ = boost::math::cdf(distribution_, -reach);
    tabulate();
  }

  double nu() const { return nu_; }

  double cdf(double x) const {
    if (normal_) return normal_cdf(x);
    // Both answers and no branch, which would be guessed wrong every other time.
    const double tail = lower_tail(std::abs(x));
    const double answer[2] = {1.0 - tail, tail};
    return answer[x <= 0.0];
  }

  // x <- F(x), inside the open unit interval.
  void cdf_in_place(double* x, Index n) const {
    if (normal_) return inner_normal_cdf_in_place(x, n);
    Index i = 0;
#if CAWI_HAS_AVX512_CLONE
    if (tabulated_ && detail::has_avx512()) {
      for (; i + detail::wide_lanes <= n; i += detail::wide_lanes) eight_cdf_avx512(x + i);
    }
#endif
    for (; i < n; ++i) x[i] = cdf(x[i]);
    detail::transform(detail::VectorClamp(), x, n);
  }

  double quantile(double p) const {
    if (normal_) return normal_quantile(p);
    Quantile q = median();
    move(q, std::min(p, 1.0 - p));
    return p <= 0.5 ? q.x : -q.x;
  }

  // log |quantile| at a lower-tail probability p, also where the quantile leaves the range of a
  // double: far out F(-x) = c x^-nu with the constant below.
  double log_distance(double p) const {
    const double x = -quantile(p);
    return normal_ || x < 1e100 ? std::log(x) : log_far_distance(p);
  }

  // Quantiles at 1/2 >= p[0] > p[1] > ...: each starts from its neighbor. Four runs take turns,
  // because the steps of one wait for each other.
  void lower_quantiles(const std::vector<double>& p, std::vector<double>& x) const {
    x.resize(p.size());
    if (normal_) {
      std::transform(p.begin(), p.end(), x.begin(), [](double v) { return normal_quantile(v); });
      return;
    }
    constexpr Index runs = 4;
    const Index length = (p.size() + runs - 1) / runs;
    std::array<Quantile, runs> place;
    place.fill(median());
    for (Index i = 0; i < length; ++i) {
      for (Index k = i, run = 0; k < p.size(); k += length, ++run) {
        move(place[run], p[k]);
        x[k] = place[run].x;
      }
    }
  }

 private:
  static constexpr double reach = 8.0, spacing = 0.125;
  static constexpr int nodes = 65, degree = 14;
  // Poles at +-i sqrt(nu) bound the radius of convergence.
  static constexpr double smallest_tabulated_nu = 0.25, largest_nu = 1e10;

  // The last number is not used: it fills the second of two vectors.
  using Polynomial = std::array<double, degree + 2>;

  double density(double x) const {
    return std::exp(log_constant_ - 0.5 * (nu_ + 1.0) * std::log1p(x * x / nu_));
  }

  double log_tail_constant() const { return log_constant_ + 0.5 * (nu_ - 1.0) * std::log(nu_); }
  double log_far_distance(double p) const { return (log_tail_constant() - std::log(p)) / nu_; }

  // Beyond the table. Far out, where x is 1e9 (nu + 1) and more, F(-x) = c x^-nu to the last digit;
  // Boost may give infinity of either sign there, and for probabilities below the normal range,
  // which count as its end.
  double outer_quantile(double p) const {
    constexpr double least = std::numeric_limits<double>::min();
    const double log_x = log_far_distance(p), far = std::log(1e9) + std::log1p(nu_);
    return log_x > far ? -std::exp(log_x)
                       : boost::math::quantile(distribution_, std::max(p, least));
  }

  // The constant terms follow from the far end inward, because neighbors agree halfway between
  // their nodes: sums of positive parts, which lose no digits and cost far less than Boost.
  void tabulate() {
    constexpr double half = 0.5 * spacing;
    double halfway = 0.0;
    for (int k = nodes; k-- > 0;) {
      Polynomial& c = table_[k];
      expand(k, c);
      double even, odd;
      parts(c, half, even, odd);
      c[0] = k == nodes - 1 ? lowest_ : halfway - (even - odd);
      halfway = c[0] + (even + odd);
    }
    table_[0][0] = 0.5;
  }

  // Coefficients of F(x0 + delta) at x0 = -k * spacing but the constant one, which is zero.
  void expand(int k, Polynomial& c) const {
    const double x0 = -spacing * k, scale = 1.0 / (nu_ + x0 * x0);
    double before = 0.0, f = density(x0);
    c[0] = 0.0;
    for (int n = 0; n < degree; ++n) {
      const double over = 1.0 / (n + 1);
      c[n + 1] = f * over;
      const double next = -((2.0 * n + nu_ + 1.0) * x0 * f + (n + nu_) * before) * (scale * over);
      before = f;
      f = next;
    }
  }

  // Even and odd powers apart: two short chains of operations instead of a long one.
  static void parts(const Polynomial& c, double delta, double& even, double& odd) {
    static_assert(degree % 2 == 0, "the last power is even");
    const double square = delta * delta;
    even = c[degree];
    odd = 0.0;
    CAWI_UNROLL
    for (int n = degree; n > 0; n -= 2) {
      odd = odd * square + c[n - 1];
      even = even * square + c[n - 2];
    }
    odd *= delta;
  }

  // F(x) and the density at x, -reach <= x <= 0.
  void tail_and_density(double x, double& tail, double& slope) const {
    const int k = static_cast<int>(0.5 - x / spacing);
    const double delta = spacing * k + x, square = delta * delta;
    const Polynomial& c = table_[k];
    double even = c[degree], odd = 0.0, slope_even = 0.0, slope_odd = degree * c[degree];
    for (int n = degree; n > 0; n -= 2) {
      odd = odd * square + c[n - 1];
      even = even * square + c[n - 2];
      slope_even = slope_even * square + (n - 1) * c[n - 1];
      if (n > 2) slope_odd = slope_odd * square + (n - 2) * c[n - 2];
    }
    tail = even + delta * odd;
    slope = slope_even + delta * slope_odd;
  }

  // F(-x), x >= 0.
  double lower_tail(double x) const {
    if (!tabulated_ || !(x <= reach)) {
      // Squares overflow in Boost; far out F(-x) = c x^-nu.
      return x > 1e100 ? std::exp(log_tail_constant() - nu_ * std::log(x))
                       : boost::math::cdf(distribution_, -x);
    }
    const int k = static_cast<int>(x / spacing + 0.5);
    const double delta = spacing * k - x;
    double even, odd;
    parts(table_[k], delta, even, odd);
    return even + odd;
  }

#if CAWI_HAS_AVX512_CLONE
  // cdf() of eight numbers: their polynomials are read as rows, and become columns.
  CAWI_AVX512 void eight_cdf_avx512(double* x) const {
    using detail::WideBits;
    using detail::WideDoubles;
    using WideLongs = std::int64_t __attribute__((vector_size(64)));
    constexpr Index lanes = detail::wide_lanes;
    static_assert(degree == 14, "two vectors of coefficients");
    WideDoubles given;
    std::memcpy(&given, x, sizeof given);
    const WideDoubles size =
        reinterpret_cast<WideDoubles>(reinterpret_cast<WideBits>(given) & (~std::uint64_t{0} >> 1));
    if (_mm512_cmp_pd_mask(size, reach - WideDoubles{}, _CMP_LE_OQ) != 0xff) {
      for (Index i = 0; i < lanes; ++i) x[i] = cdf(x[i]);
      return;
    }
    const WideLongs k = __builtin_convertvector(size / spacing + 0.5, WideLongs);
    const WideDoubles delta = spacing * __builtin_convertvector(k, WideDoubles) - size;
    WideDoubles c[2][lanes];
    CAWI_UNROLL
    for (Index i = 0; i < lanes; ++i) {
      const double* row = table_[static_cast<Index>(k[i])].data();
      std::memcpy(&c[0][i], row, sizeof c[0][i]);
      std::memcpy(&c[1][i], row + lanes, sizeof c[1][i]);
    }
    detail::transpose_tile(c[0]);
    detail::transpose_tile(c[1]);
    const WideDoubles square = delta * delta;
    WideDoubles even = c[1][6], odd = {};
    CAWI_UNROLL
    for (int n = degree; n > 0; n -= 2) {
      odd = odd * square + c[(n - 1) / 8][(n - 1) % 8];
      even = even * square + c[(n - 2) / 8][(n - 2) % 8];
    }
    const WideDoubles tail = even + odd * delta, rest = 1.0 - tail;
    given = given <= 0.0 ? tail : rest;
    std::memcpy(x, &given, sizeof given);
  }
#endif

  // A place x <= 0 with what is known there: F(x), or nearly, and the density.
  struct Quantile {
    double p, x, density;
  };

  Quantile median() const { return {0.5, 0.0, density(0.0)}; }

  // To the place of a probability further out, by Halley's iteration. Each step leaves about the
  // cube of the error, so that after a small one nothing is left.
  void move(Quantile& q, double p) const {
    if (!tabulated_ || p < lowest_) {
      q.x = outer_quantile(p);
      return;
    }
    for (int i = 0; i < 60; ++i) {
      const double newton = (q.p - p) / q.density;
      const double curvature = -(nu_ + 1.0) * q.x / (nu_ + q.x * q.x);
      const double root = q.x - newton / (1.0 - 0.5 * newton * curvature);
      const double next = std::max(-reach, std::min(root, 0.0)), step = std::abs(next - q.x);
      q.x = next;
      if (step <= 1e-6) {
        q.p = p;
        return;
      }
      tail_and_density(q.x, q.p, q.density);
    }
    q.x = boost::math::quantile(distribution_, p);
  }

  double nu_;
  bool normal_, tabulated_ = false;
  double log_constant_ = 0.0, lowest_ = 0.0;
  boost::math::students_t_distribution<double, MathPolicy> distribution_;
  std::array<Polynomial, nodes> table_ = {};
};

}  // namespace cawi

#endif
