#pragma once
/// \file
/// The weights of a Marian model under Marian's names, from either of its forms of files.

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gradus {

/// The name of the text that holds the configuration.
inline constexpr const char* marian_configuration = "special:model.yml";

/// Tensors in memory. marian_binary.hpp and marian_npz.hpp read the two forms.
class MarianFile {
 public:
  /// Marian's numbers: text; floats of two, four and eight bytes; int8 for the library intgemm, with one float behind the values, so that a
  /// weight is the value divided by that float.
  enum class Type { bytes = 0x101, half = 0x402, real = 0x404, wide = 0x408, intgemm = 0x4101 };

  explicit MarianFile(const std::string& origin) : origin_(origin) {}  ///< `origin` names the file in messages

  /// Adds a tensor, whose little-endian data may be longer than its shape says. Throws Error if it is shorter, or if the name comes twice.
  void add(const std::string& name, Type type, const std::vector<std::size_t>& shape, std::string data);

  const std::string& origin() const { return origin_; }
  std::vector<std::string> names() const;  ///< sorted
  bool has(const std::string& name) const { return tensors_.count(name) != 0; }
  const std::vector<std::size_t>& shape(const std::string& name) const { return find(name).shape; }
  Type type(const std::string& name) const { return find(name).type; }
  std::size_t count(const std::string& name) const { return find(name).count; }  ///< number of values

  /// The weights of a tensor in the order of the file: int8 matrices are stored by columns, except tables of words. Throws Error for text,
  /// a tensor that does not exist, a weight that is not finite, and a divisor that is not positive.
  template <class Real>
  std::vector<Real> values(const std::string& name) const;

  /// The bytes of a text, up to the first NUL. Throws Error for other tensors.
  std::string_view text(const std::string& name) const;

 private:
  struct Tensor {
    Type type;
    std::vector<std::size_t> shape;
    std::size_t count;  ///< elements
    std::string data;
  };
  const Tensor& find(const std::string& name) const;

  std::string origin_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace gradus
