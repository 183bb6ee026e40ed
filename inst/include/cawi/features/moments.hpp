// Column means and standard deviations, two passes, parallel over columns.
#ifndef CAWI_FEATURES_MOMENTS_HPP
#define CAWI_FEATURES_MOMENTS_HPP

#include <algorithm>
#include <cmath>

#include "../core/threads.hpp"
#include "../core/types.hpp"

namespace cawi {

// A constant column gets standard deviation zero.
inline void column_moments(const arma::mat& x, const Threads& threads, arma::rowvec& mean,
                           arma::rowvec& sd) {
  const double n = static_cast<double>(x.n_rows);
  for_each_task(x.n_cols, threads, [&](Index j, Index) {
    const double* column = x.colptr(j);
    // Relative to the largest entry, so that squares of tiny or huge units stay in range.
    double largest = 0.0;
    for (Index i = 0; i < x.n_rows; ++i) largest = std::max(largest, std::abs(column[i]));
    if (largest == 0.0) largest = 1.0;
    double sum = 0.0, squares = 0.0, rest = 0.0;
    for (Index i = 0; i < x.n_rows; ++i) sum += column[i] / largest;
    const double centre = sum / n;
    for (Index i = 0; i < x.n_rows; ++i) {
      const double gap = column[i] / largest - centre;
      squares += gap * gap;
      rest += gap;
    }
    mean[j] = largest * (centre + rest / n);
    const double variance = n > 1.0 ? (squares - rest * rest / n) / (n - 1.0) : 0.0;
    // Below rounding of the mean there is no variation.
    const double noise = 1e-14 * std::abs(centre);
    sd[j] = variance > noise * noise ? largest * std::sqrt(variance) : 0.0;
  });
}

}  // namespace cawi

#endif
