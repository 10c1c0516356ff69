#pragma once
/// \file
/// The 8-bit copies of a model's weights. A Cpu that is given them multiplies with the copy wherever a product asks for the weights.

#include <memory>
#include <unordered_map>

#include "gradus/tensor/view.hpp"

namespace gradus {

template <class Steps>
class Int8Matrix;
struct FastSteps;

/// Copies of matrices, found by the address of the original. They stay valid while the originals stay where they are and do not
/// change. Several threads may read one.
class Int8Weights {
 public:
  using Matrix = Int8Matrix<FastSteps>;

  Int8Weights();
  ~Int8Weights();
  Int8Weights(const Int8Weights&) = delete;
  Int8Weights& operator=(const Int8Weights&) = delete;

  /// Copies w, (k, m), or if `transposed` a table (m, k). A matrix of the same address and form replaces the earlier one.
  void add(View<const float, 2, Host> w, bool transposed);

  /// The copy of w, or null.
  const Matrix* find(View<const float, 2, Host> w, bool transposed) const;

 private:
  struct Key {
    const float* data;
    std::size_t columns;
    bool transposed;
    bool operator==(const Key& k) const {
      return data == k.data && columns == k.columns && transposed == k.transposed;
    }
  };
  struct Hash {
    std::size_t operator()(const Key& k) const { return std::hash<const float*>()(k.data) ^ k.columns; }
  };
  std::unordered_map<Key, std::unique_ptr<const Matrix>, Hash> matrices_;
};

}  // namespace gradus
