#pragma once
/// \file
/// The four ids that stand for no word: their usual order, and how they are spelled.

namespace gradus {

/// The order of the four ids may differ between vocabularies of words (01_embedding/vocabulary.hpp), so code reads it from
/// the vocabulary. Subwords, the model of chapter 09 and the translator accept only the order below.
struct Specials {
  int pad = 0;  ///< fills rows of unequal length
  int unk = 1;  ///< any word that the vocabulary does not hold
  int bos = 2;  ///< begins a sentence that the decoder reads
  int eos = 3;  ///< ends a sentence

  static constexpr int count = 4;
};

/// How a vocabulary of words and the screen spell them. (SentencePiece spells the last two `<s>` and `</s>`.)
inline constexpr const char *pad_word = "<pad>", *unk_word = "<unk>", *bos_word = "<bos>", *eos_word = "<eos>";

}  // namespace gradus
