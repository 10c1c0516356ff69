#include "gradus/ops/cpu/int8_product_cpu.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace gradus {
namespace {

/// The scale of numbers, the largest of which becomes 127. It is NaN if a number is not finite, so that products with them are NaN,
/// as those of float are.
float scale_of(const float* x, std::size_t n) {
  float most = 0, zero = 0;
#pragma omp simd reduction(max : most) reduction(+ : zero)
  for (std::size_t d = 0; d < n; ++d) {
    const float size = std::abs(x[d]);
    most = size > most ? size : most;
    zero += 0 * x[d];
  }
  return std::isnan(zero) ? zero : most / int8_most;
}

/// to = x / scale, rounded to the nearest integer, a half away from zero, plus offset. Without a scale that can be inverted, x is zero
/// or not finite: the integers are zeros.
template <class Number>
void round_all(Number* to, const float* x, std::size_t n, float scale, int offset) {
  const float factor = scale >= std::numeric_limits<float>::min() ? 1 / scale : 0;
  if (factor == 0) return std::fill_n(to, n, static_cast<Number>(offset)), void();
#pragma omp simd
  for (std::size_t d = 0; d < n; ++d) {
    const float exact = x[d] * factor;
    to[d] = static_cast<Number>(static_cast<int>(exact + (exact < 0 ? -0.5F : 0.5F)) + offset);
  }
}

}  // namespace

template <class Steps>
Int8Matrix<Steps>::Int8Matrix(View<const float, 2, Host> w, bool transposed)
    : k_(w.extent[transposed ? 1 : 0]), m_(w.extent[transposed ? 0 : 1]) {
  if (k_ > int8_longest) fail("weights of 8 bits: " + std::to_string(k_) + " inputs are more than a sum can hold");
  numbers_.resize(panels() * panel_bytes());
  scale_.resize(panels() * panel_columns);
  surplus_.resize(scale_.size());
  std::vector<float> column(k_);
  std::vector<std::int8_t> rounded(k_);
  for (std::size_t j = 0; j < m_; ++j) {
    for (std::size_t d = 0; d < k_; ++d) column[d] = transposed ? w.row(j)[d] : w.row(d)[j];
    scale_[j] = scale_of(column.data(), k_);
    round_all(rounded.data(), column.data(), k_, scale_[j], 0);
    for (std::size_t d = 0; d < k_; ++d) numbers_[place(d, j)] = rounded[d];
    surplus_[j] = Steps::offset * std::accumulate(rounded.begin(), rounded.end(), 0);
  }
}

template <class Steps>
std::size_t Int8Matrix<Steps>::place(std::size_t d, std::size_t j) const {
  constexpr std::size_t group = Steps::group;
  return j / panel_columns * panel_bytes() + (d / group * panel_columns + j % panel_columns) * group + d % group;
}

template <class Steps>
Int8Rows<Steps> int8_rows(Workspace<float, Host>& scratch, View<const float, 2, Host> x) {
  using Number = typename Steps::Number;
  const auto [n, k] = x.extent;
  const std::size_t words = (k + Steps::group - 1) / Steps::group, stride = words * Steps::group;
  auto* const numbers = reinterpret_cast<Number*>(scratch.ints(n * words).data);
  float* const scale = scratch.vector(n).data;
  for (std::size_t i = 0; i < n; ++i) {
    Number* const to = numbers + i * stride;
    scale[i] = scale_of(x.row(i), k);
    round_all(to, x.row(i), k, scale[i], Steps::offset);
    std::fill(to + k, to + stride, static_cast<Number>(Steps::offset));  // up to a whole word
  }
  return {{numbers, stride}, scale};
}

template <class Steps>
void int8_multiply(Workspace<float, Host>& scratch, View<float, 2, Host> c, View<const float, 2, Host> x,
                   const Int8Matrix<Steps>& w, float scale, bool add) {
  check_shape("8-bit product: x", x, {c.extent[0], w.rows()});
  check_shape("8-bit product: c", c, {c.extent[0], w.columns()});
  const auto mark = scratch.mark();
  const Int8Rows<Steps> rounded = int8_rows<Steps>(scratch, x);
  for (std::size_t j = 0; j < w.panels(); ++j) {  // a panel stays in the nearest cache for all rows
    const std::size_t first = j * panel_columns, columns = std::min(panel_columns, w.columns() - first);
    each_row_tile(c.extent[0], [&](std::size_t i, auto rows) {
      float tile[rows() * panel_columns];
      int8_tile_as_float<Steps, rows()>(tile, rounded, i, w, j);
      for (std::size_t r = 0; r < rows(); ++r) {
        float* const to = c.row(i + r) + first;
        const float* const from = tile + r * panel_columns;
        for (std::size_t v = 0; v < columns; ++v) to[v] = (add ? to[v] : 0) + scale * from[v];
      }
    });
  }
  scratch.release(mark);
}

template class Int8Matrix<PlainSteps>;
template class Int8Matrix<FastSteps>;
using Rows = View<const float, 2, Host>;
template Int8Rows<PlainSteps> int8_rows(Workspace<float, Host>&, Rows);
template Int8Rows<FastSteps> int8_rows(Workspace<float, Host>&, Rows);
template void int8_multiply(Workspace<float, Host>&, View<float, 2, Host>, Rows, const Int8Matrix<PlainSteps>&,
                            float, bool);
template void int8_multiply(Workspace<float, Host>&, View<float, 2, Host>, Rows, const Int8Matrix<FastSteps>&,
                            float, bool);

}  // namespace gradus
