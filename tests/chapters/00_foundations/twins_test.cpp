#include "support/twins.hpp"
#include "chapters/00_foundations/dropout_case.hpp"
#include "chapters/00_foundations/linear_case.hpp"
#include "support/catch.hpp"
#include "wrong/foundations.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {
template <template <class> class Wrong, class Case>
Twin on_cpu(const std::string& name, const Case& c, const std::string& golden_file) {
  return {name, &Wrong<Cpu<double>>::calls, {twin_case<Wrong<Cpu<double>>>(name, c, golden_file)}};
}
}  // namespace

TEST_CASE("wrong twins of chapter 00 are rejected", "[wrong]") {
  const LinearCase linear{5, 3, 4, true};
  const DropoutCase dropout{};
  expect_rejected("00_foundations",
                  {on_cpu<wrong::BiasForgotten>("bias-forgotten", linear, "linear"),
                   on_cpu<wrong::ForgottenAccumulate>("forgotten-accumulate", linear, "linear"),
                   on_cpu<wrong::TransposedWeightGradient>("transposed-weight-gradient", linear, "linear"),
                   on_cpu<wrong::DropoutUnscaled>("dropout-unscaled", dropout, "dropout"),
                   on_cpu<wrong::DropoutOtherMask>("dropout-other-mask", dropout, "dropout")});
}
