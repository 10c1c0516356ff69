#pragma once
/// \file
/// Text to ids and back for one language, by subwords or by whole words, in the form that a model stores.

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "11_translator/data/text_rules.hpp"
#include "gradus/device/step_state.hpp"
#include "gradus/text/specials.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

enum class TokenizerKind {
  sentencepiece,  ///< subwords (gradus/text/subwords.hpp): only characters that training never saw are unknown
  word,           ///< whole words (01_embedding/vocabulary.hpp): a word outside the vocabulary is <unk>
  imported  ///< another program's subwords (imported_pieces.hpp); `gradus import` makes it, and nothing learns it
};

template <>
struct Names<TokenizerKind> {
  static constexpr const char* noun = "tokenizer";
  static constexpr Name<TokenizerKind> table[] = {{TokenizerKind::sentencepiece, "sentencepiece"},
                                                  {TokenizerKind::word, "word"},
                                                  {TokenizerKind::imported, "imported"}};
};

struct TokenizerOptions {
  TokenizerKind kind = TokenizerKind::sentencepiece;
  /// at most this many, special ones included; words: 0 for all. Fewer subwords only if the text does not give so many
  int vocab_size = SubwordOptions{}.vocab_size;
  int min_frequency = 1;  ///< words: those that occur less often are unknown
  TextRules rules{};
  std::vector<std::string> symbols{};  ///< subwords: pieces that are never cut, as the rules leave them
};

/// A piece of a text: encode() gives it one id.
struct TextPiece {
  std::string text;  ///< SentencePiece writes U+2581 for the space before a word; for <unk>, the unknown characters
  int id = 0;
  std::size_t word = 0;  ///< the number of its word, from 0; white space separates words
};

/// Cheap to copy, and safe to use from several threads.
class Tokenizer {
 public:
  static constexpr Specials specials{};

  /// Learns a vocabulary from the training sentences. Throws Error if they cannot give one: they have more characters than it has
  /// pieces, or no word; UsageError for a symbol that the rules change, since no text would have it, or that cannot be a piece.
  static Tokenizer learn(const std::vector<std::string>& sentences, const TokenizerOptions& options);

  /// Reads the bytes that bytes() returned. Throws Error, with `name`, for other bytes. The side matters to imported pieces alone.
  static Tokenizer from_bytes(TokenizerKind kind, const TextRules& rules, const std::string& bytes,
                              const std::string& name, Side side = Side::source);

  std::vector<int> encode(const std::string& text) const;  ///< without bos and eos
  /// encode() for one thread that encodes many texts: it remembers the ids of subwords' words.
  std::function<std::vector<int>(const std::string&)> encoder() const;
  std::vector<TextPiece> pieces(const std::string& text) const;  ///< the same with their places in the text, slower
  std::string decode(const std::vector<int>& ids) const;
  std::string piece(int id) const;  ///< SentencePiece writes U+2581 for the space before a word
  std::string token(int id) const;  ///< the same; both kinds of vocabularies say <bos> and <eos>
  bool begins_word(int id) const;   ///< false for a piece that continues a word
  std::size_t size() const;
  const std::string& bytes() const;  ///< the stored form
  TokenizerKind kind() const;
  const TextRules& rules() const;

 private:
  struct Model;
  explicit Tokenizer(std::shared_ptr<const Model> model);
  std::shared_ptr<const Model> model_;
};

/// Whether both languages share a vocabulary.
enum class VocabularyChoice { joint, separate };

template <>
struct Names<VocabularyChoice> {
  static constexpr const char* noun = "choice of vocabularies";
  static constexpr Name<VocabularyChoice> table[] = {{VocabularyChoice::joint, "joint"},
                                                     {VocabularyChoice::separate, "separate"}};
};

/// The two tokenizers of a model.
struct Tokenizers {
  Tokenizer source, target;
  bool joint =
      true;  ///< one vocabulary for both languages: source and target are the same, or the sides of one imported file
};

/// Both tokenizers from the bytes of a joint vocabulary. Throws Error as Tokenizer::from_bytes does.
Tokenizers joint_tokenizers(TokenizerKind kind, const TextRules& rules, const std::string& bytes,
                            const std::string& name);

/// Learns one vocabulary from both languages together, or one from each language: these at the same time, if there is
/// more than one thread. The result does not depend on the number of threads.
Tokenizers learn_tokenizers(const std::vector<std::string>& source, const std::vector<std::string>& target,
                            const TokenizerOptions& options, bool joint, std::size_t threads = 1);

}  // namespace gradus
