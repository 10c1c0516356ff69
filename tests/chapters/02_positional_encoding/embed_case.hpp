#pragma once

#include "02_positional_encoding/embed.hpp"
#include "chapters/02_positional_encoding/sentences.hpp"
#include "support/case.hpp"

namespace gradus::test {

struct EmbedCase {
  Sentences sentences{{3, 0, 4, 1}, 2};
  std::vector<std::int32_t> ids{5, 3, 3, 1, 0,
                                4, 3, 5, 0, 0};  // the last word of the table first; words twice, padding
  std::vector<std::int32_t> first{2, 0, 0, 4};   // or empty
  std::size_t Vocab = 6, D = 6;
  EmbedOptions options{{embedding_scale(6), 0}, {0.4, 1, Side::target}};

  void describe(Description& d) const {
    d.component = "embed";
    d.used_rows = sentences.used();
    d.ints("ids", ids);
    if (!first.empty()) d.ints("first", first);
    d.parameter("table", {Vocab, D}).by_number();
    d.input("positions", {sentences.positions(first), D}).constant().by_number();
    d.output("y", {ids.size(), D}).rowwise();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    const SegmentTable table = sentences.table();
    const Out<Dev, 2> y = t.matrix("y");
    const In<Dev, 2> words = t.matrix("table"), positions = t.matrix("positions");
    const Ints<Dev, 1> start = first.empty() ? Ints<Dev, 1>{} : t.ints("first");
    embed_forward(dev, y, t.ints("ids"), t.segments(table), start, words, positions, options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    const Acc<Dev, 2> dtable = t.d_matrix("table");
    const In<Dev, 2> dy = t.d_matrix("y");
    embed_backward(dev, dtable, dy, t.ints("ids"), options);
  }
};

}  // namespace gradus::test
