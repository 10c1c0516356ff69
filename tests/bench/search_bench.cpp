// The speed of translation: sentences per second on one thread, greedy and with a beam of 5, in batches and one by
// one. It counts processor time, so that other programs on the machine matter less. Random weights, d128 f256 4
// heads 4+4, 9.7k words; every translation is forced to have 15 words.
//
//     cmake --build build/release --target bench_search && build/release/.../bench_search

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <random>

#include "09_transformer/model.hpp"
#include "11_translator/search/search.hpp"

using namespace gradus;

namespace {

using Dev = Cpu<float>;
constexpr std::size_t words = 15;

/// As many sentences of 8 to 18 tokens, like those of Multi30k.
std::vector<Sentence> sentences(std::size_t n, std::size_t vocab) {
  std::mt19937 generator(5);
  std::vector<Sentence> all(n);
  for (Sentence& s : all) {
    for (std::size_t k = 7 + generator() % 11; k > 0; --k) {
      s.push_back(static_cast<std::int32_t>(4 + generator() % (vocab - 4)));
    }
    s.push_back(3);
  }
  return all;
}

void measure(const Model<Dev>& model, std::size_t width, std::size_t batch, std::size_t n) {
  const std::vector<Sentence> sources = sentences(n, model.config.source_vocab);
  SearchOptions options;
  options.beam_size = width;
  options.batch_sentences = batch;
  options.decoding.length_factor = 0;
  options.decoding.length_extra = words;
  double best = 1e9;
  std::size_t output = 0;
  for (int run = 0; run < 3; ++run) {
    Workers one(1);
    const std::clock_t start = std::clock();
    const auto found = translate_ids<Dev>(one, model.params, model.config, sources, options);
    best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    output = 0;
    for (const NBest& t : found) output += t[0].log_probs.size();
  }
  std::printf("beam %zu, batches of %3zu: %7.1f sentences/s, %6.0f words/s, %5.1f words a sentence\n", width, batch,
              static_cast<double>(n) / best, static_cast<double>(output) / best,
              static_cast<double>(output) / static_cast<double>(n));
}

}  // namespace

int main() {
  Dev dev;
  ModelConfig config;  // d128 f256, 4 heads, 4 + 4 layers, output tied to the target embedding
  config.source_vocab = config.target_vocab = 9712;
  Model<Dev> model(dev, config);
  initialise(dev, model.flat(), model.layout, {});
  model.freeze(dev);
  std::printf("d128 f256 4+4, %zu words, %zu words a translation, one thread\n", config.target_vocab, words);
  for (const std::size_t batch : {std::size_t{1}, std::size_t{16}, std::size_t{48}, std::size_t{128}}) {
    for (const std::size_t width : {std::size_t{1}, std::size_t{5}})
      measure(model, width, batch, batch == 1 ? 32 : 256);
  }
}
