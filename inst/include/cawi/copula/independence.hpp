#ifndef CAWI_COPULA_INDEPENDENCE_HPP
#define CAWI_COPULA_INDEPENDENCE_HPP

#include "copula.hpp"

namespace cawi {

class Independence : public Copula {
 public:
  explicit Independence(Index dim) : dim_(dim) {}

  Index dim() const override { return dim_; }

  double log_density(const double*, double*) const override { return 0.0; }

  void draw(Stream& stream, Index first, Index count, double* u) const override {
    for (Index k = 0; k < count; ++k) {
      stream.start(first + k);
      stream.uniforms(u + k * dim_, dim_);
    }
  }

 private:
  Index dim_;
};

}  // namespace cawi

#endif
