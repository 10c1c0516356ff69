// The decoder reads "<bos> die Katze schläft" beside what the encoder made of "the cat sleeps".

#include <cmath>
#include <cstdio>

#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids.hpp"
#include "07_encoder/tiny_model.hpp"
#include "08_decoder/decoder.hpp"

using namespace gradus;
using tiny::D;
using tiny::Device;

namespace {

struct Half {
  Layout layout;
  Binder<Device> declare{layout};
};

/// Words and positions of one side of the pair.
In<Device, 2> embedded(Device& dev, const std::vector<std::int32_t>& ids, const std::string& table) {
  const Out<Device, 2> positions = dev.kept.matrix(ids.size(), D), x = dev.kept.matrix(ids.size(), D);
  const SegmentTable sentence = tiny::one_sentence(ids);
  sinusoids(dev, positions);
  embed_forward(dev, x, tiny::view(ids), sentence.view(), Ints<Device, 1>{}, tiny::matrix(table),
                In<Device, 2>(positions), {{embedding_scale(D), 0}, {}});
  return x;
}

In<Device, 2> memory_of(Device& dev, const std::vector<std::int32_t>& ids) {
  Half encoder;
  encoder_params(encoder.declare, "encoder", tiny::stack());
  encoder.layout.finish();
  const Store<Device> store(encoder.layout);
  tiny::load(dev, store.flat(), encoder.layout);
  Binder<Device> bind(encoder.layout, store.flat());
  EncoderCache<Device> cache;
  encoder_forward(dev, cache, embedded(dev, ids, "source_embedding"), tiny::one_sentence(ids).view(),
                  encoder_params(bind, "encoder", tiny::stack()), tiny::stack());
  return cache.output;
}

}  // namespace

int main() {
  Device dev;
  const auto &source = tiny::source_ids(), &target = tiny::decoder_input_ids();
  const std::vector<std::string> english = tiny::words(tiny::english(), source);
  const std::vector<std::string> german = tiny::words(tiny::german(), target);
  const In<Device, 2> memory = memory_of(dev, source), x = embedded(dev, target, "target_embedding");

  const StackOptions options = tiny::stack();
  Half half;
  decoder_params(half.declare, "decoder", options);
  half.layout.finish();
  const Store<Device> store(half.layout);
  tiny::load(dev, store.flat(), half.layout);
  Binder<Device> bind(half.layout, store.flat());
  const DecoderParams<Device> params = decoder_params(bind, "decoder", options);
  const SegmentTable sources = tiny::one_sentence(source), targets = tiny::one_sentence(target);
  DecoderCache<Device> cache;
  decoder_forward(dev, cache, x, memory, targets.view(), sources.view(), params, options);
  const DecoderLayerCache<Device>& layer = cache.layers[0];

  tiny::section("what comes in");
  tiny::print("memory, from the encoder (Ns, D)", memory, english);
  tiny::print("x, the embedded decoder input (Nt, D)", x, german);

  tiny::section("self-attention, causal");
  tiny::print("weights of head 0: nothing to the right of the diagonal",
              tiny::head(layer.self_attention.attention.weights, 0), german);
  tiny::print("n after it (Nt, D)", layer.after_self_attention.n, german);

  tiny::section("cross-attention");
  std::printf("columns: the cat sleeps <eos>\n");
  tiny::print("weights of head 0 (Nt, Ns)", tiny::head(layer.cross_attention.attention.weights, 0), german);
  tiny::print("weights of head 1", tiny::head(layer.cross_attention.attention.weights, 1), german);
  tiny::print("n after it (Nt, D)", layer.after_cross_attention.n, german);

  tiny::section("the decoder's output");
  tiny::print("n after the feed-forward network (Nt, D)", cache.output, german);

  const SegmentTable shorter = SegmentTable::packed({2});
  DecoderCache<Device> other;
  decoder_forward(dev, other, x, rows(memory, 0, 2), targets.view(), shorter.view(), params, options);
  tiny::section("a memory of two words");
  tiny::print("weights of head 0 (Nt, 2)", tiny::head(other.layers[0].cross_attention.attention.weights, 0),
              german);
}
