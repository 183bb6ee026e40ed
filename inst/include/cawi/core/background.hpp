// A decomposition inside LAPACK may take many seconds and cannot be stopped. It runs on a thread of
// its own, while the thread that wants it waits and may be interrupted. Then it finishes by itself,
// with nobody waiting: it owns all memory that it touches.
#ifndef CAWI_CORE_BACKGROUND_HPP
#define CAWI_CORE_BACKGROUND_HPP

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "threads.hpp"

namespace cawi {

namespace detail {

template <class Work>
class Background {
 public:
  explicit Background(Work work) : work_(std::move(work)) {}

  void run() {
    try {
      work_();
    } catch (...) {
      error_ = std::current_exception();
    }
    const std::lock_guard<std::mutex> lock(mutex_);
    done_ = true;
    if (abandoned_) --abandoned_threads;
    finished_.notify_all();
  }

  // Throws what the work threw, or what `check` throws while the work goes on.
  template <class Check>
  Work wait(const Check& check) {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!done_) {
      finished_.wait_for(lock, std::chrono::milliseconds(50));
      if (done_) break;
      try {
        check();
      } catch (...) {
        abandoned_ = true;
        ++abandoned_threads;
        throw;
      }
    }
    if (error_) std::rethrow_exception(error_);
    return std::move(work_);
  }

 private:
  Work work_;
  std::mutex mutex_;
  std::condition_variable finished_;
  bool done_ = false, abandoned_ = false;
  std::exception_ptr error_;
};

// Threads that nobody waits for. They are joined before the library leaves memory: the last thing
// that a thread does, after it said that it is done, is still code of the library.
class LeftThreads {
 public:
  static void add(std::thread thread) {
    const std::lock_guard<std::mutex> lock(all().mutex_);
    all().threads_.push_back(std::move(thread));
  }

  static void join() {
    const std::lock_guard<std::mutex> lock(all().mutex_);
    all().join_all();
  }

  // Does not wait for work. Threads are counted before they come here, so none is overlooked.
  static void join_if_done() {
    const std::lock_guard<std::mutex> lock(all().mutex_);
    if (abandoned_threads.load() == 0) all().join_all();
  }

 private:
  void join_all() {
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  // Never destroyed: a process may end while they run.
  static LeftThreads& all() {
    static LeftThreads* const threads = new LeftThreads;
    return *threads;
  }

  std::mutex mutex_;
  std::vector<std::thread> threads_;
};

// Where no thread can be had, the work is done at once.
template <class Work>
std::thread start(const std::shared_ptr<Background<Work>>& state) {
  if (!is_fork()) LeftThreads::join_if_done();
  try {
    return std::thread([state] { state->run(); });
  } catch (const std::system_error&) {
    state->run();
    return {};
  }
}

}  // namespace detail

// Runs work(), an object that owns what it reads and writes, and gives it back.
template <class Work>
Work in_background(Work work, const Threads& threads) {
  const auto state = std::make_shared<detail::Background<Work>>(std::move(work));
  std::thread thread = detail::start(state);
  try {
    Work result = state->wait([&threads] {
      if (detail::Team::current() != nullptr) return checkpoint();
      if (threads.poll != nullptr) threads.poll();
    });
    if (thread.joinable()) thread.join();
    return result;
  } catch (...) {
    if (thread.joinable()) detail::LeftThreads::add(std::move(thread));
    throw;
  }
}

// Waits until no thread runs code of the library, which is about to leave memory.
inline void wait_for_abandoned() {
  if (detail::is_fork()) return;
  while (detail::called_helpers.load() > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  detail::LeftThreads::join();
}

}  // namespace cawi

#endif
