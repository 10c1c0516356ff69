#include <algorithm>
#include <cmath>

#include "chapters/03_attention/kernel_cases.hpp"
#include "gradus/gpu/host/block.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Bytes of the workspace that a forward and a backward pass take, except what they keep.
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

TEST_CASE("attention: the workspace is used only if all shared memory that a GPU gives is too small") {
  CHECK(scratch_of<double>(boundary_case(120)) == std::pair<std::size_t, std::size_t>{0, 0});
  CHECK(scratch_of<double>(boundary_case(121)).second > 0);
  CHECK(scratch_of<float>(boundary_case(169)) == std::pair<std::size_t, std::size_t>{0, 0});
  CHECK(scratch_of<float>(boundary_case(170)).second > 0);
  CHECK(scratch_of<double>(many_keys_case(2641)).first == 0);
  CHECK(scratch_of<double>(many_keys_case(2642)).first > 0);
  CHECK(scratch_of<float>(many_keys_case(5282)).first == 0);
  CHECK(scratch_of<float>(many_keys_case(5283)).first > 0);
}

TEST_CASE("attention: warps alone compute short sentences") {
  using Bytes = std::pair<std::size_t, std::size_t>;
  gpu::host::set_most_shared(64);  // too small for any block: those that compute sentences need workspace
  const auto needs_blocks = [](std::int32_t queries, std::int32_t keys, std::size_t Dk, std::size_t spare) {
    const AttentionCase c{{queries, 5}, {keys, 5 + queries - keys}, Dk, {2, false, {}}, spare};
    const Bytes found = scratch_of<float>(c);
    CHECK((found.first > 0) == (found.second > 0));
    return found.first > 0;
  };
  for (const std::size_t Dk : {16, 32}) {
    CHECK(!needs_blocks(32, 32, Dk, 0));
    CHECK(needs_blocks(33, 32, Dk, 0));
    CHECK(needs_blocks(32, 33, Dk, 0));
    CHECK(!needs_blocks(32, 32, Dk, 27));  // 64 rows for two sentences
    CHECK(needs_blocks(32, 32, Dk, 28));   // more than 32 rows for each, so long sentences are to be expected
  }
  for (const std::size_t Dk : {15, 17, 31, 33, 64}) CHECK(needs_blocks(5, 5, Dk, 0));
  gpu::host::set_most_shared(227 << 10);
}

namespace {

/// Whether blocks compute four tokens, in forward and in backward, if matrix number `gapped` has a gap after each row.
std::pair<bool, bool> blocks_with_gap(int gapped, std::size_t gap) {
  using Dev = Cuda<float>;
  constexpr std::size_t n = 4, Dk = 16;
  Dev dev, in_backward;
  const auto offsets = dev.kept.ints(2);
  write(dev, offsets, {0, n});
  const Segments<Dev> rows{slice(Ints<Dev, 1>(offsets), 0, 1), slice(Ints<Dev, 1>(offsets), 1, 1), n, n};
  const auto matrix = [&](int i) {
    const auto wide = dev.kept.matrix(n, Dk + (i == gapped ? gap : 0));
    fill(dev, wide, 1);
    return columns(wide, 0, Dk);
  };
  const AttentionInput<Dev> x{matrix(0), matrix(1), matrix(2), rows, rows};
  const auto y = matrix(3);
  AttentionCache<Dev> cache;
  attention_forward(dev, y, cache, x, {1, false, {}});
  attention_backward(in_backward, {matrix(4), matrix(5), matrix(6)}, In<Dev, 2>(y), x, cache, {1, false, {}});
  return {dev.scratch.high_water() > 0, in_backward.scratch.high_water() > 0};
}

}  // namespace

TEST_CASE("attention: warps read 16 bytes at a time, if those rows begin at multiples of 16") {
  gpu::host::set_most_shared(64);  // too small for any block: those that compute sentences need workspace
  for (int gapped = 0; gapped <= 6; ++gapped) {
    for (const std::size_t gap : {1, 2, 3, 4}) {
      const bool in_forward = gap != 4 && (gapped == 0 || gapped == 1),  // q, k
          in_backward = gap != 4 && (gapped == 2 || gapped == 3);        // v, dy
      INFO("matrix " << gapped << ", gap " << gap);
      CHECK(blocks_with_gap(gapped, gap) == std::pair(in_forward, in_backward));
    }
  }
  gpu::host::set_most_shared(227 << 10);
}

TEST_CASE("attention: a sentence whose tables fit into shared memory does not touch the workspace") {
  using Dev = Cuda<double>;
  const std::size_t longest = 57,
                    room = longest + 2 * longest * longest;  // of two sentences of turns_case together
  gpu::host::set_most_shared(50 << 10);                      // too small for it: there is a workspace
  for (const std::int32_t tokens : {1, 57}) {
    AttentionCase c = turns_case();
    c.query_lengths[3] = tokens;  // this sentence has 57 keys
    const Description d = describe(c);
    Dev dev;
    Tensors<Dev> t(d, random_values(d), {});
    AttentionCache<Dev> cache;
    c.forward(dev, cache, t);
    dev.scratch.poisoned = true;
    c.backward(dev, cache, t);
    dev.scratch.poisoned = false;
    Scratch<Dev> scope(dev);
    std::vector<double> memory;
    read(dev, memory, In<Dev, 1>(dev.scratch.vector(128 * room)));
    const bool is_untouched = std::all_of(memory.begin(), memory.end(), [](double x) { return std::isnan(x); });
    CHECK(is_untouched == (tokens == 1));
  }
  gpu::host::set_most_shared(227 << 10);
}
