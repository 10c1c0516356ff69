#include "gradus/util/peak_memory.hpp"

#include <malloc.h>

#include <fstream>
#include <string>

namespace gradus {

std::size_t peak_memory() {
  // getrusage() would know it too, but counts what the process was before exec(): a copy of its parent.
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.compare(0, 6, "VmHWM:") == 0) return 1024 * std::stoul(line.substr(6));  // "VmHWM:   12345 kB"
  }
  return 0;
}

void return_large_blocks() {
  constexpr int large = 128 * 1024;  // glibc's own first choice, which it gives up when such a block is freed
  ::mallopt(M_MMAP_THRESHOLD, large);
}

}  // namespace gradus
