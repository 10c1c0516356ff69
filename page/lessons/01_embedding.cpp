#include "01_embedding/lookup.hpp"
#include "live/lessons.hpp"
#include "wrong/embedding.hpp"

namespace gradus::page {
namespace {

using tiny::D;

/// Two sentences look their words up in one table. The page prints the forward pass of the first, y, and the backward pass of the
/// second, z, in which a word occurs twice and padding follows.
struct LiveLookup {
  std::vector<std::int32_t> ids = tiny::source_ids(), others{4, 6, 7, 4, 5, 0};  // "the cat sees the dog <pad>"
  LookupOptions options{embedding_scale(D), 0};

  void describe(test::Description& d) const {
    d.component = "lookup";
    d.ints("ids", ids);
    d.ints("others", others);
    d.parameter("table", {tiny::english().size(), D});
    d.output("y", {ids.size(), D});
    d.output("z", {others.size(), D});
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, test::Tensors<Dev>& t) const {
    lookup_forward(dev, t.matrix("y"), t.ints("ids"), t.matrix("table"), options);
    lookup_forward(dev, t.matrix("z"), t.ints("others"), t.matrix("table"), options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, test::Tensors<Dev>& t) const {
    lookup_backward(dev, t.d_matrix("table"), t.d_matrix("y"), t.ints("ids"), options);
    lookup_backward(dev, t.d_matrix("table"), t.d_matrix("z"), t.ints("others"), options);
  }

  template <class Dev>
  void show(Shown& shown, const Cache<Dev>&, test::Tensors<Dev>& t) const {
    Device dev;
    const Out<Device, 2> rows = dev.kept.matrix(ids.size(), D);
    lookup_forward(dev, rows, t.ints("ids"), t.matrix("table"), LookupOptions{1, options.padding});
    shown.add("rows", rows);
  }
};

}  // namespace

Lesson lookup_lesson() {
  const LiveLookup live;
  Numbers dz;
  for (std::size_t n = 0; n < live.others.size(); ++n) dz.insert(dz.end(), D, static_cast<double>(1 << n));
  Lesson made =
      lesson("01_embedding", live,
             {{"table", learnt("source_embedding")}, {"dy", ones_at(live.ids.size() * D, {})}, {"dz", dz}});
  made.ways.insert(made.ways.end(), {way<wrong::ScaleForgotten<Device>>("scale-forgotten", live),
                                     way<wrong::ScaleSquared<Device>>("scale-squared", live),
                                     way<wrong::PaddingIsAWord<Device>>("padding-is-a-word", live),
                                     way<wrong::PaddingLearns<Device>>("padding-learns", live),
                                     way<wrong::RepeatedIdsOverwritten<Device>>("repeated-ids-overwritten", live)});
  return made;
}

}  // namespace gradus::page
