#pragma once
/// \file
/// The project's two exceptions. Every message is one line that says what to do.

#include <stdexcept>
#include <string>

namespace gradus {

/// An input is wrong: shapes, files, text. The program prints the message and exits with 1.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The command is wrong: an unknown option, an impossible size. The program exits with 2.
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
