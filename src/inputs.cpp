#include <Rcpp.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

// The columns as a matrix if all are doubles without a class or any other attribute, of `rows`
// rows; else NULL.
// [[Rcpp::export(rng = false)]]
SEXP bare_matrix_cpp(const Rcpp::List& columns, int rows) {
  const R_xlen_t count = columns.size();
  for (R_xlen_t j = 0; j < count; ++j) {
    const SEXP column = VECTOR_ELT(columns, j);
    const bool bare =
        TYPEOF(column) == REALSXP && ATTRIB(column) == R_NilValue && Rf_xlength(column) == rows;
    if (!bare) return R_NilValue;
  }
  Rcpp::NumericMatrix x(Rcpp::no_init(rows, static_cast<int>(count)));
  for (R_xlen_t j = 0; j < count; ++j) {
    const double* column = REAL(VECTOR_ELT(columns, j));
    std::copy(column, column + rows, x.begin() + j * rows);
  }
  return x;
}

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
