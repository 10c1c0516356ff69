#pragma once
/// \file
/// The vocabulary of a model that another program has trained: two SentencePiece models, which cut the text of either side, and one
/// list of pieces for both, which decides the ids.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/device/step_state.hpp"
#include "gradus/text/pieces/segmenter.hpp"
#include "gradus/text/specials.hpp"

namespace gradus {

/// What the file of such a vocabulary holds.
struct ImportedVocabulary {
  std::vector<std::string> pieces;  ///< in the order of their ids; the first four are `imported_specials`
  std::string_view source_model,
      target_model;  ///< SentencePiece's files, bytes; without the second, the first cuts both
};

/// How the list spells the four special ids.
inline constexpr const char* imported_specials[] = {"<pad>", "<unk>", "<bos>", "</s>"};

/// The bytes of a file: two lines of text, which say its version and three lengths, a line for each piece, both models.
/// Throws Error if the pieces are not those that parse_imported accepts.
std::string imported_bytes(const ImportedVocabulary& vocabulary);

/// Reads them; the models are views of `bytes`. Throws Error, with `name`, if they are cut or longer than they say, if the first
/// four pieces are not the special ones, or if another piece is empty, comes twice, or is not UTF-8.
ImportedVocabulary parse_imported(std::string_view bytes, const std::string& name);

/// One side of such a vocabulary. Cheap to copy, and safe to use from several threads.
///
/// computes  the pieces that SentencePiece's model of this side cuts, each with its id in the list; <unk> for a piece that the list
///           lacks. With two models a language code such as >>deu<< at the start of a text is a piece of its own, as in MarianMT.
/// requires  models without byte fallback and with the mark of a space before the word, else Error.
/// ensures   the text is not normalised except by the rules of the model.
class ImportedPieces {
 public:
  static ImportedPieces from_bytes(const std::string& bytes, const std::string& name, Side side);

  std::vector<int> encode(const std::string& text) const;  ///< ids, without bos and eos
  std::vector<Subwords::Piece> pieces(const std::string& text) const;
  /// Special pieces become nothing, unk U+2047, several spaces one. Throws Error for an id that does not exist.
  std::string decode(const std::vector<int>& ids) const;
  int size() const { return static_cast<int>(list_->size()); }
  const std::string& piece(int id) const;  ///< U+2581 stands for the space before a word

 private:
  ImportedPieces(Segmenter segmenter, std::vector<std::string> list, bool has_codes);
  int id_of(const std::string& piece) const;

  Segmenter segmenter_;
  bool has_codes_;
  std::shared_ptr<const std::vector<std::string>> list_;
  std::shared_ptr<const std::unordered_map<std::string_view, int>> ids_;  // views of the texts in list_
};

}  // namespace gradus
