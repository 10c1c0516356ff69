#include "gradus/io/lines.hpp"

#include <cstdio>
#include <iostream>

#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

namespace {

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The text behind what may stand before its first line.
std::string_view without_head(std::string_view text, const std::string& origin) {
  if (text.substr(0, 2) == "\x1f\x8b") fail(origin + ": packed with gzip, not plain text");
  drop_prefix(text, "\xef\xbb\xbf");
  return text;
}

/// A line without the carriage return of its end.
std::string checked_line(std::string_view line, const std::string& origin, std::size_t number) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const auto fail_here = [&](const std::string& what) {
    fail(origin + ", line " + std::to_string(number) + ": " + what);
  };
  const std::size_t good = utf8_prefix(line);
  if (good != line.size()) fail_here("not UTF-8 (byte " + std::to_string(good + 1) + " of the line)");
  const std::size_t nul = line.find('\0');
  if (nul != line.npos) fail_here("a NUL byte (byte " + std::to_string(nul + 1) + " of the line)");
  return std::string(line);
}

/// std::cin takes an error of the standard input for its end; C's stream knows better.
bool is_broken(const std::istream& stream) {
  return stream.bad() || (&stream == &std::cin && std::ferror(stdin) != 0);
}

std::string count_text(const std::string& path, std::size_t lines) {
  return path + " has " + std::to_string(lines) + (lines == 1 ? " line" : " lines");
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text, const std::string& origin) {
  text = without_head(text, origin);
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    drop_prefix(text, "\n");
    lines.push_back(checked_line(line, origin, lines.size() + 1));
  }
  return lines;
}

std::string single_line(std::string_view text, const std::string& origin) {
  std::string joined;
  for (const std::string& line : split_lines(text, origin)) joined += (joined.empty() ? "" : " ") + line;
  return joined;
}

std::vector<std::string> read_lines(const std::string& path, FileReader read) {
  return split_lines(read(path), path);
}

std::vector<std::string> LineStream::next(std::size_t most) {
  std::vector<std::string> lines;
  for (std::string text; lines.size() < most && std::getline(stream_, text);) {
    const std::string_view line = read_ == 0 ? without_head(text, origin_) : text;
    if (line.empty() && stream_.eof()) break;  // nothing but a byte order mark
    lines.push_back(checked_line(line, origin_, ++read_));
  }
  if (is_broken(stream_)) fail(origin_ + ": cannot be read to its end");
  return lines;
}

LinePairs read_pairs(const std::string& source, const std::string& target, FileReader read) {
  LinePairs pairs{read_lines(source, read), read_lines(target, read)};
  if (pairs.source.empty()) fail(source + ": empty, where sentences were expected");
  if (pairs.target.empty()) fail(target + ": empty, where sentences were expected");
  if (pairs.source.size() != pairs.target.size()) {
    fail(count_text(source, pairs.source.size()) + ", but " + count_text(target, pairs.target.size()) +
         ": line i of one must be the translation of line i of the other");
  }
  return pairs;
}

}  // namespace gradus
