#include <algorithm>
#include <cmath>
#include <map>

#include "chapters/03_attention/kernel_cases.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/kernel_versions.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A GPU with another version of attention.
template <class R>
using AttentionVersionCuda = VersionCuda<R, AttentionForward<Cuda<R>>, AttentionBackward<Cuda<R>>>;

template <class R, class Dev = Cuda<R>>
void attention_forward(AttentionVersionCuda<R>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache,
                       const AttentionInput<Dev>& x, const AttentionOptions& options) {
  std::get<0>(dev.version->calls)(dev, y, cache, x, options);
}
template <class R, class Dev = Cuda<R>>
void attention_backward(AttentionVersionCuda<R>& dev, const AttentionGradients<Dev>& dx, In<Dev, 2> dy,
                        const AttentionInput<Dev>& x, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  std::get<1>(dev.version->calls)(dev, dx, dy, x, cache, options);
}

}  // namespace

TEST_CASE("attention: the judges accept the other versions of the kernels") {
  for (const AttentionCase& c : {AttentionCase{}, causal_case(), aligned_case(),
                                 AttentionCase{{33, 2}, {33, 2}, 5, {3, true, {0.2, 20, Side::source}}, 1},
                                 AttentionCase{{}, {}, 3, {2, true, {}}, 3}}) {
    judge_versions<AttentionVersionCuda<double>>(c);
    judge_versions<AttentionVersionCuda<float>>(c);
  }
  const AttentionCase large = large_logits_case();
  each_version<AttentionVersionCuda<double>>(large, [&](const Runner& r) { expect(parity(component(large), r)); });
}

namespace {

/// The weights that forward saves, for a case whose inputs are drawn from one seed on every device.
template <class Dev>
std::vector<double> saved_weights(const AttentionCase& c) {
  const Description d = describe(c);
  Dev dev;
  dev.kept.poisoned = dev.scratch.poisoned = true;
  dev.set(d.state);
  Tensors<Dev> t(d, random_values(d), {});
  AttentionCache<Dev> cache;
  c.forward(dev, cache, t);
  std::vector<typename Dev::Real> weights;
  read(dev, weights, In<Dev, 1>(as_vector(cache.weights)));
  return {weights.begin(), weights.end()};
}

}  // namespace

TEST_CASE("attention: the saved weights agree with the reference, with zeros for hidden keys and spare rows") {
  for (const AttentionCase& c : {AttentionCase{}, causal_case(), aligned_case(), turns_case(),
                                 short_case(16, false), short_case(32, true), mixed_case(16), mixed_case(32)}) {
    const std::vector<double> expected = saved_weights<Reference<double>>(c),
                              found = saved_weights<Cuda<double>>(c);
    CHECK(relative_error(found, expected) < 1e-13);
    for (std::size_t i = 0; i < expected.size() && i < found.size(); ++i)
      CHECK((found[i] == 0) == (expected[i] == 0));
  }
}

TEST_CASE("attention: scores of about a thousand, and each query subtracts its own maximum") {
  for (const std::size_t Dk : {4, 16, 32}) {
    AttentionCase large = large_logits_case();
    large.Dk = Dk;
    expect(parity(component(large), runner<Cuda<double>>("Cuda<double>", large)));
  }
}

namespace {

/// Whether the existing rows of sentence i are NaN in every column, and all others finite.
bool is_nan_just_in(const std::vector<double>& x, const SegmentTable& table, std::size_t i) {
  const std::size_t columns = x.size() / table.rows;
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::int64_t behind = static_cast<std::int64_t>(at / columns) - table.begin[i];
    const bool is_inside = behind >= 0 && behind < table.length[i];
    if (is_inside ? !std::isnan(x[at]) : !std::isfinite(x[at])) return false;
  }
  return true;
}

/// All results of attention, forward and backward, with segments that only kernels can read; the memory was 3
/// before.
std::map<std::string, std::vector<double>> outputs(const AttentionCase& c, const SegmentTable& queries,
                                                   const SegmentTable& keys) {
  using Dev = Cuda<double>;
  const Description d = describe(c);
  Dev dev;
  Tensors<Dev> t(d, random_values(d), {});
  const auto q = t.segments(queries), k = t.segments(keys);
  for (const auto& x : {t.matrix("y"), t.d_matrix("q"), t.d_matrix("k"), t.d_matrix("v")}) fill(dev, x, 3.0);
  const auto mark = dev.kept.mark();
  fill(dev, dev.kept.matrix(queries.rows * c.options.heads, keys.longest), 3.0);
  dev.kept.release(mark);  // so that the weights get this memory
  AttentionCache<Dev> cache;
  attention_forward(dev, t.matrix("y"), cache, {t.matrix("q"), t.matrix("k"), t.matrix("v"), q, k}, c.options);
  attention_backward(dev, {t.d_matrix("q"), t.d_matrix("k"), t.d_matrix("v")}, t.d_matrix("y"),
                     {t.matrix("q"), t.matrix("k"), t.matrix("v"), q, k}, cache, c.options);
  std::map<std::string, std::vector<double>> found;
  for (const std::string name : {"y", "dq", "dk", "dv"}) found[name] = t.values(name);
  read(dev, found["weights"], In<Dev, 1>(as_vector(cache.weights)));
  return found;
}

}  // namespace

TEST_CASE("attention: all elements of a segment that does not fit become NaN, and no others") {
  // More rows than a block has warps, more columns and more keys than a warp has lanes. Then heads for warps alone,
  // without blocks for long sentences and with them.
  for (const AttentionCase& c : {AttentionCase{{2, 34}, {2, 34}, 33, {2, false, {}}, 0},
                                 AttentionCase{{2, 14}, {2, 14}, 32, {2, false, {}}, 0},
                                 AttentionCase{{2, 34, 0}, {2, 34, 0}, 16, {2, false, {}}, 0}}) {
    const std::int32_t longest = c.query_lengths[1];
    const SegmentTable fits = segments(c.query_lengths, 0);
    SegmentTable before = fits, beyond = fits, too_long = fits;
    before.begin[0] = -1;  // a row that does not exist, and row 0
    beyond.begin[1] = 3;   // all rows from row 3 on, and one that does not exist
    too_long.longest = static_cast<std::size_t>(longest - 1);  // the launch's size
    for (const bool of_queries : {true, false}) {
      for (const auto& [wrong, i] : {std::pair(before, 0), std::pair(beyond, 1), std::pair(too_long, 1)}) {
        const SegmentTable &queries = of_queries ? wrong : fits, &keys = of_queries ? fits : wrong;
        for (const auto& [name, x] : outputs(c, queries, keys)) {
          INFO(name << (of_queries ? ", queries" : ", keys") << " of sentence " << i << ", longest " << longest);
          CHECK(is_nan_just_in(x, name == "dk" || name == "dv" ? keys : queries, static_cast<std::size_t>(i)));
        }
      }
    }
  }
}

TEST_CASE("attention: rows before, between and behind the sentences become 0, and no others") {
  for (const std::size_t Dk : {3, 16}) {
    const AttentionCase c{{2, 3, 12}, {2, 3, 12}, Dk, {2, false, {}}, 31};
    SegmentTable rows = segments(c.query_lengths, c.spare);
    rows.begin = {1, 30, 34};
    std::vector<bool> is_covered(rows.rows, false);
    for (std::size_t i = 0; i < 3; ++i) std::fill_n(is_covered.begin() + rows.begin[i], rows.length[i], true);
    for (const auto& [name, x] : outputs(c, rows, rows)) {
      const std::size_t columns = x.size() / rows.rows;
      for (std::size_t n = 0; n < rows.rows; ++n) {
        const auto row = x.begin() + static_cast<std::ptrdiff_t>(n * columns);
        INFO(name << ", row " << n);
        CHECK(is_covered[n] ==
              std::any_of(row, row + static_cast<std::ptrdiff_t>(columns), [](double v) { return v != 0; }));
      }
    }
  }
}

TEST_CASE("kernels of chapter 03: every judge accepts them", "[gradients]") {
  each_attention_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("attention: heads of long sentences take turns in the workspace") {
  each_large_attention([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("attention: every operand of the kernels must lie in device memory") {
  using Dev = Cuda<float>;
  Dev dev;
  const auto offsets = dev.kept.ints(2);
  write(dev, offsets, {0, 4});
  const Segments<Dev> rows{slice(Ints<Dev, 1>(offsets), 0, 1), slice(Ints<Dev, 1>(offsets), 1, 1), 4, 4};
  const auto matrix = [&] { return dev.kept.matrix(4, 6); };
  const AttentionInput<Dev> x{matrix(), matrix(), matrix(), rows, rows};
  const AttentionGradients<Dev> dx{matrix(), matrix(), matrix()};
  const auto y = matrix();
  const AttentionOptions options{2, false, {}};
  AttentionCache<Dev> cache;
  attention_forward(dev, y, cache, x, options);

  std::vector<float> numbers(24);
  std::vector<std::int32_t> integers(1);
  const View<float, 2, Gpu> on_host{numbers.data(), {4, 6}, 6};
  const View<const std::int32_t, 1, Gpu> ints_on_host{integers.data(), {1}, 1};
  const auto refused = [&](const AttentionInput<Dev>& input, const AttentionGradients<Dev>& gradients) {
    CHECK_THROWS_WITH(attention_backward(dev, gradients, In<Dev, 2>(y), input, cache, options),
                      contains("does not point to device memory"));
  };
  using Input = AttentionInput<Dev>;
  for (const auto operand : {&Input::q, &Input::k, &Input::v}) {
    Input bad = x;
    bad.*operand = on_host;
    refused(bad, dx);
    CHECK_THROWS_WITH(attention_forward(dev, y, cache, bad, options), contains("does not point to device memory"));
  }
  for (const auto side : {&Input::queries, &Input::keys}) {
    for (const auto part : {&Segments<Dev>::begin, &Segments<Dev>::length}) {
      Input bad = x;
      bad.*side.*part = ints_on_host;
      refused(bad, dx);
    }
  }
  using Gradients = AttentionGradients<Dev>;
  for (const auto gradient : {&Gradients::q, &Gradients::k, &Gradients::v}) {
    Gradients bad = dx;
    bad.*gradient = on_host;
    refused(x, bad);
  }
}
