#include "gradus/util/machine.hpp"

#include <sys/utsname.h>

#include <fstream>

namespace gradus {

std::string processor_name() {
  std::ifstream processors("/proc/cpuinfo");
  for (std::string line; std::getline(processors, line);) {
    const auto colon = line.find(": ");
    if (line.rfind("model name", 0) == 0 && colon != std::string::npos) return line.substr(colon + 2);
  }
  struct utsname system;
  return uname(&system) == 0 ? system.machine : "an unknown processor";
}

}  // namespace gradus
