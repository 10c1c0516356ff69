/// \file
/// The share of matrix products in a training step. Steps take turns with the products of a step alone (same sizes,
/// same threads), so that both run under the same conditions. The rest of a step is this project's own code.
///
///     bench_training [FILE.json]        d128 f256 4 heads 4+4 layers, 9,712 words, 4,096 tokens, two threads

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "09_transformer/initialise.hpp"
#include "10_training/step/step.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/ops/gemm.hpp"

namespace {

using namespace gradus;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}
double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}

/// Pairs as long as photo captions are: 8 to 24 subwords, until the target side holds `tokens`.
IdPairs captions(std::size_t tokens, std::int32_t vocab) {
  std::mt19937 generator(1);
  IdPairs pairs;
  for (std::size_t total = 0;;) {
    std::vector<std::int32_t> s(8 + generator() % 17), t(8 + generator() % 17);
    if ((total += t.size() + 1) > tokens) return pairs;
    for (auto* side : {&s, &t}) {
      for (auto& id : *side)
        id = 4 + static_cast<std::int32_t>(generator() % static_cast<std::uint32_t>(vocab - 4));
    }
    pairs.source.push_back(s);
    pairs.target.push_back(t);
  }
}

using Dev = Cpu<float>;
using Matrix = View<float, 2, Host>;

/// The three products of a linear map with `rows` rows, in memory of its own.
struct Map {
  Map(Workspace<float, Host>& memory, std::size_t rows, std::size_t in, std::size_t out)
      : x(memory.matrix(rows, in)),
        dx(memory.matrix(rows, in)),
        y(memory.matrix(rows, out)),
        w(memory.matrix(in, out)),
        dw(memory.matrix(in, out)) {}
  void run(Dev& dev) const {
    gemm(dev, y, x, w);
    gemm(dev, dx, y, transposed(w));
    gemm_add(dev, dw, transposed(x), y);
  }
  Matrix x, dx, y, w, dw;
};

/// Those of the output layer, for one chunk of rows.
struct Chunk {
  Chunk(Workspace<float, Host>& memory, std::size_t rows, std::size_t D, std::size_t vocab)
      : x(memory.matrix(rows, D)),
        dx(memory.matrix(rows, D)),
        z(memory.matrix(rows, vocab)),
        turned(memory.matrix(D, vocab)),
        table(memory.matrix(vocab, D)),
        dtable(memory.matrix(vocab, D)) {}
  void run(Dev& dev) const {
    gemm(dev, z, x, turned);
    gemm(dev, dx, z, table);
    gemm_add(dev, dtable, transposed(z), x);
  }
  Matrix x, dx, z, turned, table, dtable;
};

/// All products of a micro-batch of S source rows and T target rows.
struct MicroBatch {
  static constexpr std::size_t chunk = 132;  // as in output_loss

  MicroBatch(const ModelConfig& c, std::size_t S, std::size_t T) {
    const std::size_t D = c.d_model, F = c.ffn;
    const auto add = [&](std::size_t rows, std::size_t in, std::size_t out) {
      maps.emplace_back(memory, rows, in, out);
    };
    for (std::size_t l = 0; l < c.encoder_layers; ++l) add(S, D, 3 * D), add(S, D, D), add(S, D, F), add(S, F, D);
    for (std::size_t l = 0; l < c.decoder_layers; ++l) {
      add(T, D, 3 * D), add(T, D, D);                // self-attention
      add(T, D, D), add(S, D, 2 * D), add(T, D, D);  // cross-attention
      add(T, D, F), add(T, F, D);
    }
    for (std::size_t first = 0; first < T; first += chunk)
      chunks.emplace_back(memory, std::min(chunk, T - first), D, c.target_vocab);
  }
  void run() {
    for (const Map& map : maps) map.run(dev);
    for (const Chunk& one : chunks) one.run(dev);
  }
  double operations() const {
    double sum = 0;
    for (const Map& m : maps) sum += 6.0 * static_cast<double>(m.x.extent[0] * m.w.extent[0] * m.w.extent[1]);
    for (const Chunk& c : chunks)
      sum += 6.0 * static_cast<double>(c.x.extent[0] * c.table.extent[0] * c.table.extent[1]);
    return sum;
  }

  Dev dev;
  Workspace<float, Host> memory;
  std::vector<Map> maps;
  std::vector<Chunk> chunks;
};

double seconds_of(Workers& workers, std::vector<std::unique_ptr<MicroBatch>>& all) {
  const auto start = Clock::now();
  workers.each(all.size(), [&](std::size_t i) { all[i]->run(); });
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas_core(argv);
  constexpr std::size_t threads = 2, rounds = 25, micro_batches = 8;
  ModelConfig config;
  config.source_vocab = config.target_vocab = 9712;
  config.tying = Tying::all;
  config.embedding_rate = config.residual_rate = 0.3;
  config.attention_rate = config.activation_rate = 0.1;
  const IdPairs pairs = captions(4096, 9712);
  std::vector<std::uint32_t> batch(pairs.size());
  std::size_t tokens = 0;
  for (std::uint32_t i = 0; i < batch.size(); ++i) batch[i] = i, tokens += pairs.target[i].size() + 1;

  Cpu<float> dev;
  Model<Cpu<float>> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  Corpus<Cpu<float>> corpus(dev, pairs, {});
  corpus.set_batches(dev, {batch});
  TrainingStep<Cpu<float>> step(model, corpus, micro_batches, 0.1, {}, workers);
  std::uint32_t number = 0;
  const auto run = [&] {
    const auto start = Clock::now();
    step.run(0, {1, ++number, 1e-4});
    return seconds_since(start);
  };
  run();
  run();

  std::vector<std::unique_ptr<MicroBatch>> products;
  double operations = 0;
  for (const auto& part : split_batch(batch, pairs, micro_batches)) {
    const BatchSize size = batch_size(part, pairs);
    products.push_back(std::make_unique<MicroBatch>(config, size.source_rows, size.target_rows));
    operations += products.back()->operations();
  }
  seconds_of(workers, products);
  std::vector<double> steps, replays;
  for (std::size_t i = 0; i < rounds; ++i) {
    steps.push_back(run());
    replays.push_back(seconds_of(workers, products));
  }
  const double s = median(steps), r = median(replays);
  const nlohmann::ordered_json result{{"core", blas_core()},
                                      {"threads", threads},
                                      {"target_tokens", tokens},
                                      {"step_ms", std::round(1e4 * s) / 10},
                                      {"tokens_per_second", std::round(static_cast<double>(tokens) / s)},
                                      {"products_ms", std::round(1e4 * r) / 10},
                                      {"products_gflops", std::round(operations / r / 1e9)},
                                      {"share_of_products", std::round(1000 * r / s) / 1000}};
  std::printf("%s\n", result.dump(1).c_str());
  if (argc > 1) std::ofstream(argv[1]) << result.dump(1) << "\n";
  return r / s >= 0.70 ? 0 : 1;
}
