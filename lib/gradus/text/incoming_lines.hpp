#pragma once
/// \file
/// Lines of a file or a pipe as they come: one that is no text stands for itself alone.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// Why `line` is no sentence: a fault of text (gradus/io/lines.hpp), or a control character that is not white space, each
/// with its place. Empty: it is one.
std::string line_fault(std::string_view line);

/// A line, or why it is none.
struct IncomingLine {
  std::string text;  ///< empty where there is a fault
  std::string fault;
};

/// The lines of a file descriptor, by the rules of split_lines (gradus/io/lines.hpp), but for what is no text: that is a
/// fault of its line. What is packed with gzip is unpacked.
class IncomingLines {
 public:
  static constexpr std::size_t longest_line = std::size_t{64} << 20;  ///< bytes; a longer one is a fault

  /// Reads from `descriptor`, which is closed by its owner. Messages call it `origin`.
  IncomingLines(int descriptor, std::string origin) : descriptor_(descriptor), origin_(std::move(origin)) {}

  /// The next lines, at most `most`; none at the end. Waits for the first one, and takes others only while they are
  /// there already, so that nobody waits for an answer to a line that was sent. Throws Error where the descriptor cannot
  /// be read, or what is packed is damaged.
  std::vector<IncomingLine> next(std::size_t most);

 private:
  void receive();
  void look_at_head();
  void unpack();
  bool has_more() const;
  bool take(IncomingLine& line);

  int descriptor_;
  std::string origin_;
  std::string waiting_;       // bytes that were read and not yet given
  std::size_t given_ = 0;     // how many at its head were given since
  std::size_t searched_ = 0;  // how many behind those hold no end of a line
  bool at_head_ = true, ended_ = false, too_long_ = false;
};

}  // namespace gradus
