/// \file
/// Part of the program only, not of the library: code that must run before any library is initialised.
///
/// A library's initialisation may find no memory, and nobody can catch that error: the program then ends in one line.
///
/// OpenBLAS starts its threads as soon as it is loaded, one for each processor. If addresses are limited (ulimit
/// -v), there is often no room for them: OpenBLAS then asks for memory for ever, or ends the process with its own
/// message. The program does not need these threads. So in such a process it starts again with
/// OPENBLAS_NUM_THREADS=1, unless the user has set that variable. Newer versions (0.3.29) take 128 MB for one thread, too, as they are
/// loaded; where they ask for ever, a timer ends the process.

#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "gradus/util/end_in_one_line.hpp"
#include "gradus/util/process.hpp"

namespace {

// This code may use no library that needs initialisation: no C++ object, no allocation.

bool begins_with(const char* text, const char* begin) {
  while (*begin != '\0' && *text == *begin) ++text, ++begin;
  return *begin == '\0';
}

void start_without_blas_threads(char** arguments, char** environment) {
  constexpr std::size_t most = 4096;
  static char setting[] = "OPENBLAS_NUM_THREADS=1";
  static char* larger[most + 2] = {setting};
  if (!gradus::has_address_limit()) return;
  std::size_t count = 0;
  for (; environment[count] != nullptr; ++count) {
    if (count == most || begins_with(environment[count], "OPENBLAS_NUM_THREADS=")) return;
    larger[count + 1] = environment[count];
  }
  static char program[most + 1];  // by its path: "/proc/self/exe" would name the process "exe"
  if (::readlink("/proc/self/exe", program, most) > 0) ::execve(program, arguments, larger);
  // if this fails, the program continues unchanged
}

[[noreturn]] void end_without_room(int /*signal*/) {
  constexpr std::string_view line =
      "gradus: the limit on this process's memory (ulimit -v or -d) is too small: OpenBLAS takes 128 MB of "
      "addresses; raise the limit\n";
  [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(1);
}

bool is_watched = false;

/// Libraries are initialised within hundredths of a second of processor time.
void watch_libraries() {
  if (!gradus::has_address_limit()) return;
  constexpr itimerval two_seconds{{0, 0}, {2, 0}};
  is_watched =
      std::signal(SIGPROF, end_without_room) != SIG_ERR && ::setitimer(ITIMER_PROF, &two_seconds, nullptr) == 0;
}

/// A constructor of the program: those of its libraries have run.
[[gnu::constructor]] void libraries_are_there() {
  if (!is_watched) return;
  constexpr itimerval none{};
  ::setitimer(ITIMER_PROF, &none, nullptr);
  std::signal(SIGPROF, SIG_DFL);
}

void start(int, char** arguments, char** environment) {
  std::set_terminate(gradus::end_in_one_line);  // needs no initialisation
  start_without_blas_threads(arguments, environment);
  watch_libraries();
}

}  // namespace

/// The loader calls the functions in this array before the constructors of libraries (DT_PREINIT_ARRAY).
extern "C" {
[[gnu::section(".preinit_array"), gnu::used]] void (*const gradus_early)(int, char**, char**) = start;
}
