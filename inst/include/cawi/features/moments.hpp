// Column means and standard deviations. Those of a block of rows take two passes, parallel over
// columns; those of blocks that come one after the other, or from different places, are merged.
#ifndef CAWI_FEATURES_MOMENTS_HPP
#define CAWI_FEATURES_MOMENTS_HPP

#include <algorithm>
#include <cmath>
#include <vector>

#include "../core/threads.hpp"
#include "rank_scale.hpp"
#include "sparse_rows.hpp"

namespace cawi {

// Sum of the case weights, mean and standard deviation of one column. Deviations divide by the sum
// of the case weights, so that a weight of two is the row twice. The deviation is kept instead of
// the sum of squares, which leaves the range of a double where the values themselves do not. So
// that parts far from zero merge without loss, the mean is also known as a distance from an origin,
// one of the values.
struct Moment {
  double weight = 0.0, mean = 0.0, sd = 0.0, origin = 0.0, distance = 0.0;

  // Case weights may be null.
  static Moment of(const double* column, const double* case_weights, Index rows) {
    const auto weight = [&](Index i) { return case_weights == nullptr ? 1.0 : case_weights[i]; };
    double total = static_cast<double>(rows);
    if (case_weights != nullptr) total = arma::accu(arma::vec(case_weights, rows));
    if (!(total > 0.0)) return {};
    // Tiny and huge units are brought near one by a power of two, so that squares stay in range.
    double largest = 0.0;
    for (Index i = 0; i < rows; ++i) largest = std::max(largest, std::abs(column[i]));
    const double unit = power_of_two(largest);
    double sum = 0.0, squares = 0.0, rest = 0.0;
    for (Index i = 0; i < rows; ++i) sum += weight(i) * (column[i] * unit);
    const double center = sum / total;
    for (Index i = 0; i < rows; ++i) {
      const double gap = column[i] * unit - center;
      squares += weight(i) * gap * gap;
      rest += weight(i) * gap;
    }
    const double variance = std::max(squares - rest * (rest / total), 0.0) / total;
    return {total, (center + rest / total) / unit, std::sqrt(variance) / unit, column[0],
            ((center - column[0] * unit) + rest / total) / unit};
  }

  void add(const double* column, const double* case_weights, Index rows) {
    merge(of(column, case_weights, rows));
  }

  // Chan, Golub and LeVeque (1983).
  void merge(const Moment& other) {
    if (!(other.weight > 0.0)) return;
    if (!(weight > 0.0)) {
      *this = other;
      return;
    }
    const double total = weight + other.weight;
    const double gap = (other.origin - origin) + (other.distance - distance);
    const double unit = power_of_two(std::max({sd, other.sd, std::abs(gap)}));
    const auto square = [&](double value) { return (value * unit) * (value * unit); };
    const double variance = (weight * square(sd) + other.weight * square(other.sd) +
                             weight * (other.weight / total) * square(gap)) /
                            total;
    distance += gap * (other.weight / total);
    mean = origin + distance;
    sd = std::sqrt(variance) / unit;
    weight = total;
  }

  // Below rounding of the mean there is no variation.
  double variation() const { return sd > 1e-14 * std::abs(mean) ? sd : 0.0; }

 private:
  static double power_of_two(double largest) {
    const bool ordinary = largest == 0.0 || (largest > 1e-100 && largest < 1e100);
    return ordinary ? 1.0 : std::ldexp(1.0, std::clamp(-std::ilogb(largest), -1000, 1000));
  }
};

using Moments = std::vector<Moment>;

// Of every column; missing values count for nothing. Case weights may be empty.
inline Moments column_moments(const arma::mat& x, const arma::vec& case_weights,
                              const Threads& threads) {
  Moments moments(x.n_cols);
  const double* weights = case_weights.is_empty() ? nullptr : case_weights.memptr();
  for_each_task(x.n_cols, threads, [&](Index j, Index) {
    const arma::vec column(const_cast<double*>(x.colptr(j)), x.n_rows, false, true);
    if (!column.has_nan()) {
      moments[j] = Moment::of(column.memptr(), weights, x.n_rows);
      return;
    }
    const arma::uvec known = arma::find(column == column);
    const arma::vec values = column.elem(known);
    const arma::vec shares = weights == nullptr ? arma::vec() : case_weights.elem(known);
    moments[j] =
        Moment::of(values.memptr(), weights == nullptr ? nullptr : shares.memptr(), values.n_elem);
  });
  return moments;
}

// The same for sparse rows; with ranks, those of the ranks. What a zero becomes counts once for all
// rows where it is not stored.
inline Moments column_moments(const SparseRows& x, const arma::vec& case_weights,
                              const std::vector<RankScale>& ranks) {
  const SparseRows columns = x.transposed();
  const double total =
      case_weights.is_empty() ? static_cast<double>(x.rows()) : arma::accu(case_weights);
  Moments moments(columns.rows());
  std::vector<double> values, weights;
  for (Index j = 0; j < columns.rows(); ++j) {
    const SparseRows::Row column = columns.row(j);
    const auto number = [&](double v) { return ranks.empty() ? v : ranks[j](v); };
    values.clear();
    weights.clear();
    double stored = 0.0;
    for (Index k = 0; k < column.count; ++k) {
      values.push_back(number(column.value[k]));
      weights.push_back(case_weights.is_empty() ? 1.0 : case_weights[column.column[k]]);
      stored += weights.back();
    }
    // Rounding of the sums must not leave a zero in a column that has none.
    if (column.count < x.rows() && total > stored) {
      values.push_back(number(0.0));
      weights.push_back(total - stored);
    }
    moments[j] = Moment::of(values.data(), weights.data(), values.size());
  }
  return moments;
}

}  // namespace cawi

#endif
