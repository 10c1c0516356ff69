#pragma once
/// \file
/// What a person sees beside results: lines on the standard error stream.

#include <string>

namespace gradus {

class Console {
 public:
  Console();

  bool quiet = false;  ///< --quiet: only what went wrong

  bool is_terminal() const { return terminal_; }  ///< and not a dumb one; else no line renews itself
  bool has_colour() const { return colour_; }     ///< a terminal, and NO_COLOR is unset (no-color.org)

  void say(const std::string& text) const;   ///< a line, unless quiet
  void warn(const std::string& text) const;  ///< "warning: ...", always

 private:
  bool terminal_, colour_;
};

/// The one of this program.
Console& console();

/// Sends off what was printed on the standard output. Throws Error if it cannot be written.
void flush_results();

}  // namespace gradus
