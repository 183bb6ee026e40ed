#include "convert.h"

#include <threefry.h>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#if defined(__linux__)
#include <sys/resource.h>
#include <unistd.h>
#endif

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

// Threads that a limit on the address space leaves room for. OpenBLAS takes a buffer for each of
// the threads that call it, and tries for ever where it cannot have one.
// [[Rcpp::export(rng = false)]]
int affordable_threads_cpp(int threads) {
#if defined(__linux__)
  rlimit limit;
  if (threads > 1 && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY) {
    double pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const double room = static_cast<double>(limit.rlim_cur) - pages * sysconf(_SC_PAGESIZE);
    const double thread_bytes = 160.0 * 1024 * 1024;
    return 1 + static_cast<int>(std::clamp(room / thread_bytes, 0.0, threads - 1.0));
  }
#endif
  return threads;
}

// [[Rcpp::export(rng = false)]]
double steady_seconds_cpp() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

// [[Rcpp::export(rng = false)]]
bool all_finite_cpp(const Rcpp::NumericVector& x) { return cawi::all_finite(x.begin(), x.size()); }

// [[Rcpp::export(rng = false)]]
bool any_subnormal_cpp(const Rcpp::NumericVector& x) {
  return cawi::any_subnormal(x.begin(), x.size());
}

// The sigmoid and the sine of x by each set of instructions that this machine has, one column each.
// [[Rcpp::export(rng = false)]]
Rcpp::List vector_copies_cpp(const arma::vec& x) {
  using namespace cawi::detail;
  arma::mat sigmoid = arma::repmat(x, 1, 3), sine = sigmoid;
  transform_body<Doubles>(Sigmoid(), sigmoid.colptr(0), x.n_elem);
  transform_body<Doubles>(VectorSine(), sine.colptr(0), x.n_elem);
  transform(Sigmoid(), sigmoid.colptr(1), x.n_elem);
  transform(VectorSine(), sine.colptr(1), x.n_elem);
  transform_wide(Sigmoid(), sigmoid.colptr(2), x.n_elem);
  transform_wide(VectorSine(), sine.colptr(2), x.n_elem);
  return Rcpp::List::create(sigmoid, sine);
}

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector permutation_cpp(double seed, int n) {
  const auto p = cawi::permutation(as_seed(seed), n);
  return Rcpp::IntegerVector(p.begin(), p.end()) + 1;
}

// One number in (0, 1) for each of `count` rows from number `first` on, which depends on the seed
// and on the number of the row alone.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector row_uniforms_cpp(double seed, double first, int count) {
  cawi::Stream stream(as_seed(seed));
  Rcpp::NumericVector uniforms(Rcpp::no_init(count));
  for (int i = 0; i < count; ++i) {
    stream.start(as_seed(first) + static_cast<std::uint64_t>(i));
    uniforms[i] = stream.uniform();
  }
  return uniforms;
}

// The largest number of tasks that were at work at the same time in a loop of `outer` tasks, each
// of which is a loop of `inner` tasks.
// [[Rcpp::export(rng = false)]]
int tasks_at_once_cpp(int outer, int inner, double milliseconds, int threads) {
  std::atomic<int> now{0}, most{0};
  const cawi::Threads team = as_threads(threads);
  cawi::for_each_task(outer, team, [&](cawi::Index, cawi::Index) {
    cawi::for_each_task(inner, team, [&](cawi::Index, cawi::Index) {
      const int count = ++now;
      int seen = most.load();
      while (count > seen && !most.compare_exchange_weak(seen, count)) continue;
      std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds));
      --now;
    });
  });
  return most.load();
}

// Tasks that take the given times, on some threads.
// [[Rcpp::export(rng = false)]]
void run_tasks_cpp(const std::vector<double>& milliseconds, int threads) {
  cawi::for_each_task(milliseconds.size(), as_threads(threads), [&](cawi::Index i, cawi::Index) {
    std::this_thread::sleep_for(std::chrono::duration<double, std::milli>(milliseconds[i]));
  });
}

// [[Rcpp::export(rng = false)]]
void wait_for_abandoned_cpp() { cawi::wait_for_abandoned(); }

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

// Runs an R function on one thread and gives the seconds that the tasks of its loops took.
// [[Rcpp::export(rng = false)]]
Rcpp::List task_times_cpp(const Rcpp::Function& work) {
  cawi::detail::TaskTimes times;
  cawi::detail::TaskTimes::current() = &times;
  try {
    work();
  } catch (...) {
    cawi::detail::TaskTimes::current() = nullptr;
    throw;
  }
  cawi::detail::TaskTimes::current() = nullptr;
  Rcpp::List loops;
  for (const std::vector<double>& loop : times.loops) {
    loops.push_back(Rcpp::NumericVector(loop.begin(), loop.end()));
  }
  return loops;
}

// Index arithmetic at numbers of rows that no memory holds; all numbers are whole and below 2^53.
// The number of blocks of `size` rows (0: as products of `columns` columns have it), and first row
// and number of rows of one of them.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector row_block_cpp(double rows, double size, double columns, double block) {
  const auto n = static_cast<cawi::Index>(rows);
  const cawi::RowBlocks blocks =
      size > 0.0 ? cawi::RowBlocks(n, static_cast<cawi::Index>(size))
                 : cawi::RowBlocks::for_products(n, static_cast<cawi::Index>(columns));
  const cawi::RowBlock one = blocks[static_cast<cawi::Index>(block)];
  return {static_cast<double>(blocks.count()), static_cast<double>(blocks.size()),
          static_cast<double>(one.first), static_cast<double>(one.count)};
}

// The columns, from zero, of pair k of columns.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector column_pair_cpp(double k) {
  const auto [i, j] = cawi::detail::pair_at(static_cast<cawi::Index>(k));
  return {static_cast<double>(i), static_cast<double>(j)};
}

// The lags at which rows are compared where `most` pairs of rows are, and the pairs of the last
// lag.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericVector row_lags_cpp(double rows, double most) {
  const cawi::RowPairs pairs(static_cast<cawi::Index>(rows), static_cast<cawi::Index>(most));
  return {static_cast<double>(pairs.lags()), static_cast<double>(pairs.count(pairs.lags()))};
}

// The halves of n (n - 1) / 2.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix pair_count_cpp(double n) {
  Rcpp::NumericMatrix halves(1, 2);
  put_word(static_cast<std::uint64_t>(cawi::detail::choose2(static_cast<cawi::Count>(n))), 0,
           halves);
  return halves;
}

// Draws first, ..., first + count - 1 (from zero) of a copula, as rows.
// [[Rcpp::export(rng = false)]]
Rcpp::NumericMatrix draws_from_cpp(const Rcpp::List& copula, double first, int count, double seed) {
  const cawi::CopulaPtr model = as_copula(copula);
  cawi::DrawBlock block;
  block.resize(model->dim(), static_cast<cawi::Index>(first), count);
  cawi::Stream stream(as_seed(seed));
  model->draw(stream, block);
  Rcpp::NumericMatrix u = new_matrix(count, model->dim());
  for (cawi::Index j = 0; j < block.dim(); ++j) {
    std::copy_n(block.column(j), count, u.begin() + static_cast<R_xlen_t>(j) * count);
  }
  return u;
}
