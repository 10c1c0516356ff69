#pragma once
/// \file
/// The wire format of protobuf: a message is a row of fields, each with a number, a wire type and a value.

#include <cstdint>
#include <string_view>

namespace gradus {

/// The wire types that SentencePiece's fields have.
enum Wire : std::uint64_t { wire_number = 0, wire_bytes = 2, wire_float = 5 };

/// One field of a message. `number` is the value of a wire_number, `bytes` a part of the message for the others.
struct WireField {
  std::uint64_t id = 0, wire = 0, number = 0;
  std::string_view bytes;
};

/// Reads a field at the start of `message` and removes it; false if there is no whole one, or one of another wire type.
bool take_field(std::string_view& message, WireField& field);

/// The number that the four bytes of a wire_float stand for.
float float_of(std::string_view bytes);

/// True if `message` consists of whole fields, and `accept` returns true for each.
template <class Accept>
bool all_fields(std::string_view message, const Accept& accept) {
  for (WireField field; !message.empty();) {
    if (!take_field(message, field) || !accept(field)) return false;
  }
  return true;
}

}  // namespace gradus
