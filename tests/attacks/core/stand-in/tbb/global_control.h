// See task_arena.h: here an arena has as many threads as it was asked for.
#ifndef CAWI_ATTACKS_GLOBAL_CONTROL_H
#define CAWI_ATTACKS_GLOBAL_CONTROL_H

#include <cstddef>

namespace tbb {

struct global_control {
  enum parameter { max_allowed_parallelism };
  global_control(parameter, std::size_t) {}
};

}  // namespace tbb

#endif
