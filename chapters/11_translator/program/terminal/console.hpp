#pragma once
/// \file
/// What a person sees beside results: lines on the standard error stream.

#include <cstddef>
#include <string>

namespace gradus {

class Console {
 public:
  Console();

  bool quiet = false;  ///< --quiet: only what went wrong

  bool is_terminal() const { return terminal_; }  ///< and not a dumb one; else no line renews itself
  std::size_t columns() const;                    ///< cells in a line of the terminal, as it is now
  bool has_colour() const { return colour_; }     ///< a terminal, and NO_COLOR is unset (no-color.org)

  // Each takes away the line that renews itself.
  void say(const std::string& text);       ///< a line, unless quiet
  void warn(const std::string& text);      ///< "warning: ...", always
  void complain(const std::string& text);  ///< "gradus: ...", always: why something was not done

  /// Puts `text` in the place of the line that renews itself; it must have fewer cells than columns(). Empty: takes
  /// that line away.
  void renew(const std::string& text);

 private:
  bool terminal_, colour_, renewed_ = false;
};

/// The one of this program.
Console& console();

/// Whether the terminal knows commands, such as to renew a line: its name, TERM, is set and not "dumb".
bool terminal_obeys();

/// Cells in a line of the terminal behind a file descriptor. Where it is none, or does not say: COLUMNS of the
/// environment, or else 80.
std::size_t terminal_columns(int descriptor);

/// Sends off what was printed on the standard output. Throws Error if it cannot be written.
void flush_results();

}  // namespace gradus
