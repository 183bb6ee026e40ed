// Work is a numbered list of tasks, run on the TBB that RcppParallel brings. Threads pull the next
// number, so uneven tasks balance; a task writes only to its own slots, so the result does not
// depend on who ran it.
#ifndef CAWI_CORE_THREADS_HPP
#define CAWI_CORE_THREADS_HPP

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <mutex>

#include "types.hpp"

namespace cawi {

struct Threads {
  int count = 1;
  // Called on the calling thread between slices of work; may throw to stop (an interrupt, say).
  void (*poll)() = nullptr;
};

namespace detail {

template <class Task>
class TaskRunner {
 public:
  TaskRunner(Index tasks, const Task& task) : tasks_(tasks), task_(task) {}

  void start_slice() { deadline_ = Clock::now() + std::chrono::milliseconds(100); }

  // Runs tasks until none is left, the slice is over or a task failed.
  void run(Index slot) {
    try {
      while (!failed_.load() && Clock::now() < deadline_) {
        const Index i = next_.fetch_add(1);
        if (i >= tasks_) return;
        task_(i, slot);
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      failed_.store(true);
      if (!error_) error_ = std::current_exception();
    }
  }

  bool finished() const { return next_.load() >= tasks_ || error_ != nullptr; }

  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  using Clock = std::chrono::steady_clock;

  Index tasks_;
  const Task& task_;
  std::atomic<Index> next_{0};
  std::atomic<bool> failed_{false};
  std::mutex mutex_;
  std::exception_ptr error_;
  Clock::time_point deadline_;
};

}  // namespace detail

// Runs task(i, slot) for i in [0, tasks). `slot` is below threads.count and no two tasks run in one
// slot at the same time, so it may index scratch memory. The first exception is rethrown here.
template <class Task>
void for_each_task(Index tasks, const Threads& threads, const Task& task) {
  // More workers than the machine has would only make TBB complain.
  const int available = tbb::this_task_arena::max_concurrency();
  const int workers =
      static_cast<int>(std::min<Index>(std::clamp(threads.count, 1, available), tasks));
  detail::TaskRunner<Task> runner(tasks, task);
  while (!runner.finished()) {
    runner.start_slice();
    if (workers <= 1) {
      runner.run(0);
    } else {
      tbb::task_arena arena(workers);
      arena.execute([&] {
        tbb::parallel_for(Index{0}, static_cast<Index>(workers),
                          [&](Index slot) { runner.run(slot); });
      });
    }
    if (threads.poll) threads.poll();
  }
  runner.rethrow();
}

}  // namespace cawi

#endif
