// The ground in numbers: a linear map forward and backward, two checks of a gradient, a dropout mask, a batch as
// rows plus offsets, a product in four steps.

#include <cmath>
#include <cstdio>

#include "00_foundations/cuda/product_tiles.hpp"
#include "00_foundations/dropout.hpp"
#include "00_foundations/linear.hpp"
#include "00_foundations/tiny.hpp"
#include "gradus/scalar/dual.hpp"
#include "gradus/tensor/segments.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

template <class Real>
View<Real, 2, Host> matrix(std::vector<Real>& values, std::size_t columns) {
  return {values.data(), {values.size() / columns, columns}, columns};
}
View<double, 1, Host> vector(std::vector<double>& values) {
  return {values.data(), {values.size()}, values.size()};
}

/// Whole numbers, so that readers can compute every result themselves.
void a_linear_map() {
  const std::vector<std::string> words{"the", "cat", "sleeps"};
  std::vector<double> x{1, 0, 2, -1, 0, 1, 1, 2, 2, -1, 0, 1}, w{1, 2, 0, 1, -1, 1, 2, 0}, b{1, -1};
  std::vector<double> y(6), dy{1, 0, 0, 2, -1, 1}, dx(12), dw(8, 0), db(2, 0);
  Device dev;
  const LinearParams<Device> p{matrix(w, 2), vector(b)}, dp{matrix(dw, 2), vector(db)};

  linear_forward(dev, matrix(y, 2), matrix(x, D), p);
  tiny::section("a linear map, forward");
  tiny::print("x (N, in)", matrix(x, D), words);
  tiny::print("w (in, out)", p.w);
  tiny::print("b (out)", In<Device, 1>(p.b));
  tiny::print("y (N, out)", matrix(y, 2), words);

  linear_backward(dev, matrix(dx, D), dp, matrix(dy, 2), matrix(x, D), p);
  tiny::section("a linear map, backward");
  tiny::print("dy (N, out)", matrix(dy, 2), words);
  tiny::print("dx (N, in)", matrix(dx, D), words);
  tiny::print("dw (in, out)", dp.w);
  tiny::print("db (out)", In<Device, 1>(dp.b));
}

/// The function that the checks use: loss(w) = sum of r exp(x w), with the tiny sentence as x and its query, key
/// and value weights as w. exp makes it non-linear; r is the random projection.
struct Checked {
  static constexpr std::size_t out = 3 * D;
  std::vector<double> x, w, r;

  Checked() {
    const In<Device, 2> table = tiny::matrix("source_embedding"),
                        wqkv = tiny::matrix("encoder.0.self_attention.wqkv");
    for (const std::int32_t id : tiny::source_ids()) {
      x.insert(x.end(), table.row(std::size_t(id)), table.row(std::size_t(id)) + D);
    }
    w.assign(wqkv.data, wqkv.data + D * out);
    for (std::uint32_t k = 0; k < x.size() / D * out; ++k) r.push_back(philox({k, 0, 0, 0}, 1)[0] * 0x1p-31 - 1);
  }

  /// y = x w in the number type of `weights`.
  template <class Real>
  std::vector<Real> forward(std::vector<Real> weights) const {
    std::vector<Real> rows(x.begin(), x.end()), y(r.size());
    Reference<Real> dev;
    linear_forward(dev, matrix(y, out), matrix(rows, D), LinearParams<Reference<Real>>{matrix(weights, out), {}});
    return y;
  }
  template <class Real>
  Real loss(const std::vector<Real>& weights) const {
    using std::exp;
    Real sum = 0;
    const std::vector<Real> y = forward(weights);
    for (std::size_t k = 0; k < y.size(); ++k) sum += r[k] * exp(y[k]);
    return sum;
  }
  /// The hand-written gradient: dy = r exp(y), then the linear map's backward.
  std::vector<double> dw() const {
    std::vector<double> dy = forward(w), rows = x, weights = w, result(w.size(), 0);
    for (std::size_t k = 0; k < dy.size(); ++k) dy[k] = r[k] * std::exp(dy[k]);
    Device dev;
    linear_backward(dev, {}, {matrix(result, out), {}}, matrix(dy, out), matrix(rows, D),
                    {matrix(weights, out), {}});
    return result;
  }
};

/// |found - expected| / |expected|
double error(const std::vector<double>& found, const std::vector<double>& expected) {
  double difference = 0, size = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference += (found[i] - expected[i]) * (found[i] - expected[i]);
    size += expected[i] * expected[i];
  }
  return std::sqrt(difference / size);
}

/// The nearest power of ten: the digits of a rounding error have no meaning.
double power_of_ten(double x) { return std::pow(10.0, std::round(std::log10(x))); }

void two_checks() {
  const Checked checked;
  const std::vector<double> dw = checked.dw();
  const auto moved = [&](std::size_t i, double h) {
    std::vector<double> w = checked.w;
    w[i] += h;
    return checked.loss(w);
  };

  tiny::section("the gradient against finite differences");
  std::printf("  errors as powers of ten\n       h   one-sided     central\n");
  const double loss = checked.loss(checked.w);
  for (int digits = 1; digits <= 11; ++digits) {
    const double h = std::pow(10.0, -digits);
    std::vector<double> one_sided, central;
    for (std::size_t i = 0; i < dw.size(); ++i) {
      one_sided.push_back((moved(i, 2 * h) - loss) / (2 * h));
      central.push_back((moved(i, h) - moved(i, -h)) / (2 * h));
    }
    std::printf("  1e-%02d       %.0e       %.0e\n", digits, power_of_ten(error(one_sided, dw)),
                power_of_ten(error(central, dw)));
  }

  std::vector<double> slopes;
  for (std::size_t i = 0; i < dw.size(); ++i) {
    std::vector<Dual> w(checked.w.begin(), checked.w.end());
    w[i].slope = 1;
    slopes.push_back(checked.loss(w).slope);
  }
  tiny::section("the same gradient against dual numbers");
  std::printf("  dloss/dw(0, 0): by hand %.6f, by dual number %.6f\n", dw[0], slopes[0]);
  std::printf("  relative error of all %zu: %.0e\n", dw.size(), error(slopes, dw));
}

void print_mask(const std::string& name, const Dropout& dropout, const StepState& state,
                const std::vector<std::string>& labels) {
  std::vector<double> ones(labels.size() * D, 1), m(ones.size());
  Device dev;
  dev.set(state);
  dropout_forward(dev, matrix(m, D), matrix(ones, D), dropout);
  tiny::print(name, matrix(m, D), labels);
}

void a_dropout_mask() {
  const Dropout dropout{0.25, 0, Side::source};
  StepState state;
  state.seed = 1;
  state.step = 1;
  const std::vector<std::string> words = tiny::words(tiny::english(), tiny::source_ids());
  std::vector<double> u;
  for (std::uint32_t n = 0; n < words.size(); ++n) {
    for (const std::uint32_t word : philox({0, n, dropout.site, state.step}, state.seed))
      u.push_back(word * 0x1p-32);
  }
  tiny::section("a dropout mask");
  tiny::print("Philox words / 2^32 (N, D), seed 1, step 1, site 0", matrix(u, D), words);
  print_mask("m (N, D) at rate 0.25", dropout, state, words);
  state.source_row = 2;
  print_mask("m of a micro-batch that begins at row 2", dropout, state, {words[2], words[3]});
}

std::string cell(const std::string& text) { return std::string(7 - text.size(), ' ') + text; }

void a_batch() {
  const std::vector<std::string> words{"the",  "cat", "sleeps", "<eos>", "the", "dog",
                                       "sees", "a",   "bird",   "<eos>", "-",   "-"};
  SegmentTable table = SegmentTable::packed({4, 6});
  table.rows = words.size();  // a capacity: two spare rows
  tiny::section("a batch as rows plus offsets");
  std::string numbers, owners;
  for (std::size_t n = 0; n < table.rows; ++n) {
    const std::size_t i = n < std::size_t(table.begin[1]) ? 0 : 1;
    const bool spare = n >= std::size_t(table.begin[i]) + std::size_t(table.length[i]);
    numbers += cell(std::to_string(n));
    owners += cell(spare ? "spare" : std::to_string(i));
  }
  std::string text;
  for (const std::string& word : words) text += cell(word);
  std::printf("  row     %s\n  word    %s\n  sentence%s\n", numbers.c_str(), text.c_str(), owners.c_str());
  std::printf("  begin   %7d%7d\n  length  %7d%7d\n", table.begin[0], table.begin[1], table.length[0],
              table.length[1]);
  std::printf("  rows %zu, longest %zu\n", table.rows, table.longest);
}

/// What the steps of a product of two n x n matrices of floats read from global memory, as gpu.md derives it.
void a_product_in_steps() {
  constexpr double n = 1024, products = n * n * n, sector = 32, number = 4;
  using Tiles = ProductTiles;
  const auto line = [&](const char* step, double bytes, double shared_reads) {
    std::printf("  %-18s %10.0f %10.3f", step, bytes / 1e6, 2 * products / bytes);
    shared_reads > 0 ? std::printf(" %10.2f\n", shared_reads) : std::printf(" %10s\n", "-");
  };
  tiny::section("a product in four steps");
  std::printf("  %-18s %10s %10s %10s\n", "n = 1024", "MB", "ops/byte", "shared");
  line("naive", products / 32 * (32 + 1) * sector, 0);
  line("coalesced", products / 32 * (1 + 4) * sector, 0);
  line("shared tile", 2 * products / Tiles::side * number, 2);
  line("register tile", 2 * products / Tiles::wide * number, 2.0 / Tiles::each);
  line("each matrix once", 3 * n * n * number, 0);
}

}  // namespace

int main() {
  a_linear_map();
  two_checks();
  a_dropout_mask();
  a_batch();
  a_product_in_steps();
}
