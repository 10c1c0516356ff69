#include <cmath>
#include <vector>

#include "07_encoder/tiny_model.hpp"
#include "chapters/08_decoder/decoder_case.hpp"
#include "live/lessons.hpp"
#include "wrong/cross_attention.hpp"
#include "wrong/decoder.hpp"

namespace gradus::page {
namespace {

using tiny::D;

struct LiveDecoder : test::DecoderCase {
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    const DecoderLayerCache<Dev>& layer = cache.layers[0];
    shown.add("u", cache.first);
    shown.add("self0", tiny::head(layer.self_attention.attention.weights, 0));
    shown.add("n1", layer.after_self_attention.n);
    shown.add("q", layer.cross_attention.q);
    shown.add("kv", layer.cross_attention.kv);
    const double* const q = layer.cross_attention.q.row(2);  // "Katze" asks each word of the memory
    std::vector<double> score;
    for (std::size_t i = 0; i < layer.cross_attention.kv.extent[0]; ++i) {
      const double* const k = layer.cross_attention.kv.row(i);
      score.push_back((q[0] * k[0] + q[1] * k[1]) / std::sqrt(2.0));
    }
    shown.add("score", In<Device, 1>{score.data(), {score.size()}, score.size()});
    shown.add("cross0", tiny::head(layer.cross_attention.attention.weights, 0));
    shown.add("cross1", tiny::head(layer.cross_attention.attention.weights, 1));
    shown.add("n2", layer.after_cross_attention.n);

    Dev dev;  // once more, with the first two words of the memory
    const test::FlatParameters<Dev> weights(dev, layout(), t);
    auto bind = weights.binder();
    const SegmentTable two = SegmentTable::packed({2});
    Cache<Dev> shorter{};
    decoder_forward(dev, shorter, {t.matrix("x"), sides.target(t)},
                    {rows(t.matrix("memory"), 0, 2), t.segments(two)}, decoder_params(bind, "decoder", options),
                    options);
    shown.add("short0", tiny::head(shorter.layers[0].cross_attention.attention.weights, 0));
  }
};

/// What the encoder gives for "the cat sleeps", as chapter 07 prints it.
Numbers memory() {
  const Lesson encoder = encoder_lesson();
  test::Named given;
  for (const Tensor& t : encoder.given) given[t.name] = t.numbers;
  return encoder.ways[0].compute(given)[0].numbers;
}

Numbers decoder_input() {
  Device dev;
  return copied(tiny::embedded(dev, tiny::decoder_input_ids(), "target_embedding"));
}

}  // namespace

Lesson decoder_lesson() {
  const LiveDecoder live{{tiny::stack(), {{4}, {4}, 0, 0}}};
  Lesson made = lesson("08_decoder", live,
                       with_learnt(test::describe(live),
                                   {{"x", decoder_input()}, {"memory", memory()}, {"dy", ones_at(4 * D, {D})}}));
  made.ways.insert(made.ways.end(), {way<wrong::DecoderSeesFuture<Device>>("future-seen", live),
                                     way<wrong::CausalCross<Device>>("causal-cross", live),
                                     way<wrong::CrossIsSelf<Device>>("cross-is-self", live),
                                     way<wrong::CrossModuleUnused<Device>>("cross-module-unused", live),
                                     way<wrong::CrossWithoutResidual<Device>>("cross-without-residual", live)});
  return made;
}

}  // namespace gradus::page
