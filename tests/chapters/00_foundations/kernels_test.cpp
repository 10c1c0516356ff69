#include "00_foundations/cuda/product_ladder_cuda.hpp"
#include "chapters/00_foundations/kernel_cases.hpp"
#include "chapters/00_foundations/linear_case.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A GPU whose linear map multiplies with a step of the ladder.
template <class R, ProductStep step>
struct LadderCuda : Cuda<R> {};

template <class R, ProductStep step, class Dev = Cuda<R>>
void linear_forward(LadderCuda<R, step>& dev, Out<Dev, 2> y, In<Dev, 2> x, const LinearParams<Dev>& p) {
  check_linear<Dev>(y, x, p);
  ladder_product<R>(dev, y, x, p.w, step);
}

template <ProductStep step>
void judge(const std::string& name, const LinearCase& c) {
  const Component judged = component(c);
  for (const Runner& r : {runner<LadderCuda<double, step>>(name + " in double", c),
                          runner<LadderCuda<float, step>>(name + " in float", c)}) {
    expect(parity(judged, r));
    expect(contract(judged, r));
    expect(thread_orders(judged, r));
    expect(wide_grids(judged, r));
  }
}

}  // namespace

TEST_CASE("product ladder: the judges accept each step") {
  constexpr bool bias = false;
  for (const LinearCase& c :
       {LinearCase{1, 1, 1, bias}, LinearCase{33, 35, 34, bias}, LinearCase{70, 40, 9, bias},
        LinearCase{9, 18, 130, bias}, LinearCase{64, 32, 64, bias}, LinearCase{0, 3, 4, bias}}) {
    judge<ProductStep::naive>("naive", c);
    judge<ProductStep::coalesced>("coalesced", c);
    judge<ProductStep::shared_tile>("shared tile", c);
    judge<ProductStep::register_tile>("register tile", c);
  }
}

TEST_CASE("product ladder: factors that do not fit are named, and an empty sum is zero") {
  Cuda<float> dev;
  const auto a = dev.kept.matrix(3, 4), b = dev.kept.matrix(5, 2), c = dev.kept.matrix(3, 2);
  for (const ProductStep step :
       {ProductStep::naive, ProductStep::coalesced, ProductStep::shared_tile, ProductStep::register_tile}) {
    CHECK_THROWS_WITH((ladder_product<float>(dev, c, a, b, step)), contains("(3, 4)") && contains("(5, 2)"));
    ladder_product<float>(dev, c, columns(a, 0, 0), rows(b, 0, 0), step);
    std::vector<float> zero(6, 1);
    read(dev, zero, In<Cuda<float>, 1>(as_vector(c)));
    CHECK(zero == std::vector<float>(6, 0));
  }
}

TEST_CASE("kernels of chapter 00: every judge accepts them", "[gradients]") {
  each_foundation_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}
