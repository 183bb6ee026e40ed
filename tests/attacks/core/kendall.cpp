// Kendall's tau by all its kernels, against its definition over pairs of rows.
#include "input.hpp"

#include "cawi/stats/kendall.hpp"
#include "cawi/stats/row_pairs.hpp"

namespace {

using namespace attacks;
using Count = cawi::Count;

int sign_of_gap(double a, double b) { return static_cast<int>(a > b) - static_cast<int>(a < b); }

// Over the pairs of rows that are listed.
struct Definition {
  Count balance = 0, untied_x = 0, untied_y = 0;

  void add(const arma::mat& x, Index a, Index b, Index i, Index j) {
    const int left = sign_of_gap(x(a, i), x(b, i)), right = sign_of_gap(x(a, j), x(b, j));
    balance += left * right;
    untied_x += left * left;
    untied_y += right * right;
  }

  double tau() const {
    if (untied_x == 0 || untied_y == 0) return 0.0;
    return static_cast<double>(balance) /
           (std::sqrt(static_cast<double>(untied_x)) * std::sqrt(static_cast<double>(untied_y)));
  }
};

void check_shape(const arma::mat& tau) {
  for (Index j = 0; j < tau.n_cols; ++j) {
    CHECK(tau(j, j) == 1.0);
    for (Index i = 0; i < j; ++i) {
      CHECK(tau(i, j) == tau(j, i));
      CHECK(std::abs(tau(i, j)) <= 1.0 + 1e-15);
    }
  }
}

void check_all_pairs(const arma::mat& x, const arma::mat& tau) {
  for (Index j = 1; j < x.n_cols; ++j) {
    for (Index i = 0; i < j; ++i) {
      Definition truth;
      for (Index a = 1; a < x.n_rows; ++a) {
        for (Index b = 0; b < a; ++b) truth.add(x, a, b, i, j);
      }
      CHECK(close(tau(i, j), truth.tau(), 1e-15));
    }
  }
}

void check_some_pairs(const arma::mat& x, Index most) {
  const cawi::RowPairs pairs(x.n_rows, most);
  const arma::mat tau = cawi::kendall_of_row_pairs(x, most, cawi::Threads{1});
  check_shape(tau);
  for (Index j = 1; j < x.n_cols; ++j) {
    for (Index i = 0; i < j; ++i) {
      Definition truth;
      for (Index lag = 1; lag <= pairs.lags(); ++lag) {
        for (Index a = 0; a < pairs.count(lag); ++a) {
          truth.add(x, a, (a + lag) % x.n_rows, i, j);
        }
      }
      CHECK(close(tau(i, j), truth.tau(), 1e-15));
    }
  }
}

// Levels that are far apart make the recursion of the radix deep, which many rows would.
void check_inversions(Input& in) {
  const Index n = in.count(1, 700);
  const int bits = static_cast<int>(in.count(1, 18));
  const std::uint32_t most = std::uint32_t{1} << bits;
  const arma::mat numbers = in.matrix(n, 1, Numbers::sane);
  std::vector<std::uint32_t> value(n), starts(most + 1, 0);
  for (Index i = 0; i < n; ++i) {
    value[i] = static_cast<std::uint32_t>(
        std::clamp((numbers[i] / 24.0 + 0.5) * most, 0.0, static_cast<double>(most) - 1.0));
    ++starts[value[i] + 1];
  }
  for (Index k = 0; k < most; ++k) starts[k + 1] += starts[k];
  Count truth = 0;
  for (Index j = 1; j < n; ++j) {
    for (Index i = 0; i < j; ++i) truth += value[i] > value[j] ? 1 : 0;
  }
  cawi::InversionCounter<std::uint32_t> wide;
  CHECK(wide.count([&](Index i) { return value[i]; }, starts, bits) == truth);
  if (bits > 16) return;
  cawi::InversionCounter<std::uint16_t> narrow;
  CHECK(narrow.count([&](Index i) { return static_cast<std::uint16_t>(value[i]); }, starts, bits) ==
        truth);
}

}  // namespace

void attack(Input& in) {
  if ((in.byte() & 7) == 0) return check_inversions(in);
  const Index m = in.size(1, 450), d = in.count(2, 4);
  const cawi::Threads one{1};
  const arma::mat x = in.matrix(m, d, Numbers::finite);
  const arma::mat tau = cawi::kendall_matrix(x, one);
  check_shape(tau);
  check_all_pairs(x, tau);
  CHECK(same(tau, cawi::detail::kendall_within<std::uint32_t>(x, one)));

  arma::mat turned = x;
  turned.col(0) *= -1.0;
  arma::mat expected = tau;
  expected.row(0) *= -1.0;
  expected.col(0) *= -1.0;
  CHECK(same(cawi::kendall_matrix(turned, one) % (1.0 - arma::eye(d, d)),
             expected % (1.0 - arma::eye(d, d))));

  const arma::mat between = cawi::kendall_matrix(x.head_cols(1), x.tail_cols(d - 1), one);
  CHECK(same(between, tau.submat(0, 1, 0, d - 1)));

  check_some_pairs(x, m * (m - 1) / 2);
  check_some_pairs(x, in.count(1, 3000));
}
