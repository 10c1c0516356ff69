#pragma once
/// \file
/// Text as lines, checked once so that nothing behind this border meets broken text.

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "gradus/io/atomic_file.hpp"

namespace gradus {

/// How the bytes of a file are got: read_file, or read_packed_file of gradus/text, which unpacks .gz.
using FileReader = std::string (*)(const std::string& path);

/// The lines of `text`, without their ends.
///
/// ensures:  a line ends at a line feed, and a carriage return before it belongs to the end; no other character
///           ends a line. The last line may lack its end, empty lines are kept, a byte order mark at the head is
///           dropped. Throws Error, with `origin` and the line's number, where a line is not UTF-8 or holds a NUL
///           byte.
std::vector<std::string> split_lines(std::string_view text, const std::string& origin);

/// The lines of `text` as one, a space for each break between them: what a person typed as one sentence.
std::string single_line(std::string_view text, const std::string& origin);

/// The lines of a file, by the same rules.
std::vector<std::string> read_lines(const std::string& path, FileReader read = read_file);

/// The lines of a stream, by the same rules, as they come.
class LineStream {
 public:
  /// Messages call it `origin`.
  LineStream(std::istream& stream, std::string origin) : stream_(stream), origin_(std::move(origin)) {}

  /// The next lines, at most so many; none at the end. Throws Error where the stream cannot be read.
  std::vector<std::string> next(std::size_t most);

 private:
  std::istream& stream_;
  std::string origin_;
  std::size_t read_ = 0;  // lines, so far
};

/// Sentences and their translations: line i of one side belongs to line i of the other.
struct LinePairs {
  std::vector<std::string> source, target;  // of equal length, at least 1
};

/// Both sides of a corpus. Throws Error where one is empty, or where they differ in length, with both counts.
LinePairs read_pairs(const std::string& source, const std::string& target, FileReader read = read_file);

}  // namespace gradus
