#include "convert.h"

#include <atomic>
#include <chrono>
#include <thread>

// [[Rcpp::export(rng = false)]]
double child_seed_cpp(double seed, int index) {
  return static_cast<double>(cawi::child_seed(as_seed(seed), index));
}

// [[Rcpp::export(rng = false)]]
bool all_finite_cpp(const Rcpp::NumericVector& x) { return cawi::all_finite(x.begin(), x.size()); }

// [[Rcpp::export(rng = false)]]
Rcpp::IntegerVector permutation_cpp(double seed, int n) {
  const auto p = cawi::permutation(as_seed(seed), n);
  return Rcpp::IntegerVector(p.begin(), p.end()) + 1;
}

// The largest number of tasks that were at work at the same time in a loop of `outer` tasks, each of
// which is a loop of `inner` tasks.
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
