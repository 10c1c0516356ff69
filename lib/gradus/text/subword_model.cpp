#include "gradus/text/subword_model.hpp"

#include <array>
#include <cmath>
#include <cstdint>

#include "gradus/io/utf8.hpp"
#include "gradus/text/pieces/wire.hpp"

namespace gradus {
namespace {

/// The fields that may be in a SentencePiece model.
enum Part : std::uint64_t { part_piece = 1, part_trainer = 2, part_normaliser = 3, part_denormaliser = 5 };

/// SentencePiece's types of pieces that are learnt here. `piece_symbol` is a piece of the user's own.
enum Kind : std::uint64_t { piece_normal = 1, piece_unknown = 2, piece_control = 3, piece_symbol = 4 };

/// The type of a text piece with a score; 0 for one that training here does not learn. A NUL would end the piece early, and an empty
/// symbol would stand everywhere.
std::uint64_t kind_of(std::string_view piece) {
  std::uint64_t kind = piece_normal;
  bool is_empty = true;
  const bool good = all_fields(piece, [&](const WireField& f) {
    if (f.id == 1) {
      is_empty = f.bytes.empty();
      return f.wire == wire_bytes && is_utf8(f.bytes) && f.bytes.find('\0') == f.bytes.npos;
    }
    if (f.id == 2) return f.wire == wire_float && std::isfinite(float_of(f.bytes));
    kind = f.number;
    return f.id == 3 && f.wire == wire_number && kind >= piece_normal && kind <= piece_symbol;
  });
  return good && !(kind == piece_symbol && is_empty) ? kind : 0;
}

/// True for the settings of the model types unigram (1) and bpe (2).
bool learnt_kind(std::string_view trainer) {
  return all_fields(trainer, [](const WireField& f) {
    return f.id != 3 || (f.wire == wire_number && (f.number == 1 || f.number == 2));
  });
}

/// True for settings without a table of rules to rewrite characters. SentencePiece trusts the offsets in such a
/// table, and reads beyond its end.
bool rewrites_nothing(std::string_view normaliser) {
  return all_fields(normaliser,
                    [](const WireField& f) { return f.id != 2 || (f.wire == wire_bytes && f.bytes.empty()); });
}

}  // namespace

bool whole_model(std::string_view bytes) {
  std::array<std::size_t, 6> seen{};
  const bool known_parts = all_fields(bytes, [&](const WireField& part) {
    return part.wire == wire_bytes && part.id < seen.size() && ++seen[part.id] != 0;
  });
  return known_parts && seen[part_piece] != 0 && seen[part_trainer] == 1 && seen[part_normaliser] == 1 &&
         seen[part_denormaliser] <= 1;
}

bool as_learnt_here(std::string_view bytes) {
  bool has_normal = false;  // symbols come before these
  return all_fields(bytes, [&](const WireField& part) {
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
