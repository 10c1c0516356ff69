#include "11_translator/translator/translated_tokens.hpp"

#include <set>

namespace gradus {
namespace {

/// Words of a decoded text, which has single spaces.
std::size_t words_in(const std::string& text) {
  return text.empty() ? 0 : static_cast<std::size_t>(std::count(text.begin(), text.end(), ' ')) + 1;
}

}  // namespace

std::vector<std::size_t> words_of_ids(const Tokenizer& words, const Sentence& ids) {
  std::vector<std::size_t> found;
  std::vector<int> before;
  std::string text;
  for (const std::int32_t id : ids) {
    before.push_back(id);
    std::string longer = words.decode(before);
    found.push_back(longer == text ? no_word : words_in(longer) - 1);
    text = std::move(longer);
  }
  return found;
}

std::vector<std::pair<std::size_t, std::size_t>> word_alignment(const TranslatedText& text) {
  std::set<std::pair<std::size_t, std::size_t>> pairs;
  for (const TargetToken& token : text.tokens) {
    const std::size_t source = text.source_tokens.at(token.source).word;
    if (source != no_word && token.word != no_word) pairs.emplace(source, token.word);
  }
  return {pairs.begin(), pairs.end()};
}

}  // namespace gradus
