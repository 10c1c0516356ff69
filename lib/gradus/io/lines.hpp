#pragma once
/// \file
/// Text as lines. The check here is the only one: code that uses the lines can rely on well-formed text.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/io/atomic_file.hpp"

namespace gradus {

/// A function that reads the bytes of a file: read_file, or read_packed_file of gradus/text, which unpacks .gz.
using FileReader = std::string (*)(const std::string& path);

/// The fault of a line of text, in words such as "not UTF-8 (byte 3 of the line)"; empty if the line is good. This
/// is the one check of all text: files, standard input, arguments, and text that a program passes to the library.
/// It rejects bytes that are not UTF-8, and NUL bytes, which end a text in other programs.
/// (gradus/text/incoming_lines.hpp also rejects other control characters.)
std::string fault_of(std::string_view line);

/// The part of `fault_of` that checks UTF-8.
std::string utf8_fault_of(std::string_view line);

/// Throws Error for the first of `lines` that has a fault, such as "sentence 2: not UTF-8 (byte 3 of the line)".
/// `what` is the word for one line, here "sentence".
void require_text(const std::vector<std::string>& lines, const std::string& what,
                  std::string (*fault)(std::string_view) = fault_of);

/// What to say behind a fault of a text that begins as other kinds of files do, packed ones or UTF-16, or whose first fault may
/// be a letter of Latin-1: "; the file is UTF-16, and ..."; "" for all others.
std::string hint_at_format(std::string_view text);

/// The part of it about Latin-1, for text that does not begin a file.
std::string hint_at_latin_1(std::string_view text);

/// The lines of `text`, without their line ends.
///
/// ensures   A line ends at a line feed; a carriage return before it belongs to the line end; no other character
///           ends a line. The last line may lack its line end. Empty lines are kept. A byte order mark at the start
///           is removed. Throws Error, with `origin` and the line's number, if a line is not UTF-8 or has a NUL
///           byte; the message names the format if `text` begins as a packed file or as UTF-16 does.
std::vector<std::string> split_lines(std::string_view text, const std::string& origin);

/// The same text with a line feed for each carriage return, as on old Macs, if it has no line feed.
std::string with_line_feeds(std::string text);

/// What to say of a line with carriage returns within it, which may be line ends: "line 3 of a.txt has ...".
std::string hint_at_returns(std::size_t number, const std::string& origin);

/// The same for the first line that has any; "" if none has.
std::string hint_at_returns(const std::vector<std::string>& lines, const std::string& origin);

/// `line` without the spaces and tabs at its ends.
std::string trimmed(const std::string& line);

/// Joins the lines of `text` with spaces: a person typed them as one sentence.
std::string single_line(std::string_view text, const std::string& origin);

/// The lines of a file, by the same rules; but in a file without a line feed each carriage return ends a line, as on old Macs.
std::vector<std::string> read_lines(const std::string& path, FileReader read = read_file);

/// The lines of several files; line i of each file belongs to line i of the others. Throws Error if a file is
/// empty, or if its number of lines differs from the first file's (with both numbers, and a hint at carriage returns within lines).
std::vector<std::vector<std::string>> read_parallel(const std::vector<std::string>& paths,
                                                    FileReader read = read_file);

/// Sentences and their translations: line i of one side belongs to line i of the other.
struct LinePairs {
  std::vector<std::string> source, target;  // of equal length, at least 1
};

/// Both sides of a corpus, with the errors of read_parallel.
LinePairs read_pairs(const std::string& source, const std::string& target, FileReader read = read_file);

/// The same from one file of lines `source TAB target` (TSV). A blank line is a pair of two empty sentences. Throws Error, with the
/// number of the line, if it has no tab or several (with a hint at carriage returns within it), and if the file is empty.
LinePairs read_tab_pairs(const std::string& path, FileReader read = read_file);

}  // namespace gradus
