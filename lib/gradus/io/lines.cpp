#include "gradus/io/lines.hpp"

#include <istream>
#include <iterator>

#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"

namespace gradus {

namespace {

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

void check_line(std::string_view line, const std::string& origin, std::size_t number) {
  const auto fail_here = [&](const std::string& what) {
    fail(origin + ", line " + std::to_string(number) + ": " + what);
  };
  const std::size_t good = utf8_prefix(line);
  if (good != line.size()) fail_here("not UTF-8 (byte " + std::to_string(good + 1) + " of the line)");
  const std::size_t nul = line.find('\0');
  if (nul != line.npos) fail_here("a NUL byte (byte " + std::to_string(nul + 1) + " of the line)");
}

std::string count_text(const std::string& path, std::size_t lines) {
  return path + " has " + std::to_string(lines) + (lines == 1 ? " line" : " lines");
}

}  // namespace

std::vector<std::string> split_lines(std::string_view text, const std::string& origin) {
  if (text.substr(0, 2) == "\x1f\x8b") fail(origin + ": packed with gzip, not plain text");
  drop_prefix(text, "\xef\xbb\xbf");
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    drop_prefix(text, "\n");
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    check_line(line, origin, lines.size() + 1);
    lines.emplace_back(line);
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

std::vector<std::string> read_lines(std::istream& stream, const std::string& origin) {
  const std::string text(std::istreambuf_iterator<char>(stream), {});
  if (stream.bad()) fail(origin + ": cannot be read to its end");
  return split_lines(text, origin);
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
