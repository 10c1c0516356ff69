#include "gradus/device/device.hpp"
#include "gradus/device/in_parallel.hpp"
#include "gradus/device/specification.hpp"
#include "gradus/scalar/dual.hpp"

#include <vector>

#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("products: three ways to multiply, found by their names") {
  CHECK(name_of(Products::exact) == std::string("exact"));
  CHECK(name_of(Products::tf32) == std::string("tf32"));
  CHECK(name_of(Products::bf16) == std::string("bf16"));
  for (const Products p : {Products::exact, Products::tf32, Products::bf16}) {
    CHECK(parse<Products>(name_of(p)) == p);
  }
  CHECK_THROWS_AS(parse<Products>("fp16"), UsageError);
}

TEMPLATE_TEST_CASE("device: a processor has exact products only, and computes what is used, one step at a time", "",
                   Cpu<float>, Reference<double>) {
  const TestType dev;
  CHECK_NOTHROW(dev.choose(Products::exact));
  CHECK_THROWS_WITH(dev.choose(Products::bf16), contains("bf16 products need a GPU"));
  CHECK(TestType::capacity(3, 9) == 3);
  CHECK(TestType::steps_ahead == 1);
  CHECK(TestType::side_by_side);
  CHECK_NOTHROW(dev.choose(TestType::default_products));
}

TEST_CASE("products: a training that names none has tf32 on a GPU, exact ones on a processor") {
  CHECK(Cuda<float>::default_products == Products::tf32);
  CHECK(Cuda<double>::default_products == Products::tf32);
  CHECK(Cpu<float>::default_products == Products::exact);
  CHECK(Reference<double>::default_products == Products::exact);
}

TEST_CASE("device: a step begins with an empty workspace and is marked as running") {
  Cpu<double> dev;
  dev.kept.vector(3);
  dev.scratch.vector(3);
  bool ran = false;
  dev.run_step({}, [&] {
    ran = true;
    CHECK(dev.in_step);
    CHECK(dev.kept.mark().used == 0);
    CHECK(dev.scratch.mark().used == 0);
  });
  CHECK(ran);
  CHECK_FALSE(dev.in_step);
  dev.set({7, 5, 0, 1, 2, 3});
  CHECK(dev.state.seed == 7);
  CHECK(dev.state.step == 5);
}

TEST_CASE("device: the state of a step begins with nothing learnt and nothing before it") {
  const StepState s;
  CHECK(s.seed == 1);
  CHECK(s.step == 0);
  CHECK(s.learning_rate == 0);
  CHECK(s.inverse_tokens == 1);
  CHECK(s.first_row(Side::source) == 0);
  CHECK(s.first_row(Side::target) == 0);
  CHECK(s.first_pair == 0);
  CHECK(s.pairs == 0);
  CHECK(StepState{1, 2, 0.5, 1, 30, 40}.first_row(Side::source) == 30);
  CHECK(StepState{1, 2, 0.5, 1, 30, 40}.first_row(Side::target) == 40);
}

namespace {

static_assert(RequireDevice<Cpu<float>>::value && RequireDevice<Reference<double>>::value);
static_assert(RequireDevice<Reference<Dual>>::value && RequireDevice<Cuda<float>>::value);

// Types that are not devices: each spoils one member of a device.
struct NoReal : Cpu<float> {
  using Real = void;
};
struct OtherSpace : Cpu<float> {
  using Space = Gpu;  // but kept is a workspace of the host
};
struct OtherState : Cpu<float> {
  int state = 0;
};
struct NoSet : Cpu<float> {
  void set() const {}
};
struct NoChoice : Cpu<float> {
  void choose() const {}
};
struct NoReset : Cpu<float> {
  void reset(int) const {}
};
struct NoStep : Cpu<float> {
  void run_step() const {}
};
struct OtherFlag : Cpu<float> {
  int in_step = 0;
};
struct OtherCapacity : Cpu<float> {
  static int capacity(std::size_t) { return 0; }
};
struct NoStepsAhead : Cpu<float> {
  static constexpr std::size_t steps_ahead = 0;
};
struct NoProducts : Cpu<float> {
  static constexpr int default_products = 0;
};
struct NoSide : Cpu<float> {
  static void side_by_side() {}
};

}  // namespace

TEST_CASE("device: a type without a member of the specification is not a device") {
  CHECK(Has<device_members::kept, Cpu<float>>::value);
  CHECK_FALSE(Has<device_members::kept, NoReal>::value);
  CHECK_FALSE(Has<device_members::kept, OtherSpace>::value);
  CHECK_FALSE(Has<device_members::scratch, OtherSpace>::value);
  CHECK_FALSE(Has<device_members::state, OtherState>::value);
  CHECK_FALSE(Has<device_members::set, NoSet>::value);
  CHECK_FALSE(Has<device_members::choose, NoChoice>::value);
  CHECK_FALSE(Has<device_members::reset, NoReset>::value);
  CHECK_FALSE(Has<device_members::run_step, NoStep>::value);
  CHECK_FALSE(Has<device_members::in_step, OtherFlag>::value);
  CHECK_FALSE(Has<device_members::capacity, OtherCapacity>::value);
  CHECK_FALSE(Has<device_members::steps_ahead, NoStepsAhead>::value);
  CHECK_FALSE(Has<device_members::side_by_side, NoSide>::value);
  CHECK_FALSE(Has<device_members::default_products, NoProducts>::value);
  CHECK_FALSE(Has<device_members::real, int>::value);
  CHECK_FALSE(Has<device_members::space, int>::value);
}

TEST_CASE("in_parallel: a processor does the first branch and then the second") {
  std::vector<int> done;
  const auto note = [&](int branch) { return [&done, branch] { done.push_back(branch); }; };
  Cpu<float> cpu;
  in_parallel(cpu, note(1), note(2));
  Reference<double> reference;
  in_parallel(reference, note(3), note(4));
  CHECK(done == std::vector<int>{1, 2, 3, 4});
}
