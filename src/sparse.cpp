#include "convert.h"

namespace {

Rcpp::List as_list(const cawi::SparseRows& rows) {
  Rcpp::IntegerVector start(Rcpp::no_init(rows.rows() + 1));
  Rcpp::IntegerVector column(Rcpp::no_init(rows.stored()));
  Rcpp::NumericVector value(Rcpp::no_init(rows.stored()));
  start[0] = 0;
  for (cawi::Index i = 0; i < rows.rows(); ++i) {
    const cawi::SparseRows::Row row = rows.row(i);
    std::copy_n(row.column, row.count, column.begin() + start[i]);
    std::copy_n(row.value, row.count, value.begin() + start[i]);
    start[i + 1] = start[i] + static_cast<int>(row.count);
  }
  return Rcpp::List::create(Rcpp::_["start"] = start, Rcpp::_["column"] = column,
                            Rcpp::_["value"] = value,
                            Rcpp::_["columns"] = static_cast<int>(rows.columns()));
}

// Numbers from one in R, from zero in the core.
arma::uvec from_zero(const Rcpp::IntegerVector& numbers) {
  arma::uvec places(numbers.size());
  for (R_xlen_t k = 0; k < numbers.size(); ++k) {
    cawi::require(numbers[k] != NA_INTEGER && numbers[k] > 0, "x", "a row has no number");
    places[k] = static_cast<cawi::Index>(numbers[k] - 1);
  }
  return places;
}

}  // namespace

// Are these compressed rows sound?
// [[Rcpp::export(rng = false)]]
bool sound_sparse_rows_cpp(const Rcpp::List& rows) {
  try {
    as_sparse_rows(rows);
  } catch (const cawi::DomainError&) {
    return false;
  }
  return true;
}

// Columns that are compressed, as those of a dgCMatrix, or rows that are, the other way round; of
// the columns (NULL: all) only some, in the order of their numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::List transpose_sparse_cpp(const Rcpp::List& columns,
                                Rcpp::Nullable<Rcpp::IntegerVector> some = R_NilValue) {
  const cawi::SparseRows from = as_sparse_rows(columns);
  if (some.isNull()) return as_list(from.transposed());
  return as_list(from.some(from_zero(some.get())).transposed());
}

// [[Rcpp::export(rng = false)]]
Rcpp::List some_sparse_rows_cpp(const Rcpp::List& rows, const Rcpp::IntegerVector& numbers) {
  return as_list(as_sparse_rows(rows).some(from_zero(numbers)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix dense_rows_cpp(const Rcpp::List& rows) {
  const cawi::SparseRows from = as_sparse_rows(rows);
  Rcpp::NumericMatrix x(static_cast<int>(from.rows()), static_cast<int>(from.columns()));
  for (cawi::Index i = 0; i < from.rows(); ++i) {
    const cawi::SparseRows::Row row = from.row(i);
    for (cawi::Index k = 0; k < row.count; ++k) {
      x(static_cast<int>(i), row.column[k]) = row.value[k];
    }
  }
  return x;
}
