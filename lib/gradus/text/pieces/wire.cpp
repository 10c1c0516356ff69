#include "gradus/text/pieces/wire.hpp"

#include <cstring>

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

}  // namespace

bool take_field(std::string_view& message, WireField& field) {
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

float float_of(std::string_view bytes) {
  float value = 0;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

}  // namespace gradus
