// From R's objects to the core's. Included first by every wrapper: RcppArmadillo must configure
// Armadillo before the core includes it.
#ifndef CAWI_SRC_CONVERT_H
#define CAWI_SRC_CONVERT_H

#include <RcppArmadillo.h>

#include <cawi.hpp>

inline cawi::Threads as_threads(int threads) {
  return cawi::Threads{threads, [] { Rcpp::checkUserInterrupt(); }};
}

// Seeds travel as whole numbers below 2^53, which a double holds exactly.
inline std::uint64_t as_seed(double seed) { return static_cast<std::uint64_t>(seed); }

// NULL where the list has no such element: R drops elements that are set to NULL.
inline SEXP element(const Rcpp::List& object, const char* name) {
  return object.containsElementNamed(name) ? static_cast<SEXP>(object[name]) : R_NilValue;
}

inline cawi::CopulaPtr as_copula(const Rcpp::List& object) {
  cawi::Parameters p;
  p.dim = Rcpp::as<int>(object["dim"]);
  if (!Rf_isNull(element(object, "theta"))) p.theta = Rcpp::as<double>(object["theta"]);
  if (!Rf_isNull(element(object, "cor"))) p.cor = Rcpp::as<arma::mat>(object["cor"]);
  if (!Rf_isNull(element(object, "df"))) p.df = Rcpp::as<double>(object["df"]);
  if (!Rf_isNull(element(object, "flipped"))) p.flipped = Rcpp::as<std::vector<bool>>(object["flipped"]);
  return cawi::make_copula(Rcpp::as<std::string>(object["family"]), p);
}

inline cawi::Network as_network(const Rcpp::List& object, bool ones_first = false) {
  std::vector<cawi::Layer> layers;
  const Rcpp::List list = object["layers"];
  for (const Rcpp::List layer : list) {
    layers.push_back({Rcpp::as<arma::mat>(layer["weights"]), Rcpp::as<arma::rowvec>(layer["bias"]),
                      cawi::find_activation(Rcpp::as<std::string>(layer["activation"]))});
  }
  const bool skip = Rcpp::as<std::string>(object["wiring"]) == "skip";
  return cawi::Network(Rcpp::as<arma::rowvec>(object["center"]),
                       Rcpp::as<arma::rowvec>(object["scale"]), std::move(layers),
                       skip ? cawi::Wiring::skip : cawi::Wiring::stacked,
                       Rcpp::as<bool>(object["direct"]), Rcpp::as<bool>(object["intercept"]),
                       ones_first);
}

// Classes come 1-based; numeric targets as a matrix in their own units, with the center and scale that the core
// works in.
inline cawi::Targets as_targets(const Rcpp::List& object) {
  cawi::Targets targets;
  targets.outputs = Rcpp::as<int>(object["outputs"]);
  if (!Rf_isNull(element(object, "weights"))) targets.weights = Rcpp::as<arma::vec>(object["weights"]);
  if (Rf_isNull(element(object, "classes"))) {
    targets.centered = true;
    targets.values = Rcpp::as<arma::mat>(object["values"]);
    if (!Rf_isNull(element(object, "center"))) {
      targets.values.each_row() -= Rcpp::as<arma::rowvec>(object["center"]);
      targets.values.each_row() /= Rcpp::as<arma::rowvec>(object["sd"]);
    }
  } else {
    targets.classes = Rcpp::as<std::vector<int>>(object["classes"]);
    for (int& k : targets.classes) --k;
  }
  return targets;
}

// 1-based columns of a readout; none means all.
inline arma::uvec as_columns(const Rcpp::Nullable<Rcpp::IntegerVector>& columns) {
  if (columns.isNull()) return {};
  return Rcpp::as<arma::uvec>(columns.get()) - 1;
}

#endif
