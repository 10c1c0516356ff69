#include "gradus/io/normal_text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr char32_t non_joiner = 0x200C, joiner = 0x200D;

struct Block {
  char32_t first, last;
};

// Scripts whose letters are joined like those of Arabic: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Adlam.
constexpr Block joined_letters[] = {{0x600, 0x74F},   {0x750, 0x77F},   {0x7C0, 0x7FF},   {0x840, 0x8FF},
                                    {0x1800, 0x18AF}, {0xFB50, 0xFDFF}, {0xFE70, 0xFEFC}, {0x1E900, 0x1E95F}};

// Scripts whose letters form clusters: those from Devanagari to Sinhala, Myanmar, Khmer, and their relatives.
constexpr Block clusters[] = {{0x900, 0xDFF},   {0x1000, 0x109F},  {0x1780, 0x17FF}, {0x1A20, 0x1AAF},
                              {0x1B00, 0x1BFF}, {0x1C00, 0x1C4F},  {0x1CD0, 0x1CFF}, {0xA800, 0xA82F},
                              {0xA880, 0xA8FF}, {0xA930, 0xA9FF},  {0xAA60, 0xAA7F}, {0xAAE0, 0xAAFF},
                              {0xABC0, 0xABFF}, {0x11000, 0x11FFF}};

/// The blocks of `c` if it is a letter or a mark of theirs; null otherwise.
const Block* blocks_of(char32_t c) {
  const auto in = [c](const Block& b) { return c >= b.first && c <= b.last; };
  if (!is_word_character(c)) return nullptr;
  if (std::any_of(std::begin(joined_letters), std::end(joined_letters), in)) return joined_letters;
  return std::any_of(std::begin(clusters), std::end(clusters), in) ? clusters : nullptr;
}

int combining_class(char32_t c) { return utf8proc_get_property(static_cast<utf8proc_int32_t>(c))->combining_class; }

/// Whether a joiner between these two means something. Behind a virama, which joins consonants (combining class 9),
/// it does even at the end of a word.
bool joins(char32_t before, char32_t behind) {
  constexpr int virama = 9;
  const Block* const script = blocks_of(before);
  if (script == nullptr) return false;
  return script == blocks_of(behind) || (script == clusters && combining_class(before) == virama);
}

struct Freed {
  void operator()(utf8proc_uint8_t* bytes) const { std::free(bytes); }  // utf8proc allocates with malloc
};

void append_form_c(std::string& to, const std::string& part) {
  utf8proc_uint8_t* bytes = nullptr;
  const utf8proc_ssize_t length = utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(part.data()),
                                               static_cast<utf8proc_ssize_t>(part.size()), &bytes,
                                               static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE));
  const std::unique_ptr<utf8proc_uint8_t, Freed> owner(bytes);
  if (length < 0) fail(std::string("text cannot be normalised: ") + utf8proc_errmsg(length));
  to.append(reinterpret_cast<const char*>(bytes), static_cast<std::size_t>(length));
}

/// No character below changes in form C or has an effect on the one before it.
constexpr char32_t first_that_may_change = 0x300, soft_hyphen = 0xAD;

bool may_change(char32_t c) { return c >= first_that_may_change || c == soft_hyphen; }

}  // namespace

std::u32string without_ignorable(std::u32string_view points) {
  std::u32string kept;
  kept.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!is_ignorable(points[i])) {
      kept.push_back(points[i]);
    } else if ((points[i] == non_joiner || points[i] == joiner) && !kept.empty()) {
      std::size_t next = i + 1;
      while (next < points.size() && is_ignorable(points[next])) ++next;
      if (joins(kept.back(), next < points.size() ? points[next] : U' ')) kept.push_back(points[i]);
    }
  }
  return kept;
}

/// In parts, because utf8proc needs a time that is quadratic in the number of marks in a row.
std::string form_c(std::u32string_view points) {
  constexpr std::size_t most_marks = 64;
  std::string text, part;
  std::size_t marks = 0;
  bool changes = false;
  const auto end_part = [&] {
    changes ? append_form_c(text, part) : (void)text.append(part);
    part.clear();
    changes = false;
  };
  for (const char32_t c : points) {
    marks = combining_class(c) == 0 ? 0 : marks + 1;
    if (c < 0x80 || marks == most_marks) end_part(), marks = 0;
    append_utf8(part, c);
    changes = changes || may_change(c);
  }
  end_part();
  return text;
}

std::u32string form_d(char32_t c) {
  std::array<utf8proc_int32_t, 8> parts{};
  const auto length = utf8proc_decompose_char(static_cast<utf8proc_int32_t>(c), parts.data(), parts.size(),
                                              UTF8PROC_DECOMPOSE, nullptr);
  if (length < 1 || length > static_cast<utf8proc_ssize_t>(parts.size())) return {c};
  return {parts.begin(), parts.begin() + length};
}

std::string normal_text(std::string_view text) {
  const std::u32string points = code_points(text);
  if (std::none_of(points.begin(), points.end(), may_change)) return std::string(text);
  return form_c(without_ignorable(points));
}

}  // namespace gradus
