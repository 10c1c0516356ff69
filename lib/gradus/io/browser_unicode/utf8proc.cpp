#include <utf8proc.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_map>

extern "C" {  // answers.js
int browser_category(int c);
int browser_is_ignorable(int c);
int browser_combining_class(int c);
int browser_lower(int c);
int browser_upper(int c);
int browser_parts(int c, int* to, int most, int is_compatible);
void browser_form_c(const char* text, char* to, int most);
int browser_columns(int c);
int browser_breaks(int c, int next);
}

namespace {

/// What f(c) was, asked once for each c.
template <class F>
int remembered(std::unordered_map<int, int>& known, int c, const F& f) {
  const auto found = known.find(c);
  return found != known.end() ? found->second : known[c] = f(c);
}

/// The number of bytes of a character that begins so; 0 for a byte that begins none.
int announced_length(utf8proc_uint8_t first) {
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return 2;
  if (first < 0xF0) return 3;
  return first < 0xF5 ? 4 : 0;
}

/// The browser does not name the kinds of compatibility; those of numerals follow from their parts and places.
int decomposition_of(int c) {
  constexpr int fraction_slash = 0x2044;
  int parts[8] = {};
  const int length = c < 0xA0 ? 1 : std::min(browser_parts(c, parts, 8, 1), 8);
  if (c < 0xA0 || (length == 1 && parts[0] == c)) return 0;
  if (std::find(parts, parts + length, fraction_slash) != parts + length) return UTF8PROC_DECOMP_TYPE_FRACTION;
  if (c == 0xB2 || c == 0xB3 || c == 0xB9 || (c >= 0x2070 && c < 0x2080)) return UTF8PROC_DECOMP_TYPE_SUPER;
  return c >= 0x2080 && c < 0x20A0 ? UTF8PROC_DECOMP_TYPE_SUB : UTF8PROC_DECOMP_TYPE_OTHER;
}

}  // namespace

utf8proc_ssize_t utf8proc_iterate(const utf8proc_uint8_t* text, utf8proc_ssize_t size, utf8proc_int32_t* c) {
  const int length = size > 0 ? announced_length(text[0]) : 0;
  if (length == 0 || length > size) return -1;
  *c = length == 1 ? text[0] : text[0] & (0x7F >> length);
  for (int i = 1; i < length; ++i) {
    if ((text[i] & 0xC0) != 0x80) return -1;
    *c = *c << 6 | (text[i] & 0x3F);
  }
  constexpr utf8proc_int32_t smallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool is_scalar = *c >= smallest[length] && *c <= 0x10FFFF && (*c < 0xD800 || *c > 0xDFFF);
  return is_scalar ? length : -1;
}

utf8proc_ssize_t utf8proc_encode_char(utf8proc_int32_t c, utf8proc_uint8_t* to) {
  const int length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
  for (int i = length - 1; i > 0; --i, c >>= 6) to[i] = static_cast<utf8proc_uint8_t>(0x80 | (c & 0x3F));
  constexpr int marks[] = {0, 0, 0xC0, 0xE0, 0xF0};
  to[0] = static_cast<utf8proc_uint8_t>(marks[length] | c);
  return length;
}

utf8proc_category_t utf8proc_category(utf8proc_int32_t c) {
  static std::unordered_map<int, int> known;
  return static_cast<utf8proc_category_t>(remembered(known, c, browser_category));
}

utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t c) { return browser_lower(c); }
utf8proc_int32_t utf8proc_toupper(utf8proc_int32_t c) { return browser_upper(c); }

const utf8proc_property_t* utf8proc_get_property(utf8proc_int32_t c) {
  static std::unordered_map<int, int> classes, ignorables;
  static utf8proc_property_t found;
  constexpr utf8proc_int32_t soft_hyphen = 0xAD, first_mark = 0x300;
  found = {};
  found.decomp_type = decomposition_of(c);
  if (c < first_mark && c != soft_hyphen) return &found;
  found.combining_class = remembered(classes, c, browser_combining_class);
  found.ignorable = remembered(ignorables, c, browser_is_ignorable);
  return &found;
}

utf8proc_ssize_t utf8proc_decompose_char(utf8proc_int32_t c, utf8proc_int32_t* to, utf8proc_ssize_t most,
                                         utf8proc_option_t options, int*) {
  return browser_parts(c, to, static_cast<int>(most), (options & UTF8PROC_COMPAT) != 0);
}

utf8proc_ssize_t utf8proc_map(const utf8proc_uint8_t* text, utf8proc_ssize_t size, utf8proc_uint8_t** to,
                              utf8proc_option_t) {
  constexpr std::size_t longest_growth = 3;  // of a text in form C (Unicode Standard Annex 15)
  const std::string own(reinterpret_cast<const char*>(text), static_cast<std::size_t>(size));
  const std::size_t room = longest_growth * own.size() + 1;
  char* const made = static_cast<char*>(std::malloc(room));
  browser_form_c(own.c_str(), made, static_cast<int>(room));
  *to = reinterpret_cast<utf8proc_uint8_t*>(made);
  return static_cast<utf8proc_ssize_t>(std::strlen(made));
}

int utf8proc_charwidth(utf8proc_int32_t c) {
  static std::unordered_map<int, int> known;
  return c < 0x300 ? c >= 0x20 && (c < 0x7F || c >= 0xA0) : remembered(known, c, browser_columns);
}

bool utf8proc_grapheme_break_stateful(utf8proc_int32_t c, utf8proc_int32_t next, utf8proc_int32_t*) {
  return browser_breaks(c, next) != 0;
}

const char* utf8proc_errmsg(utf8proc_ssize_t) { return "the browser refuses it"; }
