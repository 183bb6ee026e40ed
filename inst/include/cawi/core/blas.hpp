// Threads of the package and threads of the BLAS must not multiply, and sums must be rounded in the
// same way for any number of threads: the core always calls a BLAS that uses one thread.
#ifndef CAWI_CORE_BLAS_HPP
#define CAWI_CORE_BLAS_HPP

#include <mutex>

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define CAWI_HAS_DLSYM 1
#else
#define CAWI_HAS_DLSYM 0
#endif

namespace cawi {

// While one lives, a threaded OpenBLAS runs on one thread; other libraries are left as they are.
// They may overlap, in any threads: the first sets, the last restores.
class SingleThreadedBlas {
 public:
  SingleThreadedBlas() {
    Library& blas = library();
    const std::lock_guard<std::mutex> lock(blas.mutex);
    if (blas.guards++ > 0 || blas.get == nullptr) return;
    blas.before = blas.get();
    if (blas.before > 1) blas.set(1);
  }
  ~SingleThreadedBlas() {
    Library& blas = library();
    const std::lock_guard<std::mutex> lock(blas.mutex);
    if (--blas.guards == 0 && blas.before > 1) blas.set(blas.before);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  struct Library {
    using Set = void (*)(int);
    using Get = int (*)();
    Set set = nullptr;
    Get get = nullptr;
    std::mutex mutex;
    int guards = 0, before = 0;

    Library() {
#if CAWI_HAS_DLSYM
      set = reinterpret_cast<Set>(dlsym(RTLD_DEFAULT, "openblas_set_num_threads"));
      if (set == nullptr) return;
      get = reinterpret_cast<Get>(dlsym(RTLD_DEFAULT, "openblas_get_num_threads"));
#endif
    }
  };

  static Library& library() {
    static Library blas;
    return blas;
  }
};

}  // namespace cawi

#endif
