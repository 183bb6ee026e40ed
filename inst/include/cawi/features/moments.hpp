// Column means and standard deviations, two passes, parallel over columns.
#ifndef CAWI_FEATURES_MOMENTS_HPP
#define CAWI_FEATURES_MOMENTS_HPP

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/threads.hpp"
#include "rank_scale.hpp"
#include "sparse_rows.hpp"

namespace cawi {

// A constant column gets standard deviation zero. Case weights may be empty. Squares are divided by
// the sum of the case weights, so that a weight of two is the row twice.
inline void column_moments(const arma::mat& x, const arma::vec& case_weights,
                           const Threads& threads, arma::rowvec& mean, arma::rowvec& sd) {
  const double total =
      case_weights.is_empty() ? static_cast<double>(x.n_rows) : arma::accu(case_weights);
  const auto weight = [&](Index i) { return case_weights.is_empty() ? 1.0 : case_weights[i]; };
  for_each_task(x.n_cols, threads, [&](Index j, Index) {
    const double* column = x.colptr(j);
    // Tiny and huge units are brought near one by a power of two, so that squares stay in range.
    double largest = 0.0;
    for (Index i = 0; i < x.n_rows; ++i) largest = std::max(largest, std::abs(column[i]));
    const bool ordinary = largest == 0.0 || (largest > 1e-100 && largest < 1e100);
    const int exponent = ordinary ? 0 : std::clamp(-std::ilogb(largest), -1000, 1000);
    const double unit = std::ldexp(1.0, exponent);
    double sum = 0.0, squares = 0.0, rest = 0.0;
    for (Index i = 0; i < x.n_rows; ++i) sum += weight(i) * (column[i] * unit);
    const double center = sum / total;
    for (Index i = 0; i < x.n_rows; ++i) {
      const double gap = column[i] * unit - center;
      squares += weight(i) * gap * gap;
      rest += weight(i) * gap;
    }
    mean[j] = (center + rest / total) / unit;
    const double variance = std::max(squares - rest * (rest / total), 0.0) / total;
    // Below rounding of the mean there is no variation.
    const double noise = 1e-14 * std::abs(center);
    sd[j] = variance > noise * noise ? std::sqrt(variance) / unit : 0.0;
  });
}

// The same for sparse rows; with ranks, those of the ranks. What a zero becomes counts once for all
// rows where it is not stored.
inline void column_moments(const SparseRows& x, const arma::vec& case_weights,
                           const std::vector<RankScale>& ranks, arma::rowvec& mean,
                           arma::rowvec& sd) {
  const SparseRows columns = x.transposed();
  const double total =
      case_weights.is_empty() ? static_cast<double>(x.rows()) : arma::accu(case_weights);
  const auto weight = [&](Index i) { return case_weights.is_empty() ? 1.0 : case_weights[i]; };
  for (Index j = 0; j < columns.rows(); ++j) {
    const SparseRows::Row column = columns.row(j);
    const auto number = [&](double v) { return ranks.empty() ? v : ranks[j](v); };
    const double zero = number(0.0);
    double largest = std::abs(zero), stored = 0.0;
    for (Index k = 0; k < column.count; ++k) {
      largest = std::max(largest, std::abs(number(column.value[k])));
      stored += weight(column.column[k]);
    }
    const bool ordinary = largest == 0.0 || (largest > 1e-100 && largest < 1e100);
    const int exponent = ordinary ? 0 : std::clamp(-std::ilogb(largest), -1000, 1000);
    const double unit = std::ldexp(1.0, exponent);
    // Rounding of the sums must not leave a zero in a column that has none.
    const double others = column.count == x.rows() ? 0.0 : std::max(total - stored, 0.0);
    double sum = others * (zero * unit);
    for (Index k = 0; k < column.count; ++k) {
      sum += weight(column.column[k]) * (number(column.value[k]) * unit);
    }
    const double center = sum / total, zero_gap = zero * unit - center;
    double squares = others * zero_gap * zero_gap, rest = others * zero_gap;
    for (Index k = 0; k < column.count; ++k) {
      const double gap = number(column.value[k]) * unit - center;
      squares += weight(column.column[k]) * gap * gap;
      rest += weight(column.column[k]) * gap;
    }
    mean[j] = (center + rest / total) / unit;
    const double variance = std::max(squares - rest * (rest / total), 0.0) / total;
    const double noise = 1e-14 * std::abs(center);
    sd[j] = variance > noise * noise ? std::sqrt(variance) / unit : 0.0;
  }
}

}  // namespace cawi

#endif
