// Functions of the core that R does not see, for the judge in high precision.
// [[Rcpp::depends(RcppArmadillo, RcppParallel, BH, sitmo, cawi)]]
// [[Rcpp::plugins(cpp17)]]
// As the package has it.
#define ARMA_64BIT_WORD 1
#include <RcppArmadillo.h>

#include <cawi/copula/frank.hpp>
#include <cawi/stats/student.hpp>

// [[Rcpp::export]]
double core_log1mexp(double x) { return cawi::log1mexp(x); }

// [[Rcpp::export]]
double core_log1pexp(double x) { return cawi::log1pexp(x); }

// [[Rcpp::export]]
double core_log_add(double a, double b) { return cawi::log_add(a, b); }

// [[Rcpp::export]]
double core_log_sum_exp(const std::vector<double>& x) {
  return cawi::log_sum_exp(x.data(), x.size());
}

// [[Rcpp::export]]
double core_normal_cdf(double x) { return cawi::normal_cdf(x); }

// [[Rcpp::export]]
double core_normal_quantile(double p) { return cawi::normal_quantile(p); }

// [[Rcpp::export]]
double core_student_cdf(double x, double nu) { return cawi::StudentTable(nu).cdf(x); }

// [[Rcpp::export]]
std::vector<double> core_student_cdf_in_place(std::vector<double> x, double nu) {
  cawi::StudentTable(nu).cdf_in_place(x.data(), x.size());
  return x;
}

// [[Rcpp::export]]
double core_student_quantile(double p, double nu) { return cawi::StudentTable(nu).quantile(p); }

// [[Rcpp::export]]
double core_student_log_distance(double p, double nu) {
  return cawi::StudentTable(nu).log_distance(p);
}

// [[Rcpp::export]]
std::vector<double> core_student_lower_quantiles(const std::vector<double>& p, double nu) {
  std::vector<double> x;
  cawi::StudentTable(nu).lower_quantiles(p, x);
  return x;
}

// [[Rcpp::export]]
double core_lgamma_half_steps(double a, int d) { return cawi::lgamma_half_steps(a, d); }

// [[Rcpp::export]]
double core_debye1(double x) { return cawi::detail::debye1(x); }

// [[Rcpp::export]]
double core_log_polylog(int n, double log_w) {
  return cawi::detail::NegativePolylog(n).log_value(log_w);
}
