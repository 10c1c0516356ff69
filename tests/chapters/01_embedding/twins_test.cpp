#include "support/twins.hpp"

#include "chapters/01_embedding/lookup_case.hpp"
#include "support/catch.hpp"
#include "wrong/embedding.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
template <template <class> class Wrong>
Twin on_cpu(const std::string& name, const LookupCase& c, const std::string& golden_file) {
  return {name, &Wrong<Cpu<double>>::calls, {twin_case<Wrong<Cpu<double>>>(name, c, golden_file)}};
}
}  // namespace

TEST_CASE("wrong twins of chapter 01 are rejected", "[wrong]") {
  const LookupCase lookup{}, other_padding{{4, 1, 4, 0, 2, 4}, 5, 3, {1, 4}};
  expect_rejected("01_embedding",
                  {on_cpu<wrong::ScaleForgotten>("scale-forgotten", lookup, "lookup"),
                   {"scale-squared",
                    &wrong::ScaleSquared<Cpu<double>>::calls,
                    {shared_twin_case<wrong::ScaleSquared>("scale-squared", lookup, "lookup")}},
                   on_cpu<wrong::OnePaddingForAll>("one-padding-for-all", other_padding, "lookup_padding_4"),
                   on_cpu<wrong::PaddingIsAWord>("padding-is-a-word", lookup, "lookup"),
                   on_cpu<wrong::PaddingLearns>("padding-learns", lookup, "lookup"),
                   on_cpu<wrong::RepeatedIdsOverwritten>("repeated-ids-overwritten", lookup, "lookup")});
}
