// The seven activations, in place over whole arrays, four numbers at a time.
//
// NaN stays NaN in all of them. At the infinities they have their limits:
//          sigmoid  sine  tribas  radbas  tansig  relu  selu
//    -Inf        0   NaN       0       0      -1     0  -slope * alpha
//     Inf        1   NaN       0       0       1   Inf  Inf
#ifndef CAWI_FEATURES_ACTIVATIONS_HPP
#define CAWI_FEATURES_ACTIVATIONS_HPP

#include <array>
#include <cmath>
#include <string>

#include "../core/errors.hpp"
#include "../core/vectors.hpp"
#include "../stats/special.hpp"

namespace cawi {

namespace detail {

CAWI_INLINE void keep_where(Doubles& x, const Longs& mask) {
  x = reinterpret_cast<Doubles>(reinterpret_cast<Longs>(x) & mask);
}

struct Sigmoid {
  CAWI_INLINE void operator()(Doubles& x) const {
    x = -x;
    VectorExp()(x);
    x = 1.0 / (1.0 + x);
  }
};

struct Tansig {
  CAWI_INLINE void operator()(Doubles& x) const {
    x = -2.0 * x;
    VectorExp()(x);
    x = 2.0 / (1.0 + x) - 1.0;
  }
};

struct Radbas {
  CAWI_INLINE void operator()(Doubles& x) const {
    x = -(x * x);
    VectorExp()(x);
  }
};

struct Tribas {
  CAWI_INLINE void operator()(Doubles& x) const {
    const Longs negative = x < 0.0;
    const Doubles size = reinterpret_cast<Doubles>((reinterpret_cast<Longs>(-x) & negative) |
                                                   (reinterpret_cast<Longs>(x) & ~negative));
    x = 1.0 - size;
    keep_where(x, ~(x <= 0.0));
  }
};

// Comparisons with NaN are false: "not below" keeps it, "above" would not.
struct Relu {
  CAWI_INLINE void operator()(Doubles& x) const { keep_where(x, ~(x <= 0.0)); }
};

// Klambauer et al. (2017): the constants make zero mean and unit variance a fixed point.
struct Selu {
  CAWI_INLINE void operator()(Doubles& x) const {
    constexpr double slope = 1.0507009873554805, alpha = 1.6732632423543772;
    const Longs positive = x > 0.0;
    Doubles below = x, above = slope * x;
    keep_where(below, ~positive);
    VectorExp()(below);
    below = (slope * alpha) * (below - 1.0);
    keep_where(above, positive);
    x = above + below;
  }
};

struct ActivationRow {
  const char* name;
  void (*apply)(double*, Index);
};

inline constexpr std::array<ActivationRow, 7> activation_table{{
    {"sigmoid", transform<Sigmoid>},
    {"sine", sine_in_place},
    {"tribas", transform<Tribas>},
    {"radbas", transform<Radbas>},
    {"tansig", transform<Tansig>},
    {"relu", transform<Relu>},
    {"selu", transform<Selu>},
}};

}  // namespace detail

using Activation = void (*)(double*, Index);

inline Activation find_activation(const std::string& name) {
  for (const detail::ActivationRow& row : detail::activation_table) {
    if (name == row.name) return row.apply;
  }
  throw DomainError("activation", "there is no activation '" + name + "'");
}

}  // namespace cawi

#endif
