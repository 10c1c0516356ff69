#include <algorithm>
#include <nlohmann/json.hpp>

#include "gradus/io/own_file.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/io/stored_values.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using nlohmann::json;

[[noreturn]] void fail_about(const TensorToStore& tensor, const std::string& what) {
  fail("cannot store tensor " + quoted(tensor.name) + ": " + what);
}

std::size_t values_in(const TensorToStore& tensor) {
  std::size_t count = 1;
  for (const std::size_t size : tensor.shape) count *= size;
  return count;
}

/// The tensors in the order of their data: wide types first, else in the given order.
std::vector<const TensorToStore*> data_order(const std::vector<TensorToStore>& tensors) {
  std::vector<const TensorToStore*> order;
  for (const TensorToStore& tensor : tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(), [](const TensorToStore* a, const TensorToStore* b) {
    return bytes_per_value(a->type) > bytes_per_value(b->type);
  });
  return order;
}

std::string header_text(const std::vector<const TensorToStore*>& order,
                        const std::map<std::string, std::string>& metadata) {
  json header = json::object();
  if (!metadata.empty()) header[metadata_key] = metadata;
  std::size_t end = 0;
  for (const TensorToStore* tensor : order) {
    if (tensor->name == metadata_key || header.contains(tensor->name)) fail_about(*tensor, "the name is taken");
    const std::size_t begin = end;
    end += values_in(*tensor) * bytes_per_value(tensor->type);
    header[tensor->name] = {
        {"dtype", name_of(tensor->type)}, {"shape", tensor->shape}, {"data_offsets", {begin, end}}};
  }
  try {
    return header.dump();
  } catch (const json::exception&) {
    fail("cannot store tensors: a name or a metadata text is not UTF-8");
  }
}

bool pack(const TensorToStore& tensor, char* stored, std::size_t count) {
  const auto pack_from = [&](const auto* values) {
    constexpr bool integers = std::is_integral_v<std::remove_reference_t<decltype(*values)>>;
    return with_type(tensor.type, [&](auto zero) -> bool {
      using Stored = decltype(zero);
      if constexpr (integers ? std::is_same_v<Stored, std::int64_t> : !std::is_integral_v<Stored>)
        return pack_values<Stored>(stored, values, count);
      fail_about(tensor, integers ? "integers are stored as I64" : "numbers are stored as F16, F32 or F64");
    });
  };
  return std::visit(pack_from, tensor.values);
}

}  // namespace

std::string safetensors_bytes(const std::vector<TensorToStore>& tensors,
                              const std::map<std::string, std::string>& metadata) {
  const auto order = data_order(tensors);
  std::string header = header_text(order, metadata);
  while (header.size() % 8 != 0) header.push_back(' ');  // aligns the data
  if (header.size() > longest_header) fail("cannot store tensors: their header would be longer than 100 MB");

  std::string bytes;
  for (std::size_t i = 0; i < header_length_bytes; ++i) bytes.push_back(static_cast<char>(header.size() >> 8 * i));
  bytes += header;
  for (const TensorToStore* tensor : order) {
    const std::size_t begin = bytes.size();
    const std::size_t count = values_in(*tensor);
    bytes.resize(begin + count * bytes_per_value(tensor->type));
    if (!pack(*tensor, &bytes[begin], count)) {
      fail_about(*tensor, std::string("a value is too large for ") + name_of(tensor->type));
    }
  }
  return bytes;
}

void write_safetensors(const std::string& path, const std::vector<TensorToStore>& tensors,
                       const std::map<std::string, std::string>& metadata) {
  write_own_file(path, safetensors_bytes(tensors, metadata));
}

}  // namespace gradus
