// The encoder on "the cat sleeps", step by step: one layer of width 4 with two heads.

#include <cstdio>
#include <string>
#include <vector>

#include "07_encoder/encoder.hpp"
#include "07_encoder/tiny_model.hpp"

using namespace gradus;
using tiny::Device;

namespace {

void count(const Layout& layout) {
  tiny::section("the parameters of one layer");
  std::size_t all = 0;
  for (const Slice& s : layout.slices()) {
    if (s.name.find("encoder.0.") != 0) continue;
    std::printf("  %-36s", s.name.c_str());
    for (const std::size_t n : s.shape) std::printf(" %3zu", n);
    std::printf("%*s= %3zu\n", s.shape.size() == 1 ? 5 : 1, "", s.size());
    all += s.size();
  }
  std::printf("  %zu in all\n", all);
}

}  // namespace

int main() {
  Device dev;
  const std::vector<std::int32_t>& ids = tiny::source_ids();
  const std::vector<std::string> words = tiny::words(tiny::english(), ids);
  const SegmentTable sentence = tiny::one_sentence(ids);
  const In<Device, 2> x = tiny::embedded(dev, ids, "source_embedding");

  const StackOptions options = tiny::stack();
  const tiny::Half<EncoderParams<Device>> encoder(
      dev, [&](auto& bind) { return encoder_params(bind, "encoder", options); });
  EncoderCache<Device> cache;
  encoder_forward(dev, cache, {x, sentence.view()}, encoder.params, options);
  const EncoderLayerCache<Device>& layer = cache.layers[0];

  tiny::section("what the first sublayer reads");
  tiny::print("x, the stream (N, D)", x, words);
  tiny::print("u = layer_norm(x)", cache.first, words);

  tiny::section("self-attention");
  tiny::print("weights of head 0: who looks (row) at whom (column)",
              tiny::head(layer.self_attention.attention.weights, 0), words);
  tiny::print("weights of head 1", tiny::head(layer.self_attention.attention.weights, 1), words);
  tiny::print("s = x + self_attention(u)", layer.after_self_attention.s, words);
  tiny::print("n = layer_norm(s)", layer.after_self_attention.n, words);

  tiny::section("feed-forward");
  tiny::print("relu(n w1 + b1) (N, F)", layer.feed_forward.h, words);
  tiny::print("s = s + feed_forward(n)", layer.after_feed_forward.s, words);

  tiny::section("the memory");
  tiny::print("n = layer_norm(s), the encoder's output (N, D)", cache.output, words);

  count(encoder.layout);
}
