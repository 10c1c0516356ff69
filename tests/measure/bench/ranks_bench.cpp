// Training steps on the ranks that mpirun has started, or on one. Rank 0 prints JSON.
//
//     bench_ranks THREADS SECONDS
//
// ranks.py runs it, in alternation.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "09_transformer/initialise.hpp"
#include "10_training/step/step.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/ranks/world.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<float>;
using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

/// Sentences as long as captions, with words from the whole vocabulary.
IdPairs captions(std::size_t tokens, std::size_t vocab) {
  IdPairs pairs;
  for (std::size_t k = 0, used = 0; used < tokens; used += pairs.target.back().size() + 1) {
    pairs.source.emplace_back(), pairs.target.emplace_back();
    for (std::vector<std::int32_t>* side : {&pairs.source.back(), &pairs.target.back()}) {
      for (std::size_t i = 0; i < 9 + pairs.source.size() % 9; ++i)
        side->push_back(static_cast<std::int32_t>(4 + (k += 7919) % (vocab - 4)));
    }
  }
  return pairs;
}

/// The model of the default options, and one batch.
ModelConfig config() {
  ModelConfig c;
  c.source_vocab = c.target_vocab = 9712;
  c.tying = Tying::all;
  c.embedding_rate = c.residual_rate = 0.3;
  c.attention_rate = c.activation_rate = 0.1;
  return c;
}

void measure(Ranks& ranks, std::size_t threads, double seconds) {
  const IdPairs pairs = captions(4096, 9712);
  std::vector<std::uint32_t> batch(pairs.size());
  std::size_t tokens = 0;
  for (std::uint32_t i = 0; i < batch.size(); ++i) batch[i] = i, tokens += pairs.target[i].size() + 1;
  Dev dev;
  Model<Dev> model(dev, config());
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  Corpus<Dev> corpus(dev, pairs, {});
  corpus.set_batches(dev, {batch});
  TrainingStep<Dev> step(model, corpus, 8, 0.1, {}, workers, {}, ranks);
  std::uint32_t number = 0;
  const auto run = [&] { step.start(0, {1, ++number, 1e-4}); };
  run(), run();
  const std::size_t sent_before = ranks.bytes_sent();
  run();
  const std::size_t sent = ranks.bytes_sent() - sent_before;
  const auto began = Clock::now();
  std::size_t steps = 0;
  for (bool goes_on = true; goes_on; goes_on = any(ranks, seconds_since(began) < seconds)) run(), ++steps;
  const double rate = static_cast<double>(tokens * steps) / seconds_since(began);
  const double formula = 2.0 * static_cast<double>((ranks.size() - 1) * model.layout.size() * sizeof(float)) /
                         static_cast<double>(ranks.size());
  if (!is_first(ranks)) return;
  std::printf("%s\n", nlohmann::ordered_json{{"ranks", ranks.size()},
                                             {"threads", threads},
                                             {"parameters", model.layout.size()},
                                             {"tokens_per_second", rate},
                                             {"bytes_sent", sent},
                                             {"bytes_by_formula", formula}}
                          .dump()
                          .c_str());
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas_core(argv);
  if (argc != 3) return 2;
  measure(world(), std::stoul(argv[1]), std::stod(argv[2]));
  leave_world();
  return 0;
}
