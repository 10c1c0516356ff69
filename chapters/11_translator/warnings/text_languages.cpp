#include "11_translator/warnings/text_languages.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "11_translator/warnings/number_languages.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

using Words = std::set<std::u32string>;

/// The vocabulary's pieces that are whole words, among those for which `counts(id)` is true.
template <class Counts>
Words words_in(const Tokenizer& vocabulary, const Counts& counts) {
  const std::u32string space = U"\u2581";
  Words words;
  for (std::size_t id = Specials::count; id < vocabulary.size(); ++id) {
    const int piece = static_cast<int>(id);
    if (!counts(id) || !vocabulary.begins_word(piece)) continue;
    std::u32string text = code_points(vocabulary.piece(piece));
    if (text.compare(0, space.size(), space) == 0) text.erase(0, space.size());
    words.insert(std::move(text));
  }
  return words;
}

/// The share of the language's frequent words that are here.
double share_of(const NumberLanguage& language, const Words& words) {
  const auto& all = language.frequent;
  const auto found =
      std::count_if(all.begin(), all.end(), [&](const auto& word) { return words.count(word) != 0; });
  return static_cast<double>(found) / static_cast<double>(all.size());
}

/// The one language for which `is_likely` is true; "" if there are none or several.
template <class Likely>
std::string only_language(const Likely& is_likely) {
  std::string only;
  for (const NumberLanguage& language : number_languages()) {
    if (!is_likely(language)) continue;
    if (!only.empty()) return "";
    only = language.code;
  }
  return only;
}

// Most of a language's frequent words are pieces of its vocabulary. The source side has nearly all of those of its own language,
// and many of another one: in names, and as the beginnings of longer words.
constexpr double most = 0.75, nearly_all = 0.9, not_all = 0.85;

std::string language_of(const Tokenizer& vocabulary) {
  const Words words = words_in(vocabulary, [](std::size_t) { return true; });
  return only_language([&](const NumberLanguage& l) { return share_of(l, words) >= most; });
}

}  // namespace

TextLanguages languages_of(const Tokenizers& t, const SeenPieces& seen) {
  if (!t.joint) return {language_of(t.source), language_of(t.target)};
  if (seen.empty()) return {};
  const Words all = words_in(t.source, [](std::size_t) { return true; });
  const Words of_source = words_in(t.source, [&](std::size_t id) { return seen[id]; });
  const auto source_share = [&](const NumberLanguage& l) { return share_of(l, of_source) / share_of(l, all); };
  return {only_language([&](const auto& l) { return share_of(l, all) >= most && source_share(l) >= nearly_all; }),
          only_language([&](const auto& l) { return share_of(l, all) >= most && source_share(l) <= not_all; })};
}

}  // namespace gradus
