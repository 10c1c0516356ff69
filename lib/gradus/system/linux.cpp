#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
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

/// The smallest limit of this process's nested control groups; `most` if none is smaller.
std::size_t control_group_limit(const std::string& root, std::size_t most) {
  std::ifstream groups(root + "/proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {  // "0::/user/one", or "5:memory:/user/one" of version 1
    const auto first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string kind = line.substr(first + 1, second - first - 1), group = line.substr(second + 1);
    if (!kind.empty() && kind != "memory") continue;
    const std::string top = root + "/sys/fs/cgroup" + (kind.empty() ? "" : "/memory");
    const char* const file = kind.empty() ? "/memory.max" : "/memory.limit_in_bytes";
    for (std::string path = group == "/" ? "" : group;; path.resize(path.rfind('/'))) {
      most = std::min(most, number_in(top + path + file, most));
      if (path.empty() || path[0] != '/') break;
    }
  }
  return most;
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
