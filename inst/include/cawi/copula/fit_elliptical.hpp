// Correlation matrix and degrees of freedom of the elliptical families.
#ifndef CAWI_COPULA_FIT_ELLIPTICAL_HPP
#define CAWI_COPULA_FIT_ELLIPTICAL_HPP

#include <boost/math/tools/minima.hpp>

#include <utility>

#include "elliptical.hpp"

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

// Pseudo-observations hold at most 2m - 1 values, the half-ranks h / (2m + 2), and quantiles are odd
// about 1/2: for each number of degrees of freedom about m quantiles serve all m d cells.
class RankScores {
 public:
  explicit RankScores(const arma::mat& u) : rows_(u.n_rows), dim_(u.n_cols) {
    const double double_denominator = 2.0 * static_cast<double>(rows_) + 2.0;
    // Half-ranks go up to 2m + 1, beyond 32 bits from 2^30 rows on; their offsets from the middle do not.
    const std::int64_t middle = static_cast<std::int64_t>(rows_) + 1;
    offset_.resize(u.n_elem);
    std::vector<bool> used(static_cast<Index>(middle), false);
    for (Index i = 0; i < rows_; ++i) {
      for (Index j = 0; j < dim_; ++j) {
        const std::int64_t offset = std::llround(u(i, j) * double_denominator) - middle;
        offset_[i * dim_ + j] = static_cast<std::int32_t>(offset);
        used[static_cast<Index>(std::abs(offset))] = true;
      }
    }
    for (std::int64_t k = 0; k < middle; ++k) {
      if (!used[static_cast<Index>(k)]) continue;
      distance_.push_back(static_cast<std::int32_t>(k));
      probability_.push_back(static_cast<double>(middle - k) / double_denominator);
    }
    score_.assign(2 * rows_ + 1, 0.0);
    margin_.assign(2 * rows_ + 1, 0.0);
  }

  Index rows() const { return rows_; }
  Index dim() const { return dim_; }

  // Fills the tables for the margins of `copula`.
  void tabulate(const StudentCopula& copula) {
    std::vector<double> quantile;
    copula.margin().lower_quantiles(probability_, quantile);
    for (Index k = 0; k < distance_.size(); ++k) {
      const Index low = rows_ - distance_[k], high = rows_ + distance_[k];
      score_[low] = quantile[k];
      score_[high] = -quantile[k];
      margin_[low] = margin_[high] = copula.log_margin(quantile[k]);
    }
  }

  // Scores of row i into x; returns the sum of its log margins.
  double row(Index i, double* x) const {
    const std::int32_t* offset = offset_.data() + i * dim_;
    double margins = 0.0;
    for (Index j = 0; j < dim_; ++j) {
      const Index k = static_cast<Index>(static_cast<std::int64_t>(rows_) + offset[j]);
      x[j] = score_[k];
      margins += margin_[k];
    }
    return margins;
  }

 private:
  Index rows_, dim_;
  std::vector<std::int32_t> offset_;    // half-rank minus (m + 1), row by row
  std::vector<std::int32_t> distance_;  // distinct |offset|, increasing
  std::vector<double> probability_;     // lower-tail probability of each distance
  std::vector<double> score_, margin_;  // by offset + m
};

namespace detail {

inline double log_likelihood(const StudentCopula& copula, RankScores& scores,
                             const Threads& threads) {
  scores.tabulate(copula);
  const Index n = scores.rows();
  std::vector<double> partial(blocks(n), 0.0);
  for_each_task(partial.size(), threads, [&](Index block, Index) {
    std::vector<double> x(scores.dim());
    const Index end = std::min(n, (block + 1) * block_rows);
    for (Index i = block * block_rows; i < end; ++i) {
      const double margins = scores.row(i, x.data());
      partial[block] += copula.log_joint(x.data()) - margins;
    }
  });
  double total = 0.0;
  for (const double p : partial) total += p;
  return total;
}

// Searches 1/df on [0, 0.5); zero is the Gaussian limit, taken when nothing beats it.
// `profile(df)` returns the log-likelihood.
template <class Profile>
double best_df(const Profile& profile, int bits = 24) {
  const auto minus = [&](double inverse) { return -profile(1.0 / inverse); };
  const auto best = boost::math::tools::brent_find_minima(minus, 1e-6, 0.4999, bits);
  return -best.second > profile(infinity) ? 1.0 / best.first : infinity;
}

}  // namespace detail

// Log-likelihood of pseudo-observations u, by tables over their ranks.
inline double rank_log_likelihood(const arma::mat& u, const arma::mat& r, double df,
                                  const Threads& threads) {
  RankScores scores(u);
  return detail::log_likelihood(StudentCopula(r, df), scores, threads);
}

// df by profile pseudo-likelihood with R fixed; `bits` is the precision of 1/df.
inline EllipticalFit fit_df(const arma::mat& u, const arma::mat& r, int bits,
                            const Threads& threads) {
  const CorrelationFactor factor(r);
  RankScores scores(u);
  const auto profile = [&](double df) {
    return detail::log_likelihood(StudentCopula(factor, df), scores, threads);
  };
  const double df = detail::best_df(profile, bits);
  return {r, df, profile(df)};
}

// (1 - e) R + e I with the e in [0, 1] of the highest Gaussian pseudo-likelihood. Matrices made of
// pairwise tau are often nearly singular, with ties or strong dependence, and would call held-out
// rows impossible. All e share the eigenvectors of R, so the search costs one decomposition.
inline arma::mat shrunk_correlation(const arma::mat& u, const arma::mat& r) {
  const Index n = u.n_rows, d = u.n_cols;
  RankScores scores(u);
  scores.tabulate(StudentCopula(arma::mat(d, d, arma::fill::eye), infinity));
  arma::mat x(d, n), vectors;
  for (Index i = 0; i < n; ++i) scores.row(i, x.colptr(i));
  arma::vec values;
  require(arma::eig_sym(values, vectors, r, "dc"), "cor", "the eigendecomposition did not converge");
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
//  1. Weights w_i = (df + d)/(df + x_i' R^-1 x_i) (one in the Gaussian case) turn the scores into a
//     scatter matrix S, as in the EM algorithm of the t distribution.
//  2. A Fisher scoring step that keeps the diagonal: R + (S - R) - R D R with D diagonal and
//     (R o R) diag(D) = diag(S - R).
//  3. The step is halved until R stays positive definite and the likelihood does not fall.
inline EllipticalFit fit_correlation(RankScores& scores, const arma::mat& start, double df,
                                     const Threads& threads) {
  const Index n = scores.rows(), d = scores.dim();
  EllipticalFit fit{start, df, -infinity};
  fit.log_likelihood = detail::log_likelihood(StudentCopula(start, df), scores, threads);
  arma::mat x(d, n), weighted;
  for (Index i = 0; i < n; ++i) scores.row(i, x.colptr(i));
  for (int iteration = 0; iteration < 500; ++iteration) {
    const CorrelationFactor factor(fit.cor);
    weighted = x;
    for (Index i = 0; i < n && !std::isinf(df); ++i) {
      arma::vec copy = x.col(i);
      weighted.col(i) *= (df + static_cast<double>(d)) / (df + factor.quadratic_form(copy.memptr()));
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
      const double value = detail::log_likelihood(StudentCopula(next, df), scores, threads);
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
  RankScores scores(u);
  return fit_correlation(scores, start, infinity, threads);
}

inline EllipticalFit fit_t_by_likelihood(const arma::mat& u, const arma::mat& start,
                                         const Threads& threads) {
  RankScores scores(u);
  arma::mat warm = start;
  const auto profile = [&](double df) {
    const EllipticalFit fit = fit_correlation(scores, warm, df, threads);
    warm = fit.cor;
    return fit.log_likelihood;
  };
  return fit_correlation(scores, warm, detail::best_df(profile), threads);
}

}  // namespace cawi

#endif
