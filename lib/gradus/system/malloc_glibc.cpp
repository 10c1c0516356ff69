#include <malloc.h>

#include "gradus/util/process.hpp"

namespace gradus {

void return_large_blocks() {
  constexpr int large = 128 * 1024;  // glibc's initial threshold, which it raises when such a block is freed
  ::mallopt(M_MMAP_THRESHOLD, large);
}

}  // namespace gradus
