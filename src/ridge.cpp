#include "convert.h"

namespace {

Rcpp::List as_list(const cawi::Readout& readout) {
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

Rcpp::List as_list(const cawi::PathErrors& errors, const cawi::Spectrum& spectrum) {
  Rcpp::List list = Rcpp::List::create(
      Rcpp::_["squared_error"] = errors.squared_error,
      Rcpp::_["correct"] = as_vector(errors.correct),
      Rcpp::_["freedom"] = as_vector(errors.freedom),
      Rcpp::_["spectrum"] = as_vector(spectrum.penalized()),
      Rcpp::_["best"] = Rcpp::IntegerVector(errors.best.begin(), errors.best.end()) + 1,
      Rcpp::_["scores"] = errors.scores);
  if (errors.readout) list["readout"] = as_list(*errors.readout);
  return list;
}

cawi::RidgePath as_path(const Statistics& statistics, const cawi::Targets& targets,
                        const cawi::Threads& threads) {
  if (!statistics.dual) return cawi::RidgePath(statistics.sums, as_center(statistics), threads);
  const cawi::RowBlock all{0, statistics.sums.aa.n_rows};
  return cawi::RidgePath(as_dual(statistics, threads), targets.block(all), targets.block_roots(all),
                         threads);
}

}  // namespace

// Scores, averaged over the readouts, each of which has a matrix of coefficients.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix scores_cpp(const arma::mat& x, const Rcpp::List& network,
                               const Rcpp::List& coefficients, int threads) {
  const cawi::Network net = as_network(network);
  const std::vector<arma::mat> readouts = as_matrices(coefficients);
  Rcpp::NumericMatrix scores = new_matrix(x.n_rows, readouts.front().n_cols);
  arma::mat view = as_view(scores);
  cawi::write_scores({x, net}, readouts, as_threads(threads), view);
  return scores;
}

// For each readout the sums A'WA and A'WY (kind "gram"). Where `wide_as_rows` is true, readouts
// with no more rows than columns have the weighted rows of A and Y instead (kind "rows"), which say
// all that the sums would.
// [[Rcpp::export(rng = false)]]
Rcpp::List statistics_cpp(const arma::mat& x, const Rcpp::List& network, const Rcpp::List& targets,
                          bool wide_as_rows, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::FeatureRows features(x, net);
  const cawi::Targets y = as_targets(targets);
  const cawi::Threads team = as_threads(threads);
  Rcpp::List all;
  std::vector<cawi::Gram> grams;
  // A vector that grows would copy the views, and the sums would not be R's.
  grams.reserve(features.readouts());
  bool any_rows = false;
  for (cawi::Index r = 0; r < features.readouts(); ++r) {
    const cawi::Index columns = features.columns(r);
    const bool rows = wide_as_rows && columns >= x.n_rows;
    any_rows = any_rows || rows;
    // The core adds into R's memory.
    Rcpp::NumericMatrix aa(rows ? 0 : columns, rows ? 0 : columns);
    Rcpp::NumericMatrix ay(rows ? 0 : columns, y.outputs);
    grams.push_back({as_view(aa), as_view(ay)});
    all.push_back(Rcpp::List::create(Rcpp::_["kind"] = rows ? "rows" : "gram", Rcpp::_["aa"] = aa,
                                     Rcpp::_["ay"] = ay));
  }
  cawi::add_grams(features, y, team, grams);
  if (!any_rows) return all;
  const cawi::RowBlock every{0, x.n_rows};
  cawi::WeightedRows rows{cawi::all_features(features, team), {}};
  rows.weigh(y, every);
  cawi::Index before = 0;
  for (cawi::Index r = 0; r < features.readouts(); ++r) {
    Rcpp::List statistics = all[r];
    cawi::require_finite(arma::sum(arma::square(rows.a[r]), 0).t(), before);
    before += features.columns(r);
    if (Rcpp::as<std::string>(statistics["kind"]) == "gram") continue;
    statistics["aa"] = rows.a[r];
    statistics["ay"] = rows.y;
  }
  return all;
}

// What the sums of one readout gain by some columns that are new.
// [[Rcpp::export(rng = false)]]
Rcpp::List border_cpp(const arma::mat& x, const Rcpp::List& network, int readout,
                      const arma::uvec& fresh, const Rcpp::List& targets, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Gram border = cawi::accumulate_border({x, net}, readout - 1, fresh - 1,
                                                    as_targets(targets), as_threads(threads));
  return Rcpp::List::create(Rcpp::_["an"] = border.aa, Rcpp::_["ny"] = border.ay);
}

// `statistics` are those of one readout.
// [[Rcpp::export(rng = false)]]
Rcpp::List solve_readout_cpp(const Rcpp::List& statistics, const arma::vec& lambda, int threads) {
  const Statistics known = as_statistics(statistics);
  const cawi::Threads team = as_threads(threads);
  if (known.dual) return as_list(cawi::solve_dual(as_dual(known, team), lambda, team));
  return as_list(cawi::solve_primal(known.sums, lambda, as_center(known), team));
}

// S^-1 B of a symmetric positive definite S.
// [[Rcpp::export(rng = false)]]
arma::mat solve_positive_cpp(arma::mat s, arma::mat b, int threads) {
  cawi::require(cawi::solve_in_place(s, true, as_threads(threads), b), "lambda",
                "the normal equations are singular");
  return b;
}

// Leave-one-out scores of the rows of x, which are some of those that the statistics are of, for
// each readout. `coefficients` and `lambda` are lists too.
// [[Rcpp::export(rng = false)]]
Rcpp::List left_out_scores_cpp(const arma::mat& x, const Rcpp::List& network,
                               const Rcpp::List& targets, const Rcpp::List& statistics,
                               const Rcpp::List& coefficients, const Rcpp::List& lambda,
                               int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Threads team = as_threads(threads);
  const cawi::Targets y = as_targets(targets);
  const std::vector<arma::mat> a = cawi::all_features({x, net}, team);
  const std::vector<arma::mat> solutions = as_matrices(coefficients);
  Rcpp::List scores;
  for (cawi::Index r = 0; r < a.size(); ++r) {
    const Statistics known = as_statistics(statistics[r]);
    scores.push_back(cawi::sampled_left_out(
        known.sums, as_center(known), Rcpp::as<arma::vec>(lambda[r]), solutions[r], a[r], y, team));
  }
  return scores;
}

// For each readout leave-one-out at every lambda on all rows, and the leave-one-out scores at the
// penalties `given`. Where none is given, they are those at the best penalties (least squared
// error; the largest lambda among equals): one for all classes, one per numeric output. Where the
// statistics are rows, the readout at the same penalties comes with them.
// [[Rcpp::export(rng = false)]]
Rcpp::List ridge_paths_cpp(const arma::mat& x, const Rcpp::List& network, const Rcpp::List& targets,
                           const Rcpp::List& statistics, const arma::vec& lambdas,
                           const arma::vec& given, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::FeatureRows rows(x, net);
  const cawi::Targets y = as_targets(targets);
  const cawi::Threads team = as_threads(threads);
  std::vector<cawi::RidgePath> paths;
  for (const SEXP readout : statistics) paths.push_back(as_path(as_statistics(readout), y, team));
  const auto errors = cawi::PathSearch(rows, y, paths, team).errors(lambdas, given);
  Rcpp::List all;
  for (cawi::Index r = 0; r < paths.size(); ++r) {
    all.push_back(as_list(errors[r], paths[r].spectrum()));
  }
  return all;
}

// Infinitely many nodes of a layer seen through all rows `z`, which are standardized: coefficients
// of [z | k(., z) | 1], where the first are zero without direct links, and leave-one-out at the
// best of some penalties, for all rows or for some; `judge` is a list of `lambdas`, `rows` and
// `given`, which says that `lambdas` are one penalty, or one per output, and nothing is to be
// chosen.
// [[Rcpp::export(rng = false)]]
Rcpp::List kernel_fit_cpp(const Rcpp::List& kernel, const arma::mat& z, bool direct, bool intercept,
                          const Rcpp::List& targets, const Rcpp::List& judge, int threads) {
  const cawi::Threads team = as_threads(threads);
  const arma::vec lambdas = Rcpp::as<arma::vec>(judge["lambdas"]);
  const cawi::Targets y = as_targets(targets);
  const cawi::Kernel nodes = as_kernel(kernel);
  arma::mat k = cawi::detail::residual_kernel(nodes, nodes.points(z), arma::mat(), team);
  if (direct) cawi::add_outer_product(z, 0, z.n_cols, team, k);
  cawi::copy_upper_to_lower(k);
  const bool centered = intercept && y.centered;
  if (intercept && !centered) k += 1.0;
  cawi::KernelRidge ridge(std::move(k), y, centered, team);
  const cawi::KernelFit fit =
      Rcpp::as<bool>(judge["given"])
          ? ridge.at(lambdas)
          : ridge.at_best(lambdas, arma::uvec(Rcpp::as<arma::uvec>(judge["rows"]) - 1));
  arma::mat coefficients = fit.coefficients;
  if (direct) coefficients = arma::join_cols(z.t() * fit.coefficients, coefficients);
  if (intercept) {
    const arma::rowvec ones = centered ? fit.intercept : arma::rowvec(arma::sum(fit.coefficients));
    coefficients = arma::join_cols(coefficients, ones);
  }
  return Rcpp::List::create(Rcpp::_["squared_error"] = fit.squared_error,
                            Rcpp::_["best"] = as_vector(arma::uvec(fit.best + 1)),
                            Rcpp::_["coefficients"] = coefficients,
                            Rcpp::_["scores"] = fit.left_out);
}

// For each readout the coefficients at the given penalties and the leave-one-out scores of all
// rows.
// [[Rcpp::export(rng = false)]]
Rcpp::List exact_fits_cpp(const arma::mat& x, const Rcpp::List& network, const Rcpp::List& targets,
                          const arma::vec& lambda, int threads) {
  const cawi::Network net = as_network(network);
  Rcpp::List all;
  for (const cawi::ExactFit& fit :
       cawi::exact_fits({x, net}, as_targets(targets), lambda, as_threads(threads))) {
    all.push_back(Rcpp::List::create(Rcpp::_["coefficients"] = fit.readout.coefficients,
                                     Rcpp::_["scores"] = fit.left_out));
  }
  return all;
}

// [[Rcpp::export(rng = false)]]
double best_temperature_cpp(const arma::mat& scores, const std::vector<int>& classes,
                            const arma::vec& case_weights) {
  return cawi::best_temperature(scores, as_classes(classes), case_weights);
}

// Slope, bend and shift of every class.
// [[Rcpp::export(rng = false)]]
arma::mat calibration_cpp(const arma::mat& scores, const std::vector<int>& classes,
                          const arma::vec& case_weights) {
  const std::vector<int> from_zero = as_classes(classes);
  return cawi::CalibrationFit(scores, from_zero, case_weights).parameters();
}
