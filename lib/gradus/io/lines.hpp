#pragma once
/// \file
/// Text as lines, checked once so that nothing behind this border meets broken text.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/io/atomic_file.hpp"

namespace gradus {

/// How the bytes of a file are got: read_file, or read_packed_file of gradus/text, which unpacks .gz.
using FileReader = std::string (*)(const std::string& path);

/// What is wrong with a line of text, in words such as "not UTF-8 (byte 3 of the line)"; empty if nothing is. The one check of
/// text: files, the standard input, arguments, and what a program hands to the library all pass it. It refuses what is not
/// UTF-8, and NUL bytes, which end a text elsewhere. (gradus/text/incoming_lines.hpp adds what a terminal would obey.)
std::string fault_of(std::string_view line);

/// The part of it about UTF-8.
std::string utf8_fault_of(std::string_view line);

/// Throws Error, such as "sentence 2: not UTF-8 (byte 3 of the line)", for the first of `lines` in which `fault` finds one;
/// `what` is the name of a line.
void require_text(const std::vector<std::string>& lines, const std::string& what,
                  std::string (*fault)(std::string_view) = fault_of);

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

/// The lines of several files, line i of each belonging to line i of the others. Throws Error where one is empty, or where one
/// has not as many as the first, with both counts.
std::vector<std::vector<std::string>> read_parallel(const std::vector<std::string>& paths,
                                                    FileReader read = read_file);

/// Sentences and their translations: line i of one side belongs to line i of the other.
struct LinePairs {
  std::vector<std::string> source, target;  // of equal length, at least 1
};

/// Both sides of a corpus, with the errors of read_parallel.
LinePairs read_pairs(const std::string& source, const std::string& target, FileReader read = read_file);

}  // namespace gradus
