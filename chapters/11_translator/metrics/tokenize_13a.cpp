#include "11_translator/metrics/tokenize_13a.hpp"

#include "11_translator/metrics/ngrams.hpp"

namespace gradus {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_other(char c) { return !is_digit(c); }
bool is_point(char c) { return c == '.' || c == ','; }
bool is_hyphen(char c) { return c == '-'; }

/// ASCII punctuation that is always separated: all except ' , - and .
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

/// If a character for which `first` holds precedes one for which `second` holds, puts spaces between them and
/// around the pair. Pairs do not overlap: of three points in a row only the first two are a pair.
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

std::string tokenize_western(const std::string& line) {
  std::string text = set_apart(line);
  text = split_pairs(text, is_other, is_point, "", " ");
  text = split_pairs(text, is_point, is_other, " ", "");
  text = split_pairs(text, is_digit, is_hyphen, "", " ");
  return join_words(text, " ");
}

std::string tokenize_13a(std::string_view line) {
  std::string text = " " + std::string(line) + " ";
  replace_all(text, "<skipped>", "");
  replace_all(text, "&quot;", "\"");
  replace_all(text, "&amp;", "&");  // before &lt;, so that &amp;lt; becomes <
  replace_all(text, "&lt;", "<");
  replace_all(text, "&gt;", ">");
  return tokenize_western(text);
}

}  // namespace gradus
