#pragma once
/// \file
/// Marian's own file of weights, as its models for small machines have it (model.*.bin).

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gradus {

/// Such a file in memory. All numbers are little-endian.
///
///     u64 1, u64 n                            the version, the number of tensors
///     n times four u64                        lengths: name, type, shape, data
///     n names, each with a NUL behind it      their bytes
///     n shapes                                i32 each
///     u64 k, k bytes                          so that the data begins at a multiple of 256
///     n times the data                        each as long as its header says
///
/// Types are 0x404, float; 0x4101, int8 for the library intgemm, with one float behind the values, so that a weight is the value divided
/// by that float; 0x101, bytes of text.
class MarianBinary {
 public:
  enum class Type { bytes = 0x101, real = 0x404, intgemm = 0x4101 };

  /// Takes the bytes of a file, which need not be trusted; `origin` names it in messages. Throws Error if they are no such file, are cut
  /// or longer than they say, if a name is empty, has a NUL or comes twice, a type is another one, a size is not positive, or
  /// data is shorter than its shape.
  static MarianBinary parse(std::string bytes, const std::string& origin);

  const std::string& origin() const { return origin_; }
  std::string_view bytes() const { return bytes_; }  ///< of the whole file
  std::vector<std::string> names() const;            ///< sorted
  bool has(const std::string& name) const { return tensors_.count(name) != 0; }
  const std::vector<std::size_t>& shape(const std::string& name) const { return find(name).shape; }
  Type type(const std::string& name) const { return find(name).type; }
  std::size_t count(const std::string& name) const { return find(name).count; }  ///< number of values

  /// The weights of a tensor in the order of the file: int8 matrices are stored by columns, except `Wemb`. Throws Error for text, a
  /// tensor that does not exist, a weight that is not finite, and a divisor that is not positive.
  template <class Real>
  std::vector<Real> values(const std::string& name) const;

  /// The bytes of a text, up to the first NUL. Throws Error for other tensors.
  std::string_view text(const std::string& name) const;

 private:
  struct Tensor {
    Type type;
    std::vector<std::size_t> shape;
    std::size_t count, first, length;  ///< elements; place and length of the data, in bytes
  };
  MarianBinary(std::string bytes, const std::string& origin) : origin_(origin), bytes_(std::move(bytes)) {}
  const Tensor& find(const std::string& name) const;

  std::string origin_, bytes_;
  std::map<std::string, Tensor> tensors_;
};

}  // namespace gradus
