// Ridge readouts of a nest, in the primal: networks whose features are the leading columns of one
// matrix A. Each number of leading columns is a "cut". There are two ways to solve all cuts at all
// penalties, and the cheaper one, by counted operations, is taken:
//
// - One Cholesky factor per penalty serves all cuts. The factor of a leading block of A'A is the
//   leading block of the factor R of A'A. With A = T R, the fit and the leverages of a cut are sums
//   over the first columns of T, so that the sums of a wider cut continue those of a narrower one.
// - One eigendecomposition per cut serves all penalties.
#ifndef CAWI_RIDGE_PRIMAL_NEST_HPP
#define CAWI_RIDGE_PRIMAL_NEST_HPP

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "../core/narrow_product.hpp"
#include "leave_one_out.hpp"
#include "penalty_lanes.hpp"

namespace cawi {

// Coefficients of all cuts at all penalties: each cut has a matrix with the outputs of a penalty
// side by side, so that one product gives its scores at all penalties.
struct CutCoefficients {
  std::vector<arma::mat> cuts;

  CutCoefficients(const arma::uvec& columns, Index each) {
    for (const arma::uword count : columns) cuts.emplace_back(count, each);
  }

  // The coefficients of some outputs, in the memory of those of all.
  arma::mat part(Index c, Index first, Index count) {
    return arma::mat(cuts[c].colptr(first), cuts[c].n_rows, count, false, true);
  }

  // The scores of rows of A: rows x (outputs * cuts) x penalties.
  void write_scores(const arma::mat& a, Index outputs, arma::cube& scores) const {
    std::vector<double*> columns(outputs * scores.n_slices);
    for (Index c = 0; c < cuts.size(); ++c) {
      for (Index j = 0; j < columns.size(); ++j) {
        columns[j] = scores.slice_colptr(j / outputs, c * outputs + j % outputs);
      }
      multiply_leading(a, cuts[c], columns.data());
    }
  }
};

// Penalties [first, end) by their numbers.
struct Penalties {
  Index first = 0, end = 0;

  Index count() const { return end - first; }
};

// Counted operations, in units of one multiplication and addition inside a large product. What runs
// slower than that counts for more: the factors were measured with OpenBLAS.
namespace cost {

inline double factor(double columns) { return 0.35 * columns * columns * columns; }
inline double triangular_solve(double rows, double columns) {
  return 0.6 * rows * columns * columns;
}
inline double spectrum(double columns) {
  return (4.3 + 850.0 / columns) * columns * columns * columns;
}
inline double rotation(double rows, double columns) { return rows * columns * columns; }

}  // namespace cost

class PrimalNest {
 public:
  // The sums are those of the widest cut, centered where the center is active. `judged` is the
  // number of rows that leave-one-out scores will be asked for.
  PrimalNest(Gram gram, const Center& center, arma::uvec cuts, arma::vec lambdas, Index judged)
      : gram_(std::move(gram)),
        center_(center),
        cuts_(std::move(cuts)),
        lambdas_(std::move(lambdas)),
        outputs_(gram_.ay.n_cols),
        spectral_(is_spectral_cheaper(static_cast<double>(judged))) {}

  bool is_spectral() const { return spectral_; }
  const Center& center() const { return center_; }

  // How many penalties may be solved at a time: what is kept for them stays below three times the
  // sums, or 64 megabytes.
  Index together() const {
    if (spectral_) return lambdas_.n_elem;
    const Index size = std::max<Index>(gram_.aa.n_elem, 1);
    const Index affordable = std::max<Index>((Index{1} << 23) / size, 3);
    return std::min<Index>(affordable, lambdas_.n_elem);
  }

  // Computes what leave-one-out needs of some penalties, at most together(), and forgets what it
  // needed of others.
  void solve(const Penalties& penalties, const Threads& threads) {
    if (spectral_) return solve_by_spectra(threads);
    solved_ = penalties;
    factors_.assign(penalties.count(), {});
    for_each_task(penalties.count(), threads,
                  [&](Index l, Index) { factors_[l] = factor(penalties.first + l, threads); });
  }

  // How many penalties are best solved by one thread.
  Index at_once() const { return by_lanes() ? penalty_lanes : 1; }

  // Writes coefficients of all cuts at some penalties, without intercepts that have no penalty.
  void write_coefficients(const Penalties& penalties, const Threads& threads,
                          CutCoefficients& all) const {
    if (by_lanes() && penalties.count() <= penalty_lanes) {
      return lane_coefficients(penalties, threads, all);
    }
    for (Index l = penalties.first; l < penalties.end; ++l) {
      if (!spectra_.empty()) {
        spectral_coefficients(l, all);
      } else if (is_solved(l)) {
        factor_coefficients(factors_[l - solved_.first], l, all);
      } else {
        factor_coefficients(factor(l, threads), l, all);
      }
    }
  }

  // Adds leave-one-out scores of training rows at the penalties that were solved last: rows x
  // (outputs * cuts) x penalties, in the leading columns of `scores`. `a` has features of the rows.
  void add_left_out(const arma::mat& a, const TrainingRows& rows, const Penalties& penalties,
                    arma::cube& scores) const {
    if (spectral_) return add_spectral_left_out(a, rows, scores);
    // Transposed, because they are the right-hand sides of a triangular solve.
    arma::mat right = a.head_cols(cuts_.back()).t();
    center_.transposed_rows(right);
    for (Index l = 0; l < penalties.count(); ++l) {
      add_factor_left_out(factors_[penalties.first + l - solved_.first], right, rows,
                          scores.slice(l));
    }
  }

 private:
  // For one penalty: R and R^-T A'Y. Where A'A + lambda I is singular there is no R, and each cut
  // has a root B of its pseudo-inverse, B B', and B'A'Y instead.
  struct Factor {
    arma::mat upper, target;
    std::vector<arma::mat> roots, projected;

    bool is_singular() const { return upper.is_empty(); }
  };

  struct CutSpectrum {
    Spectrum spectrum;
    Shrinkage shrinkage;
  };

  bool is_spectral_cheaper(double judged) const {
    const double penalties = static_cast<double>(lambdas_.n_elem);
    const double widest = static_cast<double>(cuts_.back());
    const double by_factors =
        penalties * (cost::factor(widest) + cost::triangular_solve(judged, widest));
    double by_spectra = 0.0, kept = 0.0;
    for (const arma::uword cut : cuts_) {
      const double columns = static_cast<double>(cut);
      by_spectra += cost::spectrum(columns) + cost::rotation(judged, columns) +
                    judged * columns * penalties * static_cast<double>(outputs_ + 1);
      kept += columns * columns;
    }
    return by_spectra < by_factors && kept <= std::max(3.0 * widest * widest, 0x1p23);
  }

  void solve_by_spectra(const Threads& threads) {
    if (!spectra_.empty()) return;
    std::vector<std::optional<CutSpectrum>> found(cuts_.n_elem);
    // A decomposition needs three times the memory of its matrix: large ones come one by one.
    const Threads at_once{cuts_.back() < 1000 ? threads.count : 1, threads.poll};
    for_each_task(cuts_.n_elem, at_once, [&](Index c, Index) {
      const Index p = cuts_[c];
      Gram leading{gram_.aa.submat(0, 0, p - 1, p - 1), gram_.ay.head_rows(p)};
      Spectrum spectrum = Spectrum::primal(std::move(leading), center_, threads);
      Shrinkage shrinkage = spectrum.shrinkage(lambdas_);
      found[c].emplace(CutSpectrum{std::move(spectrum), std::move(shrinkage)});
    });
    for (auto& cut : found) spectra_.push_back(std::move(*cut));
  }

  Factor factor(Index l, const Threads& threads) const {
    Factor factor;
    factor.upper = gram_.aa;
    factor.upper.diag() += lambdas_[l];
    if (factorize_in_place(factor.upper, threads) &&
        (lambdas_[l] > 0.0 || well_conditioned(factor.upper))) {
      factor.target = gram_.ay;
      solve_triangular(factor.upper, factor.target, true);
    } else {
      factor.upper.reset();
      add_roots(lambdas_[l], threads, factor);
    }
    return factor;
  }

  void add_roots(double lambda, const Threads& threads, Factor& factor) const {
    for (const arma::uword p : cuts_) {
      arma::mat shifted = gram_.aa.submat(0, 0, p - 1, p - 1);
      shifted.diag() += lambda;
      factor.roots.push_back(inverse_root(std::move(shifted), threads));
      factor.projected.push_back(factor.roots.back().t() * gram_.ay.head_rows(p));
    }
  }

  void spectral_coefficients(Index l, CutCoefficients& all) const {
    for (Index c = 0; c < spectra_.size(); ++c) {
      const CutSpectrum& cut = spectra_[c];
      const Index first = l * outputs_;
      all.part(c, first, outputs_) =
          cut.spectrum.basis() * cut.shrinkage.stacked.cols(first, first + outputs_ - 1);
    }
  }

  // Some cuts share a triangular solve: a right-hand side that is zero from row p on gives
  // coefficients that are zero from there on. More cuts per solve make wider products, but more of
  // them with zeros.
  void factor_coefficients(const Factor& factor, Index l, CutCoefficients& all) const {
    if (factor.is_singular()) {
      for (Index c = 0; c < cuts_.n_elem; ++c) {
        all.part(c, l * outputs_, outputs_) = factor.roots[c] * factor.projected[c];
      }
      return;
    }
    const Index together = std::max<Index>(1, 12 / outputs_);
    for (Index first = 0; first < cuts_.n_elem; first += together) {
      const Index end = std::min<Index>(first + together, cuts_.n_elem);
      arma::mat block(cuts_[end - 1], outputs_ * (end - first), arma::fill::zeros);
      const auto own = [&](Index c) {
        const Index column = outputs_ * (c - first);
        return block.submat(0, column, cuts_[c] - 1, column + outputs_ - 1);
      };
      for (Index c = first; c < end; ++c) own(c) = factor.target.head_rows(cuts_[c]);
      solve_triangular(factor.upper, block, false);
      for (Index c = first; c < end; ++c) all.part(c, l * outputs_, outputs_) = own(c);
    }
  }

  bool is_solved(Index l) const { return l >= solved_.first && l < solved_.end; }

  // Where nothing is known yet, all penalties of a small problem share one pass.
  bool by_lanes() const {
    return spectra_.empty() && solved_.count() == 0 && PenaltyLanes::serve(gram_.aa.n_cols);
  }

  // Penalties that the lanes cannot solve go the way of large problems.
  void lane_coefficients(const Penalties& penalties, const Threads& threads,
                         CutCoefficients& all) const {
    // Fresh memory would cost as much as the factors: each thread keeps its own, some megabytes.
    static thread_local std::vector<double> memory;
    PenaltyLanes lanes(gram_, lambdas_.memptr() + penalties.first, penalties.count(), memory);
    for (Index c = 0; c < cuts_.n_elem; ++c) {
      lanes.solve_leading(
          cuts_[c], outputs_, [&](Index lane, Index output, const double* solution, Index step) {
            if (lane >= penalties.count()) return;
            double* to = all.cuts[c].colptr((penalties.first + lane) * outputs_ + output);
            for (Index i = 0; i < cuts_[c]; ++i, solution += step) to[i] = *solution;
          });
    }
    for (Index l = penalties.first; l < penalties.end; ++l) {
      if (lambdas_[l] > 0.0 && lanes.found(l - penalties.first)) continue;
      factor_coefficients(factor(l, threads), l, all);
    }
  }

  void add_spectral_left_out(const arma::mat& a, const TrainingRows& rows,
                             arma::cube& scores) const {
    for (Index c = 0; c < cuts_.n_elem; ++c) {
      arma::mat leading = a.head_cols(cuts_[c]);
      center_.rows(leading);
      const CutSpectrum& cut = spectra_[c];
      scores.cols(c * outputs_, (c + 1) * outputs_ - 1) +=
          spectral_left_out(cut.spectrum, cut.shrinkage, center_, leading, rows);
    }
  }

  void add_factor_left_out(const Factor& factor, const arma::mat& right, const TrainingRows& rows,
                           arma::mat& scores) const {
    arma::mat t;
    if (!factor.is_singular()) {
      t = right;
      solve_triangular(factor.upper, t, true);
    }
    const arma::rowvec y_mean =
        center_.active ? center_.y : arma::rowvec(outputs_, arma::fill::zeros);
    const double ones = center_.active ? 1.0 / center_.weight : 0.0;
    arma::mat fitted = arma::repmat(y_mean, right.n_cols, 1), part;
    arma::vec leverage(right.n_cols, arma::fill::value(ones));
    Index from = 0;
    for (Index c = 0; c < cuts_.n_elem; ++c) {
      if (factor.is_singular()) {
        part = factor.roots[c].t() * right.head_rows(cuts_[c]);
        fitted = part.t() * factor.projected[c];
        fitted.each_row() += y_mean;
        leverage = arma::sum(arma::square(part), 0).t() + ones;
      } else {
        part = t.rows(from, cuts_[c] - 1);
        fitted += part.t() * factor.target.rows(from, cuts_[c] - 1);
        leverage += arma::sum(arma::square(part), 0).t();
        from = cuts_[c];
      }
      arma::mat left_out = fitted;
      if (rows.together) {
        leave_out_together(rows.y, rows.case_weights,
                           factor.is_singular() ? part : arma::mat(t.head_rows(cuts_[c])), ones,
                           left_out);
      } else {
        arma::vec lost = leverage;
        leave_out(rows, lost.memptr(), left_out.memptr());
      }
      scores.cols(c * outputs_, (c + 1) * outputs_ - 1) += left_out;
    }
  }

  Gram gram_;
  Center center_;
  arma::uvec cuts_;
  arma::vec lambdas_;
  Index outputs_;
  bool spectral_;
  Penalties solved_;
  std::vector<Factor> factors_;
  std::vector<CutSpectrum> spectra_;
};

}  // namespace cawi

#endif
