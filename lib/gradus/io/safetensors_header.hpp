#pragma once
/// \file
/// The header of a safetensors file: the tensors and their places. Bytes from outside are checked here, once and
/// completely.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "gradus/util/names.hpp"

namespace gradus {

/// The type of a stored value, spelt as in the format.
enum class StoredType { U8, I32, I64, F16, F32, F64 };

template <>
struct Names<StoredType> {
  static constexpr const char* noun = "type of values";
  static constexpr Name<StoredType> table[] = {{StoredType::U8, "U8"},   {StoredType::I32, "I32"},
                                               {StoredType::I64, "I64"}, {StoredType::F16, "F16"},
                                               {StoredType::F32, "F32"}, {StoredType::F64, "F64"}};
};

std::size_t bytes_per_value(StoredType type);  ///< 2 of F16

/// A tensor of a file. Its values are the bytes from `begin` to `end` of the data.
struct StoredTensor {
  StoredType type;
  std::vector<std::size_t> shape;
  std::size_t begin, end;

  std::size_t count() const { return (end - begin) / bytes_per_value(type); }
};

struct SafetensorsHeader {
  std::size_t data = 0;  ///< where the data begins
  std::map<std::string, std::string> metadata;
  std::map<std::string, StoredTensor> tensors;
};

constexpr const char* metadata_key = "__metadata__";  ///< the one key that is not a tensor's name
constexpr std::size_t longest_header = 100'000'000;   ///< a limit of the format
constexpr std::size_t header_length_bytes = 8;        ///< little-endian, before the header

/// Reads the header from the bytes of a whole file; `origin` names the file in messages.
///
/// requires  a header of at most 100 MB that lies within the bytes; one JSON object without repeated keys, holding
///           only types, shapes, offsets and texts; for each tensor, offsets whose distance fits its type and
///           shape; tensors that cover the rest of the bytes without gap or overlap; else Error, of one line.
/// ensures   The memory used is proportional to the header's length; a large size that the header only claims
///           allocates nothing.
SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& origin);

/// The header of the file `path`, by the same rules. Reads nothing else of the file, but checks its size.
SafetensorsHeader read_safetensors_header(const std::string& path);

}  // namespace gradus
