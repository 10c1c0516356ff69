#include "09_transformer/output_top_k.hpp"

#include <cmath>
#include <limits>

#include "09_transformer/cpu/best_words_cpu.hpp"
#include "gradus/ops/cpu/exp_cpu.hpp"
#include "gradus/ops/cpu/int8_product_cpu.hpp"
#include "gradus/ops/cpu/int8_weights.hpp"
#include "gradus/ops/cpu/register_tile_cpu.hpp"
#include "gradus/ops/cpu/transpose_cpu.hpp"

// The table is read in panels of words. A panel is turned: its row d holds element d of each of its words, so that the words lie
// side by side in a register. A tile of logits, some rows by one panel, is made in registers and used at once.

namespace gradus {
namespace {

/// Words of a panel.
template <class Real>
constexpr std::size_t panel_words = tile_registers* vector_width<Real>;

/// panel (D, words) = the rows from `first` of the table, turned; zeros beyond the table.
template <class Real>
void turn(Real* panel, View<Real, 2, Host> table, std::size_t first) {
  constexpr std::size_t words = panel_words<Real>;
  const auto [vocab, D] = table.extent;
  const std::size_t count = std::min(words, vocab - first);
  if (count < words) std::fill_n(panel, D * words, Real(0));
  transpose(panel, words, table.row(first), table.stride, count, D);
}

/// What is known of a row after some of its words, beside the best of them.
template <class Real>
struct RowSoFar {
  Real& largest;  ///< the largest logit
  Real* sum;      ///< a register, whose elements add up to the sum of exp(logit - largest)
};

/// Takes the logits z of the n words of a panel, from word `first` on; beyond them z is the lowest number. `best` and `ids`
/// are the row's best K words so far.
template <class Real>
void take_words(const RowSoFar<Real>& row, Real* best, std::int32_t* ids, std::size_t K, const Real* z,
                std::size_t n, std::size_t first) {
  constexpr std::size_t words = panel_words<Real>, width = vector_width<Real>;
  Vector<Real> top = load(z);
  for (std::size_t j = width; j < words; j += width) top = larger<Real>(load(z + j), top);
  if (first < K || largest_element<Real>(top) > best[K - 1]) {
    select(best, ids, K, z, n, first);
    if (best[0] > row.largest) {
      store<Real>(row.sum, fast_exp(row.largest - best[0]) * load(row.sum));
      row.largest = best[0];
    }
  }
  const Real m = row.largest;
  Vector<Real> sum = load(row.sum);
  for (std::size_t j = 0; j < words; j += width) sum += exp_of_elements<Real>(load(z + j) - m);
  store<Real>(row.sum, sum);
}

template <class Real, class Dev>
void check(Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> x, const OutputParams<Dev>& p) {
  check_output_params<Dev>(x, p);
  const std::size_t vocab = p.table.extent[0];
  check_log_probs_top_k<Dev>(scores, ids, {nullptr, {x.extent[0], vocab}, vocab});
  const std::size_t panels = (vocab + panel_words<Real> - 1) / panel_words<Real>;
  check_optional("output_top_k: panels", p.panels, {panels, x.extent[1] * panel_words<Real>});
}

/// Tiles of logits from the table as it is.
template <class Real>
struct RealTiles {
  View<const Real, 2, Host> x;
  View<Real, 2, Host> table;
  View<const Real, 2, Host> panels;
  Real* own;  ///< memory for a panel, if there are none

  /// to (R, words): the logits of R rows from row i by the panel that begins with word `first`.
  template <int R>
  void logits(Real* to, std::size_t i, std::size_t first) const {
    constexpr std::size_t words = panel_words<Real>;
    const Strided<Real> panel{panels ? panels.row(first / words) : own, words};
    register_tile<R, tile_registers>(Strided<Real>{x.row(i), x.stride}, panel, x.extent[1],  // eq:9.3
                                     [=](std::size_t r, std::size_t v, Vector<Real> z) {
                                       store<Real>(to + r * words + v * vector_width<Real>, z);
                                     });
  }
  void begin(std::size_t first) const {
    if (!panels) turn(own, table, first);
  }
};

/// Tiles of logits from its 8-bit copy.
struct Int8Tiles {
  Int8Rows<FastSteps> x;
  const Int8Matrix<FastSteps>& table;

  template <int R>
  void logits(float* to, std::size_t i, std::size_t first) const {
    int8_tile_as_float<FastSteps, R>(to, x, i, table, first / panel_columns);  // eq:9.3
  }
  void begin(std::size_t) const {}
};

/// All words of all rows, panel by panel: the best K, and what their logarithms need.
template <class Real, class Dev, class Tiles>
void choose_words(const Tiles& tiles, Out<Dev, 2> scores, OutInts<Dev, 2> ids, Out<Dev, 1> largest, Out<Dev, 2> sum,
                  const OutputParams<Dev>& p) {
  constexpr std::size_t words = panel_words<Real>;
  const std::size_t vocab = p.table.extent[0], K = scores.extent[1];
  for (std::size_t first = 0; first < vocab; first += words) {
    tiles.begin(first);
    const std::size_t n = std::min(words, vocab - first);
    each_row_tile(scores.extent[0], [&](std::size_t i, auto rows) {
      Real logits[rows() * words];
      tiles.template logits<rows()>(logits, i, first);
      for (std::size_t r = 0; r < rows(); ++r) {
        Real* const of_row = logits + r * words;
        for (std::size_t j = 0; p.bias && j < n; ++j) of_row[j] += p.bias[first + j];
        std::fill(of_row + n, of_row + words, std::numeric_limits<Real>::lowest());
        take_words<Real>({largest[i + r], sum.row(i + r)}, scores.row(i + r), ids.row(i + r), K, of_row, n, first);
      }
    });
  }
}

/// The 8-bit copy of the table, if the device has one.
template <class Real>
const Int8Weights::Matrix* int8_table(const Cpu<Real>& dev, View<const Real, 2, Host> table) {
  if constexpr (std::is_same_v<Real, float>) {
    if (dev.int8_weights) return dev.int8_weights->find(table, true);
  }
  return nullptr;
}

}  // namespace

template <class Real, class Dev>
void output_top_k(Cpu<Real>& dev, Out<Dev, 2> scores, OutInts<Dev, 2> ids, In<Dev, 2> x,
                  const OutputParams<Dev>& p) {
  check<Real, Dev>(scores, ids, x, p);
  const std::size_t N = x.extent[0], K = scores.extent[1];
  Scratch scope(dev);
  const Out<Dev, 1> largest = dev.scratch.vector(N);
  const Out<Dev, 2> sum = dev.scratch.matrix(N, vector_width<Real>);  // as RowSoFar says
  std::fill_n(largest.data, N, std::numeric_limits<Real>::lowest());
  std::fill_n(sum.data, N * sum.stride, Real(0));
  if (const Int8Weights::Matrix* const table = int8_table<Real>(dev, p.table)) {
    if constexpr (std::is_same_v<Real, float>)
      choose_words<Real, Dev>(Int8Tiles{int8_rows<FastSteps>(dev.scratch, x), *table}, scores, ids, largest, sum,
                              p);
  } else {
    Real* const own = dev.scratch.vector(x.extent[1] * panel_words<Real>).data;
    choose_words<Real, Dev>(RealTiles<Real>{x, p.table, p.panels, own}, scores, ids, largest, sum, p);
  }
  for (std::size_t i = 0; i < N; ++i) {
    const Real log_sum = std::log(sum_of_elements<Real>(load(sum.row(i))));
    for (std::size_t k = 0; k < K; ++k) scores.row(i)[k] = (scores.row(i)[k] - largest[i]) - log_sum;  // eq:9.5
  }
}

template <class Real, class Dev>
In<Dev, 2> output_panels(Cpu<Real>&, Workspace<Real, Host>& memory, const OutputParams<Dev>& p) {
  constexpr std::size_t words = panel_words<Real>;
  const auto [vocab, D] = p.table.extent;
  const Out<Dev, 2> panels = memory.matrix((vocab + words - 1) / words, D * words);
  for (std::size_t i = 0; i < panels.extent[0]; ++i) turn(panels.row(i), p.table, i * words);
  return panels;
}

using F = Cpu<float>;
using D = Cpu<double>;
template void output_top_k(F&, Out<F, 2>, OutInts<F, 2>, In<F, 2>, const OutputParams<F>&);
template void output_top_k(D&, Out<D, 2>, OutInts<D, 2>, In<D, 2>, const OutputParams<D>&);
template In<F, 2> output_panels(F&, Workspace<float, Host>&, const OutputParams<F>&);
template In<D, 2> output_panels(D&, Workspace<double, Host>&, const OutputParams<D>&);

}  // namespace gradus
