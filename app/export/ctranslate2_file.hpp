#pragma once
/// \file
/// model.bin of a CTranslate2 model: named tensors, little-endian, without gaps.
///
///     u32 version 6, name of the kind of model, u32 revision 7, u32 number of tensors
///     each tensor: name, u8 number of sizes, u32 each size, u8 type, u32 number of bytes, its bytes
///     u32 number of second names; each: the second name, the name of its tensor
///
/// A name is u16 its length with the zero byte, its bytes, the zero byte. A single number is a tensor without sizes.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus {

/// The tensors of such a file. Each name may be added once.
class CTranslate2File {
 public:
  void add(const std::string& name, std::int8_t value);
  void add(const std::string& name, std::int16_t value);
  void add(const std::string& name, View<const float, 1, Host> values);
  void add(const std::string& name, View<const float, 2, Host> values);

  /// The transpose of `values`: gradus stores a linear map as (in, out), CTranslate2 as (out, in).
  void add_transposed(const std::string& name, View<const float, 2, Host> values);

  /// A second name of a tensor.
  void add_alias(const std::string& name, const std::string& tensor);

  /// The content of the file.
  std::string bytes() const;

 private:
  struct Tensor {
    std::uint8_t type = 0;
    std::vector<std::size_t> shape;
    std::string bytes;
  };
  Tensor& add(const std::string& name, std::uint8_t type, std::vector<std::size_t> shape);

  std::map<std::string, Tensor> tensors_;  // the file lists them by name
  std::map<std::string, std::string> aliases_;
};

}  // namespace gradus
