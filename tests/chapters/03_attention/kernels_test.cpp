#include <cmath>

#include "03_attention/attention_naive_cuda.hpp"
#include "chapters/03_attention/kernel_cases.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A GPU on which attention is what one would write first.
template <class R>
struct NaiveCuda : Cuda<R> {};

template <class R, class Dev = Cuda<R>>
void attention_forward(NaiveCuda<R>& dev, Out<Dev, 2> y, AttentionCache<Dev>& cache, In<Dev, 2> q, In<Dev, 2> k,
                       In<Dev, 2> v, const Segments<Dev>& queries, const Segments<Dev>& keys,
                       const AttentionOptions& options) {
  naive_attention_forward<R>(dev, y, cache, q, k, v, queries, keys, options);
}
template <class R, class Dev = Cuda<R>>
void attention_backward(NaiveCuda<R>& dev, Out<Dev, 2> dq, Out<Dev, 2> dk, Out<Dev, 2> dv, In<Dev, 2> dy,
                        In<Dev, 2> q, In<Dev, 2> k, In<Dev, 2> v, const Segments<Dev>& queries,
                        const Segments<Dev>& keys, const AttentionCache<Dev>& cache,
                        const AttentionOptions& options) {
  naive_attention_backward<R>(dev, dq, dk, dv, dy, q, k, v, queries, keys, cache, options);
}

}  // namespace

TEST_CASE("attention: the naive kernels before the judges") {
  for (const AttentionCase& c : {AttentionCase{}, causal_case(), aligned_case(),
                                 AttentionCase{{33, 2}, {33, 2}, 5, {3, true, {0.2, 20, Side::source}}, 1},
                                 AttentionCase{{}, {}, 3, {2, true, {}}, 3}}) {
    const Component judged = component(c);
    for (const Runner& r :
         {runner<NaiveCuda<double>>("naive Cuda<double>", c), runner<NaiveCuda<float>>("naive Cuda<float>", c)}) {
      expect(parity(judged, r));
      expect(contract(judged, r));
      expect(thread_orders(judged, r));
      if (r.is_double) expect(dual_numbers(judged, r));
    }
  }
}

namespace {

/// The weights that forward saves, of a case whose inputs are drawn from one seed on every device.
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

/// Bytes of the workspace that a forward and a backward pass take besides what they keep.
template <class Real>
std::pair<std::size_t, std::size_t> scratch_of(const AttentionCase& c) {
  using Dev = Cuda<Real>;
  const Description d = describe(c);
  Dev dev;
  Tensors<Dev> t(d, random_values(d), {});
  AttentionCache<Dev> cache;
  c.forward(dev, cache, t);
  const std::size_t forward = dev.scratch.high_water();
  c.backward(dev, cache, t);
  return {forward, dev.scratch.high_water()};
}

}  // namespace

TEST_CASE("attention: the saved weights are the reference's, zeros where no key is seen and in spare rows too") {
  for (const AttentionCase& c : {AttentionCase{}, causal_case(), aligned_case(), turns_case()}) {
    const std::vector<double> expected = saved_weights<Reference<double>>(c),
                              found = saved_weights<Cuda<double>>(c);
    CHECK(relative_error(found, expected) < 1e-13);
    for (std::size_t i = 0; i < expected.size() && i < found.size(); ++i)
      CHECK((found[i] == 0) == (expected[i] == 0));
  }
}

TEST_CASE("attention: the workspace is taken where shared memory is too small, and only there") {
  CHECK(scratch_of<double>(boundary_case(54)) == std::pair<std::size_t, std::size_t>{0, 0});
  CHECK(scratch_of<double>(boundary_case(55)).second > 0);
  CHECK(scratch_of<float>(boundary_case(77)) == std::pair<std::size_t, std::size_t>{0, 0});
  CHECK(scratch_of<float>(boundary_case(78)).second > 0);
  CHECK(scratch_of<double>(many_keys_case(558)).first == 0);
  CHECK(scratch_of<double>(many_keys_case(559)).first > 0);
  CHECK(scratch_of<float>(many_keys_case(1117)).first == 0);
  CHECK(scratch_of<float>(many_keys_case(1118)).first > 0);
}

TEST_CASE("attention: a segment that reaches beyond its rows becomes NaN, and nothing else does") {
  using Dev = Cuda<double>;
  const AttentionCase c{{2, 3}, {2, 3}, 1, {1, false, {}}, 0};
  const Description d = describe(c);
  const SegmentTable fits = segments(c.query_lengths, 0);
  SegmentTable beyond = fits, too_long = fits;
  beyond.begin[1] = 3;   // row 3, row 4, and a row that is not there
  too_long.longest = 2;  // what the launch was made for
  for (const bool of_queries : {true, false}) {
    for (const SegmentTable& wrong : {beyond, too_long}) {
      Dev dev;
      Tensors<Dev> t(d, random_values(d), {});
      AttentionCache<Dev> cache;
      const auto queries = t.segments(of_queries ? wrong : fits), keys = t.segments(of_queries ? fits : wrong);
      attention_forward(dev, t.matrix("y"), cache, t.matrix("q"), t.matrix("k"), t.matrix("v"), queries, keys,
                        c.options);
      attention_backward(dev, t.d_matrix("q"), t.d_matrix("k"), t.d_matrix("v"), t.d_matrix("y"), t.matrix("q"),
                         t.matrix("k"), t.matrix("v"), queries, keys, cache, c.options);
      for (const std::string name : {"y", "dq", "dk", "dv"}) {
        const std::vector<double> x = t.values(name);
        INFO(name << (of_queries ? ", queries" : ", keys"));
        CHECK((std::isfinite(x[0]) && std::isfinite(x[1])));
        CHECK((std::isnan(x[3]) && std::isnan(x[4])));
      }
    }
  }
}

TEST_CASE("attention: the kernels before every judge") {
  each_attention_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
