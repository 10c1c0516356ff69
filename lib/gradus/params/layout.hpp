#pragma once
/// \file
/// The place of each parameter in the one flat vector: named slices; the slices with weight decay come first.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// The kind of a parameter: decides whether weight decay applies, and its initial values.
enum class Kind {
  weight,     ///< a matrix of a linear map, (in, out): decays
  embedding,  ///< a table, one row for each word, (Vocab, D): does not decay
  bias,       ///< starts at 0, does not decay
  gain        ///< the gamma of a layer norm: starts at 1, does not decay
};

/// A parameter as its composite declares it. The name is only for people and files; the other members hold its
/// meaning.
struct Declaration {
  std::string name;
  Kind kind = Kind::weight;
  std::vector<std::size_t> shape;
  std::size_t maps = 1;          ///< of a weight: number of linear maps packed side by side, each (in, out / maps)
  std::size_t inputs = 0;        ///< of a bias: number of inputs of its linear map; 0: it belongs to none
  bool has_padding_row = false;  ///< of a table: row 0 is the padding row and starts at 0

  std::size_t size() const;
};

/// A parameter with its place in the flat vector.
struct Slice : Declaration {
  std::size_t offset = 0;
};

/// The composite that owns the parameters fills it once; weights, gradients and moments share it.
class Layout {
 public:
  /// Adds a slice. A second slice with the same name is the same one (tied parameters); its shape must be equal,
  /// else Error.
  void declare(const Declaration& declaration);

  /// Gives every slice its place: weights first, so that one boundary separates parameters with and without decay. Within each
  /// part the order is that of declaration, but slices whose size is no multiple of four come last, such as the bias of an odd number
  /// of words. Then the others begin at multiples of 16 bytes, if all weights have such sizes, and a GPU reads four numbers at once.
  void finish();

  const std::vector<Slice>& slices() const { return slices_; }  ///< weights first, in the order of declaration
  const Slice& find(const std::string& name) const;             ///< Error if there is none
  std::size_t size() const { return size_; }                    ///< number of parameters in all
  std::size_t decaying() const { return decaying_; }            ///< slices before this element decay

 private:
  void place(bool weights);

  std::vector<Slice> slices_;
  std::size_t size_ = 0, decaying_ = 0;
};

}  // namespace gradus
