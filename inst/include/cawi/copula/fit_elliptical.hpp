// Correlation matrix and degrees of freedom of the elliptical families.
#ifndef CAWI_COPULA_FIT_ELLIPTICAL_HPP
#define CAWI_COPULA_FIT_ELLIPTICAL_HPP

#include <boost/math/tools/minima.hpp>

#include <array>
#include <utility>
#include <vector>

#include "rank_quantiles.hpp"

namespace cawi {

struct EllipticalFit {
  arma::mat cor;
  double df = infinity;
  double log_likelihood = 0.0;
};

// R = sin(pi tau / 2), moved to the nearest positive definite correlation matrix.
inline arma::mat correlation_from_tau(const arma::mat& tau, void (*poll)() = nullptr) {
  arma::mat r = arma::sin((0.5 * pi) * tau);
  r.diag().ones();
  return nearest_correlation(r, 1e-8, poll);
}

namespace detail {

inline double log_likelihood(const StudentCopula& copula, RankQuantiles& ranks,
                             const Threads& threads) {
  ranks.tabulate(copula);
  const RowBlocks blocks(ranks.rows());
  std::vector<double> partial(blocks.count(), 0.0);
  for_each_task(partial.size(), threads, [&](Index b, Index) {
    std::vector<double> x(panel_points * ranks.dim());
    double margins[panel_points], distances[panel_points];
    const RowBlock rows = blocks[b];
    for (Index first = rows.first; first < rows.end(); first += panel_points) {
      const Index here = std::min(panel_points, rows.end() - first);
      for (Index p = 0; p < here; ++p) {
        margins[p] = ranks.row(first + p, x.data() + p, panel_points);
      }
      copula.factor().quadratic_forms(x.data(), distances);
      for (Index p = 0; p < here; ++p) partial[b] += copula.log_joint(distances[p]) - margins[p];
    }
  });
  double total = 0.0;
  for (const double p : partial) total += p;
  return total;
}

// The columns of x, each times (df + d)/(df + x' R^-1 x).
inline void weigh_columns(const CorrelationFactor& factor, double df, const arma::mat& x,
                          const Threads& threads, arma::mat& weighted) {
  const Index d = x.n_rows;
  const RowBlocks blocks(x.n_cols);
  weighted.set_size(d, x.n_cols);
  for_each_task(blocks.count(), threads, [&](Index b, Index) {
    std::vector<double> panel(panel_points * d);
    double distances[panel_points];
    const RowBlock columns = blocks[b];
    for (Index first = columns.first; first < columns.end(); first += panel_points) {
      const Index here = std::min(panel_points, columns.end() - first);
      for (Index p = 0; p < here; ++p) {
        for (Index j = 0; j < d; ++j) panel[panel_points * j + p] = x(j, first + p);
      }
      factor.quadratic_forms(panel.data(), distances);
      for (Index p = 0; p < here; ++p) {
        const double weight = (df + static_cast<double>(d)) / (df + distances[p]);
        weighted.col(first + p) = weight * x.col(first + p);
      }
    }
  });
}

// Searches 1/df on [0, 0.5); zero is the Gaussian limit, taken when nothing beats it.
// `profile(df)` returns the log-likelihood. The result is df and its log-likelihood.
template <class Profile>
std::pair<double, double> best_df(const Profile& profile, int bits = 24) {
  const auto minus = [&](double inverse) { return -profile(1.0 / inverse); };
  const auto best = boost::math::tools::brent_find_minima(minus, 1e-6, 0.4999, bits);
  const double limit = profile(infinity);
  if (-best.second > limit) return {1.0 / best.first, -best.second};
  return {infinity, limit};
}

}  // namespace detail

// Log-likelihood of pseudo-observations u, by tables over their ranks.
inline double rank_log_likelihood(const arma::mat& u, const arma::mat& r, double df,
                                  const Threads& threads) {
  RankQuantiles ranks(u);
  return detail::log_likelihood(StudentCopula(r, df), ranks, threads);
}

// df by profile pseudo-likelihood with R fixed; `bits` is the precision of 1/df.
inline EllipticalFit fit_df(const arma::mat& u, const arma::mat& r, int bits,
                            const Threads& threads) {
  const CorrelationFactor factor(r);
  RankQuantiles ranks(u);
  const auto profile = [&](double df) {
    return detail::log_likelihood(StudentCopula(factor, df), ranks, threads);
  };
  const auto [df, log_likelihood] = detail::best_df(profile, bits);
  return {r, df, log_likelihood};
}

namespace detail {

// Margins for a search that always looks at the same places. They are tabulated once.
struct RoughSearch {
  static constexpr std::array<double, 8> inverse{0.0, 0.03, 0.07, 0.13, 0.2, 0.3, 0.4, 0.49};
  static constexpr Index start = 3, last = inverse.size() - 1;

  static const StudentTable& margin(Index k) {
    static const std::vector<StudentTable> margins = [] {
      std::vector<StudentTable> tables;
      for (const double i : inverse) tables.emplace_back(i > 0.0 ? 1.0 / i : infinity);
      return tables;
    }();
    return margins[k];
  }
};

// Where the parabola through three points has its top, for the highest one in the middle.
inline double top_of_parabola(const double* x, const double* y) {
  const double left = (y[1] - y[0]) / (x[1] - x[0]), right = (y[2] - y[1]) / (x[2] - x[1]);
  const double bend = (right - left) / (x[2] - x[0]);
  return bend < 0.0 ? 0.5 * (x[0] + x[1] - left / bend) : x[1];
}

}  // namespace detail

// df as closely as a hundred draws show it: uphill among some numbers, then the top of a parabola.
inline double rough_df(const arma::mat& u, const arma::mat& r, const Threads& threads) {
  using Search = detail::RoughSearch;
  const CorrelationFactor factor(r);
  RankQuantiles ranks(u);
  std::array<double, Search::inverse.size()> value;
  const auto look = [&](Index k) {
    value[k] = detail::log_likelihood(StudentCopula(factor, Search::margin(k)), ranks, threads);
  };
  Index best = Search::start;
  look(best);
  look(best - 1);
  if (value[best - 1] >= value[best]) {
    do {
      if (--best == 0) return infinity;
      look(best - 1);
    } while (value[best - 1] >= value[best]);
  } else {
    for (look(best + 1); value[best + 1] > value[best]; look(best + 1)) {
      if (++best == Search::last) return 1.0 / Search::inverse[best];
    }
  }
  return 1.0 / detail::top_of_parabola(&Search::inverse[best - 1], &value[best - 1]);
}

// (1 - e) R + e I, with the e in [0, 1] that has the highest Gaussian pseudo-likelihood. With ties
// or strong dependence, matrices made of pairwise tau are often nearly singular and give held-out
// rows next to no density. All e share the eigenvectors of R, so the search costs one
// decomposition.
inline arma::mat shrunk_correlation(const arma::mat& u, const arma::mat& r) {
  const Index n = u.n_rows, d = u.n_cols;
  RankQuantiles ranks(u);
  ranks.tabulate(StudentCopula(arma::mat(d, d, arma::fill::eye), infinity));
  arma::mat x(d, n), vectors;
  for (Index i = 0; i < n; ++i) ranks.row(i, x.colptr(i));
  arma::vec values;
  require(arma::eig_sym(values, vectors, r, "dc"), "cor",
          "the eigendecomposition did not converge");
  const arma::vec spread = arma::sum(arma::square(vectors.t() * x), 1) / static_cast<double>(n);
  const auto minus_likelihood = [&](double log_e) {
    const double e = std::exp(log_e);
    double total = 0.0;
    for (Index k = 0; k < d; ++k) {
      const double v = std::max((1.0 - e) * values[k] + e, 1e-12);
      total += std::log(v) + spread[k] / v;
    }
    return total;
  };
  const auto best = boost::math::tools::brent_find_minima(minus_likelihood, -16.0, 0.0, 16);
  const double e = std::exp(best.first);
  arma::mat shrunk = (1.0 - e) * r;
  shrunk.diag().ones();
  return minus_likelihood(-infinity) <= best.second ? r : shrunk;
}

// Maximum pseudo-likelihood of R at fixed df, from `start`.
//  1. Weights w_i = (df + d)/(df + x_i' R^-1 x_i), one in the Gaussian case, turn the quantiles
//     into a scatter matrix S, as in the EM algorithm of the t distribution.
//  2. A Fisher scoring step that keeps the diagonal: R + (S - R) - R D R with D diagonal and
//     (R o R) diag(D) = diag(S - R).
//  3. The step is halved until R stays positive definite and the likelihood does not fall.
inline EllipticalFit fit_correlation(RankQuantiles& ranks, const arma::mat& start, double df,
                                     const Threads& threads) {
  const Index n = ranks.rows(), d = ranks.dim();
  EllipticalFit fit{start, df, -infinity};
  fit.log_likelihood = detail::log_likelihood(StudentCopula(start, df), ranks, threads);
  arma::mat x(d, n);
  for (Index i = 0; i < n; ++i) ranks.row(i, x.colptr(i));
  arma::mat weighted = x;
  for (int iteration = 0; iteration < 500; ++iteration) {
    if (!std::isinf(df)) {
      detail::weigh_columns(CorrelationFactor(fit.cor), df, x, threads, weighted);
    }
    const arma::mat gap = weighted * x.t() / static_cast<double>(n) - fit.cor;
    const arma::vec multiplier = arma::solve(fit.cor % fit.cor, arma::vec(gap.diag()));
    arma::mat step = gap - fit.cor * arma::diagmat(multiplier) * fit.cor;
    step.diag().zeros();
    step = arma::symmatu(step);
    bool moved = false;
    for (int halving = 0; halving < 30 && !moved; ++halving, step *= 0.5) {
      arma::mat lower, next = fit.cor + step;
      if (!is_positive_definite(next, lower)) continue;
      const double value = detail::log_likelihood(StudentCopula(next, df), ranks, threads);
      if (value < fit.log_likelihood) continue;
      moved = value > fit.log_likelihood + 1e-10 * std::abs(value);
      fit.cor = next;
      fit.log_likelihood = value;
      break;
    }
    if (!moved) break;
  }
  return fit;
}

inline EllipticalFit fit_gaussian_by_likelihood(const arma::mat& u, const arma::mat& start,
                                                const Threads& threads) {
  RankQuantiles ranks(u);
  return fit_correlation(ranks, start, infinity, threads);
}

inline EllipticalFit fit_t_by_likelihood(const arma::mat& u, const arma::mat& start,
                                         const Threads& threads) {
  RankQuantiles ranks(u);
  arma::mat warm = start;
  const auto profile = [&](double df) {
    const EllipticalFit fit = fit_correlation(ranks, warm, df, threads);
    warm = fit.cor;
    return fit.log_likelihood;
  };
  EllipticalFit fit = fit_correlation(ranks, warm, detail::best_df(profile).first, threads);
  // Each fit starts from the one before: where few rows say little, they may all have lost their
  // way.
  EllipticalFit gaussian = fit_correlation(ranks, start, infinity, threads);
  return fit.log_likelihood >= gaussian.log_likelihood ? fit : gaussian;
}

}  // namespace cawi

#endif
