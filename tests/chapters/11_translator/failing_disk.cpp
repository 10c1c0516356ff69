/// \file
/// A disk that fails on demand. It counts the calls with which a process changes one folder, and makes one of them
/// fail. kill_test.py loads it before the C library (LD_PRELOAD); other tests link it (tests/support/disk.hpp).
///
///     GRADUS_DISK_FOLDER   the folder that is watched
///     GRADUS_DISK_LOG      a file that gets one line a call: its name, then the file, for rename both names
///     GRADUS_DISK_FAULT    "kill 7": the process is killed at the 7th call, a write after half of its bytes
///                          "full 7": from then on no write finds room; the first one still writes half of its bytes
///                          "locked 7": from then on no file of the folder can be made, renamed or removed
///                          "broken 7": the 7th call alone fails, whatever it is, with EIO; a close still closes
///                          "short 7": from then on each write takes half of its bytes
///                          "interrupted 7": a signal interrupts the 7th call (EINTR); a close still closes

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

namespace {

std::string setting(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

class Disk {
 public:
  Disk() : folder_(setting("GRADUS_DISK_FOLDER")), log_(setting("GRADUS_DISK_LOG")) {
    const std::string fault = setting("GRADUS_DISK_FAULT");
    const std::size_t space = fault.find(' ');
    fault_ = fault.substr(0, space);
    if (space != fault.npos) strike_at_ = std::atoi(fault.c_str() + space);
  }

  bool holds(const char* path) const {
    std::array<char, 4096> here{};
    const bool relative = path[0] != '/' && ::getcwd(here.data(), here.size()) != nullptr;
    const std::string whole = (relative ? std::string(here.data()) + "/" : "") + path + "/";
    return !folder_.empty() && whole.compare(0, folder_.size() + 1, folder_ + "/") == 0;
  }
  /// The name under which a descriptor of the folder was opened; "" for other files.
  std::string name(int fd) const { return fd >= 0 && fd < most ? names_[static_cast<std::size_t>(fd)] : ""; }
  bool writes(int fd) const { return fd >= 0 && fd < most && writes_[static_cast<std::size_t>(fd)]; }
  void watch(int fd, const std::string& name, bool writes) {
    if (fd < 0 || fd >= most) return;
    names_[static_cast<std::size_t>(fd)] = name;
    writes_[static_cast<std::size_t>(fd)] = writes;
  }

  /// Counts a call; returns true from the chosen one on.
  bool count(const char* call, const std::string& about) {
    const int number = ++count_;
    const std::string line = std::string(call) + " " + about + "\n";
    const long log = syscall(SYS_openat, AT_FDCWD, log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    if (log >= 0) syscall(SYS_write, log, line.data(), line.size()), syscall(SYS_close, log);
    first_ = number == strike_at_;
    return strike_at_ != 0 && number >= strike_at_;
  }
  bool first() const { return first_; }
  bool is(const char* fault) const { return fault_ == fault; }
  void kill_if_asked(bool struck) const {
    if (struck && is("kill")) ::kill(::getpid(), SIGKILL);
  }
  /// A call that makes, renames or removes a name. Returns true if it must fail.
  bool refuses(const char* call, const std::string& about) {
    const bool struck = count(call, about);
    kill_if_asked(struck);
    if (struck && is("locked")) errno = EACCES;
    return (struck && is("locked")) || fails_once(struck);
  }
  /// Whether exactly this call must fail.
  bool fails_once(bool struck) const {
    if (!struck || !first_ || !(is("broken") || is("interrupted"))) return false;
    errno = is("broken") ? EIO : EINTR;
    return true;
  }

 private:
  static constexpr int most = 1024;
  std::string folder_, log_, fault_;
  int strike_at_ = 0;
  std::atomic<int> count_{0};
  bool first_ = false;
  std::array<std::string, most> names_;
  std::array<bool, most> writes_{};
};

/// Never destroyed: a process closes files until its very end.
std::unique_ptr<Disk>& the_disk() {
  static auto& disk = *new std::unique_ptr<Disk>(new Disk);
  return disk;
}
Disk& disk() { return *the_disk(); }

/// A call on a descriptor of the folder. Returns true if it must fail.
bool fails(int fd, const char* call) {
  if (disk().name(fd).empty()) return false;
  const bool struck = disk().count(call, disk().name(fd));
  disk().kill_if_asked(struck);
  return disk().fails_once(struck);
}

}  // namespace

extern "C" {

/// Reads the settings again and counts from 1, for tests that link this file.
void gradus_disk_restart() { the_disk() = std::make_unique<Disk>(); }

int open(const char* path, int flags, ...) {  // NOLINT(cert-dcl50-cpp): as the C library declares it
  va_list rest;
  va_start(rest, flags);
  const auto mode = (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
  va_end(rest);
  const bool writes = (flags & O_ACCMODE) != O_RDONLY, held = disk().holds(path);
  const bool counts = held && (writes || (flags & O_DIRECTORY) != 0);
  if (counts && disk().refuses("open", path) && (writes || !disk().is("locked"))) return -1;
  const int fd = static_cast<int>(syscall(SYS_openat, AT_FDCWD, path, flags, mode));
  if (held) disk().watch(fd, path, counts);
  return fd;
}

ssize_t write(int fd, const void* bytes, std::size_t size) {
  const bool struck = !disk().name(fd).empty() && disk().count("write", disk().name(fd));
  if (disk().fails_once(struck)) return -1;
  if (struck && disk().is("short")) return syscall(SYS_write, fd, bytes, (size + 1) / 2);
  if (!struck || !(disk().is("kill") || disk().is("full"))) return syscall(SYS_write, fd, bytes, size);
  const ssize_t half = disk().first() ? syscall(SYS_write, fd, bytes, size / 2) : 0;
  disk().kill_if_asked(struck);
  if (half > 0) return half;
  errno = ENOSPC;
  return -1;
}

int fsync(int fd) {
  if (fails(fd, "fsync")) return -1;
  return static_cast<int>(syscall(SYS_fsync, fd));
}

int fchmod(int fd, mode_t mode) {
  if (fails(fd, "fchmod")) return -1;
  return static_cast<int>(syscall(SYS_fchmod, fd, mode));
}

int close(int fd) {
  const bool failed = disk().writes(fd) && fails(fd, "close");
  const int error = errno;
  disk().watch(fd, "", false);
  const auto closed = static_cast<int>(syscall(SYS_close, fd));
  if (failed) errno = error;
  return failed ? -1 : closed;
}

int rename(const char* from, const char* to) {
  if (disk().holds(to) && disk().refuses("rename", std::string(from) + " " + to)) return -1;
  return static_cast<int>(syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

int unlink(const char* path) {
  if (disk().holds(path) && disk().refuses("unlink", path)) return -1;
  return static_cast<int>(syscall(SYS_unlinkat, AT_FDCWD, path, 0));
}

int mkdir(const char* path, mode_t mode) {
  if (disk().holds(path) && disk().refuses("mkdir", path)) return -1;
  return static_cast<int>(syscall(SYS_mkdirat, AT_FDCWD, path, mode));
}

}  // extern "C"
