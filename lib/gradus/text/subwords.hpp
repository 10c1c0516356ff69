#pragma once
/// \file
/// Text to ids of subwords and back: a thin coat over SentencePiece, whose headers stay in subwords.cpp.

#include <memory>
#include <string>
#include <vector>

#include "gradus/text/specials.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// SentencePiece has these names too.
enum class SubwordModel { bpe, unigram };

template <>
struct Names<SubwordModel> {
  static constexpr const char* noun = "kind of subwords";
  static constexpr Name<SubwordModel> table[] = {{SubwordModel::bpe, "bpe"}, {SubwordModel::unigram, "unigram"}};
};

/// What a vocabulary is learnt with. There is no seed and no thread count: learning draws nothing and runs on one
/// thread, so the same sentences give the same bytes. Every character of the sentences gets a piece.
struct SubwordOptions {
  int vocab_size = 10000;  ///< exactly this many pieces, the four special ones included
  SubwordModel model = SubwordModel::bpe;
};

/// A subword vocabulary: pieces with ids 0 to size() - 1. Cheap to copy, and safe to use from several threads.
///
/// computes: pieces of the text as it stands. Nothing is normalised but white space: every run of it, tabs and
///           no-break spaces included, is one space, and none is left at either end. Letters keep their case and
///           accents, because what the model learns to write is what the reader sees: German nouns are capitalised,
///           and the references of every score contain their umlauts.
/// requires: the sentences that train() sees are those of the training side alone; validation and test sentences
///           would leak into the vocabulary.
/// ensures:  decode(encode(text)) is text, up to white space, when each of its characters occurs in the training
///           sentences. Other characters, and bytes that are not UTF-8, become unk and come back as U+2047.
/// saves:    nothing; what encode() returns has no bos and no eos, which is the batch's business.
class Subwords {
 public:
  static constexpr Specials specials{};

  /// Learns a vocabulary and returns its model, the bytes of a SentencePiece file. Writes nothing anywhere. Blank
  /// sentences and those of more than 4,192 bytes are left out. Throws Error where no vocabulary of that size
  /// exists, with the nearest size that does.
  static std::string train(const std::vector<std::string>& sentences, const SubwordOptions& options);

  /// Reads a model: its bytes, or the file that holds them. Throws Error, with `name` or the path, if it is not
  /// whole, or not a SentencePiece model, or has other special ids than the four above, or holds what train() never
  /// writes: rules to rewrite characters, pieces of other kinds. The bytes may be anybody's.
  static Subwords from_bytes(const std::string& bytes, const std::string& name = "subword model");
  static Subwords load(const std::string& path);

  std::vector<int> encode(const std::string& text) const;  ///< ids, without bos and eos
  /// The same pieces as text: where the id is unk, the characters that are unknown.
  std::vector<std::string> pieces(const std::string& text) const;
  std::string decode(const std::vector<int>& ids) const;  ///< special pieces other than unk print nothing
  int size() const;
  std::string piece(int id) const;  ///< as SentencePiece spells it: U+2581 stands for the space before a word

 private:
  struct Impl;
  explicit Subwords(std::shared_ptr<const Impl> impl);
  void check_id(int id) const;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace gradus
