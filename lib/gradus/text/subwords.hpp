#pragma once
/// \file
/// Text to subword ids and back. SentencePiece learns a vocabulary; what it wrote is read and applied here (segmenter.hpp).

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gradus/text/specials.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

class Segmenter;

/// SentencePiece has these names too.
enum class SubwordModel { bpe, unigram };

template <>
struct Names<SubwordModel> {
  static constexpr const char* noun = "kind of subwords";
  static constexpr Name<SubwordModel> table[] = {{SubwordModel::bpe, "bpe"}, {SubwordModel::unigram, "unigram"}};
};

/// The options for learning a vocabulary. There is no seed and no thread count: learning uses no random numbers and
/// one thread, so the same sentences give the same bytes. Every character of the sentences gets a piece.
struct SubwordOptions {
  int vocab_size = 10000;  ///< exactly this many pieces, the four special ones included
  SubwordModel model = SubwordModel::bpe;
  bool at_most = false;  ///< fewer pieces, as many as possible, if the sentences do not give so many
  std::vector<std::string>
      symbols{};  ///< pieces of the user's own, which are never cut: UTF-8, without white space
};

/// A subword vocabulary: pieces with ids 0 to size() - 1. Cheap to copy, and safe to use from several threads.
///
/// computes  pieces of the unchanged text. Only white space is normalised: each run of it, including tabs and
///           no-break spaces, becomes one space, and none is left at either end. Letters keep their case and
///           accents, because the model writes what it learns: German nouns are capitalised, and the references of
///           every score contain umlauts.
/// requires  training sentences for train(), without validation and test sentences: the vocabulary must not depend
///           on those.
/// ensures   a symbol is one piece wherever it stands, and no other piece has a part of it;
///           decode(encode(text)) is text, except for white space, if each of its characters occurs in the training
///           sentences. Other characters, and bytes that are not UTF-8, become unk and are decoded as U+2047.
/// saves     nothing; encode() adds no bos and no eos, because the batch does that.
class Subwords {
 public:
  static constexpr Specials specials{};

  /// Learns a vocabulary and returns its model, the bytes of a SentencePiece file. Writes no file. Leaves out blank
  /// sentences and those of more than 4,192 bytes. Throws Error if no vocabulary of that size exists; the message
  /// gives the nearest possible size. Throws UsageError for a symbol that is empty, comes twice, has white space, or is a special
  /// piece. Throws Error if the program was built without SentencePiece.
  static std::string train(const std::vector<std::string>& sentences, const SubwordOptions& options);

  /// Reads a model from its bytes, or from a file. The bytes need not be trusted. Throws Error, with `name` or the
  /// path, if it is incomplete, or is not a SentencePiece model, or has other special ids than the four above, or
  /// contains parts that train() never writes: rules to rewrite characters, pieces of other types or in another order.
  static Subwords from_bytes(const std::string& bytes, const std::string& name = "subword model");
  static Subwords load(const std::string& path);

  std::vector<int> encode(const std::string& text) const;  ///< ids, without bos and eos
  /// encode() for one thread that encodes many texts: it remembers the ids of words, because most words come again.
  std::function<std::vector<int>(const std::string&)> encoder() const;
  struct Piece {
    std::string text;  ///< for unk: the unknown characters
    int id;
  };
  std::vector<Piece> pieces(const std::string& text) const;  ///< encode() with the text of each piece
  std::string decode(const std::vector<int>& ids) const;     ///< special pieces other than unk become nothing
  int size() const;
  std::string piece(int id) const;  ///< in SentencePiece's spelling: U+2581 stands for the space before a word

 private:
  explicit Subwords(std::shared_ptr<const Segmenter> segmenter);
  std::shared_ptr<const Segmenter> segmenter_;
};

/// The checksums of SentencePiece's files, as loaded now: another version may learn other pieces. SentencePiece itself reports no
/// version. If it is a part of the program, the checksum is the program's.
std::string subword_library();

}  // namespace gradus
