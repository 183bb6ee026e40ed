// The distribution of a feature in training as a function: the mean rank of a value between zero
// and one. It is known at some values and straight between them; beyond the ends it is constant, so
// that no value of a feature is far from all others.
#ifndef CAWI_FEATURES_RANK_SCALE_HPP
#define CAWI_FEATURES_RANK_SCALE_HPP

#include <algorithm>
#include <cmath>

#include "../core/types.hpp"

namespace cawi {

struct RankScale {
  arma::vec values, levels;  // increasing, at least one

  double operator()(double x) const {
    if (std::isnan(x)) return x;
    const double* begin = values.begin();
    const double* above = std::upper_bound(begin, values.end(), x);
    const Index place = static_cast<Index>(above - begin);
    if (place == 0) return levels.front();
    if (place == values.n_elem) return levels.back();
    const double left = values[place - 1], right = values[place];
    const double gap = right - left;
    // Halves where the gap overflows; elsewhere they would lose the last bit of tiny numbers.
    const double share =
        std::isfinite(gap) ? (x - left) / gap : (0.5 * x - 0.5 * left) / (0.5 * right - 0.5 * left);
    return levels[place - 1] + share * (levels[place] - levels[place - 1]);
  }
};

}  // namespace cawi

#endif
