#ifndef CAWI_COPULA_INDEPENDENCE_HPP
#define CAWI_COPULA_INDEPENDENCE_HPP

#include "copula.hpp"

namespace cawi {

class Independence : public Copula {
 public:
  explicit Independence(Index dim) : dim_(dim) {}

  Index dim() const override { return dim_; }

  double log_density(const double*, double*) const override { return 0.0; }

  void draw(Stream& stream, DrawBlock& u) const override {
    std::vector<double*> columns(dim_);
    for (Index j = 0; j < dim_; ++j) columns[j] = u.column(j);
    stream_columns(stream.seed(), u.first(), u.count(), dim_, columns.data());
  }

 private:
  Index dim_;
};

}  // namespace cawi

#endif
