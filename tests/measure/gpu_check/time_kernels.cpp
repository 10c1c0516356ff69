/// \file
/// Times the machine's limits, and single kernels: each other version and the one of the models.

#include "00_foundations/cuda/product_ladder_cuda.hpp"
#include "03_attention/attention.hpp"
#include "05_layer_norm/layer_norm.hpp"
#include "10_training/loss/cuda/output_loss_cuda.hpp"
#include "gradus/kernels/version.hpp"
#include "gradus/ops/elementwise.hpp"
#include "gradus/ops/gemm.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/probe_kernels.hpp"
#include "measure/gpu_check/timing.hpp"

namespace gradus::test {
namespace {

using Dev = Cuda<float>;

/// The device and the tensors of a measurement. The numbers are random, because a GPU multiplies zeros faster.
struct Bench {
  Dev dev;
  Workspace<float, Gpu> memory;
  // each recording has its own sizes, because the device distinguishes recordings by sizes alone
  std::size_t recordings = 0;

  Out<Dev, 1> vector(std::size_t n) {
    Draw draw;
    std::vector<float> host(n);
    for (float& x : host) x = static_cast<float>(draw.below(2000)) / 1000 - 1;
    const Out<Dev, 1> v = memory.vector(n);
    write(dev, v, host);
    return v;
  }
  Out<Dev, 2> matrix(std::size_t rows, std::size_t columns) {
    return as_matrix(vector(rows * columns), rows, columns);
  }

  OutInts<Dev, 1> ints(const std::vector<std::int32_t>& host) {
    const OutInts<Dev, 1> v = memory.ints(host.size());
    write(dev, v, host);
    return v;
  }
};

/// One call of f among `count` in a recording, as a training step would replay it.
template <class F>
Timing recorded(const Stopwatch& watch, Bench& bench, std::size_t count, const F& f) {
  const StepSizes sizes{++bench.recordings};
  const auto calls = [&] {
    for (std::size_t i = 0; i < count; ++i) f();
  };
  return watch.time([&] { bench.dev.run_step(sizes, calls); }, count);
}

std::string times_text(std::size_t a, std::size_t b, std::size_t c) {
  return std::to_string(a) + " x " + std::to_string(b) + " x " + std::to_string(c);
}

void time_launches(const Stopwatch& watch, TimingTable& table) {
  constexpr std::size_t count = 100;
  const auto launches = [] {
    for (std::size_t i = 0; i < count; ++i) launch_empty();
  };
  table.add(
      "empty kernel, launched", [&] { return watch.time(launches, count); }, 1, "launches/s");
  gpu::Recording recording;
  recording.begin();
  launches();
  recording.end();
  table.add(
      "empty kernel, in a recording", [&] { return watch.time([&] { recording.replay(); }, count); }, 1,
      "launches/s");
}

void time_copy(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table) {
  Workspace<float, Gpu> memory;
  const auto from = memory.vector(sizes.copied), to = memory.vector(sizes.copied);
  gpu::set_bytes(from.data, 0, sizes.copied * sizeof(float));
  table.add(
      "copy of " + std::to_string(sizes.copied * sizeof(float)) + " bytes",
      [&] { return watch.time([&] { launch_copy(to, from); }); }, 8e-9 * static_cast<double>(sizes.copied), "GB/s");
}

/// c = a b, or c + a^T b, with a (n, k) and b (k, m), in each of the three ways.
void time_product(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table, std::size_t n,
                  std::size_t k, std::size_t m, bool is_weight_gradient) {
  for (const auto& [name, products] :
       {std::pair{"exact", Products::exact}, {"tf32", Products::tf32}, {"bf16", Products::bf16}}) {
    Bench bench;
    bench.dev.products = products;
    const auto a = is_weight_gradient ? bench.matrix(k, n) : bench.matrix(n, k);
    const auto b = bench.matrix(k, m), c = bench.matrix(n, m);
    const auto multiply = [&] {
      if (is_weight_gradient) {
        gemm_add(bench.dev, c, transposed(a), b);
      } else {
        gemm(bench.dev, c, a, b);
      }
    };
    const double operations = 2e-12 * static_cast<double>(n) * static_cast<double>(k) * static_cast<double>(m);
    table.add(
        "product " + times_text(n, k, m) + ", " + name,
        [&] { return recorded(watch, bench, sizes.recorded, multiply); }, operations, "TFLOP/s");
  }
}

/// A square product by each step of the ladder, and by cuBLAS.
void time_ladder(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table) {
  const std::size_t n = sizes.ladder;
  Bench bench;
  const auto a = bench.matrix(n, n), b = bench.matrix(n, n), c = bench.matrix(n, n);
  const auto row = [&](const std::string& name, const auto& f) {
    table.add(
        "product by " + name + ", " + times_text(n, n, n),
        [&] { return recorded(watch, bench, sizes.recorded, f); }, 2e-12 * static_cast<double>(n * n * n),
        "TFLOP/s");
  };
  for (const auto& [name, step] : {std::pair{"naive", ProductStep::naive},
                                   {"coalesced", ProductStep::coalesced},
                                   {"shared tile", ProductStep::shared_tile},
                                   {"register tile", ProductStep::register_tile}}) {
    row(name, [&, s = step] { ladder_product<float>(bench.dev, c, a, b, s); });
  }
  row("cuBLAS", [&] { gemm(bench.dev, c, a, b); });
}

void time_layer_norm(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table, std::size_t N,
                     std::size_t D) {
  Bench bench, maker;  // the caches of the maker's forward pass must last
  Dev& dev = bench.dev;
  const auto x = bench.matrix(N, D), y = bench.matrix(N, D), dy = bench.matrix(N, D);
  const NormParams<Dev> p{bench.vector(D), bench.vector(D)}, dp{bench.vector(D), bench.vector(D)};
  NormCache<Dev> cache, made;
  layer_norm_forward(maker.dev, y, made, x, p);
  const auto row = [&](const std::string& name, double matrices, const auto& f) {
    table.add(
        "layer_norm " + name + ", " + std::to_string(N) + " rows",
        [&] { return recorded(watch, bench, sizes.recorded, f); }, 4e-9 * matrices * static_cast<double>(N * D),
        "GB/s");
  };
  using Version = KernelVersion<LayerNormForward<Dev>, LayerNormBackward<Dev>>;
  for (const Version* v : Version::all())
    row("forward, " + v->name, 2, [&, v] { std::get<0>(v->calls)(dev, y, cache, x, p); });
  row("forward", 2, [&] { layer_norm_forward(dev, y, cache, x, p); });
  for (const Version* v : Version::all())
    row("backward, " + v->name, 3, [&, v] { std::get<1>(v->calls)(dev, y, dp, dy, x, made, p); });
  row("backward", 3, [&] {
    layer_norm_backward(dev, y, dp, dy, x, made, p);
    add_due_sums(dev);
  });
}

/// The self-attention of the decoder, on the target side of a batch. "blocks": as if no sentence were short.
void time_attention(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table, const ModelConfig& model,
                    const HostBatch& batch, std::size_t tokens) {
  Bench bench, maker;
  Dev& dev = bench.dev;
  const SegmentTable& t = batch.target_segments;
  const Segments<Dev> segments{bench.ints(t.begin), bench.ints(t.length), t.rows, t.longest};
  const std::size_t N = t.rows, D = model.d_model;
  const auto q = bench.matrix(N, D), k = bench.matrix(N, D), v = bench.matrix(N, D), y = bench.matrix(N, D),
             dq = bench.matrix(N, D), dk = bench.matrix(N, D), dv = bench.matrix(N, D);
  const auto for_blocks =
      columns(bench.matrix(N, D + 2), 0, D);  // most of its rows begin at no multiple of 16 bytes
  const AttentionOptions options{model.heads, true, {model.attention_rate, 1, Side::target}};
  AttentionCache<Dev> cache, made;
  attention_forward(maker.dev, y, made, {q, k, v, segments, segments}, options);
  double pairs = 0;  // number of pairs of a query and a key that it sees
  for (const std::int32_t length : t.length) pairs += 0.5 * length * (length + 1);
  const auto row = [&](const std::string& name, double products, const auto& f) {
    table.add(
        "attention " + name + ", " + std::to_string(tokens) + " tokens",
        [&] { return recorded(watch, bench, sizes.recorded, f); },
        2e-12 * products * pairs * static_cast<double>(D), "TFLOP/s");
  };
  using Version = KernelVersion<AttentionForward<Dev>, AttentionBackward<Dev>>;
  for (const Version* version : Version::all()) {
    row("forward, " + version->name, 2, [&, version] {
      std::get<0>(version->calls)(dev, y, cache, {q, k, v, segments, segments}, options);
    });
  }
  row("forward", 2, [&] { attention_forward(dev, y, cache, {q, k, v, segments, segments}, options); });
  row("forward, blocks", 2, [&] {
    attention_forward(dev, y, cache, {for_blocks, k, v, segments, segments}, options);
  });
  for (const Version* version : Version::all()) {
    row("backward, " + version->name, 4, [&, version] {
      std::get<1>(version->calls)(dev, {dq, dk, dv}, y, {q, k, v, segments, segments}, made, options);
    });
  }
  row("backward", 4, [&] {
    attention_backward(dev, {dq, dk, dv}, y, {q, k, v, segments, segments}, made, options);
  });
  row("backward, blocks", 4, [&] {
    attention_backward(dev, {dq, dk, dv}, y, {q, k, for_blocks, segments, segments}, made, options);
  });
}

/// The work between the products of the output layer, on one chunk of its rows.
void time_output_loss(const Stopwatch& watch, const TimingSizes& sizes, TimingTable& table, std::size_t vocab) {
  const std::size_t N = sizes.is_tiny ? 4 : 1024;
  Bench bench;
  const auto z = bench.matrix(N, vocab);
  const auto row_loss = bench.vector(N);
  Draw draw;
  std::vector<std::int32_t> words(N);
  for (auto& w : words) w = static_cast<std::int32_t>(draw.below(static_cast<std::uint32_t>(vocab)));
  const Ints<Dev, 1> target = bench.ints(words);
  const auto row = [&](const std::string& name, const auto& f) {
    table.add(
        "output_loss rows" + name + ", " + std::to_string(N) + " x " + std::to_string(vocab),
        [&] { return recorded(watch, bench, sizes.recorded, f); }, 8e-9 * static_cast<double>(N * vocab), "GB/s");
  };
  using Version = KernelVersion<LossRows<float>>;
  for (const Version* v : Version::all())
    row(", " + v->name, [&, v] { std::get<0>(v->calls)(bench.dev, z, row_loss, target, 0.1, true); });
  row("", [&] { loss_rows(bench.dev, z, row_loss, target, 0.1, true); });
}

}  // namespace

void time_ceilings(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, TimingTable& table) {
  table.several("launches", [&] { time_launches(watch, table); });
  table.several("copy", [&] { time_copy(watch, sizes, table); });
  const auto product = [&](std::size_t n, std::size_t k, std::size_t m, bool is_weight_gradient) {
    table.several("product " + times_text(n, k, m),
                  [&] { time_product(watch, sizes, table, n, k, m, is_weight_gradient); });
  };
  const std::size_t D = model.d_model, F = model.ffn, square = sizes.gemm;
  for (const std::size_t N : {sizes.tokens.front(), sizes.tokens.back()}) {
    product(N, D, 3 * D, false);
    product(N, D, F, false);
    product(N, F, D, false);
    product(D, N, F, true);
  }
  product(sizes.is_tiny ? 4 : 1024, D, model.target_vocab, false);
  product(square, square, square, false);
}

void time_kernels(const Stopwatch& watch, const TimingSizes& sizes, const ModelConfig& model, const IdPairs& pairs,
                  TimingTable& table) {
  table.several("the ladder of products", [&] { time_ladder(watch, sizes, table); });
  for (const std::size_t N : sizes.rows)
    table.several("layer_norm", [&] { time_layer_norm(watch, sizes, table, N, model.d_model); });
  for (const std::size_t tokens : {sizes.tokens.front(), sizes.tokens.back()}) {
    table.several("attention", [&] {
      const HostBatch batch = pack(batches_in_order(pairs, tokens, 1).front(), pairs, {});
      time_attention(watch, sizes, table, model, batch, tokens);
    });
  }
  table.several("output_loss", [&] { time_output_loss(watch, sizes, table, model.target_vocab); });
}

}  // namespace gradus::test
