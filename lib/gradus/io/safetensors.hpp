#pragma once
/// \file
/// Tensors in a file, in the safetensors format, which Python libraries read and write too: eight bytes with the
/// length of the header, the header in JSON, then the values, little-endian and without gaps.

#include <cstdint>
#include <variant>

#include "gradus/io/safetensors_header.hpp"

namespace gradus {

/// A safetensors file in memory. The constructor finds every fault in the bytes. Afterwards only two requests throw
/// Error: for a tensor that does not exist, and for values that it cannot give (see read).
class SafetensorsFile {
 public:
  /// Takes the bytes of a file; `origin` names it in messages. The checks are those of parse_safetensors_header.
  static SafetensorsFile parse(std::string_view bytes, const std::string& origin);
  static SafetensorsFile load(const std::string& path);

  const std::string& origin() const { return origin_; }
  std::string_view bytes() const { return bytes_; }  ///< of the whole file
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  std::vector<std::string> names() const;  ///< sorted
  bool has(const std::string& name) const { return header_.tensors.count(name) != 0; }
  const std::vector<std::size_t>& shape(const std::string& name) const { return find(name).shape; }
  StoredType type(const std::string& name) const { return find(name).type; }
  std::size_t count(const std::string& name) const { return find(name).count(); }  ///< number of values

  /// Copies the values of a tensor, row by row, to the `count` places at `values`. Number is float or double for an F16,
  /// F32 or F64 tensor, and std::int64_t for a U8, I32 or I64 tensor; else Error. Also throws Error if the tensor has
  /// another number of values, or an F64 value that is too large for a float.
  template <class Number>
  void read(const std::string& name, Number* values, std::size_t count) const;

  template <class Number>
  std::vector<Number> values(const std::string& name) const {
    std::vector<Number> result(count(name));
    read(name, result.data(), result.size());
    return result;
  }

  std::vector<std::int64_t> integers(const std::string& name) const { return values<std::int64_t>(name); }

 private:
  SafetensorsFile(std::string bytes, const std::string& origin);
  const StoredTensor& find(const std::string& name) const;
  [[noreturn]] void fail_about(const std::string& name, const std::string& what) const;

  std::string origin_;
  std::string bytes_;
  SafetensorsHeader header_;
};

/// A tensor to write to a file. Integers are stored as I64, the others as F16, F32 or F64.
struct TensorToStore {
  std::string name;
  std::vector<std::size_t> shape;
  StoredType type;
  /// one value for each element of the shape
  std::variant<const float*, const double*, const std::int64_t*> values;
};

/// The bytes of a safetensors file. They depend on the arguments alone: the header lists the names in sorted order.
/// The data is in the given order, but wide types come first, so that every tensor is aligned. Throws Error for a
/// name that comes twice, and for a finite value that is too large for its type, such as a weight of 70,000 in F16.
std::string safetensors_bytes(const std::vector<TensorToStore>& tensors,
                              const std::map<std::string, std::string>& metadata = {});

/// Writes the same bytes to a file of the program, with write_own_file.
void write_safetensors(const std::string& path, const std::vector<TensorToStore>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace gradus
