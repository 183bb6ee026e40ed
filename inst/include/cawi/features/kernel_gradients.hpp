// Gradients of sum_q b_q k(x, q) with respect to x, in closed form: how the scores of infinitely
// many nodes change with the standardized features. In points p of x, with d = q - p and k the
// value of the kernel:
//   gaussian     k d                laplace   k sign(d_j)
//   exponential  k d / |d|          sinc      product of the other factors times f'(d_j)
//   radbas       k^3 (4 (p'q) q - 2 (1 + 2 q'q) p)
//   relu         ((pi - t) q + sin(t) |q| / |p| p) / (2 pi)
// A kernel with a corner where d_j = 0 has the mean of its two slopes there, which is zero.
#ifndef CAWI_FEATURES_KERNEL_GRADIENTS_HPP
#define CAWI_FEATURES_KERNEL_GRADIENTS_HPP

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "kernel.hpp"

namespace cawi {

namespace detail {

// What the gradient at p has of each landmark q, and of p itself: along q and along p. `k` is the
// value of the kernel.
struct AlongPoints {
  double q = 0.0, p = 0.0;
};

struct PairOfPoints {
  double k, product, p_square, q_square;

  // Rounding leaves less than nothing of a distance that is zero.
  double gap_square() const { return std::max(p_square + q_square - 2.0 * product, 0.0); }
};

inline AlongPoints gaussian_slope(const PairOfPoints& pair) { return {pair.k, -pair.k}; }

inline AlongPoints exponential_slope(const PairOfPoints& pair) {
  const double gap = std::sqrt(pair.gap_square());
  if (gap <= 1e-8 * std::sqrt(pair.p_square + pair.q_square)) return {};
  return {pair.k / gap, -pair.k / gap};
}

inline AlongPoints radbas_slope(const PairOfPoints& pair) {
  const double cube = pair.k * pair.k * pair.k;
  return {4.0 * cube * pair.product, -2.0 * cube * (1.0 + 2.0 * pair.q_square)};
}

inline AlongPoints relu_slope(const PairOfPoints& pair) {
  constexpr double pi = 3.141592653589793;
  const double lengths = std::sqrt(pair.p_square * pair.q_square);
  if (lengths <= 0.0) return {};
  const double cosine = std::clamp(pair.product / lengths, -1.0, 1.0);
  const double sine = std::sqrt((1.0 - cosine) * (1.0 + cosine));
  return {(pi - std::acos(cosine)) / (2.0 * pi),
          sine * std::sqrt(pair.q_square / pair.p_square) / (2.0 * pi)};
}

// The factors of one feature of all landmarks beside p, and the coordinates of the landmarks.
struct FactorsBeside {
  const double* q;
  const double* factor;
  double p;
  Index count;
};

// Multiplies numbers, one per landmark, by the slopes of the factors.
inline void times_gaussian_slopes(const FactorsBeside& f, double* v) {
  for (Index k = 0; k < f.count; ++k) v[k] *= (f.q[k] - f.p) * f.factor[k];
}

// One, minus one, or zero at the corner.
inline double sign_of(double gap) {
  return static_cast<double>(gap > 0.0) - static_cast<double>(gap < 0.0);
}

inline void times_laplace_slopes(const FactorsBeside& f, double* v) {
  for (Index k = 0; k < f.count; ++k) v[k] *= sign_of(f.q[k] - f.p) * f.factor[k];
}

inline void times_sinc_slopes(const FactorsBeside& f, double* v) {
  for (Index k = 0; k < f.count; ++k) {
    const double gap = f.q[k] - f.p;
    // The series of (sin(d) / d - cos(d)) / d near zero.
    v[k] *= std::abs(gap) < 1e-4 ? gap / 3.0 : (f.factor[k] - std::cos(gap)) / gap;
  }
}

struct SlopeRow {
  const char* name;
  AlongPoints (*along)(const PairOfPoints&);              // null where it has none
  void (*times_slopes)(const FactorsBeside&, double* v);  // null where it is no product
};

inline constexpr SlopeRow slope_table[] = {
    {"gaussian", gaussian_slope, times_gaussian_slopes},
    {"laplace", nullptr, times_laplace_slopes},
    {"exponential", exponential_slope, nullptr},
    {"sinc", nullptr, times_sinc_slopes},
    {"radbas", radbas_slope, nullptr},
    {"relu", relu_slope, nullptr},
};

inline const SlopeRow& find_slope(const std::string& name) {
  for (const SlopeRow& row : slope_table) {
    if (name == row.name) return row;
  }
  throw DomainError("hidden", "there are no gradients of kernel '" + name + "'");
}

// Products of the factors of all other features, over the factors `f` (landmarks x features): from
// both ends, which needs no division.
inline void products_of_others(const arma::mat& f, arma::mat& others) {
  arma::vec before(f.n_rows, arma::fill::ones), after(f.n_rows, arma::fill::ones);
  for (Index j = 0; j < f.n_cols; ++j) {
    others.col(j) = before;
    before %= f.col(j);
  }
  for (Index j = f.n_cols; j-- > 0;) {
    others.col(j) %= after;
    after %= f.col(j);
  }
}

// The same as a mean over all choices of `read` - 1 other features. Means m_s over choices of s of
// all d features come first, as in mean_product_kernel(); without feature j they are
// (d m_s - s f_j m_{s-1}(without j)) / (d - s).
inline void mean_products_of_others(const arma::mat& f, Index read, arma::mat& others) {
  const double d = static_cast<double>(f.n_cols);
  std::vector<arma::vec> mean(read, arma::vec(f.n_rows, arma::fill::zeros));
  mean[0].ones();
  for (Index j = 0; j < f.n_cols; ++j) {
    for (Index s = std::min(read - 1, j + 1); s > 0; --s) {
      const double take = static_cast<double>(s) / static_cast<double>(j + 1);
      combine(TakeFeature{take, 1.0 - take}, mean[s].memptr(), f.colptr(j), mean[s - 1].memptr(),
              f.n_rows);
    }
  }
  others.ones();
  for (Index j = 0; j < f.n_cols; ++j) {
    double* own = others.colptr(j);
    const double* factor = f.colptr(j);
    for (Index s = 1; s < read; ++s) {
      const double* all = mean[s].memptr();
      const double chosen = static_cast<double>(s), share = 1.0 / (d - chosen);
      for (Index q = 0; q < f.n_rows; ++q) {
        own[q] = (d * all[q] - chosen * factor[q] * own[q]) * share;
      }
    }
  }
}

}  // namespace detail

// Gradients at some rows of the scores with coefficients `b` (landmarks x outputs) of the kernel
// between them and the landmarks.
class KernelGradients {
 public:
  KernelGradients(const Kernel& kernel, const arma::mat& landmarks, const arma::mat& b)
      : kernel_(kernel),
        slope_(detail::find_slope(kernel.name())),
        points_(kernel.points(landmarks)),
        b_(b) {
    require(b.n_rows == landmarks.n_rows, "model", "coefficients do not fit the landmarks");
  }

  Index outputs() const { return b_.n_cols; }
  Index inputs() const { return kernel_.inputs(); }

  // For each output one column per feature.
  arma::mat operator()(const arma::mat& rows) const {
    const KernelPoints at = kernel_.points(rows);
    arma::mat gradients = in_points(at);
    for (Index k = 0; k < outputs(); ++k) {
      arma::mat part = gradients.cols(k * inputs(), (k + 1) * inputs() - 1);
      if (kernel_.metric().is_square()) {
        part = part * kernel_.metric().t();
      } else {
        part.each_row() %= kernel_.metric().t();
      }
      gradients.cols(k * inputs(), (k + 1) * inputs() - 1) = part;
    }
    return gradients;
  }

 private:
  // With respect to the points.
  arma::mat in_points(const KernelPoints& at) const {
    if (kernel_.read() == 0 && slope_.along != nullptr) return along_points(at);
    if (kernel_.read() == 0 && kernel_.name() == "laplace") return along_signs(at);
    return along_features(at);
  }

  // Two products for all rows.
  arma::mat along_points(const KernelPoints& at) const {
    const arma::mat k = kernel_.between(points_, at);
    const arma::mat product = points_.at * at.at.t();
    arma::mat of_q(arma::size(k)), of_p(arma::size(k));
    for (Index i = 0; i < k.n_cols; ++i) {
      for (Index q = 0; q < k.n_rows; ++q) {
        const detail::AlongPoints slope =
            slope_.along({k(q, i), product(q, i), at.squares[i], points_.squares[q]});
        of_q(q, i) = slope.q;
        of_p(q, i) = slope.p;
      }
    }
    arma::mat gradients(at.count(), inputs() * outputs());
    for (Index o = 0; o < outputs(); ++o) {
      arma::mat weighted = of_q;
      weighted.each_col() %= b_.col(o);
      arma::mat part = weighted.t() * points_.at;
      arma::mat own = at.at;
      own.each_col() %= of_p.t() * b_.col(o);
      gradients.cols(o * inputs(), (o + 1) * inputs() - 1) = part + own;
    }
    return gradients;
  }

  // Row by row: factors of all landmarks and features, and their slopes.
  arma::mat along_features(const KernelPoints& at) const {
    const Index d = inputs(), read = kernel_.read();
    const double share =
        0.5 * (read == 0 ? 1.0 : static_cast<double>(read) / static_cast<double>(d));
    arma::mat gradients(at.count(), d * outputs()), f(points_.count(), d), slopes(arma::size(f));
    for (Index i = 0; i < at.count(); ++i) {
      for (Index j = 0; j < d; ++j) kernel_.factors(points_, at, i, j, f.colptr(j));
      if (read == 0) {
        detail::products_of_others(f, slopes);
      } else {
        detail::mean_products_of_others(f, read, slopes);
      }
      for (Index j = 0; j < d; ++j) {
        slope_.times_slopes({points_.at.colptr(j), f.colptr(j), at.at(i, j), f.n_rows},
                            slopes.colptr(j));
      }
      gradients.row(i) = share * arma::vectorise(slopes.t() * b_).t();
    }
    return gradients;
  }

  // The slope of each factor of a whole laplace kernel is a sign times the factor, so that the
  // kernel itself is all that is needed.
  arma::mat along_signs(const KernelPoints& at) const {
    const arma::mat k = kernel_.between(points_, at);
    arma::mat gradients(at.count(), inputs() * outputs());
    for (Index i = 0; i < at.count(); ++i) {
      for (Index o = 0; o < outputs(); ++o) {
        const arma::vec weighted = k.col(i) % b_.col(o);
        for (Index j = 0; j < inputs(); ++j) {
          const double* q = points_.at.colptr(j);
          const double p = at.at(i, j);
          double sums[8] = {0.0};
          // Sums of their own let the compiler take several landmarks at a time.
          Index l = 0;
          for (; l + 8 <= weighted.n_elem; l += 8) {
            for (Index s = 0; s < 8; ++s)
              sums[s] += detail::sign_of(q[l + s] - p) * weighted[l + s];
          }
          for (; l < weighted.n_elem; ++l) sums[0] += detail::sign_of(q[l] - p) * weighted[l];
          gradients(i, o * inputs() + j) = arma::accu(arma::vec(sums, 8, false, true));
        }
      }
    }
    return gradients;
  }

  const Kernel& kernel_;
  const detail::SlopeRow& slope_;
  KernelPoints points_;
  const arma::mat& b_;
};

// Rows in parallel, some at a time.
inline void write_kernel_gradients(const KernelGradients& gradients, const arma::mat& rows,
                                   const Threads& threads, arma::mat& all) {
  for_each_block(RowBlocks(rows.n_rows, 64), threads, [&](Index, const RowBlock& block) {
    all.rows(block.first, block.last()) = gradients(rows.rows(block.first, block.last()));
  });
}

}  // namespace cawi

#endif
