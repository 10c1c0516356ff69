#include "gradus/util/process.hpp"

#include <cstdlib>
#include <filesystem>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t kilo = 1024;

/// Artificial system files.
struct System {
  System(std::size_t memory_kb, std::size_t swap_kb, const std::string& groups) {
    write("/proc/meminfo", "MemTotal:       " + std::to_string(memory_kb) +
                               " kB\nMemFree:        17 kB\nSwapTotal:      " + std::to_string(swap_kb) +
                               " kB\nSwapFree:       18 kB\n");
    write("/proc/self/cgroup", groups);
  }
  void write(const std::string& path, const std::string& text) const {
    std::filesystem::create_directories(std::filesystem::path(root() + path).parent_path());
    folder.write(path.substr(1), text);
  }
  std::string root() const { return folder.path("").substr(0, folder.path("").size() - 1); }

  TemporaryFolder folder;
};

}  // namespace

TEST_CASE("process: the memory there is, is the machine's with its swap space, or what its control groups allow") {
  const System plain(1000, 24, "0::/\n");
  CHECK(memory_limit(plain.root()) == 1024 * kilo);

  const System grouped(1000, 24, "0::/user/mine\n");
  CHECK(memory_limit(grouped.root()) == 1024 * kilo);
  grouped.write("/sys/fs/cgroup/user/mine/memory.max", "max\n");
  CHECK(memory_limit(grouped.root()) == 1024 * kilo);
  grouped.write("/sys/fs/cgroup/user/memory.max", "500000\n");  // of the group around it
  CHECK(memory_limit(grouped.root()) == 500000);
  grouped.write("/sys/fs/cgroup/user/mine/memory.max", "400000\n");
  CHECK(memory_limit(grouped.root()) == 400000);
  grouped.write("/sys/fs/cgroup/memory.max", "300000\n");
  CHECK(memory_limit(grouped.root()) == 300000);
  grouped.write("/sys/fs/cgroup/other/memory.max", "1\n");
  CHECK(memory_limit(grouped.root()) == 300000);
}

TEST_CASE("process: control groups of version 1 have another file, and only that of memory counts") {
  const System old(1000, 0, "5:cpu:/user\n4:memory:/user\n");
  CHECK(memory_limit(old.root()) == 1000 * kilo);
  old.write("/sys/fs/cgroup/cpu/user/memory.limit_in_bytes", "1\n");
  old.write("/sys/fs/cgroup/memory/user/memory.limit_in_bytes", "700000\n");
  CHECK(memory_limit(old.root()) == 700000);
  old.write("/sys/fs/cgroup/memory/user/memory.limit_in_bytes", "9223372036854771712\n");  // none
  CHECK(memory_limit(old.root()) == 1000 * kilo);
}

TEST_CASE("process: the quota of processor time is the smallest of the control groups, rounded up") {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const System now(1000, 0, "0::/user/mine\n");
  CHECK(processor_quota(now.root()) == none);
  now.write("/sys/fs/cgroup/user/mine/cpu.max", "max 100000\n");
  CHECK(processor_quota(now.root()) == none);
  now.write("/sys/fs/cgroup/user/cpu.max", "700000 100000\n");  // of the group around it
  CHECK(processor_quota(now.root()) == 7);
  now.write("/sys/fs/cgroup/user/mine/cpu.max", "110000 50000\n");
  CHECK(processor_quota(now.root()) == 3);
  now.write("/sys/fs/cgroup/other/cpu.max", "1000 100000\n");
  CHECK(processor_quota(now.root()) == 3);
  now.write("/sys/fs/cgroup/cpu.max", "20000 100000\n");  // of a container, which sees its group as the root
  CHECK(processor_quota(now.root()) == 1);
  now.write("/sys/fs/cgroup/cpu.max", "nonsense\n");
  CHECK(processor_quota(now.root()) == 3);
}

TEST_CASE("process: in version 1 of control groups the quota and its period are two files") {
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const System old(1000, 0, "7:cpuset:/user\n6:memory:/user\n4:cpu,cpuacct:/user\n3:cpuacct:/other\n");
  const auto write = [&](const std::string& folder, const std::string& quota, const std::string& period) {
    old.write("/sys/fs/cgroup/" + folder + "/cpu.cfs_quota_us", quota + "\n");
    old.write("/sys/fs/cgroup/" + folder + "/cpu.cfs_period_us", period + "\n");
  };
  for (const char* other : {"cpuset/user", "memory/user", "cpuacct/other"}) write(other, "100000", "100000");
  CHECK(processor_quota(old.root()) == none);
  write("cpu,cpuacct/user", "500000", "100000");
  CHECK(processor_quota(old.root()) == 5);
  write("cpu/user", "250000", "80000");  // the usual second name of that folder
  CHECK(processor_quota(old.root()) == 4);
  write("cpu", "90000", "50000");
  CHECK(processor_quota(old.root()) == 2);
  write("cpu", "-1", "50000");
  CHECK(processor_quota(old.root()) == 4);
  write("cpu/user", "0", "0");
  CHECK(processor_quota(old.root()) == none);
}

TEST_CASE("process: without information from the system there is no limit") {
  const TemporaryFolder empty;
  CHECK(processor_quota(empty.path("nowhere")) == std::numeric_limits<std::size_t>::max());
  CHECK(memory_limit(empty.path("nowhere")) == 0);
  CHECK_NOTHROW(require_memory(1e18, "it", "", 0));
}

TEST_CASE("process: this machine has memory, and this program a path") {
  CHECK(memory_limit() > 100'000'000);
  CHECK(std::filesystem::exists(program_path()));
  CHECK(std::filesystem::path(program_path()).filename() == "test_io");
}

TEST_CASE("process: a function has the file that it was loaded from") {
  const auto of_program = program_path;
  const auto of_library = std::strtoul;
  CHECK(std::filesystem::equivalent(file_of_function(reinterpret_cast<const void*>(of_program)), program_path()));
  const std::string library = file_of_function(reinterpret_cast<const void*>(of_library));
  CHECK(std::filesystem::exists(library));
  CHECK_FALSE(std::filesystem::equivalent(library, program_path()));
  CHECK(file_of_function(nullptr).empty());
}

TEST_CASE("process: more memory than there is gives an error with both numbers") {
  CHECK(error_of([] { require_memory(3e9, "it", "; go home", 3'000'000'000); }) == "no error");
  CHECK(error_of([] { require_memory(3.3e9, "it", "; go home", 3'000'000'000); }) ==
        "it needs 3.3 GB of memory; this machine, or a limit set on it, allows 3.0 GB; go home");
}
