#include "gradus/text/pieces/piece_model.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <unordered_set>
#include <utility>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/byte_pieces.hpp"
#include "gradus/text/pieces/wire.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::size_t longest_vocabulary = 16'000'000;  // bytes; trees of pieces take some fifty times as many

/// A field of a message, and how to complain about it.
class NamedField {
 public:
  NamedField(const WireField& field, std::string where) : field_(field), where_(std::move(where)) {}

  [[noreturn]] void refuse(const std::string& what) const { fail(where_ + what); }

  std::string_view bytes(const char* key) const { return checked(key, wire_bytes).bytes; }
  std::string text(const char* key) const { return std::string(bytes(key)); }
  bool flag(const char* key) const { return checked(key, wire_number).number != 0; }

  /// A number from `least` to `most`.
  int number(const char* key, int least, int most) const {
    const auto value = static_cast<std::int64_t>(checked(key, wire_number).number);
    if (value < least || value > most) refuse(std::string(key) + " is " + std::to_string(value));
    return static_cast<int>(value);
  }

  float finite(const char* key) const {
    const float value = float_of(checked(key, wire_float).bytes);
    if (!std::isfinite(value)) refuse(std::string(key) + " is no finite number");
    return value;
  }

 private:
  const WireField& checked(const char* key, Wire wire) const {
    if (field_.wire != wire) refuse(std::string(key) + " has the wrong wire type");
    return field_;
  }

  const WireField& field_;
  std::string where_;
};

/// Calls `read` with each field of `message`. `where` begins the complaint.
template <class Read>
void each_field(std::string_view message, const std::string& where, const Read& read) {
  const bool whole = all_fields(message, [&](const WireField& field) {
    read(field.id, NamedField(field, where));
    return true;
  });
  if (!whole) fail(where + "a field is cut or has a wire type of no use; make the file again or copy it again");
}

ModelPiece read_piece(std::string_view message, const std::string& where) {
  ModelPiece piece;
  each_field(message, where, [&](std::uint64_t id, const NamedField& field) {
    if (id == 1) piece.text = field.text("piece");
    if (id == 2) piece.score = field.finite("score");
    if (id == 3) piece.type = static_cast<PieceType>(field.number("type", 1, 6));
  });
  if (piece.text.empty()) fail(where + "piece is empty");
  if (!is_utf8(piece.text) || piece.text.find('\0') != piece.text.npos) fail(where + "piece is no text in UTF-8");
  return piece;
}

void read_trainer(std::string_view message, const std::string& where, PieceModel& model) {
  constexpr int most = std::numeric_limits<int>::max();
  each_field(message, where, [&](std::uint64_t id, const NamedField& field) {
    switch (id) {
      case 3:
        model.kind = field.number("model_type", 1, 2) == 1 ? SubwordModel::unigram : SubwordModel::bpe;
        break;
      case 24:
        model.normaliser.space_as_suffix = field.flag("treat_whitespace_as_suffix");
        break;
      case 35:
        model.byte_fallback = field.flag("byte_fallback");
        break;
      case 40:
        model.unk_id = field.number("unk_id", 0, most);
        break;
      case 41:
        model.bos_id = field.number("bos_id", -1, most);
        break;
      case 42:
        model.eos_id = field.number("eos_id", -1, most);
        break;
      case 43:
        model.pad_id = field.number("pad_id", -1, most);
        break;
      case 44:
        model.unk_surface = field.text("unk_surface");
        break;
      default:
        break;
    }
  });
}

void read_normaliser(std::string_view message, const std::string& where, NormaliserSettings& settings) {
  each_field(message, where, [&](std::uint64_t id, const NamedField& field) {
    if (id == 2) settings.rules = field.text("precompiled_charsmap");
    if (id == 3) settings.add_dummy_prefix = field.flag("add_dummy_prefix");
    if (id == 4) settings.remove_extra_spaces = field.flag("remove_extra_whitespaces");
    if (id == 5) settings.escape_spaces = field.flag("escape_whitespaces");
  });
}

/// Checks what PieceModel promises of all pieces together, and sets the id of the unknown piece.
void check_pieces(PieceModel& model, const std::string& name) {
  std::unordered_set<std::string_view> texts;
  std::array<bool, 256> has_byte{};
  int unknown = 0, bytes = 0;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const ModelPiece& piece = model.pieces[id];
    const std::string where = name + ": pieces[" + std::to_string(id) + "]: piece " + quoted(piece.text);
    if (!texts.insert(piece.text).second) fail(where + " comes twice");
    if (piece.type == PieceType::unknown) model.unk_id = static_cast<int>(id), ++unknown;
    if (piece.type != PieceType::byte) continue;
    const int byte = byte_of_piece(piece.text);
    if (byte < 0 || !model.byte_fallback) fail(where + " is no byte's name, or byte_fallback is not set");
    has_byte[static_cast<std::size_t>(byte)] = true, ++bytes;
  }
  if (unknown != 1)
    fail(name + ": pieces: " + std::to_string(unknown) + " are unknown pieces, but a model has one");
  if (model.byte_fallback && bytes != 256)
    fail(name + ": pieces: byte_fallback is set, but not all 256 bytes have one");
}

}  // namespace

PieceModel read_piece_model(std::string_view bytes, const std::string& name) {
  PieceModel model;
  NormaliserSettings decoded;  // the rules for decoded text
  std::size_t length = 0;      // of all pieces
  each_field(bytes, name + ": ", [&](std::uint64_t id, const NamedField& field) {
    if (id == 1) {
      const std::string where = name + ": pieces[" + std::to_string(model.pieces.size()) + "]: ";
      model.pieces.push_back(read_piece(field.bytes("pieces"), where));
      length += model.pieces.back().text.size();
      if (length > longest_vocabulary) fail(name + ": pieces: more than 16,000,000 bytes of text");
    }
    if (id == 2) read_trainer(field.bytes("trainer_spec"), name + ": trainer_spec: ", model);
    if (id == 3) read_normaliser(field.bytes("normalizer_spec"), name + ": normalizer_spec: ", model.normaliser);
    if (id == 5) read_normaliser(field.bytes("denormalizer_spec"), name + ": denormalizer_spec: ", decoded);
  });
  if (!decoded.rules.empty()) fail(name + ": denormalizer_spec: rules to rewrite decoded text are not supported");
  check_pieces(model, name);
  return model;
}

}  // namespace gradus
