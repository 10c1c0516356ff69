#pragma once
/// \file
/// Words to ids and back: the first step, which turns text into numbers.

#include <string>
#include <unordered_map>
#include <vector>

#include "gradus/text/specials.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// How a sentence is cut into words.
enum class WordRules {
  bytes,   ///< of vocabularies that were learnt before there was the other: every byte above ASCII is a letter
  unicode  ///< by Unicode's categories of characters
};

template <>
struct Names<WordRules> {
  static constexpr const char* noun = "way to cut words";
  static constexpr Name<WordRules> table[] = {{WordRules::bytes, "bytes"}, {WordRules::unicode, "unicode"}};
};

struct VocabularyOptions {
  bool lower_case = false;
  WordRules rules = WordRules::unicode;
  int min_frequency = 1;  ///< words that occur less often become unk
  int max_size = 0;       ///< at most this many words, the most frequent, specials included; 0: all
  Specials specials;
};

/// The words of a sentence, by these rules:
/// - white space of every kind (no-break and ideographic spaces too) and control characters separate words and belong to none;
/// - letters and digits of every script form words, with the marks that combine with them;
/// - a hyphen or an apostrophe between two of them belongs to the word: "T-shirt" and "man's" are one word each;
/// - every punctuation mark and every sign is its own word, in every script: "a dog." is three words, «Oui» too, and so is
///   <pad>. So no text can contain a special word. What a reader sees as one character, such as a flag, stays one.
/// Throws Error if the sentence is not UTF-8.
std::vector<std::string> words_of(const std::string& sentence, bool lower);

/// The words by the rules of older vocabularies: only spaces and marks of ASCII end a word, and every byte above ASCII counts
/// as a letter. Throws Error if `lower_case` is set and the sentence is not UTF-8.
std::vector<std::string> words_by_bytes(const std::string& sentence, bool lower);

/// Words with ids: first the specials, then the words by falling frequency; words of equal frequency are in the
/// order of their bytes. So the same sentences give the same ids everywhere.
class Vocabulary {
 public:
  /// Learns the words of the training sentences. (Use training sentences only: with words of the test sentences in
  /// the vocabulary the test would be too easy.)
  static Vocabulary learn(const std::vector<std::string>& sentences, const VocabularyOptions& options = {});

  /// A text file with one word on each line, in the order of the ids. Loading throws Error, with path and line, if
  /// the specials are not the first four lines or a line has no word, several words, or a repeated word.
  static Vocabulary load(const std::string& path, bool lower_case = false, WordRules rules = WordRules::unicode);
  void save(const std::string& path) const;

  /// The content of such a file, and back; messages name it `origin`.
  std::string text() const;
  static Vocabulary parse(const std::string& text, const std::string& origin, bool lower_case = false,
                          WordRules rules = WordRules::unicode);

  /// One id for each word, unk for unknown words. Adds no bos and no eos: the code that makes a batch adds them.
  std::vector<int> encode(const std::string& sentence) const;

  /// The words of a sentence, as encode() counts them.
  std::vector<std::string> words(const std::string& sentence) const;

  /// The words joined by spaces, without a space before . , ; : ! ? ) or ] and after ( or [; by WordRules::unicode also without
  /// one beside the marks of Chinese and Japanese, and with ¿ and ¡ at their words. Pad, bos and eos print nothing.
  std::string decode(const std::vector<int>& ids) const;

  int size() const { return static_cast<int>(words_.size()); }
  const std::string& word(int id) const;
  const Specials& specials() const { return specials_; }

 private:
  void add(const std::string& word);
  bool lower_case_ = false;
  WordRules rules_ = WordRules::unicode;
  Specials specials_;
  std::vector<std::string> words_;            // id -> word
  std::unordered_map<std::string, int> ids_;  // word -> id
};

}  // namespace gradus
