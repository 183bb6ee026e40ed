// Ridge regression on a kernel of the rows, without features: infinitely many nodes, exactly, at
// some penalties by one spectrum, or at one penalty by one Cholesky factor.
#ifndef CAWI_RIDGE_KERNEL_FIT_HPP
#define CAWI_RIDGE_KERNEL_FIT_HPP

#include <utility>

#include "exact_fit.hpp"
#include "path.hpp"

namespace cawi {

struct KernelFit {
  arma::mat squared_error;  // leave-one-out, lambdas x outputs, or one column for classes
  arma::uvec best;          // one penalty for classes, one per numeric output
  arma::mat coefficients;   // of the rows, at the best penalties
  arma::rowvec intercept;   // without penalty; zero for classes
  arma::mat left_out;       // rows x outputs, at the best penalties
};

namespace detail {

// Rows are weighted and, where the intercept has no penalty, centered.
inline DualProblem kernel_problem(arma::mat kernel, const Targets& targets, bool centered) {
  const RowBlock every{0, kernel.n_rows};
  const arma::vec weights = targets.block_roots(every);
  DualProblem dual;
  dual.y = targets.block(every);
  dual.kernel = std::move(kernel);
  const arma::vec root = weights.is_empty() ? arma::vec(every.count, arma::fill::ones) : weights;
  if (!weights.is_empty()) {
    dual.kernel.each_col() %= root;
    dual.kernel.each_row() %= root.t();
    dual.y.each_col() %= root;
  }
  if (!centered) return dual;
  Center& center = dual.center;
  center.active = true;
  // Before anything is subtracted: where all rows are alike only rounding is left.
  center.size = Center::largest(dual.kernel);
  center.weight = arma::dot(root, root);
  require(center.weight > 0.0, "model", "the sum of the case weights is not positive");
  center.y = root.t() * dual.y / center.weight;
  // Of the kernel of each row; kept for the intercept.
  center.a = (dual.kernel * root).t() / center.weight;
  const double mean = arma::dot(center.a, root) / center.weight;
  dual.y -= root * center.y;
  for (Index j = 0; j < root.n_elem; ++j) {
    double* column = dual.kernel.colptr(j);
    for (Index i = 0; i < root.n_elem; ++i) {
      column[i] += mean * root[i] * root[j] - center.a[i] * root[j] - root[i] * center.a[j];
    }
  }
  for (Index j = 0; j < root.n_elem; ++j) {
    dual.kernel.col(j) += root * (root[j] * center.size / center.weight);
  }
  return dual;
}

// The squared errors of leave-one-out scores over some rows, or over all where none are named: by
// output, or over all classes.
inline arma::rowvec weighted_errors(const arma::mat& y, const arma::mat& scores,
                                    const Targets& targets, const arma::uvec& judged = {}) {
  arma::mat square = arma::square(y - scores);
  if (!targets.case_weights.is_empty()) square.each_col() %= targets.case_weights;
  if (!judged.is_empty()) square = square.rows(judged);
  const arma::rowvec sums = arma::sum(square, 0);
  if (targets.classes.empty()) return sums;
  return arma::rowvec{arma::accu(sums)};
}

}  // namespace detail

class KernelRidge {
 public:
  // The kernel of all rows. With `centered` the intercept has no penalty.
  KernelRidge(arma::mat kernel, const Targets& targets, bool centered, const Threads& threads)
      : targets_(targets),
        threads_(threads),
        y_(targets.block({0, kernel.n_rows})),
        root_(targets.block_roots({0, kernel.n_rows})),
        dual_(detail::kernel_problem(std::move(kernel), targets, centered)) {}

  // At the best of some penalties, one for all classes, one per numeric output; best for the rows
  // that are judged, or, where none are named, for all.
  KernelFit at_best(const arma::vec& lambdas, const arma::uvec& judged = {}) {
    return finish(search(lambdas, judged));
  }

  // At one penalty, or at one per output.
  KernelFit at(const arma::vec& lambda) {
    const SingleThreadedBlas guard;
    KernelFit fit;
    fit.left_out = y_;
    fit.coefficients.set_size(arma::size(y_));
    for_each_penalty(lambda, targets_.outputs, [&](double value, const arma::uvec& outputs) {
      fit.coefficients.cols(outputs) =
          detail::factored_dual(dual_, value, outputs, root_, threads_, fit.left_out);
    });
    fit.squared_error = detail::weighted_errors(y_, fit.left_out, targets_);
    fit.best.zeros(fit.squared_error.n_cols);
    return finish(std::move(fit));
  }

 private:
  KernelFit finish(KernelFit fit) const {
    if (!root_.is_empty()) fit.coefficients.each_col() %= root_;
    fit.intercept.zeros(targets_.outputs);
    if (dual_.center.active) {
      // `a` has the means of the weighted kernel, the coefficients their weights already.
      const arma::vec means = mean_kernel();
      fit.intercept = dual_.center.y - means.t() * fit.coefficients;
    }
    return fit;
  }

  KernelFit search(const arma::vec& lambdas, const arma::uvec& judged) {
    KernelFit fit;
    const SingleThreadedBlas guard;
    const Spectrum spectrum =
        Spectrum::dual(std::move(dual_.kernel), dual_.y, dual_.center, threads_);
    const Shrinkage shrinkage = spectrum.shrinkage(lambdas);
    const arma::mat solution = spectrum.basis() * shrinkage.stacked;
    const arma::cube scores = dual_left_out(spectrum, shrinkage, solution, y_, root_);
    for (Index l = 0; l < lambdas.n_elem; ++l) {
      fit.squared_error.insert_rows(l,
                                    detail::weighted_errors(y_, scores.slice(l), targets_, judged));
    }
    fit.best = best_penalties(fit.squared_error);
    fit.left_out.set_size(arma::size(y_));
    fit.coefficients.set_size(arma::size(y_));
    for (Index k = 0; k < y_.n_cols; ++k) {
      const Index l = fit.best[targets_.classes.empty() ? k : 0];
      fit.left_out.col(k) = scores.slice(l).col(k);
      fit.coefficients.col(k) = solution.col(l * y_.n_cols + k);
    }
    return fit;
  }

  // Of the kernel of each row with the others, by their case weights.
  arma::vec mean_kernel() const {
    arma::vec means = dual_.center.a.t();
    if (!root_.is_empty()) means /= root_;
    return means;
  }

  const Targets& targets_;
  const Threads& threads_;
  arma::mat y_;
  arma::vec root_;
  DualProblem dual_;
};

}  // namespace cawi

#endif
