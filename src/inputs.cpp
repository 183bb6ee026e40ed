#include <Rcpp.h>

#include <cstdint>
#include <cstring>
#include <limits>

// Numbers of class "integer64" are 64-bit integers in the memory of doubles; the smallest of them
// is NA.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector integer64_cpp(const Rcpp::NumericVector& x) {
  Rcpp::NumericVector result(x.size());
  for (R_xlen_t i = 0; i < x.size(); ++i) {
    std::int64_t bits;
    const double stored = x[i];
    std::memcpy(&bits, &stored, sizeof bits);
    const bool missing = bits == std::numeric_limits<std::int64_t>::min();
    result[i] = missing ? NA_REAL : static_cast<double>(bits);
  }
  return result;
}
