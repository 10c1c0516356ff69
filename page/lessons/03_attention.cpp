#include <cmath>

#include "07_encoder/tiny_model.hpp"
#include "chapters/03_attention/multi_head_case.hpp"
#include "live/lessons.hpp"
#include "wrong/attention.hpp"
#include "wrong/attention_gradients.hpp"

namespace gradus::page {
namespace {

using tiny::D;
using tiny::H;
constexpr std::size_t T = 4, Dk = D / H;  // words of the sentence; width of a head

struct LiveSelfAttention : test::SelfAttentionCase {
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    shown.add("qkv", cache.qkv);
    shown.add("weights0", tiny::head(cache.attention.weights, 0));
    shown.add("weights1", tiny::head(cache.attention.weights, 1));
    shown.add("heads", cache.heads);

    const double *const q = cache.qkv.row(0), *const k = cache.qkv.row(2) + D;  // "the" asks "sleeps"
    const Numbers score{q[0] * k[0] + q[1] * k[1], (q[0] * k[0] + q[1] * k[1]) / std::sqrt(double(Dk))};
    shown.add("score", In<Device, 1>{score.data(), {2}, 2});

    Dev dev;  // once more, looking back only
    Cache<Dev> causal{};
    const SegmentTable sentence = test::segments(lengths, 0);
    const Out<Dev, 2> y = dev.scratch.matrix(T, D);
    self_attention_forward(dev, y, causal, {t.matrix("x"), t.segments(sentence)},
                           test::attention_views(t, "", false), {H, true, {}});
    shown.add("causal0", tiny::head(causal.attention.weights, 0));
  }
};

}  // namespace

Lesson attention_lesson() {
  const LiveSelfAttention live{{{T}, D, {H, false, {}}, false, 0}};
  Numbers dy(T * D, 0.0);
  for (std::size_t d = 0; d < D; ++d) dy[D + d] = 1;  // the loss is the sum of f's row of "cat"
  Lesson made = lesson("03_attention", live,
                       {{"x", tiny::encoder_input()},
                        {"wqkv", learnt("encoder.0.self_attention.wqkv")},
                        {"wo", learnt("encoder.0.self_attention.wo")},
                        {"dy", dy}});
  made.ways.insert(made.ways.end(), {way<wrong::NoScale<Device>>("no-scale", live),
                                     way<wrong::ScaledByModelWidth<Device>>("scaled-by-model-width", live),
                                     way<wrong::SoftmaxOverQueries<Device>>("softmax-over-queries", live),
                                     way<wrong::SeveredGradient<Device>>("severed-gradient", live)});
  return made;
}

}  // namespace gradus::page
