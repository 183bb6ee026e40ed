#ifndef CAWI_COPULA_REFLECTED_HPP
#define CAWI_COPULA_REFLECTED_HPP

#include <utility>

#include "copula.hpp"

namespace cawi {

// The distribution after some coordinates u_j of a copula became 1 - u_j: negative dependence for
// families that only have the positive kind.
class Reflected : public Copula {
 public:
  Reflected(std::unique_ptr<const Copula> inner, std::vector<bool> flipped)
      : inner_(std::move(inner)), flipped_(std::move(flipped)) {
    require(flipped_.size() == inner_->dim(), "flipped", "must have one entry per feature");
  }

  Index dim() const override { return inner_->dim(); }

  double log_density(const double* u, double* work) const override {
    std::vector<double> turned(u, u + dim());
    for (Index j = 0; j < dim(); ++j) {
      if (flipped_[j]) turn(&turned[j], 1);
    }
    return inner_->log_density(turned.data(), work);
  }

  void draw(Stream& stream, DrawBlock& u) const override {
    inner_->draw(stream, u);
    for (Index j = 0; j < dim(); ++j) {
      if (flipped_[j]) turn(u.column(j), u.count());
    }
  }

 private:
  static void turn(double* u, Index n) {
    for (Index i = 0; i < n; ++i) u[i] = clamp_to_open_unit(1.0 - u[i]);
  }

  std::unique_ptr<const Copula> inner_;
  std::vector<bool> flipped_;
};

}  // namespace cawi

#endif
