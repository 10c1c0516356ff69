#include <mach-o/dyld.h>
#include <sys/resource.h>
#include <sys/sysctl.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <thread>

#include "gradus/util/process.hpp"

// Written from Apple's manual pages; not compiled yet.

namespace gradus {

std::string program_path() {
  std::array<char, 4096> path{};
  auto size = static_cast<std::uint32_t>(path.size());
  return _NSGetExecutablePath(path.data(), &size) == 0 ? path.data() : "";
}

std::size_t usable_processors() { return std::max(1U, std::thread::hardware_concurrency()); }

std::size_t processor_quota(const std::string&) { return std::numeric_limits<std::size_t>::max(); }

std::size_t peak_memory() {
  rusage usage{};
  return getrusage(RUSAGE_SELF, &usage) == 0 ? static_cast<std::size_t>(usage.ru_maxrss) : 0;  // bytes, on macOS
}

void prefer_large_pages(void*, std::size_t) {}  // macOS gives no such choice

std::size_t memory_limit(const std::string&) {
  std::uint64_t bytes = 0;
  std::size_t size = sizeof bytes;
  if (sysctlbyname("hw.memsize", &bytes, &size, nullptr, 0) != 0) return 0;
  return std::min(static_cast<std::size_t>(bytes), address_limit());
}

}  // namespace gradus
