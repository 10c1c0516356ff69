#include "11_translator/data/tokenizer.hpp"

#include <algorithm>
#include <sstream>
#include <utility>
#include <variant>

#include "01_embedding/vocabulary.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr const char* space_mark = "\u2581";  // SentencePiece's mark at the start of a piece that begins a word

Vocabulary stored_words(bool lower_case, const std::string& bytes, const std::string& name) {
  Vocabulary words = Vocabulary::parse(bytes, name, lower_case);
  const Specials s = words.specials(), ours = Tokenizer::specials;
  if (s.pad != ours.pad || s.unk != ours.unk || s.bos != ours.bos || s.eos != ours.eos)
    fail(name + ": its special words are not <pad>, <unk>, <bos>, <eos>, in this order");
  return words;
}

}  // namespace

struct Tokenizer::Model {
  TokenizerKind kind;
  bool lower_case;
  std::string bytes;
  std::variant<Subwords, Vocabulary> units;
};

Tokenizer::Tokenizer(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

Tokenizer Tokenizer::from_bytes(TokenizerKind kind, bool lower_case, const std::string& bytes,
                                const std::string& name) {
  if (kind == TokenizerKind::sentencepiece) {
    return Tokenizer(std::make_shared<Model>(Model{kind, lower_case, bytes, Subwords::from_bytes(bytes, name)}));
  }
  return Tokenizer(std::make_shared<Model>(Model{kind, lower_case, bytes, stored_words(lower_case, bytes, name)}));
}

Tokenizer Tokenizer::learn(const std::vector<std::string>& sentences, const TokenizerOptions& options) {
  if (options.kind == TokenizerKind::word) {
    VocabularyOptions o;
    o.lower_case = options.lower_case;
    o.min_frequency = options.min_frequency;
    o.max_size = options.vocab_size;
    const Vocabulary words = Vocabulary::learn(sentences, o);
    if (words.size() <= Specials::count)
      fail("no word occurs " + std::to_string(options.min_frequency) + " times in the training sentences");
    return from_bytes(options.kind, options.lower_case, words.text(), "vocabulary");
  }
  std::vector<std::string> lower;
  if (options.lower_case) {
    for (const std::string& sentence : sentences) lower.push_back(gradus::lower_case(sentence));
  }
  SubwordOptions o;
  o.vocab_size = options.vocab_size;
  const std::string bytes = Subwords::train(options.lower_case ? lower : sentences, o);
  return from_bytes(options.kind, options.lower_case, bytes, "subwords");
}

std::vector<int> Tokenizer::encode(const std::string& text) const {
  if (const auto* words = std::get_if<Vocabulary>(&model_->units)) return words->encode(text);
  return std::get<Subwords>(model_->units).encode(model_->lower_case ? gradus::lower_case(text) : text);
}

std::vector<TextPiece> Tokenizer::pieces(const std::string& text) const {
  const std::vector<int> ids = encode(text);
  std::vector<TextPiece> pieces;
  if (std::holds_alternative<Vocabulary>(model_->units)) {
    std::istringstream stream(text);
    std::size_t word = 0;
    for (std::string chunk; stream >> chunk; ++word) {
      for (const std::string& part : words_of(chunk, model_->lower_case)) pieces.push_back({part, 0, word});
    }
  } else {
    const auto& subwords = std::get<Subwords>(model_->units);
    std::size_t spaces = 0;
    for (const std::string& part : subwords.pieces(model_->lower_case ? gradus::lower_case(text) : text)) {
      spaces += part.rfind(space_mark, 0) == 0 ? 1 : 0;
      pieces.push_back({part, 0, std::max<std::size_t>(1, spaces) - 1});
    }
  }
  require(pieces.size() == ids.size(), "a text has as many pieces as ids");
  for (std::size_t i = 0; i < ids.size(); ++i) pieces[i].id = ids[i];
  return pieces;
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
  return std::visit([&](const auto& units) { return units.decode(ids); }, model_->units);
}

std::string Tokenizer::piece(int id) const {
  if (const auto* words = std::get_if<Vocabulary>(&model_->units)) return words->word(id);
  return std::get<Subwords>(model_->units).piece(id);
}

std::size_t Tokenizer::size() const {
  return std::visit([](const auto& units) { return static_cast<std::size_t>(units.size()); }, model_->units);
}

const std::string& Tokenizer::bytes() const { return model_->bytes; }
TokenizerKind Tokenizer::kind() const { return model_->kind; }
bool Tokenizer::lower_case() const { return model_->lower_case; }

Tokenizers learn_tokenizers(const std::vector<std::string>& source, const std::vector<std::string>& target,
                            const TokenizerOptions& options, bool joint) {
  const auto alone = [&](const std::string& side, const std::vector<std::string>& sentences) {
    try {
      return Tokenizer::learn(sentences, options);
    } catch (const Error& error) {
      fail(side + ": " + error.what());
    }
  };
  if (!joint) return {alone("source vocabulary", source), alone("target vocabulary", target), false};
  std::vector<std::string> both = source;
  both.insert(both.end(), target.begin(), target.end());
  const Tokenizer one = Tokenizer::learn(both, options);
  return {one, one, true};
}

}  // namespace gradus
