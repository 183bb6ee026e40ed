// Work is a numbered list of tasks, a loop, run on the TBB that RcppParallel brings. Threads pull
// the next number, so uneven tasks balance; a task writes only to its own slots, so the result does
// not depend on who ran it.
//
// A task may run a loop of its own. All loops of one call from outside share one team of threads:
// never more tasks are at work than the team may have threads, and a thread without work helps in
// whatever loop has tasks left.
#ifndef CAWI_CORE_THREADS_HPP
#define CAWI_CORE_THREADS_HPP

// Older versions of TBB call it a preview.
#ifndef TBB_PREVIEW_GLOBAL_CONTROL
#define TBB_PREVIEW_GLOBAL_CONTROL 1
#endif
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "types.hpp"

#if defined(__unix__) || defined(__APPLE__)
#include <unistd.h>
#define CAWI_HAS_FORK 1
#else
#define CAWI_HAS_FORK 0
#endif

namespace cawi {

struct Threads {
  int count = 1;
  // Called on the calling thread between tasks; may throw to stop (an interrupt, say).
  void (*poll)() = nullptr;
};

namespace detail {

// Threads that finish work nobody waits for any more (background.hpp).
inline std::atomic<int> abandoned_threads{0};

// Helpers that were called and did not yet leave, of all teams.
inline std::atomic<int> called_helpers{0};

// A fork has the memory of the process that started threads, but none of its threads. The first
// call, which is made before any thread is started, tells which process that is.
inline bool is_fork() {
#if CAWI_HAS_FORK
  static const pid_t first = getpid();
  return getpid() != first;
#else
  return false;
#endif
}

// Ends the loops of a team whose caller was interrupted; the team throws the interrupt itself.
struct Cancelled {};

// The times that the tasks of loops took, for those who study the schedule: one vector of seconds
// per loop that is not inside another one.
struct TaskTimes {
  std::mutex mutex;
  std::vector<std::vector<double>> loops;
  int depth = 0;  // of the calling thread in loops of several tasks

  static std::atomic<TaskTimes*>& current() {
    static std::atomic<TaskTimes*> times{nullptr};
    return times;
  }
};

// One list of tasks, on the stack of the thread that runs it. The team guards what is not atomic.
struct Loop {
  Index tasks = 0;
  int limit = 1;  // threads that may take part, the one that runs it among them
  void (*call)(const void* task, Index i, Index slot) = nullptr;
  const void* task = nullptr;

  std::atomic<Index> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::vector<bool> slots;  // those that are taken
  int helpers = 0;

  bool has_tasks() const { return !failed.load() && next.load() < tasks; }
};

// The threads of one call from outside.
class Team : public std::enable_shared_from_this<Team> {
 public:
  explicit Team(const Threads& threads)
      : count_(useful(threads.count)), poll_(threads.poll), polled_(Clock::now()) {
    if (count_ == 1) return;
    if (count_ > tbb::this_task_arena::max_concurrency()) allow_more_than_cores();
    arena_ = &arena_of(count_);
  }

  // The team that the running thread works for, if any.
  static Team*& current() {
    static thread_local Team* team = nullptr;
    return team;
  }

  // Runs a loop on this thread and on those that come to help. The first exception is rethrown.
  void run(Loop& loop) {
    loop.slots.assign(static_cast<Index>(loop.limit), false);
    loop.slots[0] = true;
    const Membership member(this);
    if (loop.limit > 1) call_for_help(loop);
    work(loop, 0);
    if (loop.limit > 1) wait_for_helpers(loop);
    if (is_caller() && interrupt_) std::rethrow_exception(interrupt_);
    if (loop.error) std::rethrow_exception(loop.error);
    if (cancelled_.load()) throw Cancelled{};
  }

  // To be called now and then in long tasks, and while waiting.
  void checkpoint() {
    if (is_caller()) poll();
    if (cancelled_.load()) throw Cancelled{};
  }

 private:
  using Clock = std::chrono::steady_clock;

  // While it lives, the running thread works for a team.
  class Membership {
   public:
    explicit Membership(Team* team) : before_(current()) { current() = team; }
    ~Membership() { current() = before_; }
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

   private:
    Team* before_;
  };

  // Sixteen threads, or one per core: more would only be in each other's way.
  static int most_threads() {
    return std::max(16, static_cast<int>(std::thread::hardware_concurrency()));
  }

  static int useful(int threads) {
    // In a fork TBB waits for threads that do not exist.
    if (threads <= 1 || is_fork()) return 1;
    return std::clamp(threads - abandoned_threads.load(), 1, most_threads());
  }

  // TBB has as many threads as the machine has cores, unless it is told otherwise. Of several
  // limits the least holds, so there is one for good; TBB would make use of a higher one.
  static void allow_more_than_cores() {
    static const tbb::global_control control(tbb::global_control::max_allowed_parallelism,
                                             static_cast<std::size_t>(most_threads()));
  }

  // Teams of one size share an arena. Threads leave an arena that has no more work only after a
  // while, of seconds on a busy machine, and would come to a new one no sooner; in the same one
  // they see the next call at once.
  static tbb::task_arena& arena_of(int count) {
    static std::mutex mutex;
    static std::map<int, tbb::task_arena> arenas;
    const std::lock_guard<std::mutex> lock(mutex);
    return arenas.try_emplace(count, count, 1).first->second;
  }

  bool is_caller() const { return std::this_thread::get_id() == caller_; }

  // Asks for interrupts, ten times a second at most.
  void poll() {
    if (poll_ == nullptr || Clock::now() - polled_ < std::chrono::milliseconds(100)) return;
    polled_ = Clock::now();
    try {
      poll_();
    } catch (...) {
      interrupt_ = std::current_exception();
      cancelled_.store(true);
      throw;
    }
  }

  void call_for_help(Loop& loop) {
    int wanted;
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      open_.push_back(&loop);
      wanted = std::min(loop.limit - 1, count_ - at_work_);
      at_work_ += wanted;
    }
    for (int i = 0; i < wanted; ++i) call_helper();
  }

  // Without memory for a helper the work is done without it: the loop is open and must be run.
  void call_helper() {
    ++called_helpers;
    try {
      arena_->enqueue([team = shared_from_this()] { team->help(); });
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      --at_work_;
      --called_helpers;
    }
  }

  // What a helper does: tasks of any open loop until there are none.
  void help() {
    const Membership member(this);
    std::unique_lock<std::mutex> lock(mutex_);
    while (Loop* loop = next_loop()) {
      const auto free = std::find(loop->slots.begin(), loop->slots.end(), false);
      *free = true;
      ++loop->helpers;
      lock.unlock();
      work(*loop, static_cast<Index>(free - loop->slots.begin()));
      lock.lock();
      *free = false;
      if (--loop->helpers == 0) left_.notify_all();
    }
    --at_work_;
    --called_helpers;
  }

  // The loop that was opened first has the largest tasks.
  Loop* next_loop() const {
    for (Loop* loop : open_) {
      if (loop->has_tasks() && loop->helpers + 1 < loop->limit) return loop;
    }
    return nullptr;
  }

  void work(Loop& loop, Index slot) {
    try {
      while (loop.has_tasks() && !cancelled_.load()) {
        const Index i = loop.next.fetch_add(1);
        if (i >= loop.tasks) return;
        if (TaskTimes* times = TaskTimes::current().load()) {
          timed_call(loop, i, slot, *times);
        } else {
          loop.call(loop.task, i, slot);
        }
        if (is_caller()) poll();
      }
    } catch (...) {
      const std::lock_guard<std::mutex> lock(mutex_);
      loop.failed.store(true);
      if (!loop.error) loop.error = std::current_exception();
    }
  }

  // Only for one thread: tasks beside each other would be in each other's way.
  static void timed_call(Loop& loop, Index i, Index slot, TaskTimes& times) {
    const bool several = loop.tasks > 1, outside = times.depth == 0;
    times.depth += several ? 1 : 0;
    const auto start = Clock::now();
    loop.call(loop.task, i, slot);
    const std::chrono::duration<double> seconds = Clock::now() - start;
    times.depth -= several ? 1 : 0;
    if (!several || !outside) return;
    const std::lock_guard<std::mutex> lock(times.mutex);
    if (i == 0) times.loops.emplace_back();
    times.loops.back().push_back(seconds.count());
  }

  // Helpers that are inside the loop use memory of its caller: it must wait, interrupted or not.
  void wait_for_helpers(Loop& loop) {
    std::unique_lock<std::mutex> lock(mutex_);
    open_.erase(std::find(open_.begin(), open_.end(), &loop));
    while (loop.helpers > 0) {
      left_.wait_for(lock, std::chrono::milliseconds(50));
      if (!is_caller() || interrupt_) continue;
      lock.unlock();
      try {
        poll();
      } catch (...) {
        loop.failed.store(true);
      }
      lock.lock();
    }
  }

  const int count_;
  void (*poll_)();
  Clock::time_point polled_;
  const std::thread::id caller_ = std::this_thread::get_id();
  tbb::task_arena* arena_ = nullptr;  // none for one thread

  std::mutex mutex_;
  std::condition_variable left_;  // the last helper of a loop left it
  std::vector<Loop*> open_;
  int at_work_ = 1;  // the caller and the helpers that were called
  std::atomic<bool> cancelled_{false};
  std::exception_ptr interrupt_;
};

}  // namespace detail

// Runs task(i, slot) for i in [0, tasks). `slot` is below threads.count and no two tasks run in one
// slot at the same time, so it may index scratch memory. The first exception is rethrown here.
template <class Task>
void for_each_task(Index tasks, const Threads& threads, const Task& task) {
  if (tasks == 0) return;
  detail::Loop loop;
  loop.tasks = tasks;
  loop.limit = static_cast<int>(std::min<Index>(std::max(threads.count, 1), tasks));
  loop.task = &task;
  loop.call = [](const void* t, Index i, Index slot) { (*static_cast<const Task*>(t))(i, slot); };
  if (detail::Team* team = detail::Team::current()) return team->run(loop);
  std::make_shared<detail::Team>(threads)->run(loop);
}

// Runs work() with one team for all its loops, whatever the first of them asks for.
template <class Work>
void run_in_team(const Threads& threads, const Work& work) {
  if (detail::Team::current() != nullptr) return work();
  detail::Loop loop;
  loop.tasks = 1;
  loop.task = &work;
  loop.call = [](const void* w, Index, Index) { (*static_cast<const Work*>(w))(); };
  std::make_shared<detail::Team>(threads)->run(loop);
}

// Lets a long task answer an interrupt.
inline void checkpoint() {
  if (detail::Team* team = detail::Team::current()) team->checkpoint();
}

}  // namespace cawi

#endif
