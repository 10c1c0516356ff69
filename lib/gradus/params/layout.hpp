#pragma once
/// \file
/// Where each parameter lives in the one flat store: named slices, those that decay first.

#include <cstddef>
#include <string>
#include <vector>

namespace gradus {

/// What a parameter is: decides whether weight decay applies and how it starts.
enum class Kind {
  weight,     ///< a matrix of a linear map, (in, out): decays
  embedding,  ///< a table, one row a word, (Vocab, D): does not decay
  bias,       ///< starts at 0, does not decay
  gain        ///< the gamma of a norm: starts at 1, does not decay
};

/// A parameter as its composite declares it. Its name is for people and files alone: what it means stands here.
struct Declaration {
  std::string name;
  Kind kind = Kind::weight;
  std::vector<std::size_t> shape;
  std::size_t maps = 1;          ///< of a weight: linear maps packed side by side, each (in, out / maps)
  std::size_t inputs = 0;        ///< of a bias: inputs of the linear map that it is added to; 0: of none
  bool has_padding_row = false;  ///< of a table: row 0 stands for padding and starts at 0

  std::size_t size() const;
};

/// A parameter with its place in the store.
struct Slice : Declaration {
  std::size_t offset = 0;
};

/// Filled once by the composite that owns the parameters, then shared by weights, gradients and moments.
class Layout {
 public:
  /// Adds a slice. A name that is declared twice is one slice (tied parameters); its shape must agree, else Error.
  void declare(const Declaration& declaration);

  /// Gives every slice its place: weights first, in the order of declaration, so that one boundary says what
  /// decays.
  void finish();

  const std::vector<Slice>& slices() const { return slices_; }
  const Slice& find(const std::string& name) const;   ///< Error if there is none
  std::size_t size() const { return size_; }          ///< parameters in all
  std::size_t decaying() const { return decaying_; }  ///< slices before this element decay

 private:
  std::vector<Slice> slices_;
  std::size_t size_ = 0, decaying_ = 0;
};

}  // namespace gradus
