// Bytes become problems. A few bytes say what a matrix is like, column by column, and a small
// generator fills it, so that an input of some dozen bytes reaches every branch of a routine that
// looks at many numbers. Past its end an input has zeros.
//
// A target is a function attack(Input&). An error of the core's own type is a fine outcome;
// anything else that is thrown, a failed check and what a sanitizer reports are findings.
#ifndef CAWI_ATTACKS_INPUT_HPP
#define CAWI_ATTACKS_INPUT_HPP

#include <armadillo>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "cawi/core/errors.hpp"
#include "cawi/core/types.hpp"

#define CHECK(condition) \
  if (!(condition)) attacks::fail(#condition, __FILE__, __LINE__)

namespace attacks {

using cawi::Index;

[[noreturn]] inline void fail(const char* what, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
  std::abort();
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// What numbers may be asked for.
enum class Numbers {
  sane,    // of size one, as standardized features are
  finite,  // any that R lets through as finite: denormal, of 1e-300 and of 1e300
  any      // these, infinities and NaN
};

// Equal but for rounding: `tolerance` relative to the larger one, or to `scale` where that is more.
inline bool close(double a, double b, double tolerance, double scale = 0.0) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return true;
  return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), scale});
}

inline bool close(const arma::mat& a, const arma::mat& b, double tolerance, double scale) {
  if (arma::size(a) != arma::size(b)) return false;
  for (Index i = 0; i < a.n_elem; ++i) {
    if (close(a[i], b[i], tolerance, scale)) continue;
    std::fprintf(stderr, "%.17g against %.17g, tolerance %g of %g\n", a[i], b[i], tolerance, scale);
    return false;
  }
  return true;
}

// Says what the numbers were.
#define CHECK_CLOSE(a, b, tolerance, scale)                              \
  if (!attacks::close(a, b, tolerance, scale)) {                         \
    std::fprintf(stderr, "%.17g against %.17g\n", double(a), double(b)); \
    attacks::fail(#a " near " #b, __FILE__, __LINE__);                   \
  }

// The same bits; NaN equals NaN.
inline bool same(const arma::mat& a, const arma::mat& b) {
  return arma::size(a) == arma::size(b) && close(a, b, 0.0, 0.0);
}

inline double largest(const arma::mat& a) {
  return a.is_empty() ? 0.0 : arma::abs(arma::vectorise(a)).max();
}

class Input {
 public:
  Input(const std::uint8_t* data, std::size_t size) : data_(data), left_(size) {}

  std::uint8_t byte() {
    if (left_ == 0) return 0;
    --left_;
    return *data_++;
  }
  bool flag() { return (byte() & 1) != 0; }
  std::uint64_t word() {
    std::uint64_t w = 0;
    for (int i = 0; i < 8; ++i) w = w << 8 | byte();
    return w;
  }
  // From `least` to `most`, both among them.
  Index count(Index least, Index most) {
    const Index range = most - least + 1;
    return least + (range <= 256 ? byte() : byte() << 8 | byte()) % range;
  }
  // Small mostly, as large as `most` at times.
  Index size(Index least, Index most) {
    return (byte() & 15) == 15 ? count(least, most) : count(least, std::min<Index>(most, 24));
  }
  template <class Values>
  auto one_of(const Values& values) {
    return values[byte() % std::size(values)];
  }
  // Whole, below 2^53, as seeds of R are.
  std::uint64_t seed() { return word() >> 11; }

  double number(Numbers numbers) {
    const std::uint8_t kind = byte();
    if (numbers == Numbers::sane || kind < 128) return 8.0 * (unit() - 0.5);
    if (kind < 144) return special(byte(), numbers);
    if (kind < 192) return std::ldexp(8.0 * (unit() - 0.5), exponent(byte()));
    const std::uint64_t bits = word();
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return numbers == Numbers::any || std::isfinite(value) ? value : 1.0;
  }

  // In the open unit interval, two bytes fine.
  double unit() { return (static_cast<double>(byte() << 8 | byte()) + 0.5) / 65536.0; }

  arma::mat matrix(Index rows, Index columns, Numbers numbers) {
    arma::mat x(rows, columns);
    for (Index j = 0; rows > 0 && j < columns; ++j) fill_column(x, j, numbers);
    return x;
  }
  arma::vec vector(Index rows, Numbers numbers) { return matrix(rows, 1, numbers); }

  // Positive case weights, whole numbers at times.
  arma::vec case_weights(Index rows) {
    const bool whole = flag();
    Random random(word());
    arma::vec w(rows);
    for (double& v : w)
      v = whole ? static_cast<double>(1 + random() % 3) : 0.1 + 2.0 * random.unit();
    return w;
  }

  // Classes 0, ..., k - 1 of rows.
  std::vector<int> classes(Index rows, Index k) {
    Random random(word());
    std::vector<int> all(rows);
    for (int& c : all) c = static_cast<int>(random() % k);
    return all;
  }

 private:
  // splitmix64.
  struct Random {
    explicit Random(std::uint64_t seed) : state(seed) {}
    std::uint64_t operator()() {
      std::uint64_t z = state += 0x9e3779b97f4a7c15;
      z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
      z = (z ^ z >> 27) * 0x94d049bb133111eb;
      return z ^ z >> 31;
    }
    double unit() { return (static_cast<double>((*this)() >> 12) + 0.5) * 0x1p-52; }
    double around_zero() { return 6.0 * (unit() + unit() + unit() - 1.5) / 1.5; }
    std::uint64_t state;
  };

  static int exponent(std::uint8_t b) { return (b % 32 - 16) * 62; }

  static double special(std::uint8_t which, Numbers numbers) {
    constexpr double finite[] = {
        0.0,    -0.0,   1.0,     -1.0,     5e-324, -5e-324,
        1e-310, 1e-300, -1e-300, 1e300,    -1e300, 1.7976931348623157e308,
        1e-154, 1e154,  1e16,    2.0e-308, 0.5,    -1.7976931348623157e308};
    constexpr double rest[] = {not_a_number, infinity, -infinity};
    const std::size_t known = std::size(finite);
    const std::size_t all = numbers == Numbers::any ? known + std::size(rest) : known;
    const std::size_t i = which % all;
    return i < known ? finite[i] : rest[i - known];
  }

  // A byte chooses the kind of a column, the next ones its parameters.
  void fill_column(arma::mat& x, Index j, Numbers numbers) {
    const std::uint8_t kind = byte() % (numbers == Numbers::sane ? 8 : 12);
    const Index levels = 1 + byte() % 7;
    Random random(word() >> 48);
    double* to = x.colptr(j);
    for (Index i = 0; i < x.n_rows; ++i) to[i] = random.around_zero();
    if (kind >= 8) return spoil_column(kind, levels, numbers, x.col(j));
    const double first = kind == 2 ? number(numbers) : 0.0;
    const double* before = x.colptr(j > 0 ? j - 1 : 0);
    for (Index i = 0; i < x.n_rows; ++i) {
      switch (kind) {
        case 1:  // ties
          to[i] = static_cast<double>(random() % levels);
          break;
        case 2:  // constant
          to[i] = first;
          break;
        case 3:  // a copy of the one before
          to[i] = before[i];
          break;
        case 4:  // its opposite
          to[i] = -before[i];
          break;
        case 5:  // near it
          to[i] = before[i] + 1e-7 * random.around_zero();
          break;
        case 6:  // in order, with steps
          to[i] = static_cast<double>(i / levels) / static_cast<double>(x.n_rows);
          break;
        case 7:  // zeros but for a few
          to[i] = random() % 8 == 0 ? to[i] : 0.0;
          break;
        default:
          break;
      }
    }
  }

  void spoil_column(std::uint8_t kind, Index levels, Numbers numbers, arma::subview_col<double> x) {
    const int unit = exponent(byte());
    Random random(byte());
    for (double& v : x) {
      const auto chance = static_cast<std::uint8_t>(random() >> 16);
      if (kind == 8) v = std::ldexp(v, unit);  // another unit
      if (kind == 9 && chance % (levels + 1) == 0) v = special(chance / 8, numbers);
      if (kind == 10) v = std::ldexp(v, exponent(chance));  // every unit
      if (kind == 11) v = 1e15 * static_cast<double>(levels) + std::round(4.0 * v);
    }
  }

  const std::uint8_t* data_;
  std::size_t left_;
};

}  // namespace attacks

void attack(attacks::Input& in);

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attacks::Input in(data, size);
  try {
    attack(in);
  } catch (const cawi::DomainError&) {
  }
  return 0;
}

#endif
