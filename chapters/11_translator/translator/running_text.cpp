#include "11_translator/translator/running_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>

#include "11_translator/warnings/copied_spans.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "11_translator/warnings/sentences.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

/// Behind the mark of a list's entry, such as "- ", or of a heading or a quotation; 0 if there is none.
std::size_t end_of_list_mark(const std::string& line) {
  std::size_t at = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t digits = std::min(line.find_first_not_of("0123456789", at), line.size());
  const bool is_numbered = digits > at && digits < line.size() && (line[digits] == '.' || line[digits] == ')');
  std::size_t end = is_numbered ? digits + 1 : at;
  for (CodePoint point; !is_numbered && (point = decode_utf8(std::string_view(line).substr(end))).length > 0;) {
    if (!is_among(U"-*+#>\u2022\u00B7\u2013\u2014\u25AA\u25CF", point.value)) break;
    end += point.length;
  }
  return end > at && end < line.size() && (line[end] == ' ' || line[end] == '\t') ? end : 0;
}

/// Where a clause ends: a comma and so on with a space behind it, or a mark that needs none.
bool ends_clause(const std::u32string& text, std::size_t at) {
  if (is_among(U"\uFF0C\u3001\uFF1B\uFF1A\u060C\u061B", text[at])) return true;
  return is_among(U",;:\u2013\u2014)", text[at]) && at + 1 < text.size() && is_white_space(text[at + 1]);
}

/// The first part of a text that is too long, in characters: `most` columns of it.
std::size_t first_part(const std::u32string& text, std::size_t begin, std::size_t most) {
  std::size_t clause = 0, space = 0, end = begin;
  for (std::size_t columns = 0; end < text.size();) {
    const std::size_t next = end + std::max<std::size_t>(1, visible_character(text, end));
    for (std::size_t i = end; i < next; ++i) columns += columns_of(text[i]);
    if (columns > most) break;
    if (is_white_space(text[end])) space = end;
    if (ends_clause(text, end) && columns > most / 3) clause = next;
    end = next;
  }
  if (end >= text.size()) return text.size();
  if (clause > begin) return clause;
  return space > begin ? space : std::max(end, begin + 1);
}

void copy(std::vector<TextPart>& parts, const std::string& text) {
  if (text.empty()) return;
  if (parts.empty() || !parts.back().is_copied) parts.push_back({"", true});
  parts.back().text += text;
}

/// Appends white space, a text, white space.
void add(std::vector<TextPart>& parts, std::u32string_view text) {
  std::size_t begin = 0, end = text.size();
  while (begin < end && is_white_space(text[begin])) ++begin;
  while (end > begin && is_white_space(text[end - 1])) --end;
  copy(parts, to_utf8(text.substr(0, begin)));
  const std::u32string_view bare = text.substr(begin, end - begin);
  const std::string inner = to_utf8(bare);
  if (has_letters(inner))
    parts.push_back({inner, false});
  else
    copy(parts, inner);
  copy(parts, to_utf8(text.substr(end)));
}

/// A sentence, or a part of one.
void add_pieces(std::vector<TextPart>& parts, const std::string& sentence) {
  const std::u32string text = code_points(sentence);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = first_part(text, begin, RunningText::longest);
    add(parts, std::u32string_view(text).substr(begin, end - begin));
    begin = end;
  }
}

/// Whether two neighbours, neither of them empty, would run into each other.
bool needs_space(const TextPart& left, const TextPart& right) {
  const char32_t last = code_points(left.text).back(), first = code_points(right.text).front();
  if (is_white_space(last) || is_white_space(first) || !has_spaces(last) || !has_spaces(first)) return false;
  if (!left.is_copied && !right.is_copied) return true;
  return is_word_character(last) && is_word_character(first);
}

/// Behind the marks that follow an address or code.
std::size_t behind_marks(std::string_view line, std::size_t at) {
  constexpr std::u32string_view marks =
      U".,;:!?)]}\u2026\u3002\uFF0C\u3001\uFF1B\uFF1A\uFF01\uFF1F\uFF09\u060C\u061B\u061F";
  for (CodePoint point; (point = decode_utf8(line.substr(at))).length > 0; at += point.length)
    if (!is_among(marks, point.value)) break;
  return at;
}

/// Before the brackets and quotes that open before an address or code.
std::size_t before_brackets(std::string_view line, std::size_t at) {
  while (at > 0 && std::string_view("([{<\"'").find(line[at - 1]) != line.npos) --at;
  return at;
}

/// Where the mark of a list, the sentences and the line end.
std::set<std::size_t> ends_of_sentences(const std::string& line, const std::vector<Span>& spans) {
  std::set<std::size_t> cuts{0, end_of_list_mark(line), line.size()};
  for (const std::size_t start : sentence_starts(with_words(line, spans))) cuts.insert(start);
  return cuts;
}

/// Whether the sentence has words besides these addresses and code, and its translation keeps them.
bool is_whole(const std::string& sentence, const std::vector<Span>& inside, const KeepsCopied& keeps) {
  std::string rest = sentence;
  std::vector<std::string> copied;
  for (const Span& span : inside) {
    const std::size_t size = span.end - span.begin;
    copied.push_back(sentence.substr(span.begin, size));
    rest.replace(span.begin, size, size, ' ');
  }
  return sentence.size() <= RunningText::longest && has_letters(rest) && keeps(trimmed(sentence), copied);
}

/// The addresses and code that are parts of their own.
std::vector<Span> spans_to_copy(const std::string& line, const std::vector<Span>& spans,
                                const std::set<std::size_t>& sentences, const KeepsCopied& keeps) {
  if (!keeps) return spans;
  std::vector<Span> copied;
  auto span = spans.begin();
  for (auto begin = sentences.begin(); std::next(begin) != sentences.end(); ++begin) {
    const std::size_t end = *std::next(begin);
    std::vector<Span> inside;
    const auto first = span;
    for (; span != spans.end() && span->begin < end; ++span)
      inside.push_back({span->begin - *begin, std::min(span->end, end) - *begin});
    if (!inside.empty() && !is_whole(line.substr(*begin, end - *begin), inside, keeps))
      copied.insert(copied.end(), first, span);
  }
  return copied;
}

/// Where the parts of a line begin and end.
std::set<std::size_t> cuts_of(const std::string& line, const std::vector<Span>& spans, std::set<std::size_t> cuts) {
  for (const Span& span : spans) {
    cuts.erase(cuts.upper_bound(span.begin), cuts.lower_bound(span.end));
    cuts.insert({before_brackets(line, span.begin), span.begin, span.end, behind_marks(line, span.end)});
  }
  return cuts;
}

}  // namespace

bool RunningText::is_code(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t"), line.size());
  const std::size_t end = begin < line.size() && (line[begin] == '`' || line[begin] == '~')
                              ? std::min(line.find_first_not_of(line[begin], begin), line.size())
                              : begin;
  const std::string fence = line.substr(begin, end - begin);
  if (fence_.empty()) {
    if (fence.size() < 3 || line.find('`', end) != line.npos) return false;  // ```code``` is within the line
    fence_ = fence;
    return true;
  }
  const bool is_last =
      fence.size() >= fence_.size() && fence[0] == fence_[0] && line.find_first_not_of(" \t\r", end) == line.npos;
  if (is_last) fence_.clear();
  return true;
}

std::vector<TextPart> RunningText::parts(const std::string& line, const KeepsCopied& keeps) {
  std::vector<TextPart> parts;
  if (is_code(line)) {
    copy(parts, line);
    return parts;
  }
  const std::vector<Span> all = copied_spans(line);
  const std::set<std::size_t> sentences = ends_of_sentences(line, all);
  const std::vector<Span> spans = spans_to_copy(line, all, sentences, keeps);
  const std::set<std::size_t> cuts = cuts_of(line, spans, sentences);
  auto span = spans.begin();
  for (auto cut = cuts.begin(); std::next(cut) != cuts.end(); ++cut) {
    const std::string text = line.substr(*cut, *std::next(cut) - *cut);
    if (span != spans.end() && span->begin == *cut) {
      copy(parts, text);
      ++span;
    } else {
      add_pieces(parts, text);
    }
  }
  return parts;
}

bool has_copied(const std::vector<std::string>& copied, const std::string& sentence,
                const std::string& translation) {
  const auto times = [](const std::string& part, const std::string& text) {
    std::size_t found = 0;
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + part.size())) ++found;
    return found;
  };
  return std::all_of(copied.begin(), copied.end(),
                     [&](const std::string& one) { return times(one, translation) == times(one, sentence); });
}

std::string joined_parts(const std::vector<TextPart>& parts) {
  std::string line;
  const TextPart* before = nullptr;
  for (const TextPart& part : parts) {
    if (part.text.empty()) continue;
    if (before != nullptr && needs_space(*before, part)) line += ' ';
    line += part.text;
    before = &part;
  }
  return line;
}

}  // namespace gradus
