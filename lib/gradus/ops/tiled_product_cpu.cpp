#include "gradus/ops/tiled_product_cpu.hpp"

#include "gradus/ops/register_tile_cpu.hpp"

namespace gradus {
namespace {

struct Product {
  View<float, 2, Host> c;
  View<const float, 2, Host> a, b;
  float scale;
  bool add;
};

/// R rows and V registers of columns.
template <int R, int V>
void tile(const Product& p, std::size_t row, std::size_t column) {
  Vector<float> sum[R * V];
  register_tile<R, V, float>(sum, {p.a.row(row), p.a.stride}, {p.b.data + column, p.b.stride}, p.b.extent[0]);
  for (std::size_t i = 0; i < R * V; ++i) {
    float* const to = p.c.row(row + i / V) + column + i % V * vector_width<float>;
    store<float>(to, p.add ? load(to) + p.scale * sum[i] : p.scale * sum[i]);
  }
}

/// All rows of V registers of columns, as often as there are so many columns left. These columns of b stay in the nearest cache.
template <int V, int most_rows = tile_rows>
std::size_t columns(const Product& p, std::size_t from) {
  constexpr std::size_t width = V * vector_width<float>;
  for (; from + width <= p.c.extent[1]; from += width) {
    each_row_tile(p.c.extent[0], [&](std::size_t row, auto rows) {
      if constexpr (rows() <= most_rows) tile<rows(), V>(p, row, from);
    });
  }
  return from;
}

}  // namespace

void multiply_by_tiles(View<float, 2, Host> c, View<const float, 2, Host> a, View<const float, 2, Host> b,
                       float scale, bool add) {
  const Product p{c, a, b, scale, add};
  std::size_t from = 0;
  if (c.extent[0] <= 3) from = columns<2 * tile_registers, 3>(p, from);  // for few rows, longer pieces of b
  from = columns<tile_registers>(p, from);
  columns<1>(p, from);
}

}  // namespace gradus
