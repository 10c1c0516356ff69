#include "gradus/ops/blas/blas_call.hpp"

#include <sys/mman.h>

#include <cstddef>

#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

extern "C" {  // cblas.h is included in gemm_cpu.cpp only
int openblas_get_parallel(void);
int openblas_get_num_threads(void);
void openblas_set_num_threads(int);
}

namespace gradus {
namespace {

enum Parallel { serial = 0, own_threads = 1, openmp = 2 };  // the values of openblas_get_parallel()

/// OpenBLAS maps one buffer for each product that it computes at the same time, and keeps it. The size is
/// BUFFER_SIZE in OpenBLAS's common_x86_64.h and common_arm64.h, and a little more, because its second way to get a
/// buffer is malloc().
constexpr std::size_t buffer_bytes = (std::size_t{128} << 20) + (std::size_t{1} << 20);

void require_addresses(std::size_t bytes) {
  void* const place = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) {
    fail(
        "the limit on this process's memory (ulimit -v or -d) is too small: OpenBLAS takes 128 MB of addresses "
        "for each thread; raise the limit, or use fewer --threads");
  }
  ::munmap(place, bytes);
}

struct Calls {
  const int parallel = openblas_get_parallel();
  const bool limited = has_address_limit();
  std::mutex alone, mutex;  // `mutex` guards the members below
  std::size_t inside = 0;   // scopes
  int before = 1;           // OpenBLAS's number of threads before the first scope
};
Calls& calls() {
  static Calls all;
  return all;
}

}  // namespace

BlasCall::BlasCall() {
  Calls& c = calls();
  if (c.parallel == serial) {
    alone_ = std::unique_lock(c.alone);
    if (c.limited) require_addresses(buffer_bytes);
    return;
  }
  const std::lock_guard lock(c.mutex);
  // assumes that no other scope has its buffer yet
  if (c.limited) require_addresses((c.inside + 1) * buffer_bytes);
  if (c.inside++ == 0) c.before = openblas_get_num_threads();
  if (c.inside == 1 || c.parallel == openmp)
    openblas_set_num_threads(1);  // with OpenMP each thread has its own setting
}

BlasCall::~BlasCall() {
  Calls& c = calls();
  if (c.parallel == serial) return;
  const std::lock_guard lock(c.mutex);
  if (--c.inside == 0 || c.parallel == openmp) openblas_set_num_threads(c.before);
}

}  // namespace gradus
