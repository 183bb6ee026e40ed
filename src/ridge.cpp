#include "convert.h"

namespace {

cawi::RidgePath make_path(const Statistics& statistics, const cawi::Threads& threads) {
  if (!statistics.dual) return cawi::RidgePath(statistics.sums, as_center(statistics), threads);
  const cawi::DualProblem dual = as_dual(statistics);
  return cawi::RidgePath(dual.kernel, dual.y, dual.center, threads);
}

Rcpp::List as_list(const cawi::Readout& readout) {
  return Rcpp::List::create(Rcpp::_["coefficients"] = readout.coefficients,
                            Rcpp::_["singular"] = readout.singular);
}

}  // namespace

// [[Rcpp::export(rng = false)]]
arma::mat scores_cpp(const arma::mat& x, const Rcpp::List& network,
                     Rcpp::Nullable<Rcpp::IntegerVector> columns, const arma::mat& coefficients,
                     int threads) {
  const cawi::Network net = as_network(network);
  return cawi::readout_scores({x, net, as_columns(columns)}, coefficients, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List gram_cpp(const arma::mat& x, const Rcpp::List& network,
                    Rcpp::Nullable<Rcpp::IntegerVector> columns, const Rcpp::List& targets,
                    int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Gram gram = cawi::accumulate_gram({x, net, as_columns(columns)}, as_targets(targets),
                                                as_threads(threads));
  return Rcpp::List::create(Rcpp::_["aa"] = gram.aa, Rcpp::_["ay"] = gram.ay);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List border_cpp(const arma::mat& x, const Rcpp::List& network,
                      Rcpp::Nullable<Rcpp::IntegerVector> columns, const arma::uvec& fresh,
                      const Rcpp::List& targets, int threads) {
  const cawi::Network net = as_network(network);
  const cawi::Gram border = cawi::accumulate_border({x, net, as_columns(columns)}, fresh - 1,
                                                    as_targets(targets), as_threads(threads));
  return Rcpp::List::create(Rcpp::_["an"] = border.aa, Rcpp::_["ny"] = border.ay);
}

// `ones` is the column of the intercept that has no penalty, counted from one; 0 where there is
// none.
// [[Rcpp::export(rng = false)]]
Rcpp::List solve_primal_cpp(const arma::mat& aa, const arma::mat& ay, const arma::vec& lambda,
                            int ones) {
  const cawi::Gram gram{aa, ay};
  return as_list(cawi::solve_primal(gram, lambda, as_center(gram, ones)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List solve_dual_cpp(const arma::mat& a, const arma::mat& y, const arma::vec& lambda,
                          int ones) {
  return as_list(cawi::solve_dual(cawi::DualProblem(a, y, ones > 0, ones - 1), lambda));
}

// Leave-one-out scores of the rows of x, which are some of those that the statistics are of.
// `readout` is a list of `network` and `columns`.
// [[Rcpp::export(rng = false)]]
arma::mat left_out_scores_cpp(const arma::mat& x, const Rcpp::List& readout,
                              const Rcpp::List& targets, const Rcpp::List& statistics,
                              const arma::mat& coefficients, const arma::vec& lambda, int threads) {
  const cawi::Network network = as_network(readout["network"]);
  const Statistics known = as_statistics(statistics);
  const arma::mat a = cawi::all_features({x, network, as_columns(element(readout, "columns"))},
                                         as_threads(threads));
  return cawi::primal_left_out_scores(known.sums, as_center(known), lambda, coefficients, a,
                                      as_targets(targets));
}

// Leave-one-out at every lambda on all rows, then the leave-one-out scores at the penalties
// `given`. Where none is given, they are those at the best penalties (least squared error; the
// largest lambda among equals): one for all classes, one per numeric output.
// [[Rcpp::export(rng = false)]]
Rcpp::List ridge_path_cpp(const arma::mat& x, const Rcpp::List& readout, const Rcpp::List& targets,
                          const Rcpp::List& statistics, const arma::vec& lambdas,
                          const arma::vec& given, int threads) {
  const cawi::Network network = as_network(readout["network"]);
  const cawi::FeatureRows rows(x, network, as_columns(element(readout, "columns")));
  const cawi::Targets y = as_targets(targets);
  const cawi::RidgePath path = make_path(as_statistics(statistics), as_threads(threads));
  const cawi::LeaveOneOut loo = path.leave_one_out(rows, y, lambdas);
  const bool numeric = y.classes.empty();
  const arma::uvec best = cawi::best_penalties(
      numeric ? loo.squared_error : arma::mat(arma::sum(loo.squared_error, 1)));
  const arma::vec lambda = given.is_empty() ? arma::vec(lambdas(best)) : given;
  return Rcpp::List::create(
      Rcpp::_["squared_error"] = loo.squared_error, Rcpp::_["correct"] = as_vector(loo.correct),
      Rcpp::_["freedom"] = as_vector(loo.freedom), Rcpp::_["spectrum"] = as_vector(path.spectrum()),
      Rcpp::_["best"] = Rcpp::IntegerVector(best.begin(), best.end()) + 1,
      Rcpp::_["scores"] = path.left_out_scores(rows, y, lambda));
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
