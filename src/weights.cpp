#include "convert.h"

// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix weights_cpp(const Rcpp::List& copula, int hidden, const std::string& marginal,
                                double scale, double seed, int threads) {
  const cawi::CopulaPtr model = as_copula(copula);
  Rcpp::NumericMatrix weights = new_matrix(model->dim(), hidden);
  arma::mat view = as_view(weights);
  cawi::write_weights(*model, marginal, scale, as_seed(seed), as_threads(threads), view);
  return weights;
}

// `share` may be NULL: all rows are as likely as each other.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix keep_inputs_cpp(const Rcpp::NumericMatrix& w, int inputs, double seed,
                                    Rcpp::Nullable<Rcpp::NumericVector> share = R_NilValue) {
  const arma::vec shares = share.isNull() ? arma::vec() : Rcpp::as<arma::vec>(share.get());
  Rcpp::NumericMatrix kept = Rcpp::clone(w);
  arma::mat view = as_view(kept);
  cawi::keep_inputs(view, inputs, as_seed(seed), shares);
  return kept;
}

// `cor` has one row per input, or is one correlation of all pairs.
// [[Rcpp::export(rng = false)]]
double mean_square_cpp(const arma::mat& z, const arma::mat& cor, bool uniform) {
  return cor.n_elem == 1 ? cawi::mean_square(z, cor(0, 0), uniform)
                         : cawi::mean_square(z, cor, uniform);
}
