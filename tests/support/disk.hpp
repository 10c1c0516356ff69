#pragma once
/// \file
/// Records the system calls of a piece of code, and tests its behaviour when a call fails. For tests that link
/// failing_disk.cpp.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "lib/io/files.hpp"

extern "C" void gradus_disk_restart();

namespace gradus::test {

/// A fault at call number `number`, in the form of failing_disk.cpp: "broken 7".
inline std::string fault_at(const std::string& kind, std::size_t number) {
  return kind + " " + std::to_string(number);
}

/// A call with its names relative to the folder. The drawn digits of a temporary name are removed: NAME.tmp.
inline std::string short_call(std::string line, const std::string& folder) {
  constexpr std::size_t drawn = 16;
  for (std::size_t at = 0; (at = line.find(folder + "/")) != line.npos;) line.erase(at, folder.size() + 1);
  for (std::size_t at = 0; (at = line.find(".tmp-")) != line.npos;) line.erase(at + 4, 1 + drawn);
  const std::size_t alone = line.find(folder);
  return alone == line.npos ? line : line.replace(alone, folder.size(), ".");
}

/// The calls with which `action` changes files of a folder, in their order: "fsync weights.tmp". "." is the folder.
/// `fault` is the disk's fault meanwhile; "" is none.
template <class Action>
std::vector<std::string> disk_calls(const std::string& the_folder, const std::string& fault, Action action) {
  const std::string folder = std::filesystem::canonical(the_folder).string();
  const TemporaryFolder logs;
  const auto watch = [](const std::string& path, const std::string& log, const std::string& what) {
    ::setenv("GRADUS_DISK_FOLDER", path.c_str(), 1);
    ::setenv("GRADUS_DISK_LOG", log.c_str(), 1);
    ::setenv("GRADUS_DISK_FAULT", what.c_str(), 1);
    gradus_disk_restart();
  };
  watch(folder, logs.path("calls"), fault);
  action();
  watch("", "", "");
  std::vector<std::string> calls;
  std::ifstream log(logs.path("calls"));
  for (std::string line; std::getline(log, line);) calls.push_back(short_call(line, folder));
  return calls;
}

}  // namespace gradus::test
