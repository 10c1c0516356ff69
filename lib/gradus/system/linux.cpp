#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

#include "gradus/util/process.hpp"

namespace gradus {
namespace {

/// The number of kB after `name` in a file of lines such as "VmHWM:   12345 kB", in bytes; 0 if it is not there.
std::size_t bytes_after(const std::string& name, const std::string& path) {
  std::ifstream file(path);
  std::string word;
  for (std::size_t number = 0; file >> word;) {
    if (word == name && file >> number) return 1024 * number;
  }
  return 0;
}

/// The number in a file; `none` if there is no file, or if it holds the word "max", which means that there is no limit.
std::size_t number_in(const std::string& path, std::size_t none) {
  std::ifstream file(path);
  std::size_t number = 0;
  return file >> number ? number : none;
}

/// Calls f(folder, version) for each folder of this process's nested control groups that may limit `controller`: "memory" or
/// "cpu". A container may see its own group as the root, so the root is one of them.
template <class F>
void each_control_group(const std::string& root, const std::string& controller, const F& f) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line;
       std::getline(groups, line);) {  // "0::/user/one", or "5:cpu,cpuacct:/user/one" of version 1
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (!kind.empty() && ("," + kind + ",").find("," + controller + ",") == line.npos) continue;
    std::string top = root + "/sys/fs/cgroup";
    if (!kind.empty()) top += std::filesystem::exists(top + "/" + controller) ? "/" + controller : "/" + kind;
    for (std::string path = group == "/" ? "" : group;; path.resize(path.rfind('/'))) {
      f(top + path, kind.empty() ? 2 : 1);
      if (path.empty() || path[0] != '/') break;
    }
  }
}

/// The smallest limit of these groups; `most` if none is smaller.
std::size_t control_group_limit(const std::string& root, std::size_t most) {
  each_control_group(root, "memory", [&](const std::string& folder, int version) {
    most = std::min(most, number_in(folder + (version == 2 ? "/memory.max" : "/memory.limit_in_bytes"), most));
  });
  return most;
}

/// The processors whose time a group may use, 1.5 for one and a half; infinity without a limit: "max" in version 2, -1 in version 1.
double processor_time(const std::string& folder, int version) {
  double quota = 0, period = 0;
  if (version == 2) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : std::numeric_limits<double>::infinity();
}

}  // namespace

std::string program_path() {
  std::error_code none;
  return std::filesystem::read_symlink("/proc/self/exe", none).string();
}

std::size_t usable_processors() {
  cpu_set_t usable;
  if (::sched_getaffinity(0, sizeof usable, &usable) == 0) return static_cast<std::size_t>(CPU_COUNT(&usable));
  return std::max(1U, std::thread::hardware_concurrency());  // a machine of more processors than the set can name
}

std::size_t processor_quota(const std::string& root) {
  double least = std::numeric_limits<double>::infinity();
  each_control_group(root, "cpu", [&](const std::string& folder, int version) {
    least = std::min(least, processor_time(folder, version));
  });
  constexpr double many = 1e6;  // more processors than any machine has
  return least < many ? static_cast<std::size_t>(std::ceil(least)) : std::numeric_limits<std::size_t>::max();
}

std::size_t peak_memory() {
  // Not getrusage(): it also counts the memory that this process had before exec(), which was a copy of its parent's.
  return bytes_after("VmHWM:", "/proc/self/status");
}

void prefer_large_pages(void* p, std::size_t bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before =
      (page - reinterpret_cast<std::uintptr_t>(p) % page) % page;  // bytes up to the first whole page
  if (bytes < before + page) return;
  const std::size_t whole = (bytes - before) / page * page;
  ::madvise(static_cast<char*>(p) + before, whole,
            MADV_HUGEPAGE);  // an error changes nothing: the pages stay small
}

std::size_t memory_limit(const std::string& root) {
  const std::string path = root + "/proc/meminfo";
  const std::size_t memory = bytes_after("MemTotal:", path);
  const std::size_t most = std::min(memory + bytes_after("SwapTotal:", path), address_limit());
  return memory == 0 ? 0 : control_group_limit(root, most);
}

}  // namespace gradus
