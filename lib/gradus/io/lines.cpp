#include "gradus/io/lines.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

bool drop_prefix(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

/// The parts between the tabs.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  for (const char c : line) {
    if (c == '\t')
      cells.emplace_back();
    else
      cells.back() += c;
  }
  return cells;
}

/// A line of `text` without the carriage return at its end.
std::string checked_line(std::string_view line, std::string_view text, const std::string& origin,
                         std::size_t number) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  const std::string fault = fault_of(line);
  if (!fault.empty()) fail(origin + ", line " + std::to_string(number) + ": " + fault + hint_at_format(text));
  return std::string(line);
}

bool has_return(const std::string& line) { return line.find('\r') != line.npos; }

/// What to say if the lines of two files do not match, and some lines have line ends of another kind.
std::string hint_for_files(const std::vector<std::string>& paths,
                           const std::vector<std::vector<std::string>>& texts) {
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const std::string hint = hint_at_returns(texts[i], paths[i]);
    if (!hint.empty()) return "; " + hint;
  }
  return "";
}

/// Whether the cells of column k are sentences: mostly letters, and not all the same, as a code of the language is.
bool is_text_column(const std::vector<std::string>& lines, std::size_t k) {
  std::size_t letters = 0, all = 0;
  std::set<std::string> cells;
  for (const std::string& line : lines) {
    const std::vector<std::string> row = cells_of(line);
    if (k >= row.size()) continue;
    for (const char32_t c : code_points(row[k])) letters += is_unicode_letter(c) ? 1 : 0, all += c == ' ' ? 0 : 1;
    cells.insert(row[k]);
  }
  return 3 * letters > 2 * all && cells.size() > 1;
}

/// What to do with lines of more than two columns: the first two may be numbers, or empty. The first lines are enough to see it.
std::string advice_on_columns(const std::vector<std::string>& all, std::size_t columns) {
  constexpr std::size_t most = 16, enough = 1000;  // more columns are no table of sentences
  const std::vector<std::string> lines(all.begin(),
                                       all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), enough)));
  std::vector<std::string> texts;
  for (std::size_t k = 0; k < columns && columns <= most; ++k)
    if (is_text_column(lines, k)) texts.push_back(std::to_string(k + 1));
  if (texts.size() == 2) return "cut -f " + texts[0] + "," + texts[1] + " keeps the columns that hold text";
  return "cut -f 1,2 keeps the first two columns; give the numbers of those that hold the pair";
}

std::string count_text(const std::string& path, std::size_t lines) {
  return path + " has " + plural(lines, "line");
}

/// Whether the first characters are UTF-16 of Latin letters: each byte at an odd (1) or even (0) place is 0, and no other.
bool has_high_bytes_of_0(std::string_view text, std::size_t odd) {
  constexpr std::size_t first = 16;
  if (text.size() < first) return false;
  for (std::size_t i = 0; i < first; ++i) {
    if ((text[i] == '\0') != (i % 2 == odd)) return false;
  }
  return true;
}

bool is_latin_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a byte of 0xC0 to 0xFE, a letter of Latin-1, stands behind a letter and before a letter, a mark or a space, where UTF-8 ends.
bool looks_like_latin_1(std::string_view text) {
  const std::size_t at = utf8_prefix(text);
  if (at == 0 || at + 1 >= text.size()) return false;
  const auto byte = static_cast<unsigned char>(text[at]);
  const char next = text[at + 1];
  return byte >= 0xC0 && byte < 0xFF && is_latin_letter(text[at - 1]) && next >= ' ' && next <= '~';
}

}  // namespace

std::string utf8_fault_of(std::string_view line) {
  const std::size_t good = utf8_prefix(line);
  return good == line.size() ? "" : "not UTF-8 (byte " + std::to_string(good + 1) + " of the line)";
}

std::string fault_of(std::string_view line) {
  const std::string fault = utf8_fault_of(line);
  const std::size_t nul = line.find('\0');
  return !fault.empty() || nul == line.npos ? fault
                                            : "a NUL byte (byte " + std::to_string(nul + 1) + " of the line)";
}

void require_text(const std::vector<std::string>& lines, const std::string& what,
                  std::string (*fault)(std::string_view)) {
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string found = fault(lines[i]);
    if (!found.empty()) fail(what + " " + std::to_string(i + 1) + ": " + found);
  }
}

std::string hint_at_format(std::string_view text) {
  struct Format {
    std::string_view beginning;
    const char *is, *makes_text;
  };
  using namespace std::string_view_literals;
  static constexpr Format formats[] = {{"\3757zXZ", "packed with xz", "xz -d"},
                                       {"\x28\xb5\x2f\xfd", "packed with zstd", "zstd -d"},
                                       {"BZh", "packed with bzip2", "bzip2 -d"},
                                       {"PK\x03\x04", "a zip archive", "unzip"},
                                       {"\xff\xfe\0\0"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8"},
                                       {"\0\0\xfe\xff"sv, "UTF-32", "iconv -f UTF-32 -t UTF-8"},
                                       {"\xff\xfe", "UTF-16", "iconv -f UTF-16 -t UTF-8"},
                                       {"\xfe\xff", "UTF-16", "iconv -f UTF-16 -t UTF-8"}};
  for (const Format& f : formats) {
    if (text.substr(0, f.beginning.size()) == f.beginning)
      return std::string("; the file is ") + f.is + ", and " + f.makes_text + " makes plain text of it";
  }
  for (const std::size_t odd : {1U, 0U}) {
    if (has_high_bytes_of_0(text, odd))
      return std::string("; the file looks like UTF-16, and iconv -f UTF-16") + (odd == 1 ? "LE" : "BE") +
             " -t UTF-8 makes plain text of it";
  }
  return hint_at_latin_1(text);
}

std::string hint_at_latin_1(std::string_view text) {
  return looks_like_latin_1(text) ? "; if the file is Latin-1, iconv -f LATIN1 -t UTF-8 makes plain text of it"
                                  : "";
}

std::vector<std::string> split_lines(std::string_view text, const std::string& origin) {
  if (text.substr(0, 2) == "\x1f\x8b") fail(origin + ": packed with gzip, not plain text");
  const std::string_view all = text;
  drop_prefix(text, "\xef\xbb\xbf");  // a byte order mark
  std::vector<std::string> lines;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size());
    drop_prefix(text, "\n");
    lines.push_back(checked_line(line, all, origin, lines.size() + 1));
  }
  return lines;
}

std::string with_line_feeds(std::string text) {
  if (text.find('\n') == text.npos) std::replace(text.begin(), text.end(), '\r', '\n');
  return text;
}

std::string hint_at_returns(std::size_t number, const std::string& origin) {
  return "line " + std::to_string(number) + " of " + origin +
         " has carriage returns in it: if these are line ends, tr '\\r' '\\n' makes line feeds of them";
}

std::string hint_at_returns(const std::vector<std::string>& lines, const std::string& origin) {
  const auto found = std::find_if(lines.begin(), lines.end(), has_return);
  if (found == lines.end()) return "";
  return hint_at_returns(static_cast<std::size_t>(found - lines.begin()) + 1, origin);
}

std::string trimmed(const std::string& line) {
  const auto first = line.find_first_not_of(" \t"), last = line.find_last_not_of(" \t");
  return first == line.npos ? "" : line.substr(first, last - first + 1);
}

std::string single_line(std::string_view text, const std::string& origin) {
  std::string joined;
  for (const std::string& line : split_lines(text, origin)) joined += (joined.empty() ? "" : " ") + line;
  return joined;
}

std::vector<std::string> read_lines(const std::string& path, FileReader read) {
  return split_lines(with_line_feeds(read(path)), path);
}

std::vector<std::vector<std::string>> read_parallel(const std::vector<std::string>& paths, FileReader read) {
  std::vector<std::vector<std::string>> texts;
  for (const std::string& path : paths) texts.push_back(read_lines(path, read));
  for (std::size_t i = 0; i < paths.size(); ++i) {
    if (texts[i].empty()) fail(paths[i] + ": empty, where sentences were expected");
  }
  for (std::size_t i = 1; i < paths.size(); ++i) {
    if (texts[i].size() == texts[0].size()) continue;
    fail(count_text(paths[0], texts[0].size()) + ", but " + count_text(paths[i], texts[i].size()) +
         ": line i of one must be the translation of line i of the other" + hint_for_files(paths, texts));
  }
  return texts;
}

LinePairs read_pairs(const std::string& source, const std::string& target, FileReader read) {
  auto both = read_parallel({source, target}, read);
  return {std::move(both[0]), std::move(both[1])};
}

LinePairs read_tab_pairs(const std::string& path, FileReader read) {
  LinePairs pairs;
  const std::vector<std::string> lines = read_lines(path, read);
  for (const std::string& line : lines) {
    const auto tabs = static_cast<std::size_t>(std::count(line.begin(), line.end(), '\t'));
    const std::size_t tab = std::min(line.find('\t'), line.size());
    if (tabs != 1 && !line.empty()) {
      const std::string what =
          tabs == 0 ? "no tab between a sentence and its translation"
                    : std::to_string(tabs) + " tabs, but a pair has one; " + advice_on_columns(lines, tabs + 1);
      const std::size_t number = pairs.source.size() + 1;
      fail(path + ", line " + std::to_string(number) + ": " + what +
           (has_return(line) ? "; " + hint_at_returns(number, path) : ""));
    }
    pairs.source.push_back(line.substr(0, tab));
    pairs.target.push_back(line.empty() ? "" : line.substr(tab + 1));
  }
  if (pairs.source.empty()) fail(path + ": empty, where pairs of sentences were expected");
  return pairs;
}

}  // namespace gradus
