/// \file
/// Training steps of gradus, for the comparison with PyTorch: d128, f256, 4 heads, 4 + 4 layers, on the ids of a corpus.
///
///     bench_steps --ids FOLDER IDS
///     bench_steps IDS THREADS STEPS [--batches FILE]
///
/// The first writes the ids of Multi30k in FOLDER, packed, by the bundled model's vocabulary, as `gradus data --ids`
/// does. The second prints JSON: seconds of each step, tokens, processor time. With --batches it only writes the
/// batches, one a line, as numbers of pairs: PyTorch then trains on the same ones.

#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>

#include "09_transformer/initialise.hpp"
#include "10_training/step/step.hpp"
#include "11_translator/data/id_file.hpp"
#include "11_translator/data/multi30k_ids.hpp"
#include "11_translator/storage/model_files.hpp"
#include "app/bench/samples.hpp"
#include "app/models/known_models.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/util/process.hpp"

namespace {

using namespace gradus;

ModelConfig config_of(const IdCorpus& corpus) {
  ModelConfig c;  // d128 f256, 4 heads, 4 + 4 layers
  c.source_vocab = corpus.source_vocab;
  c.target_vocab = corpus.target_vocab;
  c.tying = Tying::all;
  c.embedding_rate = c.residual_rate = 0.3;
  c.activation_rate = 0.1;
  return c;
}

/// Sentences of similar length form a batch. Here that saves nothing, but PyTorch pads them.
BatchList batches_of(const IdPairs& pairs) {
  BatchOptions options;
  options.order = BatchOrder::length;
  return make_batches(pairs, options, 1, 1);
}

void write_batches(const std::string& path, const BatchList& batches) {
  std::string text;
  for (const auto& batch : batches) {
    for (const std::uint32_t pair : batch) text += std::to_string(pair) + " ";
    text.back() = '\n';
  }
  write_atomically(path, text);
}

void run(const IdCorpus& corpus, const IdPairs& pairs, std::size_t threads, std::size_t steps) {
  Cpu<float> dev;
  Model<Cpu<float>> model(dev, config_of(corpus));
  initialise(dev, model.flat(), model.layout, {});
  Workers workers(threads);
  Corpus<Cpu<float>> device_corpus(dev, pairs, {});
  const BatchList batches = batches_of(pairs);
  device_corpus.set_batches(dev, batches);
  TrainingStep<Cpu<float>> step(model, device_corpus, 8, 0.1, {}, workers);
  constexpr std::size_t warm_up = 3;
  Samples samples;
  std::size_t tokens = 0, source_tokens = 0;
  for (std::uint32_t k = 0; k < steps + warm_up; ++k) {
    measure(samples, k >= warm_up, [&] { step.run(k, {1, k + 1, 1e-3}); });
    if (k < warm_up) continue;
    for (const std::uint32_t pair : batches[k]) {
      tokens += pairs.target[pair].size() + 1;
      source_tokens += pairs.source[pair].size() + 1;
    }
  }
  const nlohmann::ordered_json result{{"blas_core", blas_core()},
                                      {"threads", threads},
                                      {"tokens", tokens},
                                      {"source_tokens", source_tokens},
                                      {"seconds", samples.total()},
                                      {"processor_share", samples.processor_total() / samples.total()},
                                      {"peak_memory_mb", static_cast<double>(peak_memory()) / 1e6}};
  std::printf("%s\n", result.dump().c_str());
}

}  // namespace

int main(int argc, char** argv) {
  prefer_better_blas_core(argv);
  if (argc < 4)
    return std::fprintf(stderr, "bench_steps --ids FOLDER IDS, or IDS THREADS STEPS [--batches FILE]\n"), 2;
  if (std::string(argv[1]) == "--ids") {
    const gradus::Tokenizers words = gradus::load_model(gradus::default_model()).tokenizers;
    gradus::write_atomically(argv[3], gradus::to_text(gradus::multi30k_ids(argv[2], words, {})));
    return 0;
  }
  const gradus::IdCorpus corpus = gradus::id_corpus(gradus::read_file(argv[1]), argv[1]);
  std::size_t dropped = 0;
  const gradus::IdPairs pairs = gradus::without_too_long(corpus.parts.at("train"), 256, dropped);
  if (argc == 6) {
    write_batches(argv[5], batches_of(pairs));
  } else {
    run(corpus, pairs, std::stoul(argv[2]), std::stoul(argv[3]));
  }
}
