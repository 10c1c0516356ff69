#include "chapters/06_feed_forward/feed_forward_case.hpp"
#include "live/lessons.hpp"
#include "wrong/feed_forward.hpp"

namespace gradus::page {
namespace {

using tiny::D;
using tiny::F;

struct LiveFeedForward : test::FeedForwardCase {
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>&) const {
    shown.add("z", cache.inner.z);
    shown.add("h", cache.h);
  }
};

/// The words of "the cat sleeps" as chapter 01 looks them up: rows of the table times sqrt(D) = 2.
Numbers words_as_rows() {
  const In<Device, 2> table = tiny::matrix("source_embedding");
  Numbers x;
  for (const std::int32_t id : tiny::source_ids()) {
    for (std::size_t d = 0; d < D; ++d) x.push_back(2 * table.row(static_cast<std::size_t>(id))[d]);
  }
  return x;
}

}  // namespace

Lesson feed_forward_lesson() {
  const LiveFeedForward live{{Activation::relu, 4, D, F, {}}};
  Lesson made = lesson("06_feed_forward", live,
                       {{"x", words_as_rows()},
                        {"w1", learnt("encoder.0.feed_forward.inner.w")},
                        {"b1", learnt("encoder.0.feed_forward.inner.b")},
                        {"w2", learnt("encoder.0.feed_forward.outer.w")},
                        {"b2", learnt("encoder.0.feed_forward.outer.b")},
                        {"dy", ones_at(4 * D, {D})}});
  made.ways.insert(made.ways.end(), {way<wrong::NoActivation<Device>>("no-activation", live),
                                     way<wrong::ActivationAfterOuter<Device>>("activation-after-outer", live),
                                     way<wrong::MaskOfGradient<Device>>("mask-of-gradient", live),
                                     way<wrong::InnerBiasForgotten<Device>>("inner-bias-forgotten", live)});
  return made;
}

}  // namespace gradus::page
