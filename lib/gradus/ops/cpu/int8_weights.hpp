#pragma once
/// \file
/// The 8-bit copies of a model's weights. A Cpu that is given them multiplies with the copy wherever a product asks for the weights.

#include <map>
#include <memory>
#include <tuple>

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

  /// Copies w, (k, m), or if `transposed` a table (m, k). A matrix of the same address and form replaces the earlier one.
  void add(View<const float, 2, Host> w, bool transposed);

  /// The copy of w, or null.
  const Matrix* find(View<const float, 2, Host> w, bool transposed) const;

 private:
  using Key = std::tuple<const float*, std::size_t, bool>;  // address, columns, transposed
  std::map<Key, std::shared_ptr<const Matrix>> matrices_;
};

}  // namespace gradus
