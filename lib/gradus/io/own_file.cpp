#include "gradus/io/own_file.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <fstream>

namespace gradus {
namespace {

void check_kind(const struct stat& file, const std::string& path) {
  const char* const kind = S_ISLNK(file.st_mode)   ? "a symbolic link"
                           : S_ISDIR(file.st_mode) ? "a folder"
                           : S_ISREG(file.st_mode) ? nullptr
                                                   : "a device or a pipe";
  if (kind == nullptr) return;
  fail("cannot write " + path + ": it is " + kind +
       ", and the program writes its own files only; remove it, or give another folder");
}

}  // namespace

void check_own_file(const std::string& path) {
  struct stat file;
  if (::lstat(path.c_str(), &file) == 0) return check_kind(file, path);
  if (errno != ENOENT && errno != ENOTDIR) fail_system("write", path);
}

Descriptor open_own_file(const std::string& path, bool at_end) {
  check_own_file(path);
  // O_NONBLOCK, so that a pipe that appears meanwhile is found below, and not waited for
  Descriptor file(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK | (at_end ? O_APPEND : 0), 0666);
  struct stat opened;
  if (!file || ::fstat(file.get(), &opened) != 0) fail_system("write", path);
  check_kind(opened, path);
  if (opened.st_nlink > 1)
    fail("cannot write " + path + ": the file has another name, where it would change too; remove this one");
  if (!at_end && ::ftruncate(file.get(), 0) != 0) fail_system("write", path);
  return file;
}

void check_replaceable(const std::string& path, std::string_view beginning, const std::string& kind) {
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return;
  std::string found(beginning.size(), '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(found.data(), static_cast<std::streamsize>(found.size()));
  if (file.gcount() == 0 || found == beginning) return;
  fail("cannot write " + path + ": the file that is there is no " + kind + "; remove it, or give another name");
}

Links links_at(const std::string& path, const std::string& folder) {
  const auto absolute = [](const std::filesystem::path& given) {
    return (std::filesystem::absolute(given) / "").lexically_normal();
  };
  const std::filesystem::path parent = absolute(std::filesystem::absolute(path).parent_path());
  std::error_code none;  // one of them does not exist yet
  const bool inside = parent == absolute(folder) || std::filesystem::equivalent(parent, folder, none);
  return inside ? Links::refuse : Links::follow;
}

}  // namespace gradus
