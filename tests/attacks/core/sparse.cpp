// Compressed rows: what is damaged is refused, what is sound is the matrix that it stands for.
#include "networks.hpp"

#include "cawi/features/moments.hpp"
#include "cawi/features/sparse_product.hpp"

namespace {

using namespace attacks;

arma::mat dense(const cawi::SparseRows& rows) {
  arma::mat x(rows.rows(), rows.columns(), arma::fill::zeros);
  for (Index i = 0; i < rows.rows(); ++i) {
    const cawi::SparseRows::Row row = rows.row(i);
    for (Index k = 0; k < row.count; ++k) x(i, row.column[k]) = row.value[k];
  }
  return x;
}

// Numbers of places from anywhere, as a file that somebody edited has them.
void attack_damaged(Input& in) {
  const Index rows = in.count(0, 6), stored = in.count(0, 8), columns = in.count(0, 5);
  const auto place = [&] {
    const std::uint8_t kind = in.byte();
    return kind < 224 ? static_cast<int>(kind % 10) - 1 : static_cast<int>(in.word());
  };
  std::vector<int> start(rows + 1), column(stored);
  for (int& s : start) s = place();
  for (int& c : column) c = place();
  if (in.flag()) start[0] = 0;
  if (in.flag()) start[rows] = static_cast<int>(stored);
  const std::vector<double> value(stored, 1.0);
  const cawi::SparseRows damaged(start.data(), rows, column.data(), value.data(), columns);
  if (!damaged.fits(stored)) return;
  CHECK(same(dense(damaged.transposed()).t(), dense(damaged)));
}

}  // namespace

void attack(Input& in) {
  if (in.flag()) return attack_damaged(in);
  const Index m = in.count(1, 20), d = in.count(1, 6);
  const arma::mat x = in.matrix(m, d, Numbers::finite);
  const cawi::SparseRows rows = sparse(x);
  CHECK(rows.fits(rows.stored()));
  CHECK(same(dense(rows), x));
  const cawi::SparseRows turned = rows.transposed();
  CHECK(turned.fits(turned.stored()));
  CHECK(same(dense(turned), x.t()));
  CHECK(same(dense(turned.transposed()), x));

  arma::uvec some(in.count(0, 12));
  for (arma::uword& i : some) i = in.count(0, m);
  if (!some.is_empty() && some.max() < m) {
    CHECK(same(dense(rows.some(some)), x.rows(some)));
  } else {
    rows.some(some);
  }

  // Moments of columns are those of the dense matrix.
  arma::vec weights;
  if (in.flag()) weights = in.case_weights(m);
  const cawi::Moments few = cawi::column_moments(rows, weights, {});
  const cawi::Moments all = cawi::column_moments(x, weights, cawi::Threads{1});
  for (Index j = 0; j < d; ++j) {
    const double scale = largest(x.col(j));
    CHECK(close(few[j].mean, all[j].mean, 1e-12, scale));
    CHECK(close(few[j].sd, all[j].sd, 1e-7, scale * 1e-7));
    CHECK(close(few[j].weight, all[j].weight, 1e-12));
  }

  // Products are those of the standardized rows.
  const arma::mat sane = in.matrix(m, d, Numbers::sane);
  const cawi::SparseRows sane_rows = sparse(sane);
  const cawi::Standardization standard = standardization(in, d, in.flag());
  arma::mat w = in.matrix(d, in.count(1, 9), Numbers::sane), z(m, d), h(m, w.n_cols);
  const cawi::SparseProduct product(sane_rows, standard, w);
  product.write({0, m}, h);
  standard.write(cawi::Inputs(sane), {0, m}, z);
  CHECK(close(h, z * w, 1e-11, (1.0 + largest(z)) * (1.0 + largest(w)) * 10.0));
}
