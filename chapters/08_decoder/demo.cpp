// The decoder on "<bos> die Katze schläft", with the memory of "the cat sleeps".

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "07_encoder/encoder.hpp"
#include "07_encoder/tiny_model.hpp"
#include "08_decoder/decoder.hpp"

using namespace gradus;
using tiny::Device;

namespace {

In<Device, 2> memory_of(Device& dev, const std::vector<std::int32_t>& ids) {
  const StackOptions options = tiny::stack();
  const tiny::Half<EncoderParams<Device>> encoder(
      dev, [&](auto& bind) { return encoder_params(bind, "encoder", options); });
  EncoderCache<Device> cache;
  encoder_forward(dev, cache, {tiny::embedded(dev, ids, "source_embedding"), tiny::one_sentence(ids).view()},
                  encoder.params, options);
  return cache.output;
}

}  // namespace

int main() {
  Device dev;
  const auto &source = tiny::source_ids(), &target = tiny::decoder_input_ids();
  const std::vector<std::string> english = tiny::words(tiny::english(), source);
  const std::vector<std::string> german = tiny::words(tiny::german(), target);
  const In<Device, 2> memory = memory_of(dev, source), x = tiny::embedded(dev, target, "target_embedding");

  const StackOptions options = tiny::stack();
  const tiny::Half<DecoderParams<Device>> decoder(
      dev, [&](auto& bind) { return decoder_params(bind, "decoder", options); });
  const SegmentTable sources = tiny::one_sentence(source), targets = tiny::one_sentence(target);
  DecoderCache<Device> cache;
  decoder_forward(dev, cache, {x, targets.view()}, {memory, sources.view()}, decoder.params, options);
  const DecoderLayerCache<Device>& layer = cache.layers[0];

  tiny::section("what comes in");
  tiny::print("memory, from the encoder (Ns, D)", memory, english);
  tiny::print("x, the embedded decoder input (Nt, D)", x, german);
  tiny::print("u, its norm, what self-attention reads (Nt, D)", cache.first, german);

  tiny::section("self-attention, causal");
  tiny::print("weights of head 0: nothing to the right of the diagonal",
              tiny::head(layer.self_attention.attention.weights, 0), german);
  tiny::print("n1 after it (Nt, D)", layer.after_self_attention.n, german);

  tiny::section("a score by hand");
  const double* const q = layer.cross_attention.q.row(2);
  for (std::size_t i = 0; i < english.size(); ++i) {
    const double* const k = layer.cross_attention.kv.row(i);
    std::printf("\"Katze\" asks \"%s\", head 0: (%.2f)(%.2f) + (%.2f)(%.2f), over sqrt(2): %.2f\n",
                english[i].c_str(), q[0], k[0], q[1], k[1], (q[0] * k[0] + q[1] * k[1]) / std::sqrt(2.0));
  }

  tiny::section("cross-attention");
  std::printf("columns: the cat sleeps <eos>\n");
  tiny::print("weights of head 0 (Nt, Ns)", tiny::head(layer.cross_attention.attention.weights, 0), german);
  tiny::print("weights of head 1", tiny::head(layer.cross_attention.attention.weights, 1), german);
  tiny::print("n2 after it (Nt, D)", layer.after_cross_attention.n, german);

  tiny::section("the decoder's output");
  tiny::print("n3 after the feed-forward network (Nt, D)", cache.output, german);

  const SegmentTable shorter = SegmentTable::packed({2});
  DecoderCache<Device> other;
  decoder_forward(dev, other, {x, targets.view()}, {rows(memory, 0, 2), shorter.view()}, decoder.params, options);
  tiny::section("a memory of two words");
  tiny::print("weights of head 0 (Nt, 2)", tiny::head(other.layers[0].cross_attention.attention.weights, 0),
              german);
}
