// Draws of all families, weights, and the streams under them.
#include "copulas.hpp"

#include "cawi/weights/weights.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

void check_draws(Input& in) {
  const Index d = in.count(1, 9), n = in.size(1, 600);
  const AnyCopula any = any_copula(in, d);
  const std::uint64_t seed = in.seed();
  const cawi::CopulaPtr copula = any.make();
  arma::mat rows(n, d), columns(d, n), fewer((n + 1) / 2, d);
  cawi::draw_rows(*copula, seed, one, rows);
  cawi::draw_columns(*copula, seed, one, columns);
  cawi::draw_rows(*copula, seed, one, fewer);
  for (const double u : rows) CHECK(u > 0.0 && u < 1.0);
  CHECK(same(rows, columns.t()));
  CHECK(same(fewer, rows.head_rows(fewer.n_rows)));

  const char* marginals[] = {"uniform", "normal", "cauchy"};
  const std::string marginal = in.one_of(marginals);
  const double scale = in.unit();
  arma::mat w(d, n);
  cawi::write_weights(*copula, marginal, scale, seed, one, w);
  CHECK(w.is_finite());
  if (marginal == "uniform") CHECK(largest(w) <= scale);
  for (Index i = 0; i < w.n_elem; ++i) CHECK((w[i] < 0.0) == (columns[i] < 0.5) || w[i] == 0.0);
}

void check_kept(Input& in) {
  const Index d = in.count(1, 12), n = in.count(1, 40), inputs = in.count(0, d + 1);
  arma::mat w(d, n, arma::fill::ones);
  arma::vec share;
  if (in.flag()) share = arma::abs(in.vector(d, Numbers::finite));
  const std::uint64_t seed = in.seed();
  cawi::keep_inputs(w, inputs, seed, share);
  const bool few = !share.is_empty() && share.max() > 0.0 && share.min() < share.max();
  for (Index t = 0; t < n; ++t) {
    CHECK(arma::accu(w.col(t)) == static_cast<double>(std::min(inputs, d)));
    // Without a share a row is read only where those with one do not suffice.
    for (Index j = 0; few && j < d && std::isfinite(arma::accu(share)); ++j) {
      const arma::uvec others = arma::find(w.col(t) == 0.0 && share > 0.0);
      if (w(j, t) != 0.0 && share[j] == 0.0 && inputs <= d) CHECK(others.is_empty());
    }
  }
  arma::mat narrow(d, (n + 1) / 2, arma::fill::ones);
  cawi::keep_inputs(narrow, inputs, seed, share);
  CHECK(same(narrow, w.head_cols(narrow.n_cols)));
}

// Words do not depend on how they are asked for, at any place of any stream.
void check_streams(Input& in) {
  const std::uint64_t seed = in.word(), index = in.word();
  const Index n = in.count(1, 400);
  cawi::Stream stream(seed), other(seed);
  stream.start(index);
  other.start(index);
  std::vector<double> together(n), apart(n), z(n), normal(n);
  stream.uniforms(together.data(), n);
  for (double& u : apart) u = other.uniform();
  CHECK(together == apart);
  for (const double u : together) CHECK(u > 0.0 && u < 1.0);
  stream.start(index);
  other.start(index);
  stream.normals(z.data(), n);
  for (double& v : normal) v = other.normal();
  CHECK(z == normal);
  for (const double v : z) CHECK(std::isfinite(v));
  // Streams beside each other, the last ones before the counter wraps among them.
  std::vector<std::vector<double>> memory(5, std::vector<double>(8));
  std::vector<double*> columns;
  for (auto& column : memory) columns.push_back(column.data());
  cawi::stream_columns(seed, index, 6, 5, columns.data());
  for (Index k = 0; k < 6; ++k) {
    other.start(index + k);
    for (Index w = 0; w < 5; ++w) CHECK(memory[w][k] == other.uniform());
  }
  CHECK(cawi::child_seed(seed, index) < std::uint64_t{1} << 52);
  const double shape = std::exp(20.0 * in.unit() - 12.0);
  for (int i = 0; i < 8; ++i) CHECK(std::isfinite(stream.log_of_gamma_draw(shape)));
  std::vector<std::uint32_t> p = cawi::permutation(seed, n);
  std::sort(p.begin(), p.end());
  for (Index i = 0; i < n; ++i) CHECK(p[i] == i);
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 4;
  if (kind == 1) return check_kept(in);
  if (kind == 2) return check_streams(in);
  check_draws(in);
}
