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

// The slope of a factor over the factor itself is d for gaussian and sign(d) for laplace; that of
// sinc has no such form where the factor is zero. `gap` is q_j - p_j.
inline double gaussian_factor_slope(double gap, double factor) { return gap * factor; }
inline double laplace_factor_slope(double gap, double factor) {
  return gap == 0.0 ? 0.0 : (gap > 0.0 ? factor : -factor);
}
inline double sinc_factor_slope(double gap, double factor) {
  // The series of (sin(d) / d - cos(d)) / d near zero.
  if (std::abs(gap) < 1e-4) return gap / 3.0;
  return (factor - std::cos(gap)) / gap;
}

struct SlopeRow {
  const char* name;
  AlongPoints (*along)(const PairOfPoints&);   // null where it is a product over features only
  double (*factor)(double gap, double value);  // null where it is none
};

inline constexpr SlopeRow slope_table[] = {
    {"gaussian", gaussian_slope, gaussian_factor_slope}, {"laplace", nullptr, laplace_factor_slope},
    {"exponential", exponential_slope, nullptr},         {"sinc", nullptr, sinc_factor_slope},
    {"radbas", radbas_slope, nullptr},                   {"relu", relu_slope, nullptr},
};

inline const SlopeRow& find_slope(const std::string& name) {
  for (const SlopeRow& row : slope_table) {
    if (name == row.name) return row;
  }
  throw DomainError("hidden", "there are no gradients of kernel '" + name + "'");
}

// For each feature and landmark the mean over all choices of `read` - 1 other features of the
// products of their factors: one number per landmark and feature, over the factors `f` (landmarks x
// features). All features (`read` = 0) are products from both ends, which need no division.
inline arma::mat products_of_others(const arma::mat& f, Index read) {
  const Index d = f.n_cols;
  arma::mat others(arma::size(f));
  if (read == 0) {
    arma::vec before(f.n_rows, arma::fill::ones);
    for (Index j = 0; j < d; ++j) {
      others.col(j) = before;
      before %= f.col(j);
    }
    arma::vec after(f.n_rows, arma::fill::ones);
    for (Index j = d; j-- > 0;) {
      others.col(j) %= after;
      after %= f.col(j);
    }
    return others;
  }
  // Means over choices of s of all features, as in mean_product_kernel(), then without feature j:
  // (d - s) m_s(without j) = d m_s - s f_j m_{s-1}(without j).
  std::vector<arma::vec> mean(read, arma::vec(f.n_rows, arma::fill::zeros));
  mean[0].ones();
  for (Index j = 0; j < d; ++j) {
    for (Index s = std::min(read - 1, j + 1); s > 0; --s) {
      const double take = static_cast<double>(s) / static_cast<double>(j + 1);
      mean[s] = (1.0 - take) * mean[s] + take * (f.col(j) % mean[s - 1]);
    }
  }
  const double all = static_cast<double>(d);
  for (Index j = 0; j < d; ++j) {
    arma::vec own(f.n_rows, arma::fill::ones);
    for (Index s = 1; s < read; ++s) {
      const double chosen = static_cast<double>(s);
      own = (all * mean[s] - chosen * (f.col(j) % own)) / (all - chosen);
    }
    others.col(j) = own;
  }
  return others;
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
    const bool along = slope_.along != nullptr && kernel_.read() == 0;
    arma::mat gradients = along ? along_points(at) : along_features(at);
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
    arma::mat gradients(at.count(), d * outputs()), f(points_.count(), d);
    for (Index i = 0; i < at.count(); ++i) {
      for (Index j = 0; j < d; ++j) kernel_.factors(points_, at, i, j, f.colptr(j));
      arma::mat slopes = detail::products_of_others(f, read);
      for (Index j = 0; j < d; ++j) {
        const double p = at.at(i, j);
        for (Index q = 0; q < f.n_rows; ++q) {
          slopes(q, j) *= share * slope_.factor(points_.at(q, j) - p, f(q, j));
        }
      }
      gradients.row(i) = arma::vectorise(slopes.t() * b_).t();
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
