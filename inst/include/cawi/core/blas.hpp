// Threads of the package and threads of the BLAS must not multiply: while blocks of rows run in
// parallel, each block calls a BLAS that uses one thread.
#ifndef CAWI_CORE_BLAS_HPP
#define CAWI_CORE_BLAS_HPP

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define CAWI_HAS_DLSYM 1
#else
#define CAWI_HAS_DLSYM 0
#endif

namespace cawi {

// While it lives, a threaded OpenBLAS runs on one thread; other libraries are left as they are.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() {
#if CAWI_HAS_DLSYM
    set_ = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
    const auto get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
    if (set_ == nullptr || get == nullptr) return;
    before_ = get();
    if (before_ > 1) set_(1);
#endif
  }
  ~SingleThreadedBlas() {
    if (before_ > 1) set_(before_);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  using Set = void (*)(int);
  using Get = int (*)();
  Set set_ = nullptr;
  int before_ = 0;
};

}  // namespace cawi

#endif
