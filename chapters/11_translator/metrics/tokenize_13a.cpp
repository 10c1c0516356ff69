#include "11_translator/metrics/tokenize_13a.hpp"

#include "11_translator/metrics/ngrams.hpp"

namespace gradus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_other(char c) { return !is_digit(c); }
bool is_point(char c) { return c == '.' || c == ','; }
bool is_hyphen(char c) { return c == '-'; }

/// Punctuation that always stands alone: ASCII's, without ' , - and .
bool stands_alone(char c) {
  return (c >= '!' && c <= '/' && c != '\'' && !is_point(c) && !is_hyphen(c)) || (c >= ':' && c <= '@') ||
         (c >= '[' && c <= '`') || (c >= '{' && c <= '~');
}

void replace_all(std::string& text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
}

std::string set_apart(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (stands_alone(c)) {
      out += {' ', c, ' '};
    } else {
      out += c;
    }
  }
  return out;
}

/// Where a character for which `first` holds stands before one for which `second` holds, puts spaces between them,
/// and before or after the pair. A pair is used up when it is found: of three points in a row only the first two
/// are one.
template <typename First, typename Second>
std::string split_pairs(const std::string& text, First first, Second second, const char* before,
                        const char* after) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i + 1 < text.size() && first(text[i]) && second(text[i + 1])) {
      out += before;
      out += {text[i], ' ', text[i + 1]};
      out += after;
      ++i;
    } else {
      out += text[i];
    }
  }
  return out;
}

}  // namespace

std::string tokenize_13a(std::string_view line) {
  std::string text = " " + std::string(line) + " ";
  replace_all(text, "<skipped>", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");  // before &lt;, so that &amp;lt; becomes <
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  text = set_apart(text);
  text = split_pairs(text, is_other, is_point, "", " ");
  text = split_pairs(text, is_point, is_other, " ", "");
  text = split_pairs(text, is_digit, is_hyphen, "", " ");
  return join_words(text, " ");
}

}  // namespace gradus
