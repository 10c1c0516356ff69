#pragma once
/// \file
/// Lines from the keyboard, with cursor keys and the lines before. The only door to libedit is
/// line_editor_libedit.cpp; a program that was built without it has line_editor_none.cpp in its place.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace gradus {

class LineEditor {
 public:
  virtual ~LineEditor() = default;

  /// The next line, UTF-8, without its end; nothing after Ctrl-D. Ctrl-C ends the program, as elsewhere.
  virtual std::optional<std::string> read() = 0;
};

/// An editor for the terminal of the standard input, which shows `prompt` on `screen`. Null in a program without libedit.
/// Lines are remembered as long as it lives and stored nowhere: they may be private.
std::unique_ptr<LineEditor> make_line_editor(std::FILE* screen, const std::string& prompt);

}  // namespace gradus
