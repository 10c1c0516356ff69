#include "gradus/text/pieces/piece_text.hpp"

#include <string_view>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/byte_pieces.hpp"

namespace gradus {
namespace {

constexpr std::string_view space_mark = "\u2581";

/// Appends `piece` with a space for each U+2581.
void append_spaced(std::string& text, std::string_view piece) {
  while (!piece.empty()) {
    const bool is_space = piece.substr(0, space_mark.size()) == space_mark;
    text += is_space ? ' ' : piece.front();
    piece.remove_prefix(is_space ? space_mark.size() : 1);
  }
}

/// Appends the characters that `bytes` are, and empties it.
void append_bytes(std::string& text, std::string& bytes) {
  for (std::string_view rest = bytes; !rest.empty();) {
    const std::size_t length = decode_utf8(rest).length;
    text += length > 0 ? rest.substr(0, length) : "\ufffd";
    rest.remove_prefix(length > 0 ? length : 1);
  }
  bytes.clear();
}

/// Appends pieces that are no bytes.
class Spaced {
 public:
  Spaced(const PieceModel& model, std::string& text) : model_(model), text_(text) {}

  void append(const ModelPiece& piece) {
    if (had_space_ || !text_.empty()) is_start_ = false;
    had_space_ = false;
    if (piece.type == PieceType::control) return;
    if (piece.type == PieceType::unknown) {
      text_ += model_.unk_surface.substr(0, model_.unk_surface.find('\0'));  // up to a NUL, as SentencePiece does
      return;
    }
    std::string_view rest = piece.text;
    const bool removes = model_.normaliser.remove_extra_spaces;
    if (is_start_ && (removes || model_.normaliser.add_dummy_prefix) &&
        rest.substr(0, space_mark.size()) == space_mark) {
      rest.remove_prefix(space_mark.size());
      had_space_ = !removes;  // then all spaces at the start go
    }
    append_spaced(text_, rest);
  }

 private:
  const PieceModel& model_;
  std::string& text_;
  bool is_start_ = true, had_space_ = false;
};

}  // namespace

std::string text_of_pieces(const PieceModel& model, const std::vector<int>& ids) {
  std::string text, bytes;
  Spaced spaced(model, text);
  for (const int id : ids) {
    const ModelPiece& piece = model.pieces[static_cast<std::size_t>(id)];
    if (piece.type == PieceType::byte) {
      bytes += static_cast<char>(byte_of_piece(piece.text));
    } else {
      append_bytes(text, bytes);
      spaced.append(piece);
    }
  }
  append_bytes(text, bytes);
  return text;
}

}  // namespace gradus
