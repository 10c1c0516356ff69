#pragma once
/// \file
/// A SentencePiece model at work, without the library: text to pieces, and ids to text.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/text/subwords.hpp"

namespace gradus {

struct PieceModel;

/// Cuts text as SentencePiece 0.1.97 does, piece for piece. Cheap to copy, and safe to use from several threads.
class Segmenter {
 public:
  /// Reads the bytes of a model file, which need not be trusted. Throws Error, with `name` and the field, if they are
  /// no whole model, or one of another kind than bpe and unigram (read_piece_model, Charsmap).
  explicit Segmenter(std::string_view bytes, const std::string& name = "subword model");

  /// The pieces of any bytes. Unknown characters side by side are one unknown piece, with their text; with byte fallback each
  /// of their bytes is a piece. Throws Error if a control piece of a bpe model is a character, and the text holds it.
  std::vector<Subwords::Piece> pieces(std::string_view text) const;
  std::vector<int> encode(std::string_view text) const;  ///< the ids of pieces()

  /// Throws Error for an id that does not exist. Control pieces become nothing, bytes that are no UTF-8 U+FFFD.
  std::string decode(const std::vector<int>& ids) const;
  const std::string& piece(int id) const;  ///< as the file spells it; throws Error for an id that does not exist
  int size() const;                        ///< the number of pieces; their ids are 0 to size() - 1
  const PieceModel& model() const;

 private:
  struct Impl;
  template <class Found>
  void cut(std::string_view text, const Found& found) const;
  std::shared_ptr<const Impl> impl_;
};

}  // namespace gradus
