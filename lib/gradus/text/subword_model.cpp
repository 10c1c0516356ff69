#include "gradus/text/subword_model.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

/// Reads a protobuf number at the start of `bytes` and removes it; false if there is no whole one.
bool take_number(std::string_view& bytes, std::uint64_t& number) {
  number = 0;
  for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

/// The wire types of protobuf that our settings use.
enum Wire : std::uint64_t { wire_number = 0, wire_bytes = 2, wire_float = 5 };

/// One field of a protobuf message.
struct Field {
  std::uint64_t id = 0, wire = 0, number = 0;
  std::string_view bytes;
};

/// Reads a field at the start of `message` and removes it; false if there is no whole one.
bool take_field(std::string_view& message, Field& field) {
  std::uint64_t key = 0, length = 0;
  if (!take_number(message, key) || key >> 32U != 0) return false;  // protobuf would drop the bits above
  field = {key >> 3U, key & 7U, 0, {}};
  if (field.wire == wire_number) return take_number(message, field.number);
  if (field.wire == wire_bytes && !take_number(message, length)) return false;
  if (field.wire == wire_float) length = sizeof(float);
  if ((field.wire != wire_bytes && field.wire != wire_float) || length > message.size()) return false;
  field.bytes = message.substr(0, length);
  message.remove_prefix(length);
  return true;
}

/// True if `message` consists of whole fields, and `accept` returns true for each.
template <class Accept>
bool all_fields(std::string_view message, const Accept& accept) {
  for (Field field; !message.empty();) {
    if (!take_field(message, field) || !accept(field)) return false;
  }
  return true;
}

/// The fields that may be in a SentencePiece model.
enum Part : std::uint64_t { part_piece = 1, part_trainer = 2, part_normaliser = 3, part_denormaliser = 5 };

bool is_finite(std::string_view bytes) {
  float value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return std::isfinite(value);
}

/// SentencePiece's types of pieces that are learnt here. `piece_symbol` is a piece of the user's own.
enum Kind : std::uint64_t { piece_normal = 1, piece_unknown = 2, piece_control = 3, piece_symbol = 4 };

/// The type of a text piece with a score; 0 for one that training here does not learn. A NUL would end the piece early, and an empty
/// symbol would stand everywhere.
std::uint64_t kind_of(std::string_view piece) {
  std::uint64_t kind = piece_normal;
  bool is_empty = true;
  const bool good = all_fields(piece, [&](const Field& f) {
    if (f.id == 1) {
      is_empty = f.bytes.empty();
      return f.wire == wire_bytes && is_utf8(f.bytes) && f.bytes.find('\0') == f.bytes.npos;
    }
    if (f.id == 2) return f.wire == wire_float && is_finite(f.bytes);
    kind = f.number;
    return f.id == 3 && f.wire == wire_number && kind >= piece_normal && kind <= piece_symbol;
  });
  return good && !(kind == piece_symbol && is_empty) ? kind : 0;
}

/// True for the settings of the model types unigram (1) and bpe (2).
bool learnt_kind(std::string_view trainer) {
  return all_fields(trainer, [](const Field& f) {
    return f.id != 3 || (f.wire == wire_number && (f.number == 1 || f.number == 2));
  });
}

/// True for settings without a table of rules to rewrite characters. SentencePiece trusts the offsets in such a
/// table, and reads beyond its end.
bool rewrites_nothing(std::string_view normaliser) {
  return all_fields(normaliser,
                    [](const Field& f) { return f.id != 2 || (f.wire == wire_bytes && f.bytes.empty()); });
}

}  // namespace

bool whole_model(std::string_view bytes) {
  std::array<std::size_t, 6> seen{};
  const bool known_parts = all_fields(bytes, [&](const Field& part) {
    return part.wire == wire_bytes && part.id < seen.size() && ++seen[part.id] != 0;
  });
  return known_parts && seen[part_piece] != 0 && seen[part_trainer] == 1 && seen[part_normaliser] == 1 &&
         seen[part_denormaliser] <= 1;
}

bool as_learnt_here(std::string_view bytes) {
  bool has_normal = false;  // symbols come before these
  return all_fields(bytes, [&](const Field& part) {
    switch (part.id) {
      case part_piece: {
        const std::uint64_t kind = kind_of(part.bytes);
        has_normal = has_normal || kind == piece_normal;
        return kind != 0 && !(kind == piece_symbol && has_normal);
      }
      case part_trainer:
        return learnt_kind(part.bytes);
      case part_normaliser:
      case part_denormaliser:
        return rewrites_nothing(part.bytes);
      default:
        return false;
    }
  });
}

}  // namespace gradus
