#include "convert.h"

#include <threefry.h>

namespace {
// The generator of another library, which tests compare the streams with.
sitmo::threefry_13_64 peer_stream(double seed, double index) {
  sitmo::threefry_13_64 engine(as_seed(seed));
  engine.set_counter(0, as_seed(index));
  return engine;
}

cawi::Stream own_stream(double seed, double index) {
  cawi::Stream stream(as_seed(seed));
  stream.start(as_seed(index));
  return stream;
}

// Both halves of a word of 64 bits.
void put_word(std::uint64_t word, int i, Rcpp::NumericMatrix& halves) {
  halves(i, 0) = static_cast<double>(word >> 32);
  halves(i, 1) = static_cast<double>(word & 0xffffffff);
}
}  // namespace

// [[Rcpp::export(rng = false)]]
double child_seed_cpp(double seed, int index) {
  return static_cast<double>(cawi::child_seed(as_seed(seed), index));
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector permutation_cpp(double seed, int n) {
  const auto p = cawi::permutation(as_seed(seed), n);
  return Rcpp::IntegerVector(p.begin(), p.end()) + 1;
}

// The first n words of stream `index`, or of the peer; and its first normal numbers.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix stream_words_cpp(double seed, double index, int n, bool peer) {
  Rcpp::NumericMatrix words(n, 2);
  cawi::Stream own = own_stream(seed, index);
  sitmo::threefry_13_64 other = peer_stream(seed, index);
  for (int i = 0; i < n; ++i) put_word(peer ? other() : own.bits(), i, words);
  return words;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector stream_normals_cpp(double seed, double index, int n, bool peer) {
  Rcpp::NumericVector z(n);
  cawi::Stream own = own_stream(seed, index);
  sitmo::threefry_13_64 other = peer_stream(seed, index);
  boost::random::normal_distribution<double> normal;
  if (!peer) own.normals(z.begin(), n);
  for (int i = 0; i < n && peer; ++i) z[i] = normal(other);
  return z;
}

// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector normal_cdf_cpp(Rcpp::NumericVector x) {
  Rcpp::NumericVector p = Rcpp::clone(x);
  cawi::normal_cdf_in_place(p.begin(), p.size());
  return p;
}
