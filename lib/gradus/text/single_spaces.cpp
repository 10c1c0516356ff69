#include "gradus/text/single_spaces.hpp"

#include <algorithm>
#include <cstddef>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {

bool is_subword_space(char32_t c) { return is_white_space(c) || c == 0xfeff || c == 0x2581; }

std::string single_spaces(std::string_view text) {
  std::string result;
  bool space = false;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    const std::size_t length = std::max<std::size_t>(point.length, 1);  // an invalid byte passes unchanged
    const bool here = point.length > 0 && is_subword_space(point.value);
    if (!here) {
      if (space && !result.empty()) result += ' ';
      result += text.substr(0, length);
    }
    space = here;
    text.remove_prefix(length);
  }
  return result;
}

}  // namespace gradus
