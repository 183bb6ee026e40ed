// Readouts: primal, dual, path and exact fits against each other, against plain solves and, without
// a row, against refits.
#include "problems.hpp"

#include "cawi/ridge/exact_fit.hpp"
#include "cawi/ridge/kernel_fit.hpp"
#include "cawi/ridge/path.hpp"
#include "cawi/ridge/path_fits.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

struct Problem {
  cawi::Targets targets;
  cawi::Network network;
  cawi::Inputs rows;
  arma::mat a;
  int ones;  // -1 where the intercept has a penalty, or there is none

  Problem(Input& in, Numbers numbers, Index most)
      : Problem(in, numbers, in.count(2, most), in.count(1, 8), in.flag()) {}

  Problem(Input& in, Numbers numbers, Index m, Index d, bool intercept)
      : targets(any_targets(in, m)),
        network(identity(d, intercept ? cawi::Ones::last : cawi::Ones::none)),
        rows(in.matrix(m, d, numbers)),
        a(cawi::all_features(cawi::FeatureRows(rows, network), one)[0]),
        ones(targets.centered && intercept ? static_cast<int>(d) : -1) {}

  cawi::FeatureRows features() const { return {rows, network}; }

  cawi::Gram gram() const { return cawi::accumulate_grams(features(), targets, one)[0]; }
  cawi::Center center(const cawi::Gram& gram) const {
    return ones < 0 ? cawi::Center{} : cawi::Center::of(gram, static_cast<Index>(ones));
  }
  cawi::DualProblem dual() const {
    cawi::WeightedRows weighted{{a}, {}};
    weighted.weigh(targets, {0, a.n_rows});
    return {weighted.a[0], weighted.y, ones >= 0, static_cast<Index>(std::max(ones, 0)), one};
  }
};

// Errors of solves grow with the condition number, at most `size` of squares over lambda.
double tolerance(const Problem& p, double lambda) {
  const double size = 1.0 + arma::accu(arma::square(p.a)) * 3.0;
  return 1e-13 * size / lambda + 1e-11;
}

void check_solutions(const Problem& p, double lambda) {
  const cawi::Gram gram = p.gram();
  const cawi::Center center = p.center(gram);
  const arma::vec penalty{lambda};
  const arma::mat truth = PlainRidge(p.a, p.targets, lambda, p.ones).coefficients;
  const double tol = tolerance(p, lambda), scale = 1.0 + largest(p.a * truth);
  const cawi::Readout primal = cawi::solve_primal(gram, penalty, center, one);
  const cawi::Readout dual = cawi::solve_dual(p.dual(), penalty, one);
  CHECK(!primal.singular && !dual.singular);
  // Scores, because a column that is constant but for rounding may have any coefficient.
  CHECK(close(p.a * primal.coefficients, p.a * truth, tol, scale));
  CHECK(close(p.a * dual.coefficients, p.a * truth, tol, scale));
  arma::mat scores(p.a.n_rows, p.targets.outputs);
  cawi::write_scores(p.features(), {truth}, one, scores);
  CHECK(close(scores, p.a * truth, 1e-11, 1.0 + largest(scores)));
}

void check_left_out(const Problem& p, double lambda) {
  const arma::mat truth = refitted(p.a, p.targets, lambda, p.ones);
  const double tol = 10.0 * tolerance(p, lambda), scale = 1.0 + largest(truth);
  const cawi::Gram gram = p.gram();
  const cawi::Center center = p.center(gram);
  const arma::vec penalty{lambda};
  const cawi::ExactFit exact = cawi::exact_fits(p.features(), p.targets, penalty, one)[0];
  CHECK(close(exact.left_out, truth, tol, scale));
  const arma::mat sampled = cawi::sampled_left_out(gram, center, penalty,
                                                   exact.readout.coefficients, p.a, p.targets, one);
  CHECK(close(sampled, truth, tol, scale));
  // All penalties at once, from the sums and from the rows.
  const arma::vec lambdas{lambda, 2.0 * lambda};
  arma::mat lost = p.a;
  const cawi::TrainingRows rows = cawi::TrainingRows::of(p.targets, {0, p.a.n_rows});
  const cawi::PathFits from_sums = cawi::primal_path_fits(gram, center, lambdas, lost, rows, one);
  const cawi::PathFits from_rows = cawi::dual_path_fits(p.dual(), p.targets, lambdas, one);
  CHECK(close(from_sums.left_out.slice(0), truth, tol, scale));
  CHECK(close(from_rows.left_out.slice(0), truth, tol, scale));
  CHECK(close(p.a * from_sums.coefficients, p.a * from_rows.coefficients, tol, scale));
}

void check_paths(const Problem& p, double lambda) {
  const arma::vec lambdas{0.5 * lambda, lambda, 4.0 * lambda};
  const cawi::Gram gram = p.gram();
  std::vector<cawi::RidgePath> primal, dual;
  primal.emplace_back(gram, p.center(gram), one);
  const cawi::RowBlock all{0, p.a.n_rows};
  dual.emplace_back(p.dual(), p.targets.block(all), p.targets.block_roots(all), one);
  const cawi::FeatureRows features = p.features();
  const auto given = arma::vec{lambda};
  const cawi::PathErrors a =
      cawi::PathSearch(features, p.targets, primal, one).errors(lambdas, given)[0];
  const cawi::PathErrors b =
      cawi::PathSearch(features, p.targets, dual, one).errors(lambdas, given)[0];
  const double tol = 10.0 * tolerance(p, 0.5 * lambda);
  CHECK(close(a.squared_error, b.squared_error, tol, 1.0 + largest(a.squared_error)));
  CHECK(close(arma::mat(a.freedom), arma::mat(b.freedom), tol, 1.0));
  CHECK(close(a.scores, b.scores, tol, 1.0 + largest(a.scores)));
  CHECK(arma::all(a.freedom >= 0.0) && a.freedom.max() <= static_cast<double>(p.a.n_cols) + 1e-6);
  for (const arma::uword best : a.best) CHECK(best < lambdas.n_elem);
}

// A linear kernel is ridge on the features themselves.
void check_kernel(const Problem& p, double lambda) {
  const bool centered = p.ones >= 0;
  const arma::mat z = p.a.head_cols(p.a.n_cols - (centered ? 1 : 0));
  cawi::KernelRidge ridge(z * z.t(), p.targets, centered, one);
  const cawi::KernelFit fit = ridge.at(arma::vec{lambda});
  const arma::mat truth = PlainRidge(p.a, p.targets, lambda, p.ones).coefficients;
  const double tol = 10.0 * tolerance(p, lambda), scale = 1.0 + largest(p.a * truth);
  arma::mat scores = z * z.t() * fit.coefficients;
  scores.each_row() += fit.intercept;
  CHECK(close(scores, p.a * truth, tol, scale));
  const arma::mat left_out = refitted(p.a, p.targets, lambda, p.ones);
  CHECK(close(fit.left_out, left_out, tol, 1.0 + largest(left_out)));
  const cawi::KernelFit best = cawi::KernelRidge(z * z.t(), p.targets, centered, one)
                                   .at_best(arma::vec{lambda, 3.0 * lambda});
  const arma::mat at_first = best.squared_error.row(0);
  CHECK(close(at_first, fit.squared_error, tol, 1.0 + largest(at_first)));
}

// Whatever is finite, at any penalty: a result that is finite, or an error.
void attack_finite(Input& in) {
  const Problem p(in, Numbers::finite, 14);
  const double lambdas[] = {0.0, 1e-300, 1e-12, 1e-3, 1.0, 1e6, 1e300};
  const arma::vec penalty{in.one_of(lambdas)};
  const std::uint8_t kind = in.byte() % 4;
  if (kind == 0) {
    const cawi::Gram gram = p.gram();
    CHECK(cawi::solve_primal(gram, penalty, p.center(gram), one).coefficients.is_finite());
  } else if (kind == 1) {
    CHECK(cawi::solve_dual(p.dual(), penalty, one).coefficients.is_finite());
  } else if (kind == 2) {
    const cawi::ExactFit fit = cawi::exact_fits(p.features(), p.targets, penalty, one)[0];
    CHECK(fit.readout.coefficients.is_finite());
    CHECK(fit.left_out.is_finite());
  } else {
    const cawi::Gram gram = p.gram();
    std::vector<cawi::RidgePath> paths;
    paths.emplace_back(gram, p.center(gram), one);
    const cawi::FeatureRows features = p.features();
    cawi::PathSearch(features, p.targets, paths, one).errors(penalty, {});
  }
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 5;
  if (kind == 4) return attack_finite(in);
  const Problem p(in, Numbers::sane, 14);
  if (has_flat_column(p.a)) return;
  const double lambda = std::exp(8.0 * in.unit() - 5.0);
  if (kind == 0) return check_solutions(p, lambda);
  if (kind == 1) return check_left_out(p, lambda);
  if (kind == 2) return check_paths(p, lambda);
  check_kernel(p, lambda);
}
