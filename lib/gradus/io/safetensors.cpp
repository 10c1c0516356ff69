#include "gradus/io/safetensors.hpp"

#include <utility>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/stored_values.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

SafetensorsFile::SafetensorsFile(std::string bytes, const std::string& origin)
    : origin_(origin), bytes_(std::move(bytes)), header_(parse_safetensors_header(bytes_, origin)) {}

SafetensorsFile SafetensorsFile::parse(std::string_view bytes, const std::string& origin) {
  return {std::string(bytes), origin};
}

SafetensorsFile SafetensorsFile::load(const std::string& path) {
  read_safetensors_header(path);  // throws if the file is not in this format, without reading all of it
  const std::uint64_t size = regular_file_size(path);
  require_memory(static_cast<double>(size), path);
  return {read_regular_file(path, size), path};
}

std::vector<std::string> SafetensorsFile::names() const {
  std::vector<std::string> names;
  for (const auto& [name, tensor] : header_.tensors) names.push_back(name);
  return names;
}

const StoredTensor& SafetensorsFile::find(const std::string& name) const {
  const auto found = header_.tensors.find(name);
  if (found == header_.tensors.end()) fail(origin_ + ": has no tensor " + quoted(name));
  return found->second;
}

void SafetensorsFile::fail_about(const std::string& name, const std::string& what) const {
  fail(origin_ + ": tensor " + quoted(name) + " " + what);
}

template <class Number>
void SafetensorsFile::read(const std::string& name, Number* values, std::size_t count) const {
  const StoredTensor& tensor = find(name);
  if (tensor.count() != count) {
    fail_about(name, "has " + std::to_string(tensor.count()) + " values, expected " + std::to_string(count));
  }
  const char* stored = bytes_.data() + header_.data + tensor.begin;
  constexpr bool integers = std::is_integral_v<Number>;
  const bool fits = with_type(tensor.type, [&](auto zero) -> bool {
    using Stored = decltype(zero);
    if constexpr (std::is_integral_v<Stored> == integers) return unpack_values<Stored>(values, stored, count);
    fail_about(name,
               std::string(integers ? "holds no integers (" : "holds integers (") + name_of(tensor.type) + ")");
  });
  if (!fits) fail_about(name, "has a value that is too large for a float");
}

template void SafetensorsFile::read(const std::string&, float*, std::size_t) const;
template void SafetensorsFile::read(const std::string&, double*, std::size_t) const;
template void SafetensorsFile::read(const std::string&, std::int64_t*, std::size_t) const;

}  // namespace gradus
