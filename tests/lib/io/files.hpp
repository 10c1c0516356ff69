#pragma once
/// \file
/// Common functions of the file tests: a temporary folder, and the message of an error.

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "gradus/util/error.hpp"

namespace gradus::test {

/// A new folder, removed with its content at the end of the scope. It reads and writes with streams, so that the
/// code under test is not used to check itself.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "gradus-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = pattern + "/";
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  std::string path(const std::string& name) const { return path_ + name; }

  std::string write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path(name), std::ios::binary) << bytes;
    return path(name);
  }

  std::set<std::string> names() const {
    std::set<std::string> result;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) result.insert(entry.path().filename());
    return result;
  }

 private:
  std::string path_;
};

inline std::string content(const std::string& path) {
  std::ostringstream bytes;  // an iterator over the bytes takes ten times as long, and more under a sanitizer
  bytes << std::ifstream(path, std::ios::binary).rdbuf();
  return bytes.str();
}

/// The message of the Error that `action` throws; "no error" if it throws none. Also checks that the message has
/// one line.
template <class Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const Error& error) {
    const std::string message = error.what();
    return message.find('\n') == message.npos ? message : "more than one line: " + message;
  }
  return "no error";
}

}  // namespace gradus::test
