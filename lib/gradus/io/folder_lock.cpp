#include "gradus/io/folder_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "gradus/io/atomic_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

int open_folder(const std::string& path) {
  std::error_code ignored;  // writing there reports the error
  std::filesystem::create_directories(path, ignored);
  return ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder) : fd_(open_folder(folder)) {
  if (fd_ < 0) return;
  const bool locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
  if (locked) remove_leftovers(folder);
  if (locked || errno != EWOULDBLOCK) return;
  ::close(fd_);
  fail(folder + ": another process is working in this folder; wait for its end, or give another one");
}

FolderLock::~FolderLock() {
  if (fd_ >= 0) ::close(fd_);
}

}  // namespace gradus
