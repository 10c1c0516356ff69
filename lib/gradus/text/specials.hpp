#pragma once
/// \file
/// The four ids that stand for no word: the one place that says which they are, and how they are spelled.

namespace gradus {

/// Which of 0, 1, 2 and 3 is which may differ between two vocabularies of words (01_embedding/vocabulary.hpp), so code that
/// has a vocabulary asks it. Subwords, the model of chapter 09 and the translator know the order below alone, and refuse
/// files with any other.
struct Specials {
  int pad = 0;  ///< fills rows of unequal length
  int unk = 1;  ///< any word that the vocabulary does not hold
  int bos = 2;  ///< begins a sentence that the decoder reads
  int eos = 3;  ///< ends a sentence

  static constexpr int count = 4;
};

/// How a vocabulary of words and the screen spell them. (SentencePiece spells the last two <s> and </s>.)
inline constexpr const char *pad_word = "<pad>", *unk_word = "<unk>", *bos_word = "<bos>", *eos_word = "<eos>";

}  // namespace gradus
