#pragma once
/// \file
/// Open files: a descriptor that closes itself, and the errors of system calls.

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include "gradus/util/system_error.hpp"

namespace gradus {

/// Throws SystemError: "cannot read a/file: No such file or directory".
[[noreturn]] inline void fail_system(const char* what, const std::string& path, int error = errno) {
  throw SystemError(std::string("cannot ") + what + " " + path + ": " + std::generic_category().message(error),
                    error);
}

/// The result of a system call, repeated as long as a signal interrupts it.
template <class Call>
auto uninterrupted(Call call) {
  auto result = call();
  while (result < 0 && errno == EINTR) result = call();
  return result;
}

/// Writes all bytes: write() alone may write fewer, because it has a limit, a signal came, or the disk is nearly full. False,
/// with the reason in errno, if it fails.
inline bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = uninterrupted([&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

class Descriptor {
 public:
  Descriptor(const std::string& path, int flags, mode_t mode = 0)
      : fd_(uninterrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode); })) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }

  explicit operator bool() const { return fd_ >= 0; }
  int get() const { return fd_; }
  bool close() { return ::close(std::exchange(fd_, -1)) == 0 || errno == EINTR; }  // on Linux: closed despite EINTR

 private:
  int fd_;
};

}  // namespace gradus
