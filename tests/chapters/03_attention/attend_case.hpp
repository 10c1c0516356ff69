#pragma once

#include "03_attention/attend.hpp"
#include "chapters/03_attention/attention_case.hpp"

namespace gradus::test {

/// The attention of a search: the result alone. There is no backward.
struct AttendCase {
  AttentionCase of;
  bool is_turned = false;  ///< the device gets its turned keys, too

  void describe(Description& d) const {
    d.component = "attend";
    const std::size_t Nq = segments(of.query_lengths, of.spare).rows, Nk = segments(of.key_lengths, of.spare).rows;
    d.input("q", {Nq, of.D()}).constant().scaled(of.scale);
    d.input("k", {Nk, of.D()}).constant().scaled(of.scale);
    d.input("v", {Nk, of.D()}).constant();
    d.output("y", {Nq, of.D()}).constant();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const SegmentTable queries = segments(of.query_lengths, of.spare), keys = segments(of.key_lengths, of.spare);
    const AttentionInput<Dev> x{t.matrix("q"), t.matrix("k"), t.matrix("v"), t.segments(queries), t.segments(keys)};
    const Scratch<Dev> scope(dev);
    const Out<Dev, 2> turned =
        is_turned ? room_for_turned(dev, dev.scratch, x.k.extent[0], x.k.extent[1]) : Out<Dev, 2>{};
    if (turned) turn_keys(dev, turned, x.k, x.keys);
    const auto kept = dev.kept.mark(), scratch = dev.scratch.mark();
    attend(dev, t.matrix("y"), x, of.options, turned);
    require(dev.kept.mark().taken == kept.taken, "attend saves nothing, but has kept a tensor");
    require(dev.scratch.mark().taken == scratch.taken, "attend has not given back its scratch memory");
  }
  template <class Dev>
  void backward(Dev&, const Cache<Dev>&, Tensors<Dev>&) const {}
};

/// One query for each beam, as in a search, and the other shapes that attention is judged on; with turned keys and without.
template <class F>
void each_attend_case(F&& f) {
  const AttentionOptions four{4, true, {}}, two{2, false, {}};
  for (const bool is_turned : {false, true}) {
    for (const AttentionCase& of :
         {AttentionCase{{1, 1, 1}, {7, 40, 1}, 32, four, 0},
          AttentionCase{{1, 2, 2}, {17, 3, 16}, 5, {6, true, {}}, 1},
          AttentionCase{{2}, {33}, 32, {4, false, {}}, 0}, AttentionCase{{5, 1, 3}, {13, 9, 1}, 16, two, 2},
          AttentionCase{{3}, {17}, 5, {3, true, {}}, 1}, AttentionCase{{2, 1}, {70, 3}, 19, {1, false, {}}, 0},
          AttentionCase{{1, 7}, {150, 0}, 1, {1, false, {}}, 0},
          AttentionCase{{6, 5, 4, 3, 2, 1}, {150, 130, 121, 200, 140, 70}, 16, two, 0},
          AttentionCase{{130, 6}, {130, 70}, 3, four, 1}, aligned_case(), large_logits_case()}) {
      f(AttendCase{of, is_turned});
    }
  }
}

}  // namespace gradus::test
