#include "gradus/memory/lent_workspaces.hpp"

#include <array>
#include <atomic>
#include <thread>

#include "gradus/device/device.hpp"
#include "gradus/util/workers.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = Cpu<double>;
using Lent = LentWorkspaces<Dev>;

/// A device that takes turns with others, as a GPU does.
struct InTurns : Dev {
  static constexpr bool side_by_side = false;
};

}  // namespace

TEST_CASE("lent workspaces: the next piece of work gets the memory of the last one") {
  Lent lent;
  Dev first, second;
  Lent::Memory storage, other;
  std::array<const double*, 3> at{};
  lent.lend(first, &storage, [&] {
    at = {first.kept.vector(10).data, first.scratch.vector(20).data, storage.vector(30).data};
  });
  REQUIRE(lent.allocations() == 3);
  lent.lend(second, &other, [&] {
    second.reset();
    other.settle();
    CHECK(second.kept.vector(10).data == at[0]);
    CHECK(second.scratch.vector(20).data == at[1]);
    CHECK(other.vector(30).data == at[2]);
  });
  CHECK(lent.allocations() == 3);
}

TEST_CASE("lent workspaces: afterwards a device has its own memory again, after an error too") {
  Lent lent(1);
  Dev dev;
  const auto own = dev.kept.vector(3);
  own.data[2] = 7;
  const auto breaks = [&] {
    dev.reset();
    dev.kept.vector(3).data[2] = 8;
    fail("a fault");
  };
  CHECK_THROWS_AS(lent.lend(dev, nullptr, breaks), Error);
  CHECK(own.data[2] == 7);
  CHECK(dev.kept.allocations() == 1);
  CHECK(dev.kept.vector(1).data > own.data);
  CHECK(lent.allocations() == 1);
  lent.lend(dev, nullptr, [] {});  // the only set is back
  CHECK(lent.allocations() == 1);
}

TEST_CASE("lent workspaces: threads have different memory at the same time") {
  Lent lent(1);
  Workers workers(3);
  std::atomic<int> inside{0};
  std::array<const double*, 3> at{};
  workers.each(3, [&](std::size_t i) {
    Dev dev;
    lent.lend(dev, nullptr, [&] {
      at[i] = dev.kept.vector(5).data;
      ++inside;
      while (inside < 3) std::this_thread::yield();
    });
  });
  CHECK(at[0] != at[1]);
  CHECK(at[1] != at[2]);
  CHECK(at[0] != at[2]);
}

TEST_CASE("lent workspaces: made equal, any set is large enough for the largest piece") {
  Lent lent(2);
  Dev large, small;
  lent.lend(small, nullptr, [&] {
    small.kept.vector(1);
    lent.lend(large, nullptr, [&] { large.kept.vector(1 << 20), large.scratch.vector(1 << 19); });
  });
  lent.equalise();
  const std::size_t before = lent.allocations();
  lent.equalise();
  lent.lend(small, nullptr, [&] {
    lent.lend(large, nullptr, [&] {
      for (Dev* dev : {&small, &large}) {
        dev->reset();
        dev->kept.vector(1 << 20), dev->scratch.vector(1 << 19);
      }
    });
  });
  CHECK(lent.allocations() == before);
}

TEST_CASE("lent workspaces: nothing is lent to devices that cannot compute side by side") {
  LentWorkspaces<InTurns> lent(2);
  InTurns dev;
  const auto own = dev.kept.vector(1);
  lent.lend(dev, nullptr, [&] { CHECK(dev.kept.vector(1).data > own.data); });
  CHECK(dev.kept.allocations() == 1);
  CHECK(lent.allocations() == 0);
}

TEST_CASE("workspace: reserved memory is one block, and two workspaces can exchange theirs") {
  Workspace<double, Host> a, b;
  a.reserve(10 << 20);
  REQUIRE(a.allocations() == 1);
  CHECK(a.high_water() == 10 << 20);
  const auto x = a.vector(1 << 20);
  x.data[9] = 5;
  a.swap(b);
  CHECK(a.allocations() == 0);
  CHECK(a.high_water() == 0);
  CHECK(b.allocations() == 1);
  CHECK(x.data[9] == 5);
  CHECK(b.vector(1).data > x.data);
  b.settle();
  b.reserve(1 << 20);  // less than it has
  CHECK(b.allocations() == 1);
}
