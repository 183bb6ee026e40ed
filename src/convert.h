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

#endif
