// The whole tiny model: from "the cat sleeps" to logits, to the most probable words, to a sentence.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "07_encoder/tiny_model.hpp"
#include "09_transformer/greedy.hpp"
#include "09_transformer/model.hpp"

using namespace gradus;
using tiny::Device;

namespace {

ModelConfig tiny_config() {
  ModelConfig c;
  c.source_vocab = tiny::english().size(), c.target_vocab = tiny::german().size();
  c.d_model = tiny::D, c.heads = tiny::H, c.ffn = tiny::F, c.encoder_layers = c.decoder_layers = 1;
  c.tying = Tying::none;
  c.max_length = 16;
  return c;
}

void print_words(const char* what, const std::vector<std::string>& words) {
  std::printf("%s", what);
  for (const std::string& word : words) std::printf(" %s", word.c_str());
  std::printf("\n");
}

/// Logits with one row for each word and one column for each position, so that the longer side runs down the page.
void print_transposed(In<Device, 2> logits) {
  std::vector<double> t;
  for (std::size_t j = 0; j < logits.extent[1]; ++j) {
    for (std::size_t n = 0; n < logits.extent[0]; ++n) t.push_back(logits.row(n)[j]);
  }
  tiny::print("logits, transposed (Vocab, Nt)", {t.data(), {logits.extent[1], logits.extent[0]}, logits.extent[0]},
              tiny::german());
}

void likeliest(Device& dev, In<Device, 2> logits, const std::vector<std::string>& after) {
  const std::size_t N = logits.extent[0], K = 3;
  const Out<Device, 2> scores = dev.kept.matrix(N, K);
  const OutInts<Device, 2> ids = as_matrix(dev.kept.ints(N * K), N, K);
  log_probs_top_k(dev, scores, ids, logits);
  tiny::section("the three likeliest words");
  for (std::size_t n = 0; n < N; ++n) {
    std::printf("  after %s:", after[n].c_str());
    for (std::size_t k = 0; k < K; ++k) {
      std::printf("  %s %.2f", tiny::german()[static_cast<std::size_t>(ids.row(n)[k])].c_str(), scores.row(n)[k]);
    }
    std::printf("\n");
  }
}

void parameters(const ModelConfig& config, const Layout& layout) {
  tiny::section("how many parameters");
  std::printf("tiny model: layout %zu, formula %zu\n", layout.size(), parameter_count(config));
  ModelConfig base;
  base.source_vocab = base.target_vocab = 37000;
  base.d_model = 512, base.heads = 8, base.ffn = 2048, base.encoder_layers = base.decoder_layers = 6;
  base.norm = Norm::post, base.tying = Tying::all;
  std::printf("the paper's base model: formula %zu\n", parameter_count(base));
}

void spreads() {
  ModelConfig config;
  config.source_vocab = config.target_vocab = 1000;
  config.d_model = 64, config.ffn = 256, config.encoder_layers = config.decoder_layers = 1;
  const Layout layout = transformer_layout<Device>(config);
  tiny::section("standard deviation at the start, D = 64, F = 256");
  std::printf("                  inner.w  outer.w     wqkv  embedding\n");
  for (const Name<Initialisation>& kind : Names<Initialisation>::table) {
    std::printf("  %-15s", kind.name);
    for (const char* name : {"encoder.0.feed_forward.inner.w", "encoder.0.feed_forward.outer.w",
                             "encoder.0.self_attention.wqkv", "source_embedding"}) {
      std::size_t i = 0;
      while (layout.slices()[i].name != name) ++i;
      double squares = 0;
      const std::vector<double> values = initial_values(layout, i, {kind.value, 0.02, 1});
      for (const double v : values) squares += v * v;
      std::printf(" %8.3f", std::sqrt(squares / static_cast<double>(values.size())));
    }
    std::printf("\n");
  }
}

}  // namespace

int main() {
  Device dev;
  const ModelConfig config = tiny_config();
  const Model<Device> model(dev, config);
  tiny::load(dev, model.flat(), model.layout);

  const auto &source = tiny::source_ids(), &input = tiny::decoder_input_ids();
  const SegmentTable sources = tiny::one_sentence(source), targets = tiny::one_sentence(input);
  const Batch<Device> batch{tiny::view(source), sources.view(), tiny::view(input), targets.view(), {}};
  TransformerCache<Device> cache;
  transformer_forward(dev, cache, batch, model.params, config);
  const Out<Device, 2> logits = dev.kept.matrix(input.size(), config.target_vocab);
  output_forward(dev, logits, cache.output(), model.params.output);

  const std::vector<std::string> input_words = tiny::words(tiny::german(), input);
  tiny::section("from memory to logits");
  print_words("source:       ", tiny::words(tiny::english(), source));
  print_words("decoder input:", input_words);
  tiny::print("the decoder's output (Nt, D)", cache.output(), input_words);
  print_transposed(logits);
  likeliest(dev, logits, input_words);

  tiny::section("greedy decoding");
  const std::vector<Sentence> answer = greedy_decode(dev, {source}, model.params, config);
  print_words("the cat sleeps ->", tiny::words(tiny::german(), answer[0]));

  parameters(config, model.layout);
  spreads();
}
