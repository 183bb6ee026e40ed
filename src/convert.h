// From R's objects to the core's. Included first by every wrapper: RcppArmadillo must configure
// Armadillo before the core includes it.
#ifndef CAWI_SRC_CONVERT_H
#define CAWI_SRC_CONVERT_H

#include <RcppArmadillo.h>

#include <cawi.hpp>

#include <optional>

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
  const SEXP flipped = element(object, "flipped");
  if (!Rf_isNull(flipped)) p.flipped = Rcpp::as<std::vector<bool>>(flipped);
  return cawi::make_copula(Rcpp::as<std::string>(object["family"]), p);
}

// A network reads matrices where R keeps them, as long as they are alive there. What is not a
// matrix of doubles is copied, or refused.
inline arma::mat matrix_view(SEXP matrix) {
  if (TYPEOF(matrix) != REALSXP || !Rf_isMatrix(matrix)) return Rcpp::as<arma::mat>(matrix);
  return arma::mat(REAL(matrix), Rf_nrows(matrix), Rf_ncols(matrix), false, true);
}

// Compressed rows as R keeps them: a list of start, column and value, and the number of columns.
// An edited list is refused before anything is read through it.
inline cawi::SparseRows as_sparse_rows(const Rcpp::List& object) {
  const SEXP start = element(object, "start"), column = element(object, "column");
  const SEXP value = element(object, "value"), columns = element(object, "columns");
  const bool typed = TYPEOF(start) == INTSXP && Rf_xlength(start) > 0 && TYPEOF(column) == INTSXP &&
                     TYPEOF(value) == REALSXP && Rf_xlength(column) == Rf_xlength(value) &&
                     TYPEOF(columns) == INTSXP && Rf_xlength(columns) == 1 &&
                     INTEGER(columns)[0] >= 0;
  cawi::require(typed, "x", "the compressed rows are damaged");
  const cawi::SparseRows rows(INTEGER(start), Rf_xlength(start) - 1, INTEGER(column), REAL(value),
                              INTEGER(columns)[0]);
  cawi::require(rows.fits(Rf_xlength(value)), "x", "the compressed rows are damaged");
  return rows;
}

// A matrix or sparse rows, read where R keeps them.
inline cawi::Inputs as_inputs(SEXP x) {
  if (Rf_inherits(x, "cawi_sparse_rows")) return cawi::Inputs(as_sparse_rows(x));
  return cawi::Inputs(matrix_view(x));
}

inline cawi::Kernel as_kernel(const Rcpp::List& object) {
  const SEXP metric = object["metric"];
  arma::mat square =
      Rf_isMatrix(metric) ? Rcpp::as<arma::mat>(metric) : arma::mat(Rcpp::as<arma::vec>(metric));
  const SEXP read = element(object, "inputs");
  return cawi::Kernel(Rcpp::as<std::string>(object["kind"]), std::move(square),
                      Rf_isNull(read) ? 0 : Rcpp::as<int>(read));
}

// Nothing for a layer with a number of nodes.
inline std::optional<cawi::Landmarks> as_landmarks(const Rcpp::List& layer,
                                                   const arma::mat& weights) {
  if (Rf_isNull(element(layer, "kernel"))) return std::nullopt;
  const SEXP root = element(layer, "root");
  return cawi::Landmarks(as_kernel(layer["kernel"]), weights,
                         Rf_isNull(root) ? arma::mat() : matrix_view(root));
}

// NULL where the features are what they are.
inline std::vector<cawi::RankScale> as_ranks(SEXP object) {
  std::vector<cawi::RankScale> ranks;
  if (Rf_isNull(object)) return ranks;
  for (const Rcpp::List feature : Rcpp::List(object)) {
    ranks.push_back(
        {Rcpp::as<arma::vec>(feature["values"]), Rcpp::as<arma::vec>(feature["levels"])});
    const cawi::Index known = ranks.back().values.n_elem;
    cawi::require(known > 0 && known == ranks.back().levels.n_elem, "model",
                  "ranks do not fit their values");
  }
  return ranks;
}

inline cawi::Network as_network(const Rcpp::List& object,
                                cawi::Ones place_of_ones = cawi::Ones::last) {
  std::vector<cawi::Layer> layers;
  const Rcpp::List list = object["layers"];
  // Moving a view keeps it one; growing the vector would copy it.
  layers.reserve(list.size());
  for (const Rcpp::List layer : list) {
    arma::mat weights = matrix_view(layer["weights"]);
    std::optional<cawi::Landmarks> landmarks = as_landmarks(layer, weights);
    layers.push_back({std::move(weights), Rcpp::as<arma::rowvec>(layer["bias"]),
                      cawi::find_activation(Rcpp::as<std::string>(layer["activation"])),
                      std::move(landmarks)});
  }
  cawi::Standardization standardization;
  standardization.center = Rcpp::as<arma::rowvec>(object["center"]);
  standardization.sd = Rcpp::as<arma::rowvec>(object["sd"]);
  standardization.ranks = as_ranks(element(object, "ranks"));
  const bool skip = Rcpp::as<std::string>(object["wiring"]) == "skip";
  return cawi::Network(std::move(standardization), std::move(layers),
                       skip ? cawi::Wiring::skip : cawi::Wiring::stacked,
                       Rcpp::as<bool>(object["direct"]),
                       Rcpp::as<bool>(object["intercept"]) ? place_of_ones : cawi::Ones::none);
}

// Classes count from one in R and from zero in the core.
inline std::vector<int> as_classes(std::vector<int> classes) {
  for (int& k : classes) --k;
  return classes;
}

// Numeric targets come in their own units, with the center and the standard deviation that the
// core works in.
inline cawi::Targets as_targets(const Rcpp::List& object) {
  cawi::Targets targets;
  targets.outputs = Rcpp::as<int>(object["outputs"]);
  const SEXP case_weights = element(object, "case_weights");
  if (!Rf_isNull(case_weights)) targets.case_weights = Rcpp::as<arma::vec>(case_weights);
  // The numbers of rows of the groups, one after the other.
  const SEXP groups = element(object, "groups");
  if (!Rf_isNull(groups)) {
    cawi::Index first = 0;
    for (const int count : Rcpp::as<std::vector<int>>(groups)) {
      targets.groups.push_back({first, static_cast<cawi::Index>(count)});
      first += static_cast<cawi::Index>(count);
    }
  }
  if (Rf_isNull(element(object, "classes"))) {
    targets.centered = true;
    targets.values = Rcpp::as<arma::mat>(object["values"]);
    if (!targets.values.is_empty() && !Rf_isNull(element(object, "center"))) {
      targets.values.each_row() -= Rcpp::as<arma::rowvec>(object["center"]);
      targets.values.each_row() /= Rcpp::as<arma::rowvec>(object["sd"]);
    }
  } else {
    targets.classes = as_classes(Rcpp::as<std::vector<int>>(object["classes"]));
  }
  return targets;
}

// What a readout is solved from: sums A'WA and A'WY (kind "gram"), or the weighted rows of A and Y
// (kind "rows"). `sums` reads R's memory, which `aa` and `ay` keep alive.
struct Statistics {
  Rcpp::NumericMatrix aa, ay;
  cawi::Gram sums;
  bool dual;
  int ones;  // column of the intercept that has no penalty, counted from one; 0 for none
};

inline Statistics as_statistics(const Rcpp::List& object) {
  Rcpp::NumericMatrix aa = object["aa"], ay = object["ay"];
  return {aa,
          ay,
          {arma::mat(aa.begin(), aa.nrow(), aa.ncol(), false, true),
           arma::mat(ay.begin(), ay.nrow(), ay.ncol(), false, true)},
          Rcpp::as<std::string>(object["kind"]) == "rows",
          Rcpp::as<int>(object["ones"])};
}

inline cawi::Center as_center(const cawi::Gram& gram, int ones) {
  return ones > 0 ? cawi::Center::of(gram, ones - 1) : cawi::Center{};
}

inline cawi::Center as_center(const Statistics& statistics) {
  return as_center(statistics.sums, statistics.ones);
}

inline cawi::DualProblem as_dual(const Statistics& statistics, const cawi::Threads& threads) {
  return cawi::DualProblem(statistics.sums.aa, statistics.sums.ay, statistics.ones > 0,
                           statistics.ones - 1, threads);
}

// One matrix per readout.
inline std::vector<arma::mat> as_matrices(const Rcpp::List& list) {
  std::vector<arma::mat> matrices;
  for (const SEXP matrix : list) matrices.push_back(Rcpp::as<arma::mat>(matrix));
  return matrices;
}

// R's memory as a matrix of the core, which writes into it.
inline arma::mat as_view(Rcpp::NumericMatrix& matrix) {
  return arma::mat(matrix.begin(), matrix.nrow(), matrix.ncol(), false, true);
}

inline Rcpp::NumericMatrix new_matrix(cawi::Index rows, cawi::Index columns) {
  return Rcpp::NumericMatrix(Rcpp::no_init(static_cast<int>(rows), static_cast<int>(columns)));
}

// Armadillo's vectors would become matrices.
template <class Vector>
Rcpp::NumericVector as_vector(const Vector& v) {
  return Rcpp::NumericVector(v.begin(), v.end());
}

#endif
