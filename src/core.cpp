#include "convert.h"

// [[Rcpp::export(rng = false)]]
double child_seed_cpp(double seed, int index) {
  return static_cast<double>(cawi::child_seed(as_seed(seed), index));
}

// [[Rcpp::export(rng = false)]]
bool all_finite_cpp(const Rcpp::NumericVector& x) { return cawi::all_finite(x.begin(), x.size()); }

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector permutation_cpp(double seed, int n) {
  const auto p = cawi::permutation(as_seed(seed), n);
  return Rcpp::IntegerVector(p.begin(), p.end()) + 1;
}
