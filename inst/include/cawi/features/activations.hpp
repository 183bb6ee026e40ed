// The seven activations of x + bias, in place over whole arrays, four or eight numbers at a time.
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
struct Selu {
  template <class D>
  CAWI_INLINE void operator()(D& x) const {
    constexpr double slope = 1.0507009873554805, alpha = 1.6732632423543772;
    const D above = slope * x, zero = {};
    D below = x > 0.0 ? zero : x;
    VectorExp()(below);
    below = (slope * alpha) * (below - 1.0);
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

struct ActivationRow {
  const char* name;
  void (*apply)(double*, Index, double);
};

inline constexpr std::array<ActivationRow, 7> activation_table{{
    {"sigmoid", activate<Sigmoid>},
    {"sine", activate_sine},
    {"tribas", activate<Tribas>},
    {"radbas", activate<Radbas>},
    {"tansig", activate<Tansig>},
    {"relu", activate<Relu>},
    {"selu", activate<Selu>},
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

}  // namespace cawi

#endif
