// The part of TBB that the core uses, on plain threads, for race.cpp alone. ThreadSanitizer does
// not see the locks of a TBB that was compiled without it: it would report every hand-over of a
// task, and to suppress these reports would hide races of the core.
#ifndef CAWI_ATTACKS_TASK_ARENA_H
#define CAWI_ATTACKS_TASK_ARENA_H

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace tbb {

class task_arena {
 public:
  // Of `count` threads some are reserved for those that call.
  task_arena(int count, unsigned reserved) {
    for (int i = static_cast<int>(reserved); i < count; ++i) {
      threads_.emplace_back([this] { work(); });
    }
  }

  ~task_arena() {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      closed_ = true;
    }
    called_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  template <class Task>
  void enqueue(Task task) {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    called_.notify_one();
  }

 private:
  void work() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (true) {
      called_.wait(lock, [this] { return closed_ || !tasks_.empty(); });
      if (tasks_.empty()) return;
      {
        const std::function<void()> task = std::move(tasks_.front());
        tasks_.pop_front();
        lock.unlock();
        task();
      }
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable called_;
  std::deque<std::function<void()>> tasks_;
  std::vector<std::thread> threads_;
  bool closed_ = false;
};

namespace this_task_arena {
inline int max_concurrency() { return 1; }
}  // namespace this_task_arena

}  // namespace tbb

#endif
