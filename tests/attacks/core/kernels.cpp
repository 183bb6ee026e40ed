// Kernels of infinitely many nodes, landmarks and gradients.
#include "input.hpp"

#include "cawi/features/kernel_gradients.hpp"
#include "cawi/features/landmarks.hpp"

namespace {

using namespace attacks;

const cawi::Threads one{1};

cawi::Kernel any_kernel(Input& in, Index d) {
  const auto& row = in.one_of(cawi::detail::kernel_table);
  const bool square = in.flag();
  arma::mat metric = square ? arma::mat(in.matrix(d, d, Numbers::sane) / 4.0)
                            : arma::mat(0.1 + arma::abs(in.vector(d, Numbers::sane)) / 4.0);
  const bool product = row.factors != nullptr && metric.n_cols == 1;
  return cawi::Kernel(row.name, metric, product ? in.count(0, d + 1) : 0);
}

void check_kernel(const cawi::Kernel& kernel, const arma::mat& x) {
  const cawi::KernelPoints points = kernel.points(x);
  const arma::mat k = kernel.between(points, points);
  const double scale = 1.0 + largest(k);
  CHECK(k.is_finite());
  CHECK(close(k, k.t(), 1e-10, scale));
  CHECK(close(arma::mat(k.diag()), arma::mat(kernel.itself(points)), 1e-9, scale));
  arma::vec values;
  CHECK(arma::eig_sym(values, arma::symmatu(k)));
  CHECK(values.min() >= -1e-9 * scale * static_cast<double>(x.n_rows));
  // Of every two points.
  for (Index j = 0; j < k.n_cols; ++j) {
    for (Index i = 0; i < j; ++i) {
      CHECK(k(i, j) * k(i, j) <= k(i, i) * k(j, j) * (1.0 + 1e-9) + 1e-12 * scale * scale);
    }
  }
}

void check_landmarks(Input& in, const cawi::Kernel& kernel, const arma::mat& x) {
  const Index d = x.n_cols;
  const cawi::Landmarks none(kernel, arma::mat(d, 0), arma::mat());
  const cawi::NewLandmarks first = cawi::choose_landmarks(none, x, in.count(1, x.n_rows), one);
  if (first.rows.is_empty()) return;
  const arma::mat z = x.rows(first.rows);
  const cawi::KernelPoints points = kernel.points(z);
  const arma::mat k = kernel.between(points, points);
  const double scale = 1.0 + largest(k);
  CHECK(close(first.root.t() * first.root, k, 1e-10, scale));
  CHECK(arma::unique(first.rows).eval().n_elem == first.rows.n_elem);
  const cawi::Landmarks known(kernel, z.t(), first.root);
  // Inner products of features with those of a landmark are the kernel.
  arma::mat h;
  known.write(x, h);
  CHECK(h.n_rows == x.n_rows && h.n_cols == z.n_rows && h.is_finite());
  const arma::mat products = h * h.rows(first.rows).t();
  CHECK(close(products, kernel.between(kernel.points(x), points), 1e-6, scale));
  const double error = cawi::landmark_error(known, x);
  CHECK(error >= 0.0 && error <= 1.0);
  if (first.rows.n_elem == x.n_rows) CHECK(error <= 1e-6);
  // Further ones, beside those that are known.
  const arma::mat more = in.matrix(in.count(1, 8), d, Numbers::sane);
  const cawi::NewLandmarks next = cawi::choose_landmarks(known, more, more.n_rows, one);
  CHECK(next.beside.n_rows == first.root.n_rows && next.beside.n_cols == next.rows.n_elem);
  if (next.rows.is_empty()) return;
  const arma::mat q = more.rows(next.rows);
  const arma::mat both = next.beside.t() * next.beside + next.root.t() * next.root;
  CHECK(close(both, kernel.between(kernel.points(q), kernel.points(q)), 1e-7, scale));
}

// Central differences of the sums, away from corners.
void check_gradients(Input& in, const cawi::Kernel& kernel, const arma::mat& x) {
  const Index d = x.n_cols, outputs = in.count(1, 2);
  const arma::mat z = in.matrix(in.count(1, 4), d, Numbers::sane);
  const arma::mat b = in.matrix(x.n_rows, outputs, Numbers::sane);
  const cawi::KernelGradients gradients(kernel, x, b);
  arma::mat all(z.n_rows, d * outputs);
  cawi::write_kernel_gradients(gradients, z, one, all);
  CHECK(all.is_finite());
  const std::string name = kernel.name();
  if (name != "gaussian" && name != "sinc") return;
  const cawi::KernelPoints landmarks = kernel.points(x);
  for (Index j = 0; j < d; ++j) {
    arma::mat up = z, down = z;
    up.col(j) += 1e-5;
    down.col(j) -= 1e-5;
    const arma::mat slope = (kernel.between(kernel.points(up), landmarks) -
                             kernel.between(kernel.points(down), landmarks)) *
                            b / 2e-5;
    for (Index k = 0; k < outputs; ++k) {
      CHECK(close(all.col(k * d + j), slope.col(k), 1e-4,
                  1.0 + largest(b) * static_cast<double>(x.n_rows)));
    }
  }
}

}  // namespace

void attack(Input& in) {
  const std::uint8_t kind = in.byte() % 4;
  const Index d = in.count(1, 5);
  const cawi::Kernel kernel = any_kernel(in, d);
  const Index m = in.size(1, 150);
  if (kind == 3) {
    // Rows that R lets through; an error says where they are too large.
    const arma::mat x = in.matrix(m, d, Numbers::finite);
    const cawi::Landmarks none(kernel, arma::mat(d, 0), arma::mat());
    const cawi::NewLandmarks chosen = cawi::choose_landmarks(none, x, m, one);
    if (chosen.rows.is_empty()) return;
    CHECK(chosen.root.is_finite());
    const cawi::Landmarks known(kernel, x.rows(chosen.rows).t(), chosen.root);
    arma::mat h;
    known.write(in.matrix(in.count(0, 9), d, Numbers::any), h);
    const double error = cawi::landmark_error(known, x);
    CHECK(error >= 0.0 && error <= 1.0);
    return;
  }
  const arma::mat x = in.matrix(m, d, Numbers::sane);
  if (kind == 0) return check_kernel(kernel, x);
  if (kind == 1) return check_landmarks(in, kernel, x);
  check_gradients(in, kernel, x);
}
