#include "support/twins.hpp"
#include "chapters/12_ssru/ssru_case.hpp"
#include "chapters/12_ssru/ssru_sublayer_case.hpp"
#include "support/catch.hpp"
#include "support/expect.hpp"
#include "wrong/ssru.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A wrong scan: alone, and inside the sublayer.
template <class Rules>
Twin wrong_scan(const std::string& name) {
  using Dev = wrong::RuledSsru<Cpu<double>, Rules>;
  return {name,
          &Dev::calls,
          {twin_case<Dev>(name, SsruCase{}, "ssru"), twin_case<Dev>(name, SsruSublayerCase{}, "ssru_sublayer")}};
}

}  // namespace

TEST_CASE("the loops of the wrong scans are right without the wrong rule") {
  using Right = wrong::RuledSsru<Cpu<double>, wrong::SsruRules>;
  for (const SsruCase& c : {SsruCase{}, SsruCase{{3, 1, 4}, 5, 2, false}, empty_sentences_case()}) {
    const Component judged = component(c);
    expect(parity(judged, runner<Right>("the twins' loops", c)));
    expect(dual_numbers(judged, runner<Right>("the twins' loops", c)));
  }
  CHECK(Right::calls > 0);
}

TEST_CASE("wrong twins of chapter 12 are rejected", "[wrong]") {
  expect_rejected(
      "12_ssru",
      {wrong_scan<wrong::GateSwapped>("gate-swapped"), wrong_scan<wrong::StateNotReset>("state-not-reset"),
       wrong_scan<wrong::OneStepLate>("one-step-late"), wrong_scan<wrong::ReluCarried>("relu-carried"),
       wrong_scan<wrong::ThroughTimeForgotten>("through-time-forgotten")});
}
