#include "gradus/io/safetensors_header.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/descriptor.hpp"
#include "gradus/io/stored_values.hpp"
#include "gradus/io/strict_json.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using nlohmann::json;

/// The length of the header from the first eight bytes of a file of `size` bytes. Throws if it is impossible.
std::size_t header_length(std::string_view bytes, std::uint64_t size) {
  if (bytes.size() < header_length_bytes) fail("too short to be one");
  std::uint64_t length = 0;
  for (std::size_t i = header_length_bytes; i-- > 0;) length = length << 8 | static_cast<unsigned char>(bytes[i]);
  if (length > longest_header) fail("its header would be " + std::to_string(length) + " bytes long");
  if (length > size - header_length_bytes) fail("cut short within its header");
  return static_cast<std::size_t>(length);
}

/// The header's text. `bytes` begins a file of `size` bytes and holds all of the header.
std::string_view header_text(std::string_view bytes, std::uint64_t size) {
  const std::string_view text = bytes.substr(header_length_bytes, header_length(bytes, size));
  if (text.empty() || text.front() != '{') fail("its header does not begin with {");
  return text;
}

/// The JSON object. The format nests no deeper than {name: {"shape": [...]}}.
json header_object(std::string_view text) {
  constexpr std::size_t deepest = 3;
  try {
    check_json(text, deepest);
  } catch (const Error& error) {
    fail(std::string("its header: ") + error.what());
  }
  return json::parse(text.begin(), text.end());
}

std::map<std::string, std::string> metadata_of(const json& object) {
  if (!object.is_object()) fail("its metadata is not an object");
  std::map<std::string, std::string> metadata;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) fail("its metadata " + quoted(key) + " is not a text");
    metadata.emplace(key, value.get<std::string>());
  }
  return metadata;
}

const json& member(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) fail(std::string("has no ") + key);
  return *found;
}

StoredType type_of(const json& value) {
  if (!value.is_string()) fail("has a dtype that is not a text");
  const auto& name = value.get_ref<const std::string&>();
  if (const auto type = value_named<StoredType>(name)) return *type;
  fail("has the unknown type " + quoted(name) + "; a type must be " + names_phrase<StoredType>());
}

std::vector<std::size_t> sizes_of(const json& value, const char* key) {
  const auto bad = [&] { fail(std::string("has a ") + key + " that is not a list of sizes"); };
  if (!value.is_array()) bad();
  std::vector<std::size_t> sizes;
  for (const json& size : value) {
    if (!size.is_number_unsigned()) bad();
    sizes.push_back(size.get<std::size_t>());
  }
  return sizes;
}

StoredTensor tensor_of(const json& object) {
  if (!object.is_object()) fail("is not an object");
  if (object.size() != 3) fail("has other members than dtype, shape and data_offsets");
  const auto offsets = sizes_of(member(object, "data_offsets"), "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1]) fail("has data_offsets that are not a begin and an end");

  StoredTensor tensor{type_of(member(object, "dtype")), sizes_of(member(object, "shape"), "shape"), offsets[0],
                      offsets[1]};
  std::size_t bytes = bytes_per_value(tensor.type);
  for (const std::size_t size : tensor.shape) {
    if (__builtin_mul_overflow(bytes, size, &bytes)) fail("has a shape that is too large");
  }
  if (bytes != tensor.end - tensor.begin) {
    fail("has a shape of " + std::to_string(bytes) + " bytes and offsets of " +
         std::to_string(tensor.end - tensor.begin));
  }
  return tensor;
}

/// Checks that the tensors, in order of their offsets, cover the data from its first byte to its last.
void check_cover(const std::map<std::string, StoredTensor>& tensors, std::size_t data_size) {
  std::vector<std::pair<std::size_t, std::size_t>> ranges;
  for (const auto& [name, tensor] : tensors) ranges.emplace_back(tensor.begin, tensor.end);
  std::sort(ranges.begin(), ranges.end());
  std::size_t end = 0;
  for (const auto& range : ranges) {
    if (range.first != end)
      fail("its tensors overlap or leave a gap at byte " + std::to_string(end) + " of the data");
    end = range.second;
  }
  if (end > data_size) {
    fail("cut short: its tensors take " + std::to_string(end) + " bytes, " + std::to_string(data_size) +
         " are there");
  }
  if (end < data_size) fail(std::to_string(data_size - end) + " bytes follow its last tensor");
}

SafetensorsHeader parse_header(std::string_view bytes, std::uint64_t size) {
  const std::string_view text = header_text(bytes, size);
  const json object = header_object(text);
  SafetensorsHeader header;
  header.data = header_length_bytes + text.size();
  for (const auto& [name, value] : object.items()) {
    if (name == metadata_key) {
      header.metadata = metadata_of(value);
      continue;
    }
    try {
      header.tensors.emplace(name, tensor_of(value));
    } catch (const Error& error) {
      fail("tensor " + quoted(name) + " " + error.what());
    }
  }
  check_cover(header.tensors, size - header.data);
  return header;
}

/// `bytes`, followed by the next `count` bytes of a file, or fewer at its end.
std::string first_bytes(const Descriptor& file, std::string bytes, std::size_t count, const std::string& path) {
  const std::size_t end = bytes.size() + count;
  std::size_t size = bytes.size();
  bytes.resize(end);
  while (size < end) {
    const ssize_t got = uninterrupted([&] { return ::read(file.get(), &bytes[size], end - size); });
    if (got < 0) fail_system("read", path);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
  }
  bytes.resize(size);
  return bytes;
}

/// Returns the result of `parse`; an error message names `origin`.
template <class Parse>
SafetensorsHeader about(const std::string& origin, const Parse& parse) {
  try {
    return parse();
  } catch (const SystemError&) {
    throw;
  } catch (const Error& error) {
    fail(origin + ": not a whole safetensors file: " + error.what());
  }
}

}  // namespace

std::size_t bytes_per_value(StoredType type) {
  return with_type(type, [](auto zero) { return sizeof zero; });
}

SafetensorsHeader parse_safetensors_header(std::string_view bytes, const std::string& origin) {
  return about(origin, [&] { return parse_header(bytes, bytes.size()); });
}

SafetensorsHeader read_safetensors_header(const std::string& path) {
  const std::uint64_t size = regular_file_size(path);
  const Descriptor file(path, O_RDONLY);
  if (!file) fail_system("read", path);
  return about(path, [&] {
    std::string bytes = first_bytes(file, "", header_length_bytes, path);
    bytes = first_bytes(file, bytes, header_length(bytes, size), path);
    return parse_header(bytes, size);
  });
}

}  // namespace gradus
