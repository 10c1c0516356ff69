#pragma once
/// \file
/// Messages for the user beside the results: lines on the standard error stream.

#include <cstddef>
#include <string>

namespace gradus {

class Console {
 public:
  Console();

  bool quiet = false;  ///< --quiet: errors and warnings only

  bool is_terminal() const { return terminal_; }  ///< true for a terminal that can renew a line; TERM=dumb cannot
  std::size_t columns() const;                    ///< current number of cells in a line of the terminal
  bool has_colour() const { return colour_; }     ///< a terminal, and NO_COLOR is unset (no-color.org)

  // Each of these removes the status line. Texts may hold bytes of files and of the command line: they are printed by the rules of
  // printable(), so that no terminal obeys them.
  void say(const std::string& text, bool is_faint = false);  ///< lines, unless quiet; faint: if there is colour
  void warn(const std::string& text);                        ///< "warning: ...", always
  void complain(const std::string& text);                    ///< "gradus: ...", always: an error

  /// Replaces the status line by `text`, which must have fewer cells than columns(). An empty text removes it.
  void renew(const std::string& text);

 private:
  bool terminal_, colour_, renewed_ = false;
};

/// The console of this program.
Console& console();

/// Whether the terminal can renew a line: its name, TERM, is set and not "dumb".
bool terminal_obeys();

/// Cells in a line of the terminal behind a file descriptor. If it is no terminal or does not report its width:
/// COLUMNS of the environment, else 80.
std::size_t terminal_columns(int descriptor);

/// Flushes the standard output. Throws Error if it cannot be written.
void flush_results();

}  // namespace gradus
