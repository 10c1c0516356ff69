/// \file
/// The share of matrix products in a training step. Steps take turns with replays of a step's products (same
/// operands, same threads), so that both run under the same conditions. The rest of a step is this project's own
/// code.
///
///     bench_training [FILE.json]        d128 f256 4 heads 4+4 layers, 9,712 words, 4,096 tokens, two threads

#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "09_transformer/initialise.hpp"
#include "10_training/step.hpp"
#include "gradus/ops/blas_core.hpp"

namespace {

struct Product {
  CBLAS_TRANSPOSE ta, tb;
  int n, m, k;
  float alpha;
  const float* a;
  int lda;
  const float* b;
  int ldb;
  float beta;
  float* c;
  int ldc;
};

bool recording = false;
std::mutex mutex;
std::map<std::thread::id, std::vector<Product>> products;  // of one step, by the thread that computed them

using Sgemm = decltype(&cblas_sgemm);
Sgemm blas() {
  static const auto real = reinterpret_cast<Sgemm>(dlsym(RTLD_NEXT, "cblas_sgemm"));
  return real;
}

}  // namespace

/// Called instead of the library's own function, which it then calls: this records the products without changing
/// the code.
extern "C" void cblas_sgemm(OPENBLAS_CONST enum CBLAS_ORDER order, OPENBLAS_CONST enum CBLAS_TRANSPOSE ta,
                            OPENBLAS_CONST enum CBLAS_TRANSPOSE tb, OPENBLAS_CONST blasint n,
                            OPENBLAS_CONST blasint m, OPENBLAS_CONST blasint k, OPENBLAS_CONST float alpha,
                            OPENBLAS_CONST float* a, OPENBLAS_CONST blasint lda, OPENBLAS_CONST float* b,
                            OPENBLAS_CONST blasint ldb, OPENBLAS_CONST float beta, float* c,
                            OPENBLAS_CONST blasint ldc) {
  if (recording) {
    const std::lock_guard lock(mutex);
    products[std::this_thread::get_id()].push_back({ta, tb, n, m, k, alpha, a, lda, b, ldb, beta, c, ldc});
  }
  blas()(order, ta, tb, n, m, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

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

double replay(Workers& workers, const std::vector<std::vector<Product>>& lists) {
  const auto start = Clock::now();
  workers.each(lists.size(), [&](std::size_t i) {
    for (const Product& p : lists[i]) {
      blas()(CblasRowMajor, p.ta, p.tb, p.n, p.m, p.k, p.alpha, p.a, p.lda, p.b, p.ldb, p.beta, p.c, p.ldc);
    }
  });
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas_core(argv);
  constexpr std::size_t threads = 2, rounds = 25;
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
  TrainingStep<Cpu<float>> step(model, corpus, 8, 0.1, {}, workers);
  std::uint32_t number = 0;
  const auto run = [&] {
    const auto start = Clock::now();
    step.run(0, {1, ++number, 1e-4});
    return seconds_since(start);
  };
  run();
  run();
  recording = true;
  run();
  recording = false;

  std::vector<std::vector<Product>> lists;
  double operations = 0;
  for (const auto& [thread, list] : products) {
    lists.push_back(list);
    for (const Product& p : list) operations += 2.0 * p.n * p.m * p.k;
  }
  std::vector<double> steps, replays;
  for (std::size_t i = 0; i < rounds; ++i) {
    steps.push_back(run());
    replays.push_back(replay(workers, lists));
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
