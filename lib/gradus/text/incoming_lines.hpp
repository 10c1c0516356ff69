#pragma once
/// \file
/// Lines of a file or a pipe, read as they arrive; a faulty line does not stop the others.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gradus {

/// The reason why `line` is no valid sentence, with the byte: a fault of text (gradus/io/lines.hpp), or a control
/// character other than a tab and a carriage return, also the vertical tab (U+000B), the form feed (U+000C) and the next line
/// (U+0085). Empty if the line is valid. The separators of lines and paragraphs, U+2028 and U+2029, are white space in a line, and end
/// none.
std::string line_fault(std::string_view line);

/// The lines of one or several files of sentences, packed ones too, by the rules of read_parallel (gradus/io/lines.hpp). Throws Error,
/// with the file and the line, for a line that is no valid sentence.
std::vector<std::vector<std::string>> read_sentences(const std::vector<std::string>& paths);

/// A sentence that a person typed, its lines joined with spaces. Throws Error, which calls it `name`, if it is no valid
/// sentence.
std::string typed_sentence(std::string_view text, const std::string& name);

/// A line, or the reason why it is not valid.
struct IncomingLine {
  std::string text;  ///< empty if there is a fault
  std::string fault;
};

/// One of several sentences that a person typed: it never throws. The bytes of a fault count from the beginning of the text.
IncomingLine typed_line(std::string_view text);

/// The lines of a file descriptor, by the rules of read_lines (gradus/io/lines.hpp), with one difference: invalid
/// text is a fault of its line only. Input packed with gzip is unpacked. Only the end of an input without line feeds shows
/// that its carriage returns end lines, so these wait for it.
class IncomingLines {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 20;  ///< bytes; a longer line is a fault

  /// Reads from `descriptor`; its owner closes it. Messages name it `origin`.
  IncomingLines(int descriptor, std::string origin) : descriptor_(descriptor), origin_(std::move(origin)) {}

  /// Returns the next lines, at most `most`; none at the end. Waits for the first line, and takes further ones only
  /// if they have already arrived, so that a sender gets the answer to its line at once. Throws Error if the
  /// descriptor cannot be read, or if packed input is damaged.
  std::vector<IncomingLine> next(std::size_t most);

 private:
  void receive();
  void look_at_head();
  void unpack();
  bool has_more() const;
  bool take(IncomingLine& line);

  int descriptor_;
  std::string origin_;
  std::string waiting_;       // bytes that were read and not yet returned
  std::size_t given_ = 0;     // how many bytes at its start have been returned since
  std::size_t searched_ = 0;  // how many bytes after those contain no line end
  bool at_head_ = true, ended_ = false, too_long_ = false, is_begun_ = false, has_hint_ = false;
  bool had_feed_ = false,
       returns_end_ = false;  // whether a line feed has ended a line; whether carriage returns do
};

}  // namespace gradus
