// The speed of translation: sentences per second on one thread, greedy and with a beam of 5, in batches and one by
// one, and of long sentences in batches of few and of many tokens. It counts processor time, so that other programs on the machine matter
// less. Random weights, d128 f256 4 heads 4+4, 9.7k words; every translation is forced to have 15 words.
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

/// As many sentences of `least` to `least` + 10 tokens.
std::vector<Sentence> sentences(std::size_t n, std::size_t least, std::size_t vocab) {
  std::mt19937 generator(5);
  std::vector<Sentence> all(n);
  for (Sentence& s : all) {
    for (std::size_t k = least - 1 + generator() % 11; k > 0; --k) {
      s.push_back(static_cast<std::int32_t>(4 + generator() % (vocab - 4)));
    }
    s.push_back(3);
  }
  return all;
}

/// Translates the sentences and prints the speed.
void measure(const char* what, const Model<Dev>& model, const std::vector<Sentence>& sources, std::size_t width,
             std::size_t batch, std::size_t tokens) {
  SearchOptions options;
  options.beam_size = width;
  options.batch_sentences = batch;
  options.batch_tokens = tokens;
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
  const auto n = static_cast<double>(sources.size());
  std::printf(
      "%s, beam %zu, batches of %3zu, %4zu tokens: %7.1f sentences/s, %6.0f words/s, %5.1f words a sentence\n",
      what, width, batch, tokens, n / best, static_cast<double>(output) / best, static_cast<double>(output) / n);
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
  const std::size_t vocab = config.source_vocab;
  for (const std::size_t batch : {1, 16, 48, 128}) {  // sentences like those of Multi30k
    for (const std::size_t width : {1, 5})
      measure("short", model, sentences(batch == 1 ? 32 : 256, 8, vocab), width, batch, 2048);
  }
  for (const std::size_t tokens : {128, 512, 2048})
    for (const std::size_t width : {1, 5}) measure("long", model, sentences(48, 60, vocab), width, 48, tokens);
}
