#include <thread>

#include "gradus/device/cuda.hpp"
#include "gradus/ops/elementwise.hpp"
#include "lib/gpu/on_device.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// y += x + the number of the step; the host sets the number, and only the device reads it.
__global__ void advance_kernel(View<double, 1, Gpu> y, double x, const StepState* state) {
  if (threadIdx.x == 0) y[0] += x + state->step;
}

/// A step on a device, and its expected result.
struct Walk {
  Cuda<double> dev;
  OnDevice<double> y{std::vector<double>{0}};
  std::uint32_t step = 0;
  double expected = 0;

  void launch(double x) { gpu::launch(advance_kernel, {1, 32}, y.view(), x, dev.device_state()); }
  template <class F>
  void run(const StepSizes& sizes, F&& f) {
    StepState state;
    state.step = ++step;
    dev.set(state);
    dev.run_step(sizes, f);
  }
  /// Two launches; they do the same in every mode.
  void go(const StepSizes& sizes = {1}) {
    run(sizes, [&] { launch(0.5), launch(0.25); });
    expected += 0.75 + 2 * step;
    REQUIRE(y.values()[0] == expected);
  }
};

struct Interrupted {};

}  // namespace

TEST_CASE("run_step: a replay computes the same as a run, with the state of its own step") {
  Walk walk;
  for (int i = 0; i < 5; ++i) walk.go({1});
  for (int i = 0; i < 5; ++i) walk.go({2, 3});
  for (int i = 0; i < 3; ++i) walk.go({1});
}

TEST_CASE("run_step: of many sizes the last ones are remembered") {
  Walk walk;
  const auto is_run = [&](std::size_t size) {  // plainly, for the first time: then it may allocate memory
    try {
      walk.run({size}, [] { gpu::release(gpu::allocate(1)); });
      return true;
    } catch (const Error&) {
      return false;
    }
  };
  constexpr std::size_t most = Cuda<double>::most_steps;
  for (std::size_t size = 0; size < most; ++size) CHECK(is_run(size));
  CHECK_FALSE(is_run(0));
  CHECK(is_run(most));  // instead of size 0
  CHECK_FALSE(is_run(1));
  CHECK(is_run(0));  // instead of size 1
  CHECK_FALSE(is_run(most));
  CHECK(is_run(1));
}

TEST_CASE("run_step: reading and writing are errors from the first step on") {
  std::vector<double> host{1};
  for (int before = 0; before < 4; ++before) {  // in a plain step, a recorded one, and replayed ones
    Walk walk;
    for (int i = 0; i < before; ++i) walk.go();
    const auto reads = [&] { read(walk.dev, host, View<const double, 1, Gpu>(walk.y.view())); };
    const auto writes = [&] { write(walk.dev, walk.y.view(), host); };
    CHECK_THROWS_WITH(walk.run({1}, reads), contains("the host reads nothing during a step"));
    CHECK_THROWS_WITH(walk.run({1}, writes), contains("the host writes nothing during a step"));
    CHECK_THROWS_WITH(walk.run({1}, [&] { walk.dev.set({}); }), contains("call it between steps"));
    for (int i = 0; i < 4; ++i) walk.go();
  }
}

TEST_CASE("run_step: a value of the host that changes is an error") {
  Walk walk;
  double x = 0.5;
  const auto step = [&] { walk.launch(x), walk.launch(0.25); };
  for (int i = 0; i < 3; ++i) walk.run({1}, step);
  const double before = walk.y.values()[0];
  x = 0.75;
  CHECK_THROWS_WITH(walk.run({1}, step), contains("launch 1 of a recorded step has other arguments"));
  CHECK(walk.y.values()[0] == before);  // nothing was replayed
  x = 0.5;
  CHECK_NOTHROW(walk.run({1}, step));
}

TEST_CASE("run_step: a launch more or less, or of another size, is an error") {
  Walk walk;
  int launches = 2;
  unsigned threads = 32;
  const auto step = [&] {
    for (int i = 0; i < launches; ++i)
      gpu::launch(advance_kernel, {1, threads}, walk.y.view(), 0.5, walk.dev.device_state());
  };
  for (int i = 0; i < 3; ++i) walk.run({1}, step);
  launches = 3;
  CHECK_THROWS_WITH(walk.run({1}, step), contains("launch 3 of a recorded step"));
  launches = 1;
  CHECK_THROWS_WITH(walk.run({1}, step), contains("of 2 launches now has 1"));
  launches = 2, threads = 64;
  CHECK_THROWS_WITH(walk.run({1}, step), contains("launch 1 of a recorded step"));
}

TEST_CASE("run_step: a step that throws leaves device and layer usable") {
  for (int before = 0; before < 4; ++before) {
    Walk walk;
    for (int i = 0; i < before; ++i) walk.go();
    CHECK_THROWS_AS(walk.run({1}, [] { throw Interrupted(); }), Interrupted);
    CHECK_FALSE(walk.dev.in_step);
    check_layer_works();
    for (int i = 0; i < 4; ++i) walk.go();
  }
}

TEST_CASE("run_step: a first step that threw is no first step") {
  Walk walk;
  bool is_recorded = true;
  CHECK_THROWS_AS(walk.run({1}, [] { throw Interrupted(); }), Interrupted);
  walk.run({1}, [&] {
    gpu::release(gpu::allocate(1));  // an error in a recording
    is_recorded = false;
  });
  CHECK_FALSE(is_recorded);
}

TEST_CASE("run_step: recordings are dropped when the workspace grows") {
  Walk walk;
  const auto step = [&](std::size_t n) {
    return [&walk, n] {
      const Scratch<Cuda<double>> scope(walk.dev);
      const auto x = walk.dev.scratch.matrix(1, n);
      fill(walk.dev, x, 1.0);
      add(walk.dev, as_matrix(walk.y.view(), 1, 1), columns(View<const double, 2, Gpu>(x), n - 1, 1));
    };
  };
  double expected = 0;
  // Small steps are recorded; a large one takes a second block; then both become one block, at another address.
  for (const std::size_t n : {10, 10, 10, 400'000, 10, 400'000, 400'000, 400'000, 10, 10, 10}) {
    const std::size_t allocations = walk.dev.scratch.allocations();
    CHECK_NOTHROW(walk.run({n}, step(n)));
    CHECK(walk.y.values()[0] == ++expected);
    if (expected > 6) CHECK(walk.dev.scratch.allocations() == allocations);
  }
}

TEST_CASE("recording: it does not contain the launches of other threads") {
  const OnDevice<double> y(std::vector<double>{0});
  const OnDevice<StepState> state(std::vector<StepState>{StepState{}});
  const StepState* const at = state.data();
  gpu::Recording recording;
  recording.begin();
  std::string answer;
  std::thread([&] {
    try {
      gpu::launch(advance_kernel, {1, 32}, y.view(), 1.0, at);
    } catch (const Error& error) {
      answer = error.what();
    }
  }).join();
  CHECK(answer == gpu::one_stream);
  recording.end();
  recording.replay();
  CHECK(y.values()[0] == 0);
}

TEST_CASE("recording: launches are noted and not run, and neither copies nor allocations are") {
  const OnDevice<double> y(std::vector<double>{0});
  const OnDevice<StepState> state(std::vector<StepState>{StepState{}});
  const StepState* const at = state.data();
  double host = 0;
  {
    gpu::Recording recording;
    recording.begin();
    gpu::launch(advance_kernel, {1, 32}, y.view(), 1.0, at);
    CHECK_THROWS_WITH(gpu::download(&host, y.data(), 8), contains("download cannot be recorded"));
    CHECK_THROWS_WITH(gpu::upload(y.data(), &host, 8), contains("upload cannot be recorded"));
    CHECK_THROWS_WITH(gpu::allocate(8), contains("allocate cannot be recorded"));
    CHECK_THROWS_WITH(gpu::Recording().begin(), contains("a recording cannot be recorded"));
    recording.end();
    CHECK(y.values()[0] == 0);
    for (int i = 0; i < 3; ++i) recording.replay();
    CHECK(y.values()[0] == 3);
  }
  {
    gpu::Recording left_open;
    left_open.begin();
    const gpu::Recording bystander;  // its end must not end the other recording
  }
  check_layer_works();
}
