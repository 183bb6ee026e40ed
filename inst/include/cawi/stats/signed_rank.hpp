// Means of pairs of gains, and Dirichlet weights on them: the signed-rank comparisons of two
// methods, in memory that grows with the number of gains and not with that of their pairs.
#ifndef CAWI_STATS_SIGNED_RANK_HPP
#define CAWI_STATS_SIGNED_RANK_HPP

#include <boost/math/special_functions/erf.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

#include "../core/random.hpp"
#include "../core/threads.hpp"
#include "../core/vectors.hpp"

namespace cawi {

// For each gain a of the sorted gains z, the number of gains b with (a + b) / 2 < limit, or with
// <= where `strict` is false. A larger a never has more of them, also with rounded sums, so one
// walk over z serves all.
inline std::vector<double> means_below(const std::vector<double>& z, double limit, bool strict) {
  std::vector<double> count(z.size());
  Index last = z.size();
  for (Index a = 0; a < z.size(); ++a) {
    const auto is_beyond = [&](Index b) {
      const double mean = (z[a] + z[b]) / 2.0;
      return strict ? !(mean < limit) : !(mean <= limit);
    };
    while (last > 0 && is_beyond(last - 1)) --last;
    count[a] = static_cast<double>(last);
  }
  return count;
}

namespace detail {

// Weights of draw `draw`: exponential variables over their sum. With a pseudo-observation the first
// is a gamma variable of shape 1/2, whose quantile function is erf_inv(u)^2.
inline void dirichlet_weights(Stream& stream, Index draw, bool pseudo, std::vector<double>& w) {
  stream.start(draw);
  stream.uniforms(w.data(), w.size());
  const double root = pseudo ? boost::math::erf_inv(w[0]) : 0.0;
  log_in_place(w.data(), w.size());
  if (pseudo) w[0] = -root * root;
  double total = 0.0;
  for (const double v : w) total += v;
  for (double& v : w) v /= total;
}

}  // namespace detail

// Means of the gains under Dirichlet weights, one for each draw.
inline std::vector<double> bootstrap_means(const std::vector<double>& gain, Index draws,
                                           std::uint64_t seed, const Threads& threads) {
  std::vector<double> means(draws);
  for_each_task(draws, threads, [&](Index draw, Index) {
    Stream stream(seed);
    std::vector<double> w(gain.size());
    detail::dirichlet_weights(stream, draw, false, w);
    double sum = 0.0;
    for (Index i = 0; i < gain.size(); ++i) sum += w[i] * gain[i];
    means[draw] = sum;
  });
  return means;
}

// Shares of pairs of gains whose mean is below, within and above the rope, 3 x draws, under
// Dirichlet weights. The first gain is the pseudo-observation.
inline arma::mat signed_rank_shares(const std::vector<double>& gain, double rope, Index draws,
                                    std::uint64_t seed, const Threads& threads) {
  const Index n = gain.size();
  std::vector<std::uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return gain[a] < gain[b]; });
  std::vector<double> z(n);
  for (Index i = 0; i < n; ++i) z[i] = gain[order[i]];
  const std::vector<double> below = means_below(z, -rope, true);
  const std::vector<double> upto = means_below(z, rope, false);
  arma::mat shares(3, draws);
  for_each_task(draws, threads, [&](Index draw, Index) {
    Stream stream(seed);
    std::vector<double> w(n), summed(n + 1, 0.0);
    detail::dirichlet_weights(stream, draw, true, w);
    for (Index i = 0; i < n; ++i) summed[i + 1] = summed[i] + w[order[i]];
    double first = 0.0, last = 0.0;
    for (Index i = 0; i < n; ++i) {
      first += w[order[i]] * summed[static_cast<Index>(below[i])];
      last += w[order[i]] * (summed[n] - summed[static_cast<Index>(upto[i])]);
    }
    shares(0, draw) = first;
    shares(1, draw) = 1.0 - first - last;
    shares(2, draw) = last;
  });
  return shares;
}

}  // namespace cawi

#endif
