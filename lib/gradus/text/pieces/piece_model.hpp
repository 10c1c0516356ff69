#pragma once
/// \file
/// A SentencePiece model as its file has it: the pieces, and the settings that cutting a text needs.

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "gradus/text/subwords.hpp"

namespace gradus {

/// SentencePiece's types of pieces.
enum class PieceType { normal = 1, unknown = 2, control = 3, user_defined = 4, unused = 5, byte = 6 };

/// One entry of the vocabulary. Its id is its place in the model.
struct ModelPiece {
  std::string text;  ///< not empty, UTF-8, without NUL
  float score = 0;   ///< finite; bpe: minus the rank of the merge; unigram: a log probability
  PieceType type = PieceType::normal;
};

/// What happens to a text before it is cut. The values are those of a file that does not set them.
struct NormaliserSettings {
  std::string rules;  ///< charsmap.hpp reads them; empty: characters stay as they are
  bool add_dummy_prefix = true, remove_extra_spaces = true, escape_spaces = true, space_as_suffix = false;
};

/// A whole model. No two pieces have the same text, exactly one is unknown, and with `byte_fallback` all 256 bytes have a piece.
struct PieceModel {
  PieceModel() = default;
  PieceModel(PieceModel&&) = default;
  PieceModel& operator=(PieceModel&&) = delete;
  PieceModel(const PieceModel&) = delete;  // `ids` would have views of the other one's texts
  PieceModel& operator=(const PieceModel&) = delete;
  ~PieceModel() = default;

  std::vector<ModelPiece> pieces;
  std::unordered_map<std::string_view, int> ids;  ///< the id of each piece's text
  SubwordModel kind = SubwordModel::unigram;
  bool byte_fallback = false;
  int unk_id = 0;                           ///< the id of the unknown piece
  int bos_id = 1, eos_id = 2, pad_id = -1;  ///< as the settings say; -1: the model has none
  std::string unk_surface = " \u2047 ";     ///< what an unknown piece becomes in text
  NormaliserSettings normaliser;
};

/// Reads the bytes of a file, which need not be trusted. Unknown fields are passed over, and of a setting that comes twice the
/// last one counts, as in protobuf. Throws Error, with `name` and the field, if the bytes are no whole message, the settings
/// are missing (they stand behind the pieces, so a file that was cut between two pieces has none), a field has another wire type
/// or value than SentencePiece writes, a promise of PieceModel does not hold, pieces have more than
/// 16,000,000 bytes, the kind is neither bpe nor unigram, or the model has rules to rewrite decoded text.
PieceModel read_piece_model(std::string_view bytes, const std::string& name);

}  // namespace gradus
