#include "02_positional_encoding/embed.hpp"
#include "02_positional_encoding/sinusoids.hpp"
#include "live/lessons.hpp"
#include "wrong/embedding.hpp"
#include "wrong/positional_encoding.hpp"

namespace gradus::page {
namespace {

using tiny::D;

struct LiveEmbed {
  std::vector<std::int32_t> ids = tiny::source_ids();
  EmbedOptions options{{embedding_scale(D), 0}, {}};

  void describe(test::Description& d) const {
    d.component = "embed";
    d.ints("ids", ids);
    d.ints("third", {ids[2]});
    d.ints("first", {2});
    d.parameter("table", {tiny::english().size(), D});
    d.output("y", {ids.size(), D});
  }

  template <class Dev>
  struct Cache {
    Out<Dev, 2> positions;
  };

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    const SegmentTable sentence = SegmentTable::packed({static_cast<std::int32_t>(ids.size())});
    cache.positions = dev.kept.matrix(ids.size(), D);
    sinusoids(dev, cache.positions);
    const Out<Dev, 2> y = t.matrix("y");
    const In<Dev, 2> table = t.matrix("table"), positions = cache.positions;
    embed_forward(dev, y, t.ints("ids"), t.segments(sentence), Ints<Dev, 1>{}, table, positions, options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, test::Tensors<Dev>& t) const {
    const Acc<Dev, 2> dtable = t.d_matrix("table");
    const In<Dev, 2> dy = t.d_matrix("y");
    embed_backward(dev, dtable, dy, t.ints("ids"), options);
  }

  /// The two parts of the sum, and the third word by itself, as a decoder computes it.
  template <class Dev>
  void show(Shown& shown, const Cache<Dev>& cache, test::Tensors<Dev>& t) const {
    Dev dev;
    const Out<Dev, 2> words = dev.kept.matrix(ids.size(), D), third = dev.kept.matrix(1, D);
    const In<Dev, 2> table = t.matrix("table"), positions = cache.positions;
    lookup_forward(dev, words, t.ints("ids"), table, options.lookup);
    const SegmentTable one = SegmentTable::packed({1});
    embed_forward(dev, third, t.ints("third"), t.segments(one), t.ints("first"), table, positions, options);
    shown.add("words", words);
    shown.add("positions", positions);
    shown.add("third", third);
  }
};

}  // namespace

Lesson embed_lesson() {
  const LiveEmbed live;
  Lesson made =
      lesson("02_positional_encoding", live, {{"table", learnt("source_embedding")}, {"dy", ones_at(4 * D, {D})}});
  made.ways.insert(made.ways.end(), {way<wrong::DoubledIndex<Device>>("doubled-index", live),
                                     way<wrong::OtherBase<Device>>("other-base", live),
                                     way<wrong::FirstIgnored<Device>>("first-ignored", live),
                                     way<wrong::ScaleForgotten<Device>>("scale-forgotten", live)});
  return made;
}

}  // namespace gradus::page
