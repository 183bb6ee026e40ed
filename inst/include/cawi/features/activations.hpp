// The seven activations of x + bias and their derivatives, in place over whole arrays, four or
// eight numbers at a time.
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

struct Sigmoid {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    x = -x;
    VectorExp()(x);
    x = 1.0 / (1.0 + x);
  }
};

struct Tansig {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    x = -2.0 * x;
    VectorExp()(x);
    x = 2.0 / (1.0 + x) - 1.0;
  }
};

struct Radbas {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    x = -(x * x);
    VectorExp()(x);
  }
};

// Comparisons with NaN are false: "at most zero" lets it pass, "above zero" would not.
struct Relu {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D zero = {};
    x = x <= 0.0 ? zero : x;
  }
};

struct Tribas {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D minus = -x;
    x = 1.0 - (x < 0.0 ? minus : x);
    Relu()(x);
  }
};

// Klambauer et al. (2017): the constants make zero mean and unit variance a fixed point.
constexpr double selu_slope = 1.0507009873554805, selu_alpha = 1.6732632423543772;

struct Selu {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D above = selu_slope * x, zero = {};
    D below = x > 0.0 ? zero : x;
    VectorExp()(below);
    below = (selu_slope * selu_alpha) * (below - 1.0);
    x = x > 0.0 ? above : below;
  }
};

// Derivatives at the pre-activation. At the kinks of relu and tribas they are zero; that of selu at
// zero is the one from below. NaN stays NaN; at the infinities they have their limits, and that of
// sine is NaN.
struct SigmoidSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    Sigmoid()(x);
    x = x * (1.0 - x);
  }
};

struct TansigSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    Tansig()(x);
    x = (1.0 - x) * (1.0 + x);
  }
};

struct RadbasSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    // Far out the exponential is zero, and infinity times zero would not be.
    const D square = x * x, zero = {};
    D bump = x;
    Radbas()(bump);
    const D slope = -2.0 * x * bump;
    x = square > 708.0 ? zero : slope;
  }
};

struct TribasSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D zero = {}, one = 1.0 - zero;
    const D right = x < 1.0 ? -one : zero, left = x > -1.0 ? one : zero;
    const D inside = x > 0.0 ? right : left;
    const D slope = x == 0.0 ? zero : inside;
    x = x == x ? slope : x;
  }
};

struct ReluSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D zero = {}, one = 1.0 - zero;
    const D slope = x > 0.0 ? one : zero;
    x = x == x ? slope : x;
  }
};

struct SeluSlope {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    const D zero = {}, above = selu_slope - zero;
    D below = x > 0.0 ? zero : x;
    VectorExp()(below);
    below = (selu_slope * selu_alpha) * below;
    x = x > 0.0 ? above : below;
  }
};

// The bias is added on the way: a pass of its own would take as long as a cheap activation.
template <class Function>
struct Biased {
  double bias;

  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    x += bias;
    Function()(x);
  }
};

template <class Function>
void activate(double* x, Index n, double bias) {
  transform_wide(Biased<Function>{bias}, x, n);
}

inline void activate_sine(double* x, Index n, double bias) {
  for (Index i = 0; i < n; ++i) x[i] += bias;
  sine_in_place(x, n);
}

inline void activate_cosine(double* x, Index n, double bias) {
  activate_sine(x, n, bias + 1.5707963267948966);
}

struct ActivationRow {
  const char* name;
  void (*apply)(double*, Index, double);
  void (*slope)(double*, Index, double);
};

inline constexpr std::array<ActivationRow, 7> activation_table{{
    {"sigmoid", activate<Sigmoid>, activate<SigmoidSlope>},
    {"sine", activate_sine, activate_cosine},
    {"tribas", activate<Tribas>, activate<TribasSlope>},
    {"radbas", activate<Radbas>, activate<RadbasSlope>},
    {"tansig", activate<Tansig>, activate<TansigSlope>},
    {"relu", activate<Relu>, activate<ReluSlope>},
    {"selu", activate<Selu>, activate<SeluSlope>},
}};

}  // namespace detail

// x <- f(x + bias) for n numbers.
using Activation = void (*)(double* x, Index n, double bias);

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
