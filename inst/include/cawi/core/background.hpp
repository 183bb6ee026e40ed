// A decomposition inside LAPACK may take many seconds and cannot be stopped. It runs on a thread of
// its own, while the thread that wants it waits and may be interrupted. Then it finishes by itself,
// with nobody waiting: it owns all memory that it touches.
#ifndef CAWI_CORE_BACKGROUND_HPP
#define CAWI_CORE_BACKGROUND_HPP

#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

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

}  // namespace detail

// Runs work(), an object that owns what it reads and writes, and gives it back.
template <class Work>
Work in_background(Work work, const Threads& threads) {
  const auto state = std::make_shared<detail::Background<Work>>(std::move(work));
  std::thread([state] { state->run(); }).detach();
  return state->wait([&threads] {
    if (detail::Team::current() != nullptr) return checkpoint();
    if (threads.poll != nullptr) threads.poll();
  });
}

// Waits until no thread is left that finishes abandoned work: its code must stay in memory.
inline void wait_for_abandoned() {
  while (detail::abandoned_threads.load() > 0) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

}  // namespace cawi

#endif
