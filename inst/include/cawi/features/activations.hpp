// The seven activations and their derivatives, in place over whole arrays, four numbers at a time.
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
constexpr double selu_slope = 1.0507009873554805, selu_alpha = 1.6732632423543772;

struct Selu {
  CAWI_INLINE void operator()(Doubles& x) const {
    const Longs positive = x > 0.0;
    Doubles below = x, above = selu_slope * x;
    keep_where(below, ~positive);
    VectorExp()(below);
    below = (selu_slope * selu_alpha) * (below - 1.0);
    keep_where(above, positive);
    x = above + below;
  }
};

// Derivatives at the pre-activation. At the kinks of relu and tribas they are zero; that of selu at
// zero is the one from below. NaN stays NaN; at the infinities they have their limits, and that of
// sine is NaN.
struct SigmoidSlope {
  CAWI_INLINE void operator()(Doubles& x) const {
    Sigmoid()(x);
    x = x * (1.0 - x);
  }
};

struct TansigSlope {
  CAWI_INLINE void operator()(Doubles& x) const {
    Tansig()(x);
    x = (1.0 - x) * (1.0 + x);
  }
};

struct RadbasSlope {
  CAWI_INLINE void operator()(Doubles& x) const {
    // There the exponential is zero, and infinity times zero would not be.
    const Longs far = x * x > 708.0;
    Doubles bump = x;
    Radbas()(bump);
    x = -2.0 * x * bump;
    keep_where(x, ~far);
  }
};

// One where the mask says so and zero elsewhere; NaN stays.
CAWI_INLINE void one_where(Doubles& x, const Longs& mask) {
  const Doubles one = 1.0 - Doubles{};
  const Longs missing = x != x;
  x = reinterpret_cast<Doubles>((reinterpret_cast<Longs>(one) & mask) |
                                (reinterpret_cast<Longs>(x) & missing));
}

struct TribasSlope {
  CAWI_INLINE void operator()(Doubles& x) const {
    Doubles falls = x;
    one_where(falls, (x > 0.0) & (x < 1.0));
    one_where(x, (x < 0.0) & (x > -1.0));
    x = x - falls;
  }
};

struct ReluSlope {
  CAWI_INLINE void operator()(Doubles& x) const { one_where(x, x > 0.0); }
};

struct SeluSlope {
  CAWI_INLINE void operator()(Doubles& x) const {
    const Longs positive = x > 0.0;
    Doubles below = x, above = selu_slope - Doubles{};
    keep_where(below, ~positive);
    VectorExp()(below);
    below = (selu_slope * selu_alpha) * below;
    keep_where(below, ~positive);
    keep_where(above, positive);
    x = above + below;
  }
};

inline void cosine_in_place(double* x, Index n) {
  for (Index i = 0; i < n; ++i) x[i] += 1.5707963267948966;
  sine_in_place(x, n);
}

struct ActivationRow {
  const char* name;
  void (*apply)(double*, Index);
  void (*slope)(double*, Index);
};

inline constexpr std::array<ActivationRow, 7> activation_table{{
    {"sigmoid", transform<Sigmoid>, transform<SigmoidSlope>},
    {"sine", sine_in_place, cosine_in_place},
    {"tribas", transform<Tribas>, transform<TribasSlope>},
    {"radbas", transform<Radbas>, transform<RadbasSlope>},
    {"tansig", transform<Tansig>, transform<TansigSlope>},
    {"relu", transform<Relu>, transform<ReluSlope>},
    {"selu", transform<Selu>, transform<SeluSlope>},
}};

}  // namespace detail

using Activation = void (*)(double*, Index);

inline Activation find_activation(const std::string& name) {
  for (const detail::ActivationRow& row : detail::activation_table) {
    if (name == row.name) return row.apply;
  }
  throw DomainError("activation", "there is no activation '" + name + "'");
}

// The derivative of one of them.
inline Activation slope_of(Activation activation) {
  for (const detail::ActivationRow& row : detail::activation_table) {
    if (activation == row.apply) return row.slope;
  }
  throw DomainError("activation", "this activation has no derivative");
}

}  // namespace cawi

#endif
