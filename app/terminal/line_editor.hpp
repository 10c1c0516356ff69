#pragma once
/// \file
/// Lines from the keyboard, with cursor keys and a history. Only line_editor_libedit.cpp includes libedit; a
/// program that is built without it uses line_editor_none.cpp instead.

#include <cstdio>
#include <memory>
#include <optional>
#include <string>

namespace gradus {

class LineEditor {
 public:
  virtual ~LineEditor() = default;

  /// The next line, UTF-8, without its line end; no value after Ctrl-D. Ctrl-C ends the program as usual.
  virtual std::optional<std::string> read() = 0;
};

/// An editor for the terminal of the standard input, which shows `prompt` on `screen`. Null in a program without
/// libedit. The history lasts as long as the editor and is never stored: the lines may be private.
std::unique_ptr<LineEditor> make_line_editor(std::FILE* screen, const std::string& prompt);

}  // namespace gradus
