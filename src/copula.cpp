#include "convert.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace {
// Fresh memory is mapped page by page when it is first written, which for a large sample takes as
// long as half of the draws. Large pages are a hint; Linux may ignore it.
void prefer_large_pages(double* data, R_xlen_t n) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = 4096;
  const std::uintptr_t begin = (reinterpret_cast<std::uintptr_t>(data) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(data + n) / page * page;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
#else
  static_cast<void>(data);
  static_cast<void>(n);
#endif
}

Rcpp::List as_list(const cawi::EllipticalFit& fit) {
  return Rcpp::List::create(Rcpp::_["cor"] = fit.cor, Rcpp::_["df"] = fit.df,
                            Rcpp::_["loglik"] = fit.log_likelihood);
}
}  // namespace

// One row per Archimedean family: the theta at which it is the independence copula, and the largest
// tau that it is fitted to.
// [[Rcpp::export(rng = false)]]
Rcpp::DataFrame family_table_cpp() {
  std::vector<std::string> names;
  std::vector<double> independence, largest_tau;
  for (const cawi::FamilyRow& row : cawi::family_table) {
    if (!row.is_archimedean()) continue;
    names.push_back(row.name);
    independence.push_back(row.independence);
    largest_tau.push_back(row.largest_tau);
  }
  return Rcpp::DataFrame::create(Rcpp::_["family"] = names, Rcpp::_["independence"] = independence,
                                 Rcpp::_["largest_tau"] = largest_tau,
                                 Rcpp::_["stringsAsFactors"] = false);
}

// [[Rcpp::export(rng = false)]]
double theta_from_tau_cpp(const std::string& family, double tau) {
  return cawi::theta_from_tau(family, tau);
}

// [[Rcpp::export(rng = false)]]
double tau_from_theta_cpp(const std::string& family, double theta) {
  return cawi::tau_from_theta(family, theta);
}

// [[Rcpp::export(rng = false)]]
double theta_by_likelihood_cpp(const std::string& family, const arma::mat& u, int threads) {
  return cawi::theta_by_likelihood(family, u, as_threads(threads));
}

// [[Rcpp::export(rng = false)]]
arma::mat correlation_from_tau_cpp(const arma::mat& tau) {
  return cawi::correlation_from_tau(tau, [] { Rcpp::checkUserInterrupt(); });
}

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_df_cpp(const arma::mat& u, const arma::mat& cor, int bits, int threads) {
  return as_list(cawi::fit_df(u, cor, bits, as_threads(threads)));
}

// x are the data, not their ranks.
// [[Rcpp::export(rng = false)]]
double rough_df_cpp(const arma::mat& x, const arma::mat& cor, int threads) {
  const cawi::Threads team = as_threads(threads);
  return cawi::rough_df(cawi::pseudo_observations(x, cawi::Ties::average, 0, team), cor, team);
}

// [[Rcpp::export(rng = false)]]
arma::mat shrunk_correlation_cpp(const arma::mat& u, const arma::mat& cor) {
  return cawi::shrunk_correlation(u, cor);
}

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_gaussian_by_likelihood_cpp(const arma::mat& u, const arma::mat& start, int threads) {
  return as_list(cawi::fit_gaussian_by_likelihood(u, start, as_threads(threads)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::List fit_t_by_likelihood_cpp(const arma::mat& u, const arma::mat& start, int threads) {
  return as_list(cawi::fit_t_by_likelihood(u, start, as_threads(threads)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector log_density_cpp(const Rcpp::List& copula, const arma::mat& u, int threads) {
  return as_vector(cawi::log_densities(*as_copula(copula), u, as_threads(threads)));
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix simulate_cpp(const Rcpp::List& copula, int n, double seed, int threads) {
  const cawi::CopulaPtr model = as_copula(copula);
  Rcpp::NumericMatrix u(Rcpp::no_init(n, static_cast<int>(model->dim())));
  prefer_large_pages(u.begin(), u.size());
  // Drawn in place: no copy of a large sample.
  arma::mat view(u.begin(), u.nrow(), u.ncol(), false, true);
  cawi::draw_rows(*model, as_seed(seed), as_threads(threads), view);
  // Named here, because R would copy the sample to name its columns.
  const SEXP names = element(copula, "names");
  if (!Rf_isNull(names)) u.attr("dimnames") = Rcpp::List::create(R_NilValue, names);
  return u;
}

// [[Rcpp::export(rng = false)]]
double rank_log_likelihood_cpp(const arma::mat& u, const arma::mat& cor, double df, int threads) {
  return cawi::rank_log_likelihood(u, cor, df, as_threads(threads));
}
