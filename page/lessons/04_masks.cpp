#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "03_attention/attention.hpp"
#include "04_masks/dense_attention.hpp"
#include "04_masks/masks.hpp"
#include "chapters/04_masks/masked_softmax_case.hpp"
#include "gradus/ops/elementwise.hpp"
#include "live/lessons.hpp"
#include "wrong/masks.hpp"

namespace gradus::page {
namespace {

using tiny::D;
using tiny::H;
constexpr std::size_t B = 2, T = 4,
                      words = 7;  // sentences; places of each; words without the padding, which is the last place

/// "the cat sleeps" and "a dog", in a table with padding. The mask is given, so that a reader can draw one; it has no gradient.
struct LiveMasks {
  void describe(test::Description& d) const {
    d.component = "masks";
    d.input("x", {B * T, D});
    d.input("mask", {B * T, T}).constant();
    d.input("scores", {T}).constant();
    d.output("y", {B * T, D});
    d.ints("query_row", {0, 1, 2, 3, 4, 5, 6, -1});
    d.ints("key_position", {0, 1, 2, 3, 0, 1, 2, -1});
  }

  template <class Dev>
  struct Cache {
    std::vector<std::int32_t> mask;
    DenseAttentionCache<Dev> attention;
  };

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    for (const double x : t.values("mask")) cache.mask.push_back(x >= 0.5);
    const auto x = dense(t.matrix("x"));
    dense_attention_forward(dev, dense(t.matrix("y")), cache.attention, {x, x, x, view(cache.mask), packing(t)},
                            {H, {}});
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    Scratch<Dev> scope(dev);
    const auto x = dense(t.matrix("x"));
    const Out<Dev, 2> dx = t.d_matrix("x"), dk = dev.scratch.matrix(B * T, D), dv = dev.scratch.matrix(B * T, D);
    dense_attention_backward(dev, {dense(dx), dense(dk), dense(dv)}, dense(t.d_matrix("y")),
                             {x, x, x, {}, packing(t)}, cache.attention, {H, {}});
    add(dev, dx, dk);
    add(dev, dx, dv);
  }

  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    show_causal<Dev>(shown, cache);
    for (std::size_t h = 0; h < H; ++h) {
      const double* const first = scores_of(cache.attention.weights, 0, h).data;
      shown.add("weights" + std::to_string(h), In<Device, 2>{first, {T, T}, T});
      const double* const second = scores_of(cache.attention.weights, 1, h).data;
      shown.add("others" + std::to_string(h), In<Device, 2>{second, {T, T}, T});
    }
    show_packed<Dev>(shown, cache, t);
    show_row_without_keys<Dev>(shown, t);
  }

 private:
  template <class Real, class Space>
  static View<Real, 3, Space> dense(View<Real, 2, Space> m) {
    return {m.data, {B, T, D}, m.stride};
  }
  static Ints<Device, 3> view(const std::vector<std::int32_t>& mask) { return {mask.data(), {B, T, T}, T}; }
  template <class Dev>
  static Packing<Dev> packing(const test::Tensors<Dev>& t) {
    return {test::as_ids(t.ints("query_row"), B, T), test::as_ids(t.ints("key_position"), B, T)};
  }

  template <class Dev>
  static void show_causal(Shown& shown, const Cache<Dev>& cache) {
    Dev dev;
    std::vector<std::int32_t> both(B * T * T);
    causal_mask(dev, OutInts<Device, 3>{both.data(), {B, T, T}, T}, view(cache.mask));
    const Numbers numbers(both.begin(), both.end());
    shown.add("both", In<Device, 2>{numbers.data(), {B * T, T}, T});
  }

  /// Chapter 03 on the rows of the words alone, and how far dense attention is from it: as it is, and with 1000 in the padding.
  template <class Dev>
  static void show_packed(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) {
    Device dev;
    const SegmentTable sentences = SegmentTable::packed({4, 3});
    const In<Device, 2> x = rows(In<Device, 2>(t.matrix("x")), 0, words),
                        y = rows(In<Device, 2>(t.matrix("y")), 0, words);
    const Out<Device, 2> packed = dev.kept.matrix(words, D);
    AttentionCache<Device> unread;
    attention_forward(dev, packed, unread, {x, x, x, sentences.view(), sentences.view()}, {H, false, {}});
    shown.add("packed", packed);
    show_difference(shown, "difference", packed, y);
    show_difference(shown, "with_junk", packed, with_junk(dev, cache, t));
  }

  template <class Dev>
  static In<Device, 2> with_junk(Device& host, const Cache<Dev>& cache, test::Tensors<Dev>& t) {
    Dev dev;
    const Out<Device, 2> x = host.kept.matrix(B * T, D), y = host.kept.matrix(B * T, D);
    copy(host, x, In<Device, 2>(t.matrix("x")));
    fill(host, rows(x, words, 1), 1000);
    DenseAttentionCache<Dev> unread;
    const In<Device, 3> in = dense(In<Device, 2>(x));
    dense_attention_forward(dev, dense(y), unread, {in, in, in, view(cache.mask), packing(t)}, {H, {}});
    return rows(In<Device, 2>(y), 0, words);
  }

  static void show_difference(Shown& shown, const char* name, In<Device, 2> a, In<Device, 2> b) {
    const Numbers left = copied(a), right = copied(b);
    double largest = 0;
    for (std::size_t i = 0; i < left.size(); ++i) largest = std::fmax(largest, std::fabs(left[i] - right[i]));
    shown.add(name, In<Device, 1>{&largest, {1}, 1});
  }

  /// The weights of a query that may look at nothing.
  template <class Dev>
  static void show_row_without_keys(Shown& shown, test::Tensors<Dev>& t) {
    Dev dev;
    const std::vector<std::int32_t> nothing(T, 0);
    Numbers s = t.values("scores"), p(T);
    masked_softmax_forward(dev, as_scores(Out<Device, 1>{p.data(), {T}, T}, 1, 1, 1, T),
                           as_scores(In<Device, 1>{s.data(), {T}, T}, 1, 1, 1, T),
                           Ints<Device, 3>{nothing.data(), {1, 1, T}, T});
    shown.add("excluded", In<Device, 1>{p.data(), {T}, T});
  }
};

/// Rows of the table times sqrt(D) = 2; the padding is 0.
Numbers words_in_a_table() {
  const In<Device, 2> table = tiny::matrix("source_embedding");
  Numbers x;
  for (const std::size_t id : {4, 6, 9, 3, 10, 5, 3}) {  // the cat sleeps <eos> a dog <eos>
    for (std::size_t d = 0; d < D; ++d) x.push_back(2 * table.row(id)[d]);
  }
  x.resize(B * T * D);
  return x;
}

/// What padding_mask gives: no one may look at the last place of the second sentence.
Numbers padding() {
  Numbers mask(B * T * T, 1.0);
  for (std::size_t t = 0; t < T; ++t) mask[(T + t) * T + T - 1] = 0;
  return mask;
}

}  // namespace

Lesson masks_lesson() {
  const LiveMasks live;
  Lesson made = lesson("04_masks", live,
                       {{"x", words_in_a_table()},
                        {"mask", padding()},
                        {"scores", {0.25, 7.5, -1, 2}},
                        {"dy", ones_at(B * T * D, {D})}});
  made.ways.insert(made.ways.end(), {way<wrong::Filled<Device, wrong::LargeNegative>>("filled-with-1e9", live),
                                     way<wrong::Filled<Device, wrong::LargeNegativeAdded>>("added-1e9", live),
                                     way<wrong::Filled<Device, wrong::MinusInfinity>>("minus-infinity", live),
                                     way<wrong::MaskInverted<Device>>("mask-inverted", live),
                                     way<wrong::DenseOverQueries<Device>>("softmax-over-queries", live),
                                     way<wrong::FutureSeen<Device>>("future-seen", live)});
  return made;
}

}  // namespace gradus::page
