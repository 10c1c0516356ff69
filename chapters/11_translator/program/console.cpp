#include "11_translator/program/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

Console::Console()
    : terminal_(isatty(STDERR_FILENO) != 0 && environment("TERM") != "dumb"),
      colour_(terminal_ && environment("NO_COLOR").empty()) {}

void Console::say(const std::string& text) const {
  if (!quiet) std::fprintf(stderr, "%s\n", text.c_str());
}

void Console::warn(const std::string& text) const {
  std::fprintf(stderr, colour_ ? "\x1b[33mwarning:\x1b[0m %s\n" : "warning: %s\n", text.c_str());
}

Console& console() {
  static Console one;
  return one;
}

void flush_results() {
  require(std::fflush(stdout) == 0 && std::ferror(stdout) == 0,
          "the standard output cannot be written: a full disk?");
}

}  // namespace gradus
