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

struct Slice {
  std::string name;
  Kind kind = Kind::weight;
  std::vector<std::size_t> shape;
  std::size_t offset = 0;

  std::size_t size() const;
};

/// Filled once by the composite that owns the parameters, then shared by weights, gradients and moments.
class Layout {
 public:
  /// Declares a slice. A name that is declared twice is one slice (tied parameters); its shape must agree.
  void declare(const std::string& name, Kind kind, const std::vector<std::size_t>& shape);

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
