#include <cmath>

#include "chapters/11_translator/kernel_cases.hpp"
#include "gradus/ops/elementwise.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("past: every judge accepts the kernels", "[gradients]") {
  each_cache_kernel([](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEMPLATE_TEST_CASE("past: with kernels too finished beams write nothing, and other rows stay as they are", "",
                   Cuda<float>, Cuda<double>) {
  using Dev = TestType;
  using Real = typename Dev::Real;
  Dev dev;
  Workspace<Real, Gpu> memory;
  const auto past = memory.vector(8), x = memory.vector(6);
  const auto c = as_matrix(past, 4, 2);
  const In<Dev, 2> rows = as_matrix(x, 3, 2);
  write(dev, past, {1, 2, 3, 4, 5, 6, 7, 8});
  write(dev, x, {10, 20, 30, 40, 50, 60});
  const auto ints = [&](const std::vector<std::int32_t>& values) {
    const OutInts<Dev, 1> v = memory.ints(values.size());
    write(dev, v, values);
    return Ints<Dev, 1>(v);
  };
  const auto holds = [&](const std::vector<Real>& expected) {
    std::vector<Real> found;
    read(dev, found, In<Dev, 1>(past));
    return found == expected;
  };
  past_append(dev, c, rows, ints({2, -1, 0}));
  CHECK(holds({50, 60, 3, 4, 10, 20, 7, 8}));
  past_select(dev, c, In<Dev, 2>(c), ints({0, 0, 2}), ints({1, -1, 3}));  // in place
  CHECK(holds({50, 60, 50, 60, 10, 20, 10, 20}));
  past_select(dev, c, rows, ints({1, 0}), ints({4, -2}));  // the past has no such rows: nothing is written
  CHECK(holds({50, 60, 50, 60, 10, 20, 10, 20}));
  past_append(dev, c, In<Dev, 2>{x.data, {0, 2}, 2}, ints({}));
  past_select(dev, c, In<Dev, 2>(c), ints({}), ints({}));
  CHECK(holds({50, 60, 50, 60, 10, 20, 10, 20}));

  past_select(dev, c, rows, ints({3, -1}), ints({0, 1}));  // the source has no such rows: the results show it
  std::vector<Real> found;
  read(dev, found, In<Dev, 1>(past));
  for (std::size_t i = 0; i < 8; ++i) CHECK(std::isnan(found[i]) == (i < 4));
}
