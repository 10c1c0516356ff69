#include "gradus/util/process.hpp"

#include <dlfcn.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "gradus/util/system_error.hpp"

namespace gradus {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}
namespace {

std::string gigabytes(double bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
  return text;
}

}  // namespace

std::string file_of_function(const void* address) {
  Dl_info info{};
  return ::dladdr(address, &info) != 0 && info.dli_fname != nullptr ? info.dli_fname : "";
}

std::string processor_name() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  struct utsname system;
  return uname(&system) == 0 ? system.machine : "an unknown processor";
}

std::size_t address_limit() {
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const auto resource : {RLIMIT_AS, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
      least = std::min<std::size_t>(least, limit.rlim_cur);
  }
  return least;
}

void require_memory(double bytes, const std::string& what, const std::string& advice, std::size_t limit) {
  const auto most = static_cast<double>(limit);
  if (limit == 0 || bytes <= most) return;
  throw SystemError(what + " needs " + gigabytes(bytes) +
                        " of memory; this machine, or a limit set on it, allows " + gigabytes(most) + advice,
                    ENOMEM);
}

}  // namespace gradus
