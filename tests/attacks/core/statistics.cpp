// Statistics of parts, merged, against those of all rows: moments, sums and losses.
#include "problems.hpp"

#include "cawi/features/moments.hpp"
#include "cawi/ridge/measures.hpp"
#include "cawi/ridge/sums.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

// Columns of any unit; missing values count for nothing.
void check_moments(Input& in) {
  const Index m = in.size(2, 200), d = in.count(1, 3), cut = in.count(0, m - 1);
  const arma::mat x = in.matrix(m, d, in.flag() ? Numbers::finite : Numbers::sane);
  arma::vec w;
  if (in.flag()) w = in.case_weights(m);
  const auto part = [&](Index first, Index count) {
    if (count == 0) return cawi::Moments(d);
    const arma::vec own = w.is_empty() ? w : arma::vec(w.subvec(first, first + count - 1));
    return cawi::column_moments(x.rows(first, first + count - 1), own, one);
  };
  const cawi::Moments whole = part(0, m), rest = part(cut, m - cut);
  cawi::Moments merged = part(0, cut);
  for (Index j = 0; j < d; ++j) {
    merged[j].merge(rest[j]);
    const double size = largest(x.col(j));
    CHECK(std::isfinite(whole[j].mean) && std::isfinite(whole[j].sd));
    CHECK(std::abs(whole[j].mean) <= size && whole[j].sd <= size * (1.0 + 1e-9));
    CHECK_CLOSE(merged[j].weight, whole[j].weight, 1e-12, 0.0);
    // Where the range of the values leaves that of a double, their distances do, too.
    if (size > 1e300) continue;
    CHECK_CLOSE(merged[j].mean, whole[j].mean, 1e-12, size);
    CHECK_CLOSE(merged[j].sd, whole[j].sd, 1e-7, 1e-7 * size);
    CHECK_CLOSE(merged[j].origin + merged[j].distance, merged[j].mean, 1e-12, size);
  }
  arma::mat missing = x;
  missing(in.count(0, m - 1), 0) = not_a_number;
  for (const cawi::Moment& moment : cawi::column_moments(missing, w, one)) {
    CHECK(std::isfinite(moment.mean) && moment.sd >= 0.0);
  }
}

// Sums of two parts are those of all rows, and what was added can be taken away.
void check_sums(Input& in) {
  const Index m = in.count(2, 30), d = in.count(1, 5), cut = in.count(1, m - 1);
  const arma::mat x = in.matrix(m, d, Numbers::sane);
  const cawi::Targets targets = any_targets(in, m);
  const cawi::Network network = identity(d, cawi::Ones::last);
  const auto sums = [&](Index first, Index last) {
    const arma::uvec rows = arma::regspace<arma::uvec>(first, last);
    const cawi::Inputs part(arma::mat(x.rows(rows)));
    std::vector<cawi::Sums> all{cawi::Sums::zero(d + 1, targets.outputs)};
    cawi::add_rows({part, network}, targets.some(rows), one, all);
    return all[0];
  };
  const cawi::Sums whole = sums(0, m - 1), second = sums(cut, m - 1);
  cawi::Sums merged = sums(0, cut - 1);
  const cawi::Sums first = merged;
  merged.merge(second);
  const double scale = 1.0 + largest(whole.gram.aa) + largest(whole.gram.ay) + largest(whole.yy);
  const auto check = [&](const cawi::Sums& a, const cawi::Sums& b) {
    CHECK(close(a.gram.aa, b.gram.aa, 1e-12, scale));
    CHECK(close(a.gram.ay, b.gram.ay, 1e-12, scale));
    CHECK(close(arma::mat(a.yy), arma::mat(b.yy), 1e-12, scale));
    CHECK(a.rows == b.rows);
    CHECK_CLOSE(a.weight, b.weight, 1e-12, scale);
  };
  check(merged, whole);
  merged.merge(second, -1.0);
  check(merged, first);
  // Squared errors from sums alone are those of the rows.
  const double lambda = in.unit();
  const cawi::Center center = targets.centered ? cawi::Center::of(first.gram, d) : cawi::Center{};
  const cawi::Losses losses = cawi::held_out_losses(first, second, arma::vec{lambda}, center, one);
  const arma::mat b = cawi::solve_primal(first.gram, arma::vec{lambda}, center, one).coefficients;
  const arma::uvec rows = arma::regspace<arma::uvec>(cut, m - 1);
  const cawi::Targets fresh = targets.some(rows);
  const arma::mat a = arma::join_rows(x.rows(rows), arma::ones(rows.n_elem));
  arma::mat squares = arma::square(a * b - fresh.block({0, rows.n_elem}));
  if (!fresh.case_weights.is_empty()) squares.each_col() %= fresh.case_weights;
  const double size = scale * (1.0 + largest(b)) * (1.0 + largest(b));
  CHECK(close(losses.squared, arma::mat(arma::sum(squares, 0)), 1e-11, size));
  cawi::Losses both = losses;
  both.merge(losses);
  CHECK(close(both.squared, 2.0 * losses.squared, 1e-15, size));
  cawi::Sums other = cawi::Sums::zero(d + 2, targets.outputs);
  bool refused = false;
  try {
    other.merge(whole);
  } catch (const cawi::DomainError&) {
    refused = true;
  }
  CHECK(refused);
}

// Measures of two parts are those of all rows, and what a loop over rows gives.
void check_measures(Input& in) {
  const Index m = in.size(2, 600), cut = in.count(1, m - 1);
  const cawi::Targets targets = any_targets(in, m);
  const arma::mat scores = in.matrix(m, targets.outputs, Numbers::sane);
  const bool classes = !targets.classes.empty();
  const double temperature = classes ? std::exp(6.0 * in.unit() - 3.0) : 0.0;
  cawi::Measures whole, merged, rest;
  const auto add = [&](cawi::Measures& to, Index first, Index count) {
    to.add_rows(targets.block({first, count}), scores.rows(first, first + count - 1),
                cawi::RowTruth::of(targets, first), temperature);
  };
  add(whole, 0, m);
  add(merged, 0, cut);
  add(rest, cut, m - cut);
  merged.add(rest);
  double hits = 0.0, loss = 0.0, squares = 0.0;
  for (Index i = 0; i < m; ++i) {
    const arma::rowvec s = scores.row(i), y = targets.block({i, 1});
    squares += targets.case_weight(i) * arma::mean(arma::square(s - y));
    if (!classes) continue;
    const arma::rowvec p = arma::exp(temperature * (s - s.max()));
    const double own = p[targets.classes[i]] / arma::accu(p);
    hits += s.index_max() == static_cast<Index>(targets.classes[i]) ? targets.case_weight(i) : 0.0;
    loss += targets.case_weight(i) * std::min(-std::log(own), -std::log(1e-15));
  }
  CHECK_CLOSE(whole.sum[cawi::squared_error], squares, 1e-12, 1.0);
  CHECK_CLOSE(whole.sum[cawi::hits], hits, 1e-12, 1.0);
  CHECK_CLOSE(whole.sum[cawi::log_loss], loss, 1e-10, 1.0);
  for (int k = 0; k < cawi::measure_count; ++k) {
    CHECK_CLOSE(whole.sum[k], merged.sum[k], 1e-12, 1.0);
    CHECK_CLOSE(whole.square[k], merged.square[k], 1e-12, 1.0);
  }
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 3;
  if (kind == 0) return check_moments(in);
  if (kind == 1) return check_sums(in);
  check_measures(in);
}
