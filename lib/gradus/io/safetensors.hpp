#pragma once
/// \file
/// Tensors in a file, in the safetensors format, which Python libraries read and write as well: eight bytes with
/// the length of a header, the header in JSON, then the values, little-endian and without gaps.

#include <cstdint>
#include <variant>

#include "gradus/io/safetensors_header.hpp"

namespace gradus {

/// A safetensors file in memory. Whatever is wrong with the bytes is found when it is made; afterwards only a
/// question about a tensor that is not there, or for values that it cannot give, throws Error.
class SafetensorsFile {
 public:
  /// Takes the bytes of a file that messages call `origin`. parse_safetensors_header says what is checked.
  static SafetensorsFile parse(std::string_view bytes, const std::string& origin);
  static SafetensorsFile load(const std::string& path);

  const std::string& origin() const { return origin_; }
  const std::map<std::string, std::string>& metadata() const { return header_.metadata; }
  std::vector<std::string> names() const;  ///< sorted
  bool has(const std::string& name) const { return header_.tensors.count(name) != 0; }
  const std::vector<std::size_t>& shape(const std::string& name) const { return find(name).shape; }
  StoredType type(const std::string& name) const { return find(name).type; }
  std::size_t count(const std::string& name) const { return find(name).count(); }  ///< of its values

  /// Copies the values of an F16, F32 or F64 tensor, row by row, to the `count` places at `values`. Throws Error if
  /// the tensor has another number of values, or one in F64 that is too large for a float. Real is float or double.
  template <class Real>
  void read(const std::string& name, Real* values, std::size_t count) const;

  template <class Real>
  std::vector<Real> values(const std::string& name) const {
    std::vector<Real> result(count(name));
    read(name, result.data(), result.size());
    return result;
  }

  /// The values of a U8, I32 or I64 tensor.
  std::vector<std::int64_t> integers(const std::string& name) const;

 private:
  SafetensorsFile(std::string bytes, const std::string& origin);
  const StoredTensor& find(const std::string& name) const;
  [[noreturn]] void fail_about(const std::string& name, const std::string& what) const;

  std::string origin_;
  std::string bytes_;
  SafetensorsHeader header_;
};

/// A tensor on its way into a file. Integers are stored as I64, the others as F16, F32 or F64.
struct TensorToStore {
  std::string name;
  std::vector<std::size_t> shape;
  StoredType type;
  std::variant<const float*, const double*, const std::int64_t*> values;  ///< as many as the shape says
};

/// The bytes of a safetensors file. They depend on the arguments alone: the names in the header are sorted, and the
/// data stands in the order given, but wide types first, so that every tensor is aligned. Throws Error for a name
/// that comes twice, and for a finite value that its type cannot hold: a weight of 70,000 in F16.
std::string safetensors_bytes(const std::vector<TensorToStore>& tensors,
                              const std::map<std::string, std::string>& metadata = {});

/// The same, into a file, by write_atomically.
void write_safetensors(const std::string& path, const std::vector<TensorToStore>& tensors,
                       const std::map<std::string, std::string>& metadata = {});

}  // namespace gradus
