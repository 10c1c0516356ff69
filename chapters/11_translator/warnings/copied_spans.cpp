#include "11_translator/warnings/copied_spans.hpp"

#include <algorithm>
#include <string_view>

#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr std::size_t none = std::string_view::npos;

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_word(char c) { return is_ascii_letter(c) || (c >= '0' && c <= '9'); }
bool is_local(char c) { return is_ascii_word(c) || std::string_view("._%+-").find(c) != none; }
bool is_domain(char c) { return is_ascii_word(c) || c == '.' || c == '-'; }

/// True if `text` begins with `start`, which is in lower case.
bool begins_with(std::string_view text, std::string_view start) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return text.size() >= start.size() &&
         std::equal(start.begin(), start.end(), text.begin(), [&](char b, char a) { return same(a, b); });
}

/// Behind the code that begins at `at`; `at` if none does. As many backticks end it as begin it.
std::size_t end_of_code(std::string_view line, std::size_t at) {
  const auto run = [&](std::size_t i) { return std::min(line.find_first_not_of('`', i), line.size()) - i; };
  const std::size_t ticks = run(at);
  for (std::size_t i = line.find('`', at + ticks); i != none; i = line.find('`', i + run(i)))
    if (run(i) == ticks) return i + ticks;
  return at;
}

bool is_of_address(char32_t c) {
  if (c >= 0x80) return is_word_character(c) && has_spaces(c);
  return c > 0x20 && c != 0x7F && std::u32string_view(U"<>\"`").find(c) == none;
}

/// The end of an address without the marks that belong to the sentence around it: a bracket that closes none of the
/// address's own is one.
std::size_t without_marks(std::string_view line, std::size_t begin, std::size_t end) {
  constexpr std::string_view opening = "([{", closing = ")]}";
  std::ptrdiff_t open[3] = {};
  for (std::size_t i = begin; i < end; ++i) {
    if (opening.find(line[i]) != none) ++open[opening.find(line[i])];
    if (closing.find(line[i]) != none) --open[closing.find(line[i])];
  }
  for (; end > begin; --end) {
    const std::size_t bracket = closing.find(line[end - 1]);
    if (bracket == none && std::string_view(".,;:!?'*_~|").find(line[end - 1]) == none) break;
    if (bracket != none && open[bracket]++ >= 0) break;
  }
  return end;
}

/// Behind the web address that begins at `at`; `at` if none does.
std::size_t end_of_web_address(std::string_view line, std::size_t at) {
  if (at > 0 && is_ascii_word(line[at - 1])) return at;
  const std::string_view rest = line.substr(at);
  std::size_t start = 0;
  for (const std::string_view known : {"http://", "https://", "ftp://", "file://", "mailto:", "www."})
    if (begins_with(rest, known)) start = known.size();
  if (start == 0) return at;
  std::size_t end = at + start;
  for (CodePoint point; end < line.size() && (point = decode_utf8(line.substr(end))).length > 0;) {
    if (!is_of_address(point.value)) break;
    end += point.length;
  }
  end = without_marks(line, at + start, end);
  return end > at + start ? end : at;
}

/// The e-mail address around the @ at `at`; empty if there is none. It begins at `least` or behind.
Span e_mail_around(std::string_view line, std::size_t at, std::size_t least) {
  std::size_t begin = at, end = at + 1;
  while (begin > least && is_local(line[begin - 1])) --begin;
  while (begin < at && line[begin] == '.') ++begin;
  while (end < line.size() && is_domain(line[end])) ++end;
  while (end > at + 1 && !is_ascii_word(line[end - 1])) --end;
  const std::string_view domain = line.substr(at + 1, end - at - 1);
  const bool is_one = begin < at && !domain.empty() && is_ascii_word(domain.front()) && domain.find('.') != none;
  return is_one ? Span{begin, end} : Span{at, at};
}

}  // namespace

std::vector<Span> copied_spans(const std::string& line) {
  std::vector<Span> spans;
  std::size_t free = 0;  // behind the last span
  for (std::size_t at = 0; at < line.size(); ++at) {
    if (line[at] != '`' && line[at] != '@' && !is_ascii_letter(line[at])) continue;
    Span found{at, line[at] == '`' ? end_of_code(line, at) : end_of_web_address(line, at)};
    if (line[at] == '@') found = e_mail_around(line, at, free);
    if (found.end == found.begin) {
      while (line[at] == '`' && at + 1 < line.size() && line[at + 1] == '`') ++at;  // their code has no end
      continue;
    }
    spans.push_back(found);
    free = found.end;
    at = found.end - 1;
  }
  return spans;
}

}  // namespace gradus
