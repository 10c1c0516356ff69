#include "11_translator/data/beginning.hpp"

#include <algorithm>

namespace gradus {
namespace {

constexpr const char* white_space = " \t\n\v\f\r";

/// Where the text may be cut after its first `least` bytes: before white space; or inside a word that continues for
/// another `least` bytes, before a character.
std::size_t cut_behind(const std::string& text, std::size_t least) {
  if (least >= text.size()) return text.size();
  std::size_t end = std::min(text.find_first_of(white_space, least), text.size());
  if (end - least <= least) return end;
  const auto goes_on = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; };
  for (end = 2 * least; end < text.size() && goes_on(end);) ++end;
  return end;
}

}  // namespace

Beginning beginning(const Tokenizer& tokenizer, const std::string& text, std::size_t most) {
  return beginning(tokenizer, Normaliser(), text, most);
}

Beginning beginning(const Tokenizer& tokenizer, const Normaliser& normalised, const std::string& text,
                    std::size_t most) {
  for (std::size_t least = 16 * std::max<std::size_t>(1, most);; least *= 2) {
    Beginning b{text.substr(0, cut_behind(text, least)), {}};
    b.ids = tokenizer.encode(normalised(b.text));
    if (b.ids.size() > most || b.text.size() == text.size()) return b;
  }
}

}  // namespace gradus
