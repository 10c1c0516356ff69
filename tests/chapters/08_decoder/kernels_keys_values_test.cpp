// On a GPU one launch computes the keys and values of all cross-attentions, if there is such a launch.

#include <cmath>

#include "chapters/08_decoder/decoder_case.hpp"
#include "support/catch.hpp"
#include "support/expect.hpp"
#include "support/kernels.hpp"
#include "support/launches.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

StackOptions stack(std::size_t layers, bool bias = false) {
  StackOptions o = small_decoder(Norm::pre, layers, 0);
  o.attention_bias.qkv = bias;
  return o;
}

using Dev = Cuda<double>;

/// A decoder on kernels, with a batch of two sentences: 5 source rows, 4 target rows.
struct OnKernels {
  StackOptions options;
  Dev dev;
  Layout layout = layout_of([this](auto& b) { decoder_params(b, "decoder", options); });
  FlatVector<Dev> flat{layout};
  Binder<Dev> bind{layout, flat.flat()};
  DecoderParams<Dev> p = decoder_params(bind, "decoder", options);
  OutInts<Dev, 1> tables = dev.kept.ints(8);
  Out<Dev, 2> x = dev.kept.matrix(4, options.d_model), memory = dev.kept.matrix(5, options.d_model);
  DecoderCache<Dev> cache;

  explicit OnKernels(const StackOptions& o) : options(o) {
    write(dev, tables,
          std::vector<std::int32_t>{0, 2, 2, 3, 0, 3, 3, 1});  // begin and length of sources, of targets
    write(dev, flat.flat(), values(layout.size(), 1));
    write(dev, as_vector(x), values(4 * options.d_model, 2));
    set_memory(3);
  }
  static std::vector<double> values(std::size_t n, double first) {
    std::vector<double> v(n);
    for (std::size_t i = 0; i < n; ++i) v[i] = std::sin(first + 1.3 * static_cast<double>(i));
    return v;
  }
  void set_memory(double first) { write(dev, as_vector(memory), values(5 * options.d_model, first)); }
  std::vector<double> read_matrix(In<Dev, 2> from) {
    std::vector<double> v;
    read(dev, v, as_vector(from));
    return v;
  }

  Sequences<Dev> target() const { return {x, {slice(tables, 4, 2), slice(tables, 6, 2), 4, 3}}; }
  Sequences<Dev> source() const { return {memory, {slice(tables, 0, 2), slice(tables, 2, 2), 5, 3}}; }
  void forward() { decoder_forward(dev, cache, target(), source(), p, options); }
  std::vector<double> output() {
    forward();
    return read_matrix(cache.output);
  }
  /// The leaf alone.
  void give(In<Dev, 2> from) {
    cache.layers.resize(p.layers.size());
    keys_values_forward(dev, cache.layers, from, p.layers);
  }
  std::size_t given() const {
    std::size_t count = 0;
    for (const auto& layer : cache.layers) count += bool(layer.cross_attention.given_kv);
    return count;
  }
};

int products(std::size_t layers, bool bias) {
  OnKernels decoder(stack(layers, bias));
  return launches_of([&] { decoder.forward(); }).products;
}

}  // namespace

TEST_CASE("keys and values of all layers: one product instead of one a layer, unless they have a bias") {
  constexpr int of_layer = 7;  // qkv and output; q, kv and output; two of the feed-forward network
  CHECK(products(1, false) == of_layer);
  CHECK(products(3, false) == 3 * of_layer - 2);
  CHECK(products(1, true) == of_layer);
  CHECK(products(3, true) == 3 * of_layer);
}

TEST_CASE("keys and values of all layers: each is the projection of its own layer") {
  OnKernels decoder(stack(3));
  decoder.give(decoder.memory);
  for (std::size_t l = 0; l < 3; ++l) {
    const Out<Dev, 2> expected = decoder.dev.kept.matrix(5, 2 * decoder.options.d_model);
    linear_forward(decoder.dev, expected, decoder.memory, kv_projection(decoder.p.layers[l].cross_attention));
    CHECK(decoder.read_matrix(decoder.cache.layers[l].cross_attention.given_kv) == decoder.read_matrix(expected));
  }
}

TEST_CASE("keys and values of all layers: they are used once, so a cache may be used again with another memory") {
  OnKernels again(stack(3)), fresh(stack(3));
  const auto before = again.output();
  CHECK(again.given() == 0);
  again.set_memory(4), fresh.set_memory(4);
  const auto after = again.output();
  CHECK(after == fresh.output());
  CHECK(after != before);

  // Cross-attention alone, with a cache that the decoder has used.
  const auto y_of = [](OnKernels& decoder, CrossAttentionCache<Dev>& cache) {
    const Out<Dev, 2> y = decoder.dev.kept.matrix(4, decoder.options.d_model);
    cross_attention_forward(decoder.dev, y, cache, decoder.target(), decoder.source(),
                            decoder.p.layers[1].cross_attention, {decoder.options.heads, false, {}});
    return decoder.read_matrix(y);
  };
  again.set_memory(5), fresh.set_memory(5);
  CrossAttentionCache<Dev> none;
  CHECK(y_of(again, again.cache.layers[1].cross_attention) == y_of(fresh, none));
}

TEST_CASE("keys and values of all layers: without such a launch none are left, and no memory is taken") {
  OnKernels decoder(stack(3)), biased(stack(3, true)), single(stack(1));
  decoder.give(decoder.memory);
  CHECK(decoder.given() == 3);
  const auto used = [&] { return decoder.dev.kept.mark().used; };
  const std::size_t before = used();
  decoder.give(rows(decoder.memory, 0, 0));
  CHECK(decoder.given() == 0);
  CHECK(used() == before);

  decoder.give(decoder.memory);
  const std::size_t given = used();
  decoder.p = biased.p;  // a forward that an error ended may have left some
  decoder.give(decoder.memory);
  CHECK(decoder.given() == 0);
  single.give(single.memory);
  CHECK(single.given() == 0);
  decoder.p.layers[0] = OnKernels(stack(3)).p.layers[0];  // one without a bias among others with one
  decoder.give(decoder.memory);
  CHECK(decoder.given() == 0);
  CHECK(used() == given);
}

TEST_CASE("keys and values of all layers: shapes are checked") {
  OnKernels decoder(stack(3)), biased(stack(3, true));
  for (OnKernels* each : {&decoder, &biased}) {
    CHECK_THROWS_WITH(each->give(columns(each->memory, 0, 5)), contains("attention: wqkv"));
    each->p.layers[2].cross_attention.wqkv = columns(each->p.layers[2].cross_attention.wqkv, 0, 17);
    CHECK_THROWS_WITH(each->give(each->memory), contains("attention: wqkv"));
    each->p.layers.pop_back();
    CHECK_THROWS_WITH(keys_values_forward(each->dev, each->cache.layers, In<Dev, 2>(each->memory), each->p.layers),
                      contains("keys_values: 3 caches for 2 layers"));
  }
}

TEST_CASE("decoder on kernels: a batch of empty sources") {
  const Component judged = with_kernels(DecoderCase{small_decoder(Norm::pre, 2), {{0, 0}, {3, 1}, 0, 0}});
  for (const Runner& r : judged.devices) expect(parity(judged, r));
}
