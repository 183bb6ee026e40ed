// Features of networks: blocks against the whole, sparse rows against dense ones, gradients against
// differences, products against plain ones.
#include "networks.hpp"

#include "cawi/features/feature_rows.hpp"
#include "cawi/features/gradients.hpp"
#include "cawi/ridge/gram.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

// Whatever the numbers are, nothing may be read that is not there.
void attack_any(Input& in) {
  const Index m = in.count(1, 12), d = in.count(1, 5);
  const cawi::Network network = any_network(in, d, in.flag() ? cawi::Ones::last : cawi::Ones::none);
  const arma::mat x = in.matrix(m, d, Numbers::any);
  for (const bool is_sparse : {false, true}) {
    const cawi::Inputs rows = is_sparse ? cawi::Inputs(sparse(x)) : cawi::Inputs(x);
    const cawi::FeatureRows whole = cawi::FeatureRows::whole(rows, network);
    CHECK(cawi::all_features(whole, one)[0].n_cols == network.layout().columns());
    for (Index l = 0; l <= network.layers(); ++l) network.layer_input(rows, {0, m}, l);
  }
}

// The features of a readout are columns of A.
void check_readouts(const cawi::Inputs& rows, const cawi::Network& network, const arma::mat& a) {
  const std::vector<arma::mat> parts = cawi::all_features({rows, network}, one);
  for (Index r = 0; r < parts.size(); ++r) {
    const cawi::Layout& layout = network.readouts()[r];
    for (Index l = 0; l < layout.layers(); ++l) {
      const cawi::ColumnBlock own = layout.layer(l);
      const cawi::ColumnBlock all = network.layout().layer(parts.size() == 1 ? l : r);
      CHECK(own.count == all.count);
      CHECK(close(parts[r].cols(own.first, own.first + own.count - 1),
                  a.cols(all.first, all.first + all.count - 1), 1e-12, 1.0));
    }
    if (layout.has_ones()) CHECK(arma::all(parts[r].col(layout.ones()) == 1.0));
  }
}

void check_gram(Input& in, const cawi::Inputs& rows, const cawi::Network& network,
                const arma::mat& a) {
  cawi::Targets targets;
  targets.outputs = in.count(1, 2);
  targets.values = in.matrix(rows.rows(), targets.outputs, Numbers::sane);
  if (in.flag()) targets.case_weights = in.case_weights(rows.rows());
  const cawi::FeatureRows whole = cawi::FeatureRows::whole(rows, network);
  const cawi::Gram gram = cawi::accumulate_grams(whole, targets, one)[0];
  const arma::mat w = targets.case_weights.is_empty()
                          ? arma::mat(arma::eye(a.n_rows, a.n_rows))
                          : arma::mat(arma::diagmat(targets.case_weights));
  const double scale = 1.0 + static_cast<double>(a.n_rows) * std::pow(largest(a), 2);
  CHECK(close(gram.aa, a.t() * w * a, 1e-12, scale));
  CHECK(close(gram.ay, a.t() * w * targets.values, 1e-12, scale * 10.0));
  CHECK(same(gram.aa, gram.aa.t()));
  const arma::uvec fresh = arma::regspace<arma::uvec>(a.n_cols / 2, a.n_cols - 1);
  const cawi::Gram border = cawi::accumulate_border(whole, 0, fresh, targets, one);
  CHECK(close(border.aa, gram.aa.cols(fresh), 1e-12, scale));
  CHECK(close(border.ay, gram.ay.rows(fresh), 1e-12, scale * 10.0));
}

void attack_sane(Input& in) {
  const Index m = in.size(1, 600), d = in.count(1, 5);
  const cawi::Network network = any_network(in, d, in.flag() ? cawi::Ones::last : cawi::Ones::none);
  const arma::mat x = in.matrix(m, d, Numbers::sane);
  const cawi::Inputs dense(x), few(sparse(x));
  const cawi::FeatureRows whole = cawi::FeatureRows::whole(dense, network);
  const arma::mat a = cawi::all_features(whole, one)[0];
  CHECK(a.is_finite());
  const arma::mat b = cawi::all_features(cawi::FeatureRows::whole(few, network), one)[0];
  // Kinks and steep slopes of three layers magnify rounding.
  CHECK(close(a, b, 1e-8, 1.0 + largest(a)));
  check_readouts(dense, network, a);
  check_gram(in, dense, network, a);
}

// Central differences in the units of the standardized features.
void attack_gradients(Input& in) {
  const Index m = in.count(1, 5), d = in.count(1, 4), outputs = in.count(1, 2);
  const cawi::Network network = any_network(in, d, cawi::Ones::last, true);
  const arma::mat x = in.matrix(m, d, Numbers::sane);
  const cawi::Inputs rows(x);
  const cawi::FeatureRows features(rows, network);
  std::vector<arma::mat> coefficients;
  for (const cawi::Layout& layout : network.readouts()) {
    coefficients.push_back(in.matrix(layout.columns(), outputs, Numbers::sane));
  }
  const cawi::ScoreGradients gradients(rows, network, coefficients);
  arma::mat all(m, d * outputs);
  cawi::write_gradients(gradients, one, all);
  const auto scores = [&](const arma::mat& at) {
    const cawi::Inputs moved(at);
    const std::vector<arma::mat> a = cawi::all_features({moved, network}, one);
    arma::mat sum(m, outputs, arma::fill::zeros);
    for (Index r = 0; r < a.size(); ++r) sum += a[r] * coefficients[r];
    return arma::mat(sum / static_cast<double>(a.size()));
  };
  const arma::mat z = network.layer_input(rows, {0, m}, 0);
  for (Index j = 0; j < d; ++j) {
    arma::mat up = x, down = x;
    up.col(j) += 1e-5;
    down.col(j) -= 1e-5;
    const double sd = 1e-5 / (network.layer_input(cawi::Inputs(up), {0, m}, 0)(0, j) - z(0, j));
    const arma::mat slope = (scores(up) - scores(down)) / 2e-5 * sd;
    for (Index k = 0; k < outputs; ++k) {
      CHECK(close(all.col(k * d + j), slope.col(k), 1e-3, 1.0 + largest(all)));
    }
  }
  const arma::mat product = cawi::mean_gradient_product(gradients, {}, one);
  arma::mat plain(d, d, arma::fill::zeros);
  for (Index k = 0; k < outputs; ++k) {
    const arma::mat g = all.cols(k * d, (k + 1) * d - 1);
    plain += g.t() * g / static_cast<double>(m);
  }
  CHECK(close(product, plain, 1e-10, 1.0 + largest(plain)));
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 3;
  if (kind == 0) return attack_sane(in);
  if (kind == 1) return attack_gradients(in);
  attack_any(in);
}
