#include "gradus/text/pieces/piece_model.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/byte_pieces.hpp"
#include "gradus/text/pieces/wire.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr std::size_t longest_vocabulary = 16'000'000;  // bytes; trees of pieces take some fifty times as many

/// A place in a file. Only a complaint puts it into words, because a file has thousands of pieces.
struct Place {
  static constexpr std::size_t no_piece = static_cast<std::size_t>(-1);
  const std::string& name;  // of the file
  const char* part = "";
  std::size_t piece = no_piece;

  [[noreturn]] void refuse(const std::string& what) const {
    const std::string of_piece = piece == no_piece ? "" : "pieces[" + std::to_string(piece) + "]: ";
    fail(name + ": " + part + of_piece + what);
  }
};

/// A field of a message, and how to complain about it.
class NamedField {
 public:
  NamedField(const WireField& field, const Place& place) : field_(field), place_(place) {}

  [[noreturn]] void refuse(const std::string& what) const { place_.refuse(what); }

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
  const Place& place_;
};

constexpr const char* copy_again = "this is no whole SentencePiece model; make it again or copy it again";

/// Calls `read` with each field of `message`.
template <class Read>
void each_field(std::string_view message, const Place& place, const Read& read) {
  const bool whole = all_fields(message, [&](const WireField& field) {
    read(field.id, NamedField(field, place));
    return true;
  });
  if (!whole) place.refuse(std::string("a field is cut or has a wire type of no use; ") + copy_again);
}

ModelPiece read_piece(std::string_view message, const Place& place) {
  ModelPiece piece;
  each_field(message, place, [&](std::uint64_t id, const NamedField& field) {
    if (id == 1) piece.text = field.text("piece");
    if (id == 2) piece.score = field.finite("score");
    if (id == 3) piece.type = static_cast<PieceType>(field.number("type", 1, 6));
  });
  if (piece.text.empty()) place.refuse("piece is empty");
  if (!is_utf8(piece.text) || piece.text.find('\0') != piece.text.npos) place.refuse("piece is no text in UTF-8");
  return piece;
}

void read_trainer(std::string_view message, const Place& place, PieceModel& model) {
  constexpr int most = std::numeric_limits<int>::max();
  each_field(message, place, [&](std::uint64_t id, const NamedField& field) {
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

void read_normaliser(std::string_view message, const Place& place, NormaliserSettings& settings) {
  each_field(message, place, [&](std::uint64_t id, const NamedField& field) {
    if (id == 2) settings.rules = field.text("precompiled_charsmap");
    if (id == 3) settings.add_dummy_prefix = field.flag("add_dummy_prefix");
    if (id == 4) settings.remove_extra_spaces = field.flag("remove_extra_whitespaces");
    if (id == 5) settings.escape_spaces = field.flag("escape_whitespaces");
  });
}

/// Checks what PieceModel promises of all pieces together, and sets the ids of texts and of the unknown piece.
void check_pieces(PieceModel& model, const std::string& name) {
  model.ids.reserve(model.pieces.size());
  std::array<bool, 256> has_byte{};
  int unknown = 0, bytes = 0;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const ModelPiece& piece = model.pieces[id];
    const auto refuse = [&](const std::string& what) {
      Place{name, "", id}.refuse("piece " + quoted(piece.text) + what);
    };
    if (!model.ids.emplace(piece.text, static_cast<int>(id)).second) refuse(" comes twice");
    if (piece.type == PieceType::unknown) model.unk_id = static_cast<int>(id), ++unknown;
    if (piece.type != PieceType::byte) continue;
    const int byte = byte_of_piece(piece.text);
    if (byte < 0 || !model.byte_fallback) refuse(" is no byte's name, or byte_fallback is not set");
    has_byte[static_cast<std::size_t>(byte)] = true, ++bytes;
  }
  const Place pieces{name, "pieces: "};
  if (unknown != 1) pieces.refuse(std::to_string(unknown) + " are unknown pieces, but a model has one");
  if (model.byte_fallback && bytes != 256) pieces.refuse("byte_fallback is set, but not all 256 bytes have one");
}

}  // namespace

PieceModel read_piece_model(std::string_view bytes, const std::string& name) {
  PieceModel model;
  NormaliserSettings decoded;  // the rules for decoded text
  std::size_t length = 0;      // of all pieces
  bool has_trainer = false, has_normaliser = false;
  const Place trainer{name, "trainer_spec: "}, normaliser{name, "normalizer_spec: "};
  const Place denormaliser{name, "denormalizer_spec: "}, pieces{name, "pieces: "}, file{name};
  each_field(bytes, file, [&](std::uint64_t id, const NamedField& field) {
    has_trainer = has_trainer || id == 2;
    has_normaliser = has_normaliser || id == 3;
    if (id == 1) {
      model.pieces.push_back(read_piece(field.bytes("pieces"), {name, "", model.pieces.size()}));
      length += model.pieces.back().text.size();
      if (length > longest_vocabulary) pieces.refuse("more than 16,000,000 bytes of text");
    }
    if (id == 2) read_trainer(field.bytes("trainer_spec"), trainer, model);
    if (id == 3) read_normaliser(field.bytes("normalizer_spec"), normaliser, model.normaliser);
    if (id == 5) read_normaliser(field.bytes("denormalizer_spec"), denormaliser, decoded);
  });
  if (!has_trainer) file.refuse(std::string("trainer_spec is missing; ") + copy_again);
  if (!has_normaliser) file.refuse(std::string("normalizer_spec is missing; ") + copy_again);
  if (!decoded.rules.empty()) denormaliser.refuse("rules to rewrite decoded text are not supported");
  check_pieces(model, name);
  return model;
}

}  // namespace gradus
