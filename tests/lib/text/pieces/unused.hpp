#pragma once
/// \file
/// Models with a changed type of some pieces, by their bytes.

#include <cstddef>
#include <string>
#include <string_view>

#include "gradus/text/pieces/wire.hpp"

namespace gradus::test {

/// A protobuf field of bytes.
inline std::string message_field(int id, std::string_view content) {
  std::string field(1, static_cast<char>(id << 3 | 2));
  std::size_t length = content.size();
  for (; length >= 128; length >>= 7U) field += static_cast<char>((length & 127U) | 128U);
  return field + static_cast<char>(length) + std::string(content);
}

/// The model with each n-th of its normal pieces marked as unused.
inline std::string with_unused(const std::string& model, int n) {
  std::string result;
  int normal = 0;
  all_fields(model, [&](const WireField& field) {
    bool is_normal = field.id == 1;  // a piece without a type is one
    if (is_normal) all_fields(field.bytes, [&](const WireField& part) { return is_normal = part.id != 3; });
    std::string content(field.bytes);
    if (is_normal && ++normal % n == 0) content += "\x18\x05";
    result += message_field(static_cast<int>(field.id), content);
    return true;
  });
  return result;
}

}  // namespace gradus::test
