#include "11_translator/warnings/copied_spans.hpp"

#include <algorithm>
#include <string_view>

#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

constexpr std::size_t none = std::string_view::npos;

// Frequent endings of names: a full stop without a space behind it may end a sentence, too.
constexpr std::string_view file_endings =
    " 7z avi bib bmp bz2 conf cpp css csv deb dll doc docx epub exe flac gif gz hpp htm html ipynb iso java "
    "jpeg jpg js json md mkv mp3 mp4 odt ogg pdf php png ppt pptx py rar rpm rtf sh sql svg tex tgz toml ts "
    "tsv txt wav webp xls xlsx xml xz yaml yml zip ";
constexpr std::string_view host_endings = " com edu gov net org ";

bool is_ascii_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_ascii_word(char c) { return is_ascii_letter(c) || (c >= '0' && c <= '9'); }

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

bool is_letter(char32_t c) { return c < 0x80 ? is_ascii_word(static_cast<char>(c)) : is_word_character(c); }
bool is_spaced_letter(char32_t c) { return is_letter(c) && has_spaces(c); }
bool is_letter_without_spaces(char32_t c) { return is_letter(c) && !has_spaces(c); }
bool is_local(char32_t c) { return is_spaced_letter(c) || is_among(U"._%+-", c); }
bool is_domain(char32_t c) { return is_spaced_letter(c) || is_among(U".-", c); }

bool is_of_address(char32_t c) {
  if (c >= 0x80) return is_spaced_letter(c);
  return c > 0x20 && c != 0x7F && !is_among(U"<>\"`", c);
}

/// The character that ends before `at`; its length is 0 at the begin of the line.
CodePoint before(std::string_view line, std::size_t at) {
  std::size_t begin = at;
  while (begin > 0 && (static_cast<unsigned char>(line[--begin]) & 0xC0) == 0x80) continue;
  return at == 0 ? CodePoint{} : decode_utf8(line.substr(begin));
}

/// Behind the characters of a kind from `at` on.
template <class IsOne>
std::size_t behind(std::string_view line, std::size_t at, const IsOne& is_one) {
  for (CodePoint point; (point = decode_utf8(line.substr(at))).length > 0 && is_one(point.value);)
    at += point.length;
  return at;
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

/// Behind the last character of an address from `at` on. Letters of a script without spaces belong to it behind a sign of its own
/// ("http://例え.jp/テスト") if the text before `begin`, where it begins, is in no such script.
std::size_t end_of_address(std::string_view line, std::size_t begin, std::size_t at) {
  bool may_be_unspaced = !is_letter_without_spaces(before(line, begin).value);
  const bool is_spaced_text = may_be_unspaced;
  return behind(line, at, [&](char32_t c) {
    if (is_letter_without_spaces(c)) return may_be_unspaced;
    may_be_unspaced = is_spaced_text && !is_letter(c);
    return is_of_address(c);
  });
}

/// Behind the web address that begins at `at`; `at` if none does.
std::size_t end_of_web_address(std::string_view line, std::size_t at) {
  if (at > 0 && is_ascii_word(line[at - 1])) return at;
  const std::string_view rest = line.substr(at);
  std::size_t start = 0;
  for (const std::string_view known : {"http://", "https://", "ftp://", "file://", "mailto:", "www."})
    if (begins_with(rest, known)) start = known.size();
  if (start == 0) return at;
  const std::size_t end = without_marks(line, at + start, end_of_address(line, at, at + start));
  return end > at + start ? end : at;
}

/// The e-mail address around the @ at `at`; empty if there is none. It begins at `least` or behind.
Span e_mail_around(std::string_view line, std::size_t at, std::size_t least) {
  std::size_t begin = at, end = behind(line, at + 1, is_domain);
  for (CodePoint point; begin > least && is_local((point = before(line, begin)).value);) begin -= point.length;
  while (begin < at && line[begin] == '.') ++begin;
  while (end > at + 1 && (line[end - 1] == '.' || line[end - 1] == '-')) --end;
  const std::string_view domain = line.substr(at + 1, end - at - 1);
  const bool is_host = domain.find('.') != none || domain == "localhost";
  const bool is_one = begin < at && is_host && domain.front() != '.' && domain.front() != '-';
  return is_one ? Span{begin, end} : Span{at, at};
}

/// Whether a path or a name of a file may begin at `at`: behind a space, an opening bracket or quote, or a script without spaces.
bool begins_name(std::string_view line, std::size_t at) {
  const CodePoint left = before(line, at);
  return left.length == 0 || is_white_space(left.value) || is_letter_without_spaces(left.value) ||
         is_among(U"([{<\"'=\u201C\u2018\u201E\u00AB\uFF08\u300C", left.value);
}

/// Behind the path that begins at `at`; `at` if none does: "/etc/passwd", "~/a", "./a", "../a", "C:\a".
std::size_t end_of_path(std::string_view line, std::size_t at) {
  if (!begins_name(line, at)) return at;
  const std::string_view rest = line.substr(at);
  std::size_t start = 0;
  for (const std::string_view root : {"/", "~/", "./", "../"})
    if (begins_with(rest, root)) start = root.size();
  if (rest.size() > 2 && is_ascii_letter(rest[0]) && rest.substr(1, 2) == ":\\") start = 3;
  if (start == 0 || !is_local(decode_utf8(rest.substr(start)).value)) return at;
  const std::size_t end = without_marks(line, at + start, end_of_address(line, at, at + start));
  const bool is_word = start == 1 && line.substr(at + 1, end - at - 1).find('/') == none;  // "and /or"
  return end > at + start && !is_word ? end : at;
}

/// Behind the name of a file, or of a host without a scheme, that begins at `at`; `at` if none does.
std::size_t end_of_name(std::string_view line, std::size_t at) {
  if (!begins_name(line, at)) return at;
  std::size_t end = behind(line, at, [](char32_t c) { return is_domain(c) || c == U'_'; });
  while (end > at && (line[end - 1] == '.' || line[end - 1] == '-')) --end;
  const std::string name(line.substr(at, end - at));
  const std::size_t point = name.rfind('.');
  const bool is_e_mail = end < line.size() && line[end] == '@';
  if (point == none || point == 0 || name[point - 1] == '.' || is_e_mail) return at;
  const std::string ending = name.substr(point + 1), small = lower_case(ending);
  const bool has_one_case = ending == small || ending.find_first_of("abcdefghijklmnopqrstuvwxyz") == none;
  if (!has_one_case) return at;  // "It runs.Net" lacks a space
  if (file_endings.find(" " + small + " ") != none) return end;
  if (host_endings.find(" " + small + " ") == none) return at;
  return end < line.size() && line[end] == '/' ? without_marks(line, end, end_of_address(line, at, end)) : end;
}

/// What begins at `at`, or for an @ around it, and is no language; empty if nothing does. It begins at `least` or behind.
Span span_at(std::string_view line, std::size_t at, std::size_t least) {
  if (line[at] == '`') return {at, end_of_code(line, at)};
  if (line[at] == '@') return e_mail_around(line, at, least);
  for (const auto end_of : {end_of_web_address, end_of_path, end_of_name})
    if (const std::size_t end = end_of(line, at); end > at) return {at, end};
  return {at, at};
}

}  // namespace

std::vector<Span> copied_spans(const std::string& line) {
  std::vector<Span> spans;
  std::size_t free = 0;  // behind the last span
  for (std::size_t at = 0; at < line.size(); ++at) {
    const Span found = span_at(line, at, free);
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

std::string with_words(std::string line, const std::vector<Span>& spans) {
  for (const Span& span : spans) line.replace(span.begin, span.end - span.begin, span.end - span.begin, 'x');
  return line;
}

}  // namespace gradus
