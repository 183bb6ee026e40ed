// Quantiles of pseudo-observations from a table over their ranks. m rows have at most 2m - 1
// distinct values, the half-ranks h / (2m + 2), and quantiles are odd about 1/2: for each number of
// degrees of freedom about m quantiles serve all m d cells.
#ifndef CAWI_COPULA_RANK_QUANTILES_HPP
#define CAWI_COPULA_RANK_QUANTILES_HPP

#include <cmath>
#include <cstdint>
#include <vector>

#include "elliptical.hpp"

namespace cawi {

class RankQuantiles {
 public:
  explicit RankQuantiles(const arma::mat& u) : rows_(u.n_rows), dim_(u.n_cols) {
    const double double_denominator = 2.0 * static_cast<double>(rows_) + 2.0;
    // Half-ranks go up to 2m + 1, beyond 32 bits from 2^30 rows on; their offsets from the middle
    // do not.
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
    quantile_.assign(2 * rows_ + 1, 0.0);
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
      quantile_[low] = quantile[k];
      quantile_[high] = -quantile[k];
      margin_[low] = margin_[high] = copula.log_margin(quantile[k]);
    }
  }

  // Quantiles of row i into every stride-th element of x; returns the sum of its log margins.
  double row(Index i, double* x, Index stride = 1) const {
    const std::int32_t* offset = offset_.data() + i * dim_;
    double margins = 0.0;
    for (Index j = 0; j < dim_; ++j) {
      const Index k = static_cast<Index>(static_cast<std::int64_t>(rows_) + offset[j]);
      x[j * stride] = quantile_[k];
      margins += margin_[k];
    }
    return margins;
  }

 private:
  Index rows_, dim_;
  std::vector<std::int32_t> offset_;       // half-rank minus (m + 1), row by row
  std::vector<std::int32_t> distance_;     // distinct |offset|, increasing
  std::vector<double> probability_;        // lower-tail probability of each distance
  std::vector<double> quantile_, margin_;  // by offset + m
};

}  // namespace cawi

#endif
