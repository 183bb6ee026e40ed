// Parameters of copulas from ranks of whatever is finite.
#include "input.hpp"

#include "cawi/copula/fit_archimedean.hpp"
#include "cawi/copula/fit_elliptical.hpp"
#include "cawi/stats/kendall.hpp"
#include "cawi/stats/ranks.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

void check_fit(const arma::mat& u, const cawi::EllipticalFit& fit, double least) {
  CHECK(cawi::is_correlation(fit.cor));
  CHECK(fit.df > 0.0);
  CHECK(std::isfinite(fit.log_likelihood));
  CHECK(fit.log_likelihood >= least - 1e-9 * (1.0 + std::abs(least)));
  CHECK(close(fit.log_likelihood, cawi::rank_log_likelihood(u, fit.cor, fit.df, one), 1e-9, 1.0));
}

void attack_elliptical(Input& in, const arma::mat& u, const arma::mat& tau) {
  const arma::mat start = cawi::correlation_from_tau(tau);
  const arma::mat shrunk = cawi::shrunk_correlation(u, start);
  CHECK(cawi::is_correlation(shrunk));
  const double df = std::exp(6.0 * in.unit() - 2.0);
  // A matrix at the floor of 1e-8 has no density for the core, which says so.
  const double by_ranks = cawi::rank_log_likelihood(u, shrunk, df, one);
  const cawi::StudentCopula copula(shrunk, df);
  if (!copula.factor().is_singular()) {
    CHECK(close(by_ranks, cawi::log_likelihood(copula, u, one), 1e-8, 1.0));
  }
  const double rough = cawi::rough_df(u, shrunk, one);
  CHECK(rough > 2.0);
  const double gaussian = cawi::rank_log_likelihood(u, shrunk, cawi::infinity, one);
  if (copula.factor().is_singular()) return;
  check_fit(u, cawi::fit_df(u, shrunk, 10, one), gaussian);
  check_fit(u, cawi::fit_gaussian_by_likelihood(u, shrunk, one), gaussian);
  if ((in.byte() & 15) == 15) check_fit(u, cawi::fit_t_by_likelihood(u, shrunk, one), gaussian);
}

void attack_archimedean(Input& in, const arma::mat& u) {
  const char* families[] = {"clayton", "frank", "gumbel"};
  const std::string family = in.one_of(families);
  const cawi::FamilyRow& row = cawi::find_archimedean(family);
  const double tau = row.largest_tau * in.unit();
  const double theta = cawi::theta_from_tau(family, tau);
  CHECK(theta > row.independence && std::isfinite(theta));
  CHECK(close(cawi::tau_from_theta(family, theta), tau, 1e-9));
  const double fitted = cawi::theta_by_likelihood(family, u, one);
  CHECK(fitted > row.independence && std::isfinite(fitted));
  CHECK(cawi::tau_from_theta(family, fitted) <= row.largest_tau * (1.0 + 1e-9));
  cawi::Parameters parameters;
  parameters.dim = u.n_cols;
  parameters.theta = fitted;
  const double best = cawi::log_likelihood(*cawi::make_copula(family, parameters), u, one);
  CHECK(!std::isnan(best));
  // The theta of any tau is what a hostile caller gives.
  try {
    cawi::theta_from_tau(family, in.number(Numbers::any));
  } catch (const cawi::DomainError&) {
  }
}

}  // namespace

void attack(Input& in) {
  const bool elliptical = in.flag();
  const Index m = in.size(2, 120), d = in.count(2, 5);
  const arma::mat x = in.matrix(m, d, Numbers::finite);
  const arma::mat u = cawi::pseudo_observations(x, cawi::Ties::average, 0, one);
  if (elliptical) {
    attack_elliptical(in, u, cawi::kendall_matrix(x, one));
  } else {
    attack_archimedean(in, u);
  }
}
