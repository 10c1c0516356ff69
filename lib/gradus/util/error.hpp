#pragma once
/// \file
/// The two exceptions of the project. Every message is one line that a person can act on.

#include <stdexcept>
#include <string>

namespace gradus {

/// Something that was given does not fit: shapes, files, text. The program prints the message and exits 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command itself is wrong: an unknown option, an impossible size. The program exits 2.
struct UsageError : Error {
  using Error::Error;
};

/// Throws Error with `message`.
[[noreturn]] inline void fail(const std::string& message) { throw Error(message); }

/// Throws Error with `message` unless `condition` holds.
inline void require(bool condition, const char* message) {
  if (!condition) throw Error(message);
}

}  // namespace gradus
