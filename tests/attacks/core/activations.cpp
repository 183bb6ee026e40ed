// Activations, their slopes and the vector functions under them, against the scalar ones, for any
// double.
#include "input.hpp"

#include "cawi/core/finite.hpp"
#include "cawi/features/activations.hpp"

namespace {

using namespace attacks;

double selu(double x) {
  using namespace cawi::detail;
  return x > 0.0 ? selu_slope * x : selu_slope * selu_alpha * std::expm1(x);
}

double expected(const std::string& name, double x) {
  if (name == "sigmoid") return 1.0 / (1.0 + std::exp(-x));
  if (name == "sine") return std::sin(x);
  if (name == "tribas") return std::max(1.0 - std::abs(x), 0.0);
  if (name == "radbas") return std::exp(-x * x);
  if (name == "tansig") return std::tanh(x);
  if (name == "relu") return std::max(x, 0.0);
  return selu(x);
}

double expected_slope(const std::string& name, double x) {
  using namespace cawi::detail;
  if (name == "sigmoid") return std::exp(-std::abs(x)) / std::pow(1.0 + std::exp(-std::abs(x)), 2);
  if (name == "sine") return std::cos(x);
  if (name == "tribas") return std::abs(x) < 1.0 && x != 0.0 ? (x < 0.0 ? 1.0 : -1.0) : 0.0;
  if (name == "radbas") return std::abs(x) > 30.0 ? 0.0 : -2.0 * x * std::exp(-x * x);
  if (name == "tansig") return 1.0 - std::tanh(x) * std::tanh(x);
  if (name == "relu") return x > 0.0 ? 1.0 : 0.0;
  return x > 0.0 ? selu_slope : selu_slope * selu_alpha * std::exp(x);
}

// Differences of size one lose all digits of a result near zero, so the scale is one.
void check(double found, double truth, double x) {
  if (std::isnan(x)) {
    CHECK(std::isnan(found));
  } else if (std::isnan(truth)) {
    CHECK(std::isnan(found));
  } else {
    CHECK_CLOSE(found, truth, 1e-13, 1.0);
  }
}

void check_activations(const arma::vec& x, double bias) {
  for (const auto& row : cawi::detail::activation_table) {
    const std::string name = row.name;
    arma::vec value = x, slope = x;
    const cawi::Activation activation = cawi::find_activation(name);
    activation(value.memptr(), value.n_elem, bias);
    cawi::slope_of(activation)(slope.memptr(), slope.n_elem, bias);
    for (Index i = 0; i < x.n_elem; ++i) {
      const double at = x[i] + bias;
      // Large numbers leave a sine no digits of their distance from the next zero.
      const double loss = name == "sine" ? std::abs(x[i]) + std::abs(bias) : 0.0;
      if (loss > 1e2 && std::isfinite(at)) continue;
      check(value[i], expected(name, at), at);
      check(slope[i], expected_slope(name, at), at);
    }
  }
}

void check_vectors(const arma::vec& x) {
  arma::vec e = x, s = x, l = arma::abs(x);
  cawi::exp_in_place(e.memptr(), e.n_elem);
  cawi::sine_in_place(s.memptr(), s.n_elem);
  for (double& v : l) v = v >= std::numeric_limits<double>::min() && std::isfinite(v) ? v : 1.0;
  arma::vec logs = l;
  cawi::log_in_place(logs.memptr(), logs.n_elem);
  bool finite = true, subnormal = false;
  for (Index i = 0; i < x.n_elem; ++i) {
    const double at = x[i];
    finite = finite && std::isfinite(at);
    subnormal = subnormal || std::fpclassify(at) == FP_SUBNORMAL;
    if (std::isnan(at)) {
      CHECK(std::isnan(e[i]) && std::isnan(s[i]));
    } else {
      CHECK(at < -708.0 ? e[i] == 0.0
                        : close(e[i], std::exp(std::min(at, std::isinf(at) ? at : 709.0)), 1e-15));
      CHECK(std::isinf(at) ? std::isnan(s[i])
                           : close(s[i], std::sin(at), 1e-15, std::abs(at) > 1.0 ? 1e1 : 0.0));
    }
    CHECK(close(logs[i], std::log(l[i]), 1e-15));
  }
  CHECK(cawi::all_finite(x.memptr(), x.n_elem) == finite);
  CHECK(cawi::any_subnormal(x.memptr(), x.n_elem) == subnormal);
}

}  // namespace

void attack(Input& in) {
  const Index n = in.count(1, 70);
  arma::vec x = in.vector(n, Numbers::any);
  for (Index i = 0; i < std::min<Index>(n, 12); ++i) x[i] = in.number(Numbers::any);
  check_activations(x, in.flag() ? in.number(Numbers::any) : 0.0);
  check_vectors(x);
}
