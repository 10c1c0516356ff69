#include <emscripten.h>
#include <utf8proc.h>

#include <cstdlib>
#include <string>
#include <unordered_map>

// The browser answers by its normalisation and by the properties of its regular expressions.

EM_JS(int, browser_category, (int c), {
  const names = "Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co".split(" ");
  return 1 + names.findIndex((name) = > new RegExp("^\\p{" + name + "}$", "u").test(String.fromCodePoint(c)));
});

EM_JS(int, browser_is_ignorable, (int c),
      { return Number(new RegExp("^\\p{Default_Ignorable_Code_Point}$", "u").test(String.fromCodePoint(c))); });

// Form D sorts neighbouring marks by their classes, which tells where a class lies: U+0334 is of class 1, U+0345 of 240, U+3099 of 8,
// U+05B0 of 10. Class 0 is never sorted.
EM_JS(int, browser_combining_class, (int c), {
  const own = String.fromCodePoint(c);
  const isSorted = (text) = > text.normalize("NFD") != = text;
  if (own.normalize("NFD") != = own) return 0;
  if (isSorted(own + "\u3099") && isSorted("\u05B0" + own)) return 9;
  return Number(isSorted(own + "\u0334") || isSorted("\u0345" + own));
});

EM_JS(int, browser_case, (int c, int isLower), {
  const text = String.fromCodePoint(c);
  return (isLower ? text.toLowerCase() : text.toUpperCase()).codePointAt(0);
});

EM_JS(int, browser_parts, (int c, int* to, int most, int isCompatible), {
  const parts = Array.from(String.fromCodePoint(c).normalize(isCompatible ? "NFKD" : "NFD"));
  parts.slice(0, most).forEach((part, i) = > { HEAP32[to / 4 + i] = part.codePointAt(0); });
  return parts.length;
});

// Columns of a terminal: East Asian letters, emoji and full-width signs have two.
EM_JS(int, browser_columns, (int c), {
  const text = String.fromCodePoint(c);
  const isHalf = c > 0xFF60 && c < 0xFFE0;
  const scripts =
      "Han Hiragana Katakana Hangul Bopomofo Yi".split(" ").map((name) = > "\\p{Script=" + name + "}").join("");
  if (new RegExp("^[\\p{Mn}\\p{Me}\\p{Cf}\\p{Cc}]$", "u").test(text)) return 0;
  return !isHalf && new RegExp("^[" + scripts + "\\p{Emoji_Presentation}\u3000-\u303E\uFF01-\uFF60\uFFE0-\uFFE6]$",
                               "u")
                        .test(text)
             ? 2
             : 1;
});

EM_JS(int, browser_breaks, (int c, int next),
      { return Number(Array.from(new Intl.Segmenter("en").segment(String.fromCodePoint(c, next))).length > 1); });

EM_JS(void, browser_form_c, (const char* text, char* to, int most),
      { stringToUTF8(UTF8ToString(text).normalize("NFC"), to, most); });

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

utf8proc_int32_t utf8proc_tolower(utf8proc_int32_t c) { return browser_case(c, 1); }
utf8proc_int32_t utf8proc_toupper(utf8proc_int32_t c) { return browser_case(c, 0); }

const utf8proc_property_t* utf8proc_get_property(utf8proc_int32_t c) {
  static std::unordered_map<int, int> classes, ignorables;
  static utf8proc_property_t found;
  constexpr utf8proc_int32_t soft_hyphen = 0xAD, first_mark = 0x300;
  found = {};
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
  return static_cast<utf8proc_ssize_t>(std::char_traits<char>::length(made));
}

int utf8proc_charwidth(utf8proc_int32_t c) {
  static std::unordered_map<int, int> known;
  return c < 0x300 ? c >= 0x20 && (c < 0x7F || c >= 0xA0) : remembered(known, c, browser_columns);
}

bool utf8proc_grapheme_break_stateful(utf8proc_int32_t c, utf8proc_int32_t next, utf8proc_int32_t*) {
  return browser_breaks(c, next) != 0;
}

const char* utf8proc_errmsg(utf8proc_ssize_t) { return "the browser refuses it"; }
