#pragma once
/// \file
/// Matrices that own their memory, with a gap after each row that must not change.

#include <random>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus::test {

template <class Real>
struct Owned {
  static constexpr double gap_value = -77;
  std::size_t rows, columns, stride;
  std::vector<Real> memory;

  Owned(std::size_t r, std::size_t c, std::size_t gap = 0, double fill = gap_value)
      : rows(r), columns(c), stride(c + gap), memory(r * (c + gap) + 1, Real(fill)) {}

  /// Standard normal numbers; the gaps keep gap_value.
  static Owned normal(std::size_t r, std::size_t c, std::size_t gap, unsigned seed) {
    Owned m(r, c, gap);
    std::mt19937_64 generator(seed);
    std::normal_distribution<double> draw;
    for (std::size_t i = 0; i < r; ++i) {
      for (std::size_t j = 0; j < c; ++j) m.view().row(i)[j] = static_cast<Real>(draw(generator));
    }
    return m;
  }

  View<Real, 2, Host> view() { return {memory.data(), {rows, columns}, stride}; }
  bool gaps_untouched() const {
    for (std::size_t i = 0; i < rows; ++i) {
      for (std::size_t j = columns; j < stride; ++j) {
        if (!(memory[i * stride + j] == Real(gap_value))) return false;
      }
    }
    return memory.back() == Real(gap_value);
  }
};

}  // namespace gradus::test
