#pragma once
/// \file
/// The product of a matrix of float with weights of 8 bits: chapters/11_translator/int8.md has the formulas.

#include <vector>

#include "gradus/memory/workspace.hpp"
#include "gradus/ops/cpu/int8_tile_cpu.hpp"
#include "gradus/tensor/check.hpp"

namespace gradus {

/// The largest 8-bit number in use. -128 is left out, so that x and -x round alike.
constexpr float int8_most = 127;

/// More inputs could overflow a sum: 2^31 / (255 * 127).
constexpr std::size_t int8_longest = 65536;

/// Weights (k, m), rounded to 8 bits: w_ij is about scale_j q_ij, and scale_j is the largest |w_ij| of column j over 127. They lie in
/// panels of columns, in the order in which tiles read them.
template <class Steps>
class Int8Matrix {
 public:
  /// Rounds w (k, m); if `transposed`, w is (m, k). Error if k is beyond int8_longest.
  Int8Matrix(View<const float, 2, Host> w, bool transposed);

  std::size_t rows() const { return k_; }
  std::size_t columns() const { return m_; }
  std::size_t groups() const { return (k_ + Steps::group - 1) / Steps::group; }  ///< words of a column
  std::size_t panels() const { return (m_ + panel_columns - 1) / panel_columns; }
  const std::int8_t* panel(std::size_t i) const { return numbers_.data() + i * panel_bytes(); }
  const float* scale() const { return scale_.data(); }  ///< (m), and zeros up to whole panels
  const std::int32_t* surplus() const {
    return surplus_.data();
  }  ///< what the offset adds to the sum of each column

 private:
  std::size_t place(std::size_t d, std::size_t j) const;  ///< of w_dj in numbers_
  std::size_t panel_bytes() const { return groups() * Steps::group * panel_columns; }

  std::size_t k_, m_;
  std::vector<std::int8_t> numbers_;
  std::vector<float> scale_;
  std::vector<std::int32_t> surplus_;
};

/// Rows (n, k) rounded to 8 bits, each with a scale of its own.
template <class Steps>
struct Int8Rows {
  Strided<typename Steps::Number> numbers;
  const float* scale;  ///< (n)
};

/// Rounds x, into memory of `scratch`.
template <class Steps>
Int8Rows<Steps> int8_rows(Workspace<float, Host>& scratch, View<const float, 2, Host> x);

/// The tile of R rows from row i by panel j, as floats: to (R, panel_columns).
template <class Steps, int R>
void int8_tile_as_float(float* to, const Int8Rows<Steps>& x, std::size_t i, const Int8Matrix<Steps>& w,
                        std::size_t j) {
  constexpr std::size_t width = vector_width<float>;
  const Strided<typename Steps::Number> a{x.numbers.data + i * x.numbers.stride, x.numbers.stride};
  const float *const of_row = x.scale + i, *const of_column = w.scale() + j * panel_columns;
  const std::int32_t* const surplus = w.surplus() + j * panel_columns;
  int8_tile<Steps, R>(a, w.panel(j), w.groups(), [=](std::size_t r, std::size_t v, Words sum) {
    const Words exact = sum - load(surplus + v * width);
    const Vector<float> scale = of_row[r] * load(of_column + v * width);
    store<float>(to + r * panel_columns + v * width, scale * __builtin_convertvector(exact, Vector<float>));
  });
}

/// computes  c = scale x w,  or c + scale x w if `add`, with x rounded row by row
/// requires  x (n, k), w (k, m), c (n, m), else Error
/// ensures   A row of c depends on the same row of x and on w alone, to the bit; on all processors alike, up to the rounding
///           of the last multiplications.
template <class Steps>
void int8_multiply(Workspace<float, Host>& scratch, View<float, 2, Host> c, View<const float, 2, Host> x,
                   const Int8Matrix<Steps>& w, float scale, bool add);

}  // namespace gradus
