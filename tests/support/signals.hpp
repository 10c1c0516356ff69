#pragma once
/// \file
/// Faults that a test expects.

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "support/catch.hpp"

namespace gradus::test {

/// The signal that ends a process which calls `f`; 0: none.
template <class F>
int signal_of(F&& f) {
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGSEGV, SIG_DFL);  // otherwise the test framework or a sanitizer would handle it
    std::signal(SIGBUS, SIG_DFL);
    f();
    _exit(0);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

}  // namespace gradus::test
