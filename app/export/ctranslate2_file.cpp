#include "app/export/ctranslate2_file.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t format_version = 6, transformer_revision = 7;
constexpr const char* kind_of_model = "TransformerSpec";

// The format's numbers for the types that we write.
constexpr std::uint8_t float32 = 0, int8 = 1, int16 = 2;

/// Appends the bytes of an integer, the lowest first.
template <class Unsigned>
void put(std::string& out, Unsigned value) {
  for (std::size_t i = 0; i < sizeof value; ++i) out.push_back(static_cast<char>(value >> (8 * i) & 0xff));
}

void put(std::string& out, float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  put(out, bits);
}

void put_name(std::string& out, const std::string& name) {
  put(out, static_cast<std::uint16_t>(name.size() + 1));
  out += name;
  out.push_back('\0');
}

/// A size as the format stores it; `check_ctranslate2` has compared them.
std::uint32_t narrow(std::size_t size) {
  require(size <= std::numeric_limits<std::uint32_t>::max(), "a tensor for CTranslate2 has 4 GiB or more");
  return static_cast<std::uint32_t>(size);
}

}  // namespace

CTranslate2File::Tensor& CTranslate2File::add(const std::string& name, std::uint8_t type,
                                              std::vector<std::size_t> shape) {
  const auto [at, is_new] = tensors_.emplace(name, Tensor{type, std::move(shape), ""});
  require(is_new, "two tensors of a file have one name");
  return at->second;
}

void CTranslate2File::add(const std::string& name, std::int8_t value) {
  put(add(name, int8, {}).bytes, static_cast<std::uint8_t>(value));
}

void CTranslate2File::add(const std::string& name, std::int16_t value) {
  put(add(name, int16, {}).bytes, static_cast<std::uint16_t>(value));
}

void CTranslate2File::add(const std::string& name, View<const float, 1, Host> values) {
  std::string& bytes = add(name, float32, {values.extent[0]}).bytes;
  for (std::size_t i = 0; i < values.extent[0]; ++i) put(bytes, values[i]);
}

void CTranslate2File::add(const std::string& name, View<const float, 2, Host> values) {
  const auto [rows, columns] = values.extent;
  std::string& bytes = add(name, float32, {rows, columns}).bytes;
  bytes.reserve(rows * columns * sizeof(float));
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < columns; ++j) put(bytes, values.row(i)[j]);
  }
}

void CTranslate2File::add_transposed(const std::string& name, View<const float, 2, Host> values) {
  const auto [rows, columns] = values.extent;
  std::string& bytes = add(name, float32, {columns, rows}).bytes;
  bytes.reserve(rows * columns * sizeof(float));
  for (std::size_t j = 0; j < columns; ++j) {
    for (std::size_t i = 0; i < rows; ++i) put(bytes, values.row(i)[j]);
  }
}

void CTranslate2File::add_alias(const std::string& name, const std::string& tensor) {
  require(tensors_.count(tensor) != 0, "a second name belongs to a tensor of the file");
  aliases_[name] = tensor;
}

std::string CTranslate2File::bytes() const {
  std::string out;
  put(out, format_version);
  put_name(out, kind_of_model);
  put(out, transformer_revision);
  put(out, narrow(tensors_.size()));
  for (const auto& [name, tensor] : tensors_) {
    put_name(out, name);
    put(out, static_cast<std::uint8_t>(tensor.shape.size()));
    for (const std::size_t size : tensor.shape) put(out, narrow(size));
    put(out, tensor.type);
    put(out, narrow(tensor.bytes.size()));
    out += tensor.bytes;
  }
  put(out, narrow(aliases_.size()));
  for (const auto& [name, tensor] : aliases_) {
    put_name(out, name);
    put_name(out, tensor);
  }
  return out;
}

}  // namespace gradus
