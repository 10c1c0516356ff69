#include <cmath>

#include "chapters/01_embedding/kernel_cases.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("kernels of chapter 01: every judge accepts them", "[gradients]") {
  each_embedding_kernel(
      [](const auto& c, const KernelOptions& o) { expect(kernel_judges(with_kernels(c, o), o)); });
}

TEST_CASE("lookup: on a GPU, too, an empty batch leaves the table's gradient as it is") {
  RunOptions from_two;
  from_two.accumulated_from = 2;
  const LookupCase empty{{}, 6, 4, {2, 0}};
  const Run run = run_case<Cuda<double>>(empty, random_values(describe(empty)), from_two);
  CHECK(run.gradient.at("table") == std::vector<double>(24, 2.0));
}

TEST_CASE("lookup: on a GPU the row of an id that is no word is NaN, and its gradient goes nowhere") {
  const LookupCase strange{{1, 4, -1, 3}, 4, 2, {1, -1}};  // 4 is the first number that is no id
  const Values at = random_values(describe(strange));
  const Run run = run_case<Cuda<double>>(strange, at, {});
  const std::vector<double>&y = run.output.at("y"), &dy = at.value.at("dy");
  for (std::size_t k = 0; k < 8; ++k) CHECK(std::isnan(y[k]) == (k / 2 == 1 || k / 2 == 2));
  CHECK(run.gradient.at("table") == std::vector<double>{0, 0, dy[0], dy[1], 0, 0, dy[6], dy[7]});
}
