#include "gradus/ops/cpu/float_product_cpu.hpp"

#include <algorithm>
#include <utility>

#include "gradus/ops/cpu/register_tile_cpu.hpp"
#include "gradus/ops/cpu/transpose_cpu.hpp"

namespace gradus {
namespace {

// multiply_few_rows takes sixteen (or `width`) rows of b at a time. Each has a vector of partial sums, element by element:
//
//     partial[j] += a[d .. d + width) * b_j[d .. d + width)
//
// At the end `sums` adds up the elements of each vector.

constexpr std::size_t width = vector_width<float>;
using Floats = Vector<float>;

/// The loop over j, written out by the compiler, so that every partial sum stays in a register.
template <std::size_t... j>
void add_products(Floats* partial, Floats x, const float* b, std::size_t stride, std::index_sequence<j...>) {
  ((partial[j] += x * load(b + j * stride)), ...);
}

float dot(const float* a, const float* b, std::size_t begin, std::size_t end) {
  float sum = 0;
  for (std::size_t d = begin; d < end; ++d) sum += a[d] * b[d];
  return sum;
}

/// The dot products of `a` with `width` rows of b, the first of which is `row`.
Floats dots(const float* a, View<const float, 2, Host> b, std::size_t row) {
  const std::size_t k = b.extent[1], whole = k - k % width;
  Floats partial[width] = {};
  for (std::size_t d = 0; d < whole; d += width) {
    add_products(partial, load(a + d), b.row(row) + d, b.stride, std::make_index_sequence<width>());
  }
  Floats products = sums<float>(partial);
  if (whole < k) {
    for (std::size_t j = 0; j < width; ++j) products[j] += dot(a, b.row(row + j), whole, k);
  }
  return products;
}

struct Product {
  View<float, 2, Host> c;
  View<const float, 2, Host> a, b;
  float scale;
  bool add;
};

/// R rows and V registers of columns. `turned`: p.a is the transposed of the left factor.
template <int R, int V, bool turned>
void tile(const Product& p, std::size_t row, std::size_t column) {
  const float* const a = turned ? p.a.data + row : p.a.row(row);
  float* const c = p.c.row(row) + column;
  const std::size_t stride = p.c.stride;
  // The lines of the result must be in the cache when the sums are ready, even if they are only written.
  for (std::size_t i = 0; i < R * V; ++i) __builtin_prefetch(c + i / V * stride + i % V * width, 1);
  const float scale = p.scale;
  const bool add = p.add;
  register_tile<R, V, float, turned>({a, p.a.stride}, {p.b.data + column, p.b.stride}, p.b.extent[0],
                                     [=](std::size_t r, std::size_t v, Floats sum) {
                                       float* const to = c + r * stride + v * width;
                                       store<float>(to, add ? load(to) + scale * sum : scale * sum);
                                     });
}

/// All rows of V registers of columns, as often as there are so many columns left. These columns of b stay in the nearest cache.
template <int V, bool turned, int most_rows = tile_rows>
std::size_t columns(const Product& p, std::size_t from) {
  constexpr std::size_t at_once = V * width;
  for (; from + at_once <= p.c.extent[1]; from += at_once) {
    each_row_tile(p.c.extent[0], [&](std::size_t row, auto rows) {
      if constexpr (rows() <= most_rows) tile<rows(), V, turned>(p, row, from);
    });
  }
  return from;
}

template <bool turned>
void all_columns(const Product& p) {
  std::size_t from = 0;
  if (p.c.extent[0] <= 3)
    from = columns<2 * tile_registers, turned, 3>(p, from);  // for few rows, longer pieces of b
  from = columns<tile_registers, turned>(p, from);
  columns<1, turned>(p, from);
}

/// Part after part of the sums and of the rows, so that both factors of a part stay in a near cache.
template <bool turned>
void all_parts(const Product& p) {
  constexpr std::size_t deep = 512, high = 40 * tile_rows;
  const std::size_t k = p.b.extent[0], n = p.c.extent[0];
  for (std::size_t d = 0; d < k; d += deep) {
    for (std::size_t i = 0; i < n; i += high) {
      const std::size_t terms = std::min(deep, k - d), count = std::min(high, n - i);
      const float* const a = turned ? p.a.row(d) + i : p.a.row(i) + d;
      all_columns<turned>({rows(p.c, i, count), {a, {}, p.a.stride}, rows(p.b, d, terms), p.scale, p.add || d > 0});
    }
  }
}

/// The transposed of b, in `memory`.
View<const float, 2, Host> turned_copy(Workspace<float, Host>& memory, View<const float, 2, Host> b) {
  const auto [m, k] = b.extent;
  const View<float, 2, Host> to = memory.matrix(k, m);
  transpose(to.data, to.stride, b.data, b.stride, m, k);
  return to;
}

}  // namespace

void multiply_few_rows(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add) {
  const auto [n, m] = c.extent;
  std::size_t j = 0;
  for (; j + width <= m; j += width) {  // these rows of b stay in the nearest cache for all rows of a
    for (std::size_t i = 0; i < n; ++i) {
      const Floats products = scale * dots(a.row(i), b, j);
      store<float>(c.row(i) + j, add ? load(c.row(i) + j) + products : products);
    }
  }
  for (; j < m; ++j) {
    for (std::size_t i = 0; i < n; ++i) {
      float& to = c.row(i)[j];
      to = (add ? to : 0) + scale * dot(a.row(i), b.row(j), 0, b.extent[1]);
    }
  }
}

void multiply_by_tiles(Workspace<float, Host>& scratch, View<float, 2, Host> c, View<const float, 2, Host> a,
                       View<const float, 2, Host> b, TiledForm form, float scale, bool add) {
  const auto mark = scratch.mark();
  const Product p{c, a, form.b_transposed ? turned_copy(scratch, b) : b, scale, add};
  form.a_transposed ? all_parts<true>(p) : all_parts<false>(p);
  scratch.release(mark);
}

}  // namespace gradus
