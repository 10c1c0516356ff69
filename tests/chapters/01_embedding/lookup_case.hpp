#pragma once

#include "01_embedding/lookup.hpp"
#include "support/case.hpp"

namespace gradus::test {

/// The first id is the last word of the table, so that a table that is one word too short is detected.
struct LookupCase {
  std::vector<std::int32_t> ids{5, 3, 0, 2, 3, 0, 3};  // one word three times, padding twice, two words never
  std::size_t Vocab = 6, D = 4;
  LookupOptions options{embedding_scale(4), 0};

  void describe(Description& d) const {
    const std::size_t N = ids.size();
    d.component = "lookup";
    if (options.padding != 0)
      d.component += options.padding < 0 ? "_without_padding" : "_padding_" + std::to_string(options.padding);
    d.used_rows = N > 2 ? N - 2 : 0;
    d.ints("ids", ids);
    d.parameter("table", {Vocab, D}).by_number();
    d.output("y", {N, D}).rowwise();
  }

  template <class Dev>
  struct Cache {};

  template <class Dev>
  void forward(Dev& dev, Cache<Dev>&, Tensors<Dev>& t) const {
    lookup_forward(dev, t.matrix("y"), t.ints("ids"), t.matrix("table"), options);
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>&, Tensors<Dev>& t) const {
    lookup_backward(dev, t.d_matrix("table"), t.d_matrix("y"), t.ints("ids"), options);
  }
};

/// N ids of a table of Vocab words, the last word first.
inline std::vector<std::int32_t> some_ids(std::size_t N, std::size_t Vocab) {
  std::vector<std::int32_t> ids(N);
  for (std::size_t n = 0; n < N; ++n) ids[n] = static_cast<std::int32_t>(Vocab - 1 - n * n % Vocab);
  return ids;
}

}  // namespace gradus::test
