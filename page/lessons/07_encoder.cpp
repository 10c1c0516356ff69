#include "07_encoder/tiny_model.hpp"
#include "chapters/07_encoder/encoder_case.hpp"
#include "live/lessons.hpp"
#include "wrong/add_norm.hpp"
#include "wrong/attention.hpp"
#include "wrong/encoder.hpp"
#include "wrong/feed_forward.hpp"
#include "wrong/layer_norm.hpp"

namespace gradus::page {
namespace {

using tiny::D;

struct LiveEncoder : test::EncoderCase {
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>&) const {
    const EncoderLayerCache<Dev>& layer = cache.layers[0];
    shown.add("u", cache.first);
    shown.add("weights0", tiny::head(layer.self_attention.attention.weights, 0));
    shown.add("weights1", tiny::head(layer.self_attention.attention.weights, 1));
    shown.add("s1", layer.after_self_attention.s);
    shown.add("n1", layer.after_self_attention.n);
    shown.add("h", layer.feed_forward.h);
    shown.add("s2", layer.after_feed_forward.s);
  }
};

}  // namespace

Lesson encoder_lesson() {
  const LiveEncoder live{{tiny::stack(), {4}, 0}};
  Lesson made =
      lesson("07_encoder", live,
             with_learnt(test::describe(live), {{"x", tiny::encoder_input()}, {"dy", ones_at(4 * D, {D})}}));
  made.ways.insert(made.ways.end(), {way<wrong::NoResidual<Device>>("no-residual", live),
                                     way<wrong::FinalNormMissing<Device>>("final-norm-missing", live),
                                     way<wrong::StreamAfterNorm<Device>>("stream-after-norm", live),
                                     way<wrong::NoScale<Device>>("no-scale", live),
                                     way<wrong::NoActivation<Device>>("no-activation", live),
                                     way<wrong::DetachedVariance<Device>>("detached-variance", live)});
  return made;
}

}  // namespace gradus::page
