#include "11_translator/program/console.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace gradus {

Console::Console() : terminal_(isatty(STDERR_FILENO) != 0), colour_(terminal_) {
  const char* const no_colour = std::getenv("NO_COLOR");
  if (no_colour != nullptr && *no_colour != '\0') colour_ = false;
}

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

}  // namespace gradus
