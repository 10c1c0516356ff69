#include "03_attention/attention.hpp"
#include "chapters/04_masks/dense_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The same attention without padding: segments over packed rows, as in chapter 03.
struct PackedCase {
  DenseAttentionCase dense;
  SegmentTable queries = SegmentTable::packed(dense.queries.lengths),
               keys = SegmentTable::packed(dense.keys.lengths);

  AttentionOptions options() const { return {dense.options.heads, dense.causal, dense.options.dropout}; }

  void describe(Description& d) const {
    d.component = "packed";
    d.input("q", {queries.rows, dense.D});
    d.input("k", {keys.rows, dense.D});
    d.input("v", {keys.rows, dense.D});
    d.output("y", {queries.rows, dense.D});
  }
  template <class Dev>
  using Cache = AttentionCache<Dev>;
  template <class Dev>
  void forward(Dev& dev, Cache<Dev>& cache, Tensors<Dev>& t) const {
    attention_forward(dev, t.matrix("y"), cache,
                      {t.matrix("q"), t.matrix("k"), t.matrix("v"), queries.view(), keys.view()}, options());
  }
  template <class Dev>
  void backward(Dev& dev, const Cache<Dev>& cache, Tensors<Dev>& t) const {
    attention_backward(dev, {t.d_matrix("q"), t.d_matrix("k"), t.d_matrix("v")}, t.d_matrix("y"),
                       {t.matrix("q"), t.matrix("k"), t.matrix("v"), queries.view(), keys.view()}, cache,
                       options());
  }
};

/// A packed tensor in the form of the dense table, with `junk` as padding.
std::vector<double> padded(const std::vector<double>& packed, const Padded& p, std::size_t D, double junk) {
  std::vector<double> result;
  for (const std::int32_t row : p.packed_rows()) {
    for (std::size_t d = 0; d < D; ++d) {
      result.push_back(row < 0 ? junk : packed[static_cast<std::size_t>(row) * D + d]);
    }
  }
  return result;
}

/// The rows of words, in their order.
std::vector<double> packed(const std::vector<double>& dense, const Padded& p, std::size_t D) {
  std::vector<double> result;
  const std::vector<std::int32_t> rows = p.packed_rows();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t d = 0; rows[i] >= 0 && d < D; ++d) result.push_back(dense[i * D + d]);
  }
  return result;
}

void compare(const DenseAttentionCase& c, double junk) {
  const Component with_segments = component(PackedCase{c}), with_masks = component(c);
  for (std::size_t i = 0; i < with_masks.devices.size(); ++i) {
    const Values words = random_values(with_segments.description, 5);
    Values table;
    table.value["q"] = padded(words.value.at("q"), c.queries, c.D, junk);
    table.value["k"] = padded(words.value.at("k"), c.keys, c.D, junk);
    table.value["v"] = padded(words.value.at("v"), c.keys, c.D, junk);
    table.value["dy"] = padded(words.value.at("dy"), c.queries, c.D, 0);  // no loss is read from padding
    const Run expected = with_segments.devices[i].run(words, {}), found = with_masks.devices[i].run(table, {});
    const double bound = with_masks.devices[i].is_double ? 1e-13 : 1e-5;
    INFO(with_masks.devices[i].device << ", junk " << junk);
    CHECK(relative_error(packed(found.output.at("y"), c.queries, c.D), expected.output.at("y")) <= bound);
    for (const auto& [name, gradient] : expected.gradient) {
      const Padded& side = name == "q" ? c.queries : c.keys;
      CHECK(relative_error(packed(found.gradient.at(name), side, c.D), gradient) <= bound);
    }
  }
}

}  // namespace

TEST_CASE("dense attention: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(DenseAttentionCase{})));
  expect(gradients(component(dense_causal_case())));
  expect(gradients(component(dense_aligned_case())));
}

TEST_CASE("dense attention: every device agrees with the reference and keeps the contract") {
  for (const DenseAttentionCase& c : {DenseAttentionCase{}, dense_causal_case(), dense_aligned_case()}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("dense attention: golden values") {
  expect(golden(component(DenseAttentionCase{}), "dense_attention"));
  expect(golden(component(dense_causal_case()), "dense_attention_causal"));
  expect(golden(component(dense_aligned_case()), "dense_attention_aligned"));
}

TEST_CASE("masks over padding and segments over packed rows give the same values and gradients") {
  const DenseAttentionOptions options{3, {0.3, 18, Side::source}};
  for (const bool left : {false, true}) {
    const Padded source{{5, 1, 7, 2}, left}, target{{3, 4, 1, 6}, left};
    for (const double junk : {0.0, 1.0, -1e3}) {
      compare({source, source, 6, false, options, 0}, junk);  // the encoder's self-attention
      compare({target, target, 6, true, options, 2}, junk);   // the decoder's
      compare({target, source, 6, false, options, 1}, junk);  // cross-attention
    }
  }
  // each side has its own padding
  compare({Padded{{3, 2}, true}, Padded{{4, 1}, false}, 4, false, {2, {}}, 0}, 100);
}
