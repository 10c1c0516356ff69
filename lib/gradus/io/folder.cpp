#include "gradus/io/folder.hpp"

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

namespace fs = std::filesystem;

namespace {

bool has_folder(const fs::path& file) {
  return file.parent_path().empty() || is_folder(file.parent_path().string());
}

/// Throws SystemError for a failed call of the system, unless it means that there is no such path.
bool require_absent(const std::string& path) {
  if (errno != ENOENT && errno != ENOTDIR) fail_system("read", path);
  return true;
}

Descriptor open_folder(const std::string& path) {
  std::error_code ignored;  // writing there reports the error
  fs::create_directories(path, ignored);
  return {path, O_RDONLY | O_DIRECTORY};
}

}  // namespace

bool is_there(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 || !require_absent(path);
}

bool is_folder(const std::string& path) {
  struct stat status;
  return ::stat(path.c_str(), &status) == 0 ? S_ISDIR(status.st_mode) : !require_absent(path);
}

void check_folder(const std::string& path) {
  std::error_code none;  // writing there reports the error
  // with a slash at the end, the system would follow a link
  const fs::path named = (fs::path(path) / "").parent_path();
  if (fs::is_symlink(named, none) && !fs::exists(named, none)) {
    fail(path + " is a link to " + fs::read_symlink(named, none).string() +
         ", which does not exist; make that folder, or remove the link");
  }
  if (fs::exists(named, none) && !fs::is_directory(named, none))
    fail(path + ": cannot make this folder: the path exists and is no folder");
}

void check_writable_folder(const std::string& path) {
  check_folder(path);
  const fs::path named = (fs::absolute(path) / "").lexically_normal().parent_path();
  fs::path present = named;
  std::error_code none;  // what cannot be seen is not there, and then its parent is asked
  while (present.has_relative_path() && !fs::exists(present, none)) present = present.parent_path();
  errno = ENOTDIR;
  if (fs::is_directory(present, none) && ::access(present.c_str(), W_OK | X_OK) == 0) return;
  const std::string reason = std::generic_category().message(errno);
  fail(path + (present == named ? ": cannot write in this folder: " : ": cannot make this folder: ") + reason);
}

void make_folder(const std::string& path) {
  check_folder(path);
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail(path + ": cannot make this folder: " + error.message());
}

std::string file_behind(const std::string& path) {
  constexpr int most_links = 40;  // the system's own limit
  fs::path target = path;
  std::error_code none;
  for (int links = 0; fs::is_symlink(target, none); ++links) {
    if (links == most_links) fail("cannot write " + path + ": its links lead in a circle");
    target = target.parent_path() / fs::read_symlink(target, none);
  }
  if (target != path && !has_folder(target))
    fail("cannot write " + path + ": it is a link to " + target.string() + ", and there is no folder for that");
  return target.string();
}

void check_place(const std::string& path) {
  if (!has_folder(file_behind(path)))
    fail("cannot write " + path + ": there is no folder " + fs::path(path).parent_path().string());
}

FolderLock::FolderLock(const std::string& folder) : folder_(open_folder(folder)) {
  if (!folder_) return;
  if (::flock(folder_.get(), LOCK_EX | LOCK_NB) == 0) {
    remove_leftovers(folder);
  } else if (errno == EWOULDBLOCK) {
    fail(folder + ": another process is working in this folder; wait for its end, or give another one");
  }
}

}  // namespace gradus
