#pragma once
/// \file
/// Words to ids and back: what stands before the first number of a Transformer.

#include <string>
#include <unordered_map>
#include <vector>

#include "gradus/text/specials.hpp"

namespace gradus {

struct VocabularyOptions {
  bool lower_case = false;
  int min_frequency = 1;  ///< words seen less often become unk
  int max_size = 0;       ///< at most so many words, the most frequent, specials counted; 0: all
  Specials specials;
};

/// The words of a sentence, by these rules:
/// - white space and control characters separate words and belong to none;
/// - letters and digits make words, and every byte above ASCII counts as a letter, so no character of UTF-8 is torn;
/// - a hyphen or an apostrophe between two of them belongs to the word: "T-shirt" and "man's" are one word each;
/// - every other character is a word of its own: "a dog." is three words, and so is <pad>: no text can smuggle in a
///   special word.
/// Throws Error if `lower_case` is asked for and the sentence is not UTF-8.
std::vector<std::string> words_of(const std::string& sentence, bool lower_case);

/// Words with ids: the specials first, then the words, the most frequent first and equally frequent ones in the
/// order of their bytes. So the same sentences give the same ids everywhere.
class Vocabulary {
 public:
  /// Learns the words of the training sentences. (Of these alone: a vocabulary that has seen the test sentences
  /// makes the test easier than life.)
  static Vocabulary learn(const std::vector<std::string>& sentences, const VocabularyOptions& options = {});

  /// A text file with one word a line, in the order of the ids. Loading throws Error, with path and line, if the
  /// specials are not the first four lines or a line holds no word, several, or one that came before.
  static Vocabulary load(const std::string& path, bool lower_case = false);
  void save(const std::string& path) const;

  /// What such a file holds, and back; messages call it `origin`.
  std::string text() const;
  static Vocabulary parse(const std::string& text, const std::string& origin, bool lower_case = false);

  /// One id a word, unk where there is none. Adds neither bos nor eos: who makes a batch knows where they belong.
  std::vector<int> encode(const std::string& sentence) const;

  /// The words joined by spaces, none before . , ; : ! ? ) or ] and none after ( or [. Pad, bos and eos print
  /// nothing.
  std::string decode(const std::vector<int>& ids) const;

  int size() const { return static_cast<int>(words_.size()); }
  const std::string& word(int id) const;
  const Specials& specials() const { return specials_; }

 private:
  void add(const std::string& word);
  bool lower_case_ = false;
  Specials specials_;
  std::vector<std::string> words_;            // id -> word
  std::unordered_map<std::string, int> ids_;  // word -> id
};

}  // namespace gradus
