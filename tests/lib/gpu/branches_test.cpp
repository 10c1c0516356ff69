#include <vector>

#include "gradus/device/in_parallel.hpp"
#include "lib/gpu/on_device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Appends a digit: the last four digits of y are the last four launches, in the order in which they ran.
__global__ void append_kernel(View<int, 1, Gpu> y, int digit) {
  if (threadIdx.x == 0) y[0] = 10 * y[0] % 10'000 + digit;
}

struct Written {
  Cuda<float> dev;
  OnDevice<int> y{std::vector<int>{0}};

  auto digit(int d) {
    return [this, d] { gpu::launch(append_kernel, {1, 32}, y.view(), d); };
  }
  /// The digits of a step.
  template <class F>
  int by(F&& f) {
    dev.run_step({1}, f);
    return y.values()[0];
  }
};

struct Interrupted {};

}  // namespace

TEST_CASE("in_parallel: both branches between earlier and later work; a recording has the second one first") {
  Written written;
  const auto step = [&] {
    written.digit(1)();
    in_parallel(written.dev, written.digit(2), written.digit(3));
    written.digit(4)();
  };
  CHECK(written.by(step) == 1234);
  for (int i = 0; i < 3; ++i) CHECK(written.by(step) == 1324);  // recorded, and replayed
  written.dev.records = false;
  CHECK(written.by(step) == 1234);
}

TEST_CASE("in_parallel: branches within branches") {
  Written written;
  const auto inner = [&] { in_parallel(written.dev, written.digit(2), written.digit(3)); };
  const auto in_first = [&] { written.digit(1)(), in_parallel(written.dev, inner, written.digit(4)); };
  const auto in_second = [&] { in_parallel(written.dev, written.digit(1), inner), written.digit(4)(); };
  CHECK(written.by(in_first) == 1234);
  CHECK(written.by(in_first) == 1432);
  written.dev.records = false;
  CHECK(written.by(in_second) == 1234);
}

TEST_CASE("in_parallel: an error in a branch leaves device and layer usable") {
  Written written;
  const auto fails = [] { throw Interrupted(); };
  for (int before = 0; before < 3; ++before) {
    CHECK_THROWS_AS(written.by([&] { in_parallel(written.dev, fails, written.digit(2)); }), Interrupted);
    CHECK_THROWS_AS(written.by([&] { in_parallel(written.dev, written.digit(2), fails); }), Interrupted);
    check_layer_works();
    CHECK_NOTHROW(written.by([&] { in_parallel(written.dev, written.digit(1), written.digit(2)); }));
  }
}
