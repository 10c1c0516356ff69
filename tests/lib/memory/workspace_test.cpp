#include "gradus/memory/workspace.hpp"

#include <cmath>
#include <cstdint>
#include <cstring>

#include "gradus/device/device.hpp"
#include "gradus/util/process.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::size_t megabyte = std::size_t{1} << 20;

/// Memory whose bytes record whether they are in use: 1 or 0.
struct Marked {};

/// Whether exactly the first `used` bytes at p are in use, of all bytes that a tensor of that size took.
bool is_used(const double* p, std::size_t used, std::size_t bytes) {
  const auto* const at = reinterpret_cast<const char*>(p);
  for (std::size_t i = 0; i < bytes + 64; ++i) {
    if (at[i] != (i < used ? 1 : 0)) return false;
  }
  return true;
}

}  // namespace

template <>
struct gradus::Allocator<Marked> : Allocator<Host> {
  static std::byte* allocate(std::size_t bytes) {
    std::byte* const p = Allocator<Host>::allocate(bytes);
    return allow(p, bytes), p;
  }
  static void allow(std::byte* p, std::size_t bytes) { std::memset(p, 1, bytes); }
  static void forbid(std::byte* p, std::size_t bytes) { std::memset(p, 0, bytes); }
};

TEST_CASE("workspace: many tensors need few blocks, and none is much larger than what is in use") {
  return_large_blocks();  // those of this test must not stay with the allocator: malloc_test.cpp counts
  Workspace<double, Host> memory;
  for (int i = 0; i < 200; ++i) memory.vector(megabyte / sizeof(double));
  CHECK(memory.allocations() < 20);  // 200 megabytes in blocks of 1, 2, ... 32
  const std::size_t before = memory.allocations();
  for (int i = 0; i < 2; ++i) memory.vector(31 * megabyte / sizeof(double));  // a block of 32 megabytes each
  CHECK(memory.allocations() == before + 2);
}

TEST_CASE("workspace: tensors do not overlap and begin at cache lines") {
  Workspace<double, Host> stack;
  std::vector<View<double, 2, Host>> taken;
  for (std::size_t i = 0; i < 40; ++i) {
    taken.push_back(stack.matrix(i, 3));
    CHECK(reinterpret_cast<std::uintptr_t>(taken.back().data) % 64 == 0);
    for (std::size_t k = 0; k < 3 * i; ++k) taken[i].data[k] = static_cast<double>(i);
  }
  for (std::size_t i = 0; i < 40; ++i) {
    CHECK(taken[i].extent == std::array<std::size_t, 2>{i, 3});
    for (std::size_t k = 0; k < 3 * i; ++k) CHECK(taken[i].data[k] == static_cast<double>(i));
  }
}

TEST_CASE("workspace: an empty tensor is there, an absent one is not") {
  Workspace<double, Host> stack;
  CHECK(stack.matrix(0, 4));
  CHECK(stack.vector(0));
  CHECK_FALSE(View<double, 1, Host>{});
}

TEST_CASE("workspace: what a scope took is given back at its end, in whichever block it was") {
  Cpu<double> dev;
  const double* const outer = dev.scratch.vector(8).data;
  double* first = nullptr;
  {
    Scratch scope(dev);
    first = dev.scratch.vector(8).data;
    {
      Scratch inner(dev);
      CHECK(dev.scratch.vector(megabyte).data != nullptr);  // 8 MB: goes into a block of its own
    }
    CHECK(dev.scratch.vector(8).data > first);
  }
  CHECK(dev.scratch.vector(8).data == first);
  CHECK(first > outer);
}

TEST_CASE("workspace: the first step of a size allocates, and no later one") {
  Cpu<float> dev;
  const auto step = [&](std::size_t rows) {
    dev.run_step({}, [&] {
      for (int layer = 0; layer < 6; ++layer) {
        dev.kept.matrix(rows, 128);
        Scratch scope(dev);
        dev.scratch.matrix(rows, 512);
      }
    });
  };
  step(1000);
  step(1000);  // the blocks of the first step are now one
  const std::size_t kept = dev.kept.allocations(), scratch = dev.scratch.allocations();
  CHECK(dev.kept.high_water() >= 6 * 1000 * 128 * sizeof(float));
  CHECK(dev.scratch.high_water() < 2 * 1000 * 512 * sizeof(float));  // scopes share their memory
  for (const std::size_t rows : {1000, 1, 999, 500, 1000}) step(rows);
  CHECK(dev.kept.allocations() == kept);
  CHECK(dev.scratch.allocations() == scratch);
  step(2000);
  CHECK(dev.kept.allocations() > kept);
}

TEST_CASE("workspace: between steps the pieces become one block, with room for anything as large as all of them") {
  Workspace<double, Host> stack;
  for (int i = 0; i < 6; ++i) stack.vector(megabyte / 4);  // 2 MB each, in several blocks
  const std::size_t pieces = stack.allocations();
  CHECK(pieces > 1);
  stack.settle();
  CHECK(stack.allocations() == pieces + 1);
  stack.vector(6 * megabyte / 4);
  CHECK(stack.allocations() == pieces + 1);
}

TEST_CASE("workspace: a block that grows leaves tensors of the same step where they are") {
  Workspace<double, Host> stack;
  const auto small = stack.vector(4);
  for (std::size_t i = 0; i < 4; ++i) small.data[i] = 7;
  for (int i = 0; i < 5; ++i) {
    const auto large = stack.vector(megabyte);
    large.data[0] = large.data[megabyte - 1] = 1;
  }
  for (std::size_t i = 0; i < 4; ++i) CHECK(small.data[i] == 7);
}

TEST_CASE("workspace: in use is what was taken and not given back, to the byte, in whichever block") {
  Workspace<double, Marked> stack;
  const double* const first = stack.vector(5).data;
  for (int round = 0; round < 2; ++round) {
    const auto mark = stack.mark();
    const double *const small = stack.vector(3).data, *const large = stack.vector(megabyte).data,
                        *const empty = stack.vector(0).data;
    CHECK(is_used(small, 24, 24));
    CHECK(is_used(large, 8 * megabyte, 8 * megabyte));
    CHECK(is_used(empty, 0, 0));
    stack.release(mark);
    CHECK(is_used(small, 0, 24));
    CHECK(is_used(large, 0, 8 * megabyte));
    CHECK(is_used(first, 40, 40));
  }
  stack.settle();  // the blocks become one
  const double* const again = stack.vector(5).data;
  CHECK(is_used(again, 40, 8 * megabyte));
  stack.settle();  // and it stays
  CHECK(is_used(again, 0, 40));
}

TEST_CASE("workspace: poisoned memory is not a number until it is written") {
  Workspace<double, Host> stack;
  Workspace<float, Host> narrow;
  stack.poisoned = narrow.poisoned = true;
  for (int round = 0; round < 2; ++round) {
    const auto mark = stack.mark();
    const auto v = stack.vector(5);
    for (std::size_t i = 0; i < 5; ++i) {
      CHECK(std::isnan(v.data[i]));
      v.data[i] = 0;
    }
    stack.release(mark);  // the second round gets the same memory, filled with NaN again
  }
  CHECK(std::isnan(narrow.vector(1).data[0]));
}

TEST_CASE("device: a step starts with an empty workspace, and ends as one even when it throws") {
  Cpu<double> dev;
  const double* first = nullptr;
  dev.run_step({}, [&] { first = dev.kept.vector(3).data; });
  CHECK_THROWS_AS(dev.run_step({},
                               [&] {
                                 CHECK(dev.in_step);
                                 CHECK(dev.kept.vector(3).data == first);
                                 fail("in the middle");
                               }),
                  Error);
  CHECK_FALSE(dev.in_step);
}

TEST_CASE("step state: source and target rows are counted apart") {
  StepState state;
  state.source_row = 5;
  state.target_row = 11;
  CHECK(state.first_row(Side::source) == 5);
  CHECK(state.first_row(Side::target) == 11);
}
