#include "11_translator/data/tokenizer.hpp"

#include <algorithm>
#include <future>
#include <utility>
#include <variant>

#include "01_embedding/vocabulary.hpp"
#include "11_translator/data/imported_pieces.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr const char* space_mark = "\u2581";  // SentencePiece's mark at the start of a piece that begins a word

Vocabulary stored_words(const TextRules& rules, const std::string& bytes, const std::string& name) {
  Vocabulary words = Vocabulary::parse(bytes, name, rules.lower_case, rules.words);
  const Specials s = words.specials(), ours = Tokenizer::specials;
  if (s.pad != ours.pad || s.unk != ours.unk || s.bos != ours.bos || s.eos != ours.eos)
    fail(name + ": its special words are not <pad>, <unk>, <bos>, <eos>, in this order");
  return words;
}

/// The parts of a text between white space: Unicode's, or that of ASCII, which alone separates the words of older vocabularies.
std::vector<std::string> parts_of(const std::string& text, WordRules rules) {
  std::vector<std::string> parts;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const CodePoint point = decode_utf8(std::string_view(text).substr(at));
    const std::size_t length = std::max<std::size_t>(1, point.length);
    const bool space = is_white_space(point.value) && (rules == WordRules::unicode || point.value < 0x80);
    if (!space && !inside) parts.emplace_back();
    if (!space) parts.back().append(text, at, length);
    inside = !space;
    at += length;
  }
  return parts;
}

/// Calls f(part, k) for each part that the rules make of part k of the text.
template <class F>
void each_part(const TextRules& rules, WordRules words, const std::string& text, const F& f) {
  std::size_t k = 0;
  for (const std::string& whole : parts_of(text, words)) {
    for (const std::string& part : parts_of(apply_rules(rules, whole), words)) f(part, k);
    ++k;
  }
}

}  // namespace

struct Tokenizer::Model {
  TokenizerKind kind;
  TextRules rules;
  std::string bytes;
  std::variant<Subwords, Vocabulary, ImportedPieces> units;
};

Tokenizer::Tokenizer(std::shared_ptr<const Model> model) : model_(std::move(model)) {}

Tokenizer Tokenizer::from_bytes(TokenizerKind kind, const TextRules& rules, const std::string& bytes,
                                const std::string& name, Side side) {
  const auto made_of = [&](auto units) {
    return Tokenizer(std::make_shared<Model>(Model{kind, rules, bytes, std::move(units)}));
  };
  if (kind == TokenizerKind::sentencepiece) return made_of(Subwords::from_bytes(bytes, name));
  if (kind == TokenizerKind::imported) return made_of(ImportedPieces::from_bytes(bytes, name, side));
  return made_of(stored_words(rules, bytes, name));
}

Tokenizer Tokenizer::learn(const std::vector<std::string>& sentences, const TokenizerOptions& options) {
  if (options.kind == TokenizerKind::imported) fail("an imported vocabulary is not learnt; it comes with a model");
  std::vector<std::string> read;
  for (const std::string& sentence : sentences) read.push_back(apply_rules(options.rules, sentence));
  if (options.kind == TokenizerKind::word) {
    VocabularyOptions o;
    o.lower_case = options.rules.lower_case;
    o.rules = options.rules.words;
    o.min_frequency = options.min_frequency;
    o.max_size = options.vocab_size;
    const Vocabulary words = Vocabulary::learn(read, o);
    if (words.size() <= Specials::count)
      fail("no word occurs " + std::to_string(options.min_frequency) + " times in the training sentences");
    return from_bytes(options.kind, options.rules, words.text(), "vocabulary");
  }
  for (const std::string& symbol : options.symbols) {
    if (const std::string fault = utf8_fault_of(symbol); !fault.empty())
      throw UsageError("the symbol " + quoted(symbol) + ": " + fault);
    const std::string as_read = apply_rules(options.rules, symbol);
    if (as_read != symbol)
      throw UsageError("the symbol " + quoted(symbol) + " is read as " + quoted(as_read) +
                       " by this model, so it is in no text; give it as it is read");
  }
  SubwordOptions o;
  o.vocab_size = options.vocab_size, o.at_most = true, o.symbols = options.symbols;
  const std::string bytes = Subwords::train(read, o);
  return from_bytes(options.kind, options.rules, bytes, "subwords");
}

std::vector<int> Tokenizer::encode(const std::string& text) const {
  const std::string read = apply_rules(model_->rules, text);
  return std::visit([&](const auto& units) { return units.encode(read); }, model_->units);
}

std::function<std::vector<int>(const std::string&)> Tokenizer::encoder() const {
  const auto* const subwords = std::get_if<Subwords>(&model_->units);
  if (subwords == nullptr) return [t = *this](const std::string& text) { return t.encode(text); };
  return [model = model_, encode = subwords->encoder()](const std::string& text) {
    return encode(apply_rules(model->rules, text));
  };
}

std::vector<TextPiece> Tokenizer::pieces(const std::string& text) const {
  std::vector<TextPiece> pieces;
  const auto of_subwords = [&](const std::vector<Subwords::Piece>& found) {
    std::vector<std::size_t> places;  // of each word that is read: its number in the text
    each_part(model_->rules, WordRules::unicode, text,
              [&](const std::string&, std::size_t word) { places.push_back(word); });
    std::size_t spaces = 0;
    for (const Subwords::Piece& piece : found) {
      spaces += piece.text.rfind(space_mark, 0) == 0 ? 1 : 0;
      const std::size_t at = std::max<std::size_t>(1, spaces) - 1;
      pieces.push_back({piece.text, piece.id, at < places.size() ? places[at] : at});
    }
    return pieces;
  };
  if (const auto* subwords = std::get_if<Subwords>(&model_->units))
    return of_subwords(subwords->pieces(apply_rules(model_->rules, text)));
  if (const auto* imported = std::get_if<ImportedPieces>(&model_->units))
    return of_subwords(imported->pieces(apply_rules(model_->rules, text)));
  const auto& words = std::get<Vocabulary>(model_->units);
  each_part(model_->rules, model_->rules.words, text, [&](const std::string& read, std::size_t word) {
    for (const std::string& unit : words.words(read)) pieces.push_back({unit, 0, word});
  });
  const std::vector<int> ids = encode(text);
  require(pieces.size() == ids.size(), "a text has as many pieces as ids");
  for (std::size_t i = 0; i < ids.size(); ++i) pieces[i].id = ids[i];
  return pieces;
}

std::string Tokenizer::decode(const std::vector<int>& ids) const {
  return std::visit([&](const auto& units) { return units.decode(ids); }, model_->units);
}

std::string Tokenizer::piece(int id) const {
  if (const auto* words = std::get_if<Vocabulary>(&model_->units)) return words->word(id);
  if (const auto* imported = std::get_if<ImportedPieces>(&model_->units)) return imported->piece(id);
  return std::get<Subwords>(model_->units).piece(id);
}

std::string Tokenizer::token(int id) const {
  if (id == specials.bos) return bos_word;
  return id == specials.eos ? eos_word : piece(id);
}

bool Tokenizer::begins_word(int id) const {
  return kind() == TokenizerKind::word || piece(id).rfind(space_mark, 0) == 0;
}

std::size_t Tokenizer::size() const {
  return std::visit([](const auto& units) { return static_cast<std::size_t>(units.size()); }, model_->units);
}

Tokenizers joint_tokenizers(TokenizerKind kind, const TextRules& rules, const std::string& bytes,
                            const std::string& name) {
  const Tokenizer source = Tokenizer::from_bytes(kind, rules, bytes, name);
  if (kind != TokenizerKind::imported) return {source, source, true};
  return {source, Tokenizer::from_bytes(kind, rules, bytes, name, Side::target), true};
}

const std::string& Tokenizer::bytes() const { return model_->bytes; }
TokenizerKind Tokenizer::kind() const { return model_->kind; }
const TextRules& Tokenizer::rules() const { return model_->rules; }

Tokenizers learn_tokenizers(const std::vector<std::string>& source, const std::vector<std::string>& target,
                            const TokenizerOptions& options, bool joint, std::size_t threads) {
  const auto alone = [&](const std::string& side, const std::vector<std::string>& sentences) {
    try {
      return Tokenizer::learn(sentences, options);
    } catch (const Error& error) {
      fail(side + ": " + error.what());
    }
  };
  if (!joint) {
    // `deferred` runs when the result is asked for; it is also what is left if the system grants no thread.
    const auto how = threads > 1 ? std::launch::async | std::launch::deferred : std::launch::deferred;
    auto first = std::async(how, [&] { return alone("source vocabulary", source); });
    auto second = std::async(how, [&] { return alone("target vocabulary", target); });
    Tokenizer one = first.get();  // if both fail, the error is the source's
    return {std::move(one), second.get(), false};
  }
  std::vector<std::string> both = source;
  both.insert(both.end(), target.begin(), target.end());
  const Tokenizer one = Tokenizer::learn(both, options);
  return {one, one, true};
}

}  // namespace gradus
