#include "support/twins.hpp"

#include "chapters/02_positional_encoding/embed_case.hpp"
#include "chapters/02_positional_encoding/identities.hpp"
#include "chapters/02_positional_encoding/position_case.hpp"
#include "chapters/02_positional_encoding/sinusoids_case.hpp"
#include "chapters/02_positional_encoding/sinusoids_in_halves_case.hpp"
#include "support/catch.hpp"
#include "wrong/embedding.hpp"
#include "wrong/positional_encoding.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

template <template <class> class Wrong, class Case>
Twin alone(const std::string& name, const Case& c, const std::string& golden_file) {
  return {name, &Wrong<Cpu<double>>::calls, {twin_case<Wrong<Cpu<double>>>(name, c, golden_file)}};
}

/// Judged as a leaf and inside embed, which calls it.
template <template <class> class Wrong>
Twin position_and_embed(const std::string& name) {
  Twin twin = alone<Wrong>(name, PositionCase{}, "position");
  twin.cases.push_back(twin_case<Wrong<Cpu<double>>>(name, EmbedCase{}, "embed"));
  return twin;
}

}  // namespace

TEST_CASE("wrong twins of chapter 02 are rejected", "[wrong]") {
  const SinusoidsCase waves{};
  expect_rejected("02_positional_encoding",
                  {alone<wrong::DoubledIndex>("doubled-index", waves, "sinusoids"),
                   {"other-base",
                    &wrong::OtherBase<Cpu<double>>::calls,
                    {shared_twin_case<wrong::OtherBase>("other-base", waves, "sinusoids")}},
                   alone<wrong::OddWidthAccepted>("odd-width-accepted", waves, "sinusoids"),
                   alone<wrong::InPairs>("in-pairs", SinusoidsInHalvesCase{}, "sinusoids_in_halves"),
                   position_and_embed<wrong::TooLongAccepted>("too-long-accepted"),
                   position_and_embed<wrong::PositionsNotRestarted>("positions-not-restarted"),
                   position_and_embed<wrong::FirstIgnored>("first-ignored"),
                   alone<wrong::ScaleForgotten>("scale-forgotten", EmbedCase{}, "embed"),
                   alone<wrong::PaddingLearns>("padding-learns", EmbedCase{}, "embed"),
                   alone<wrong::RepeatedIdsOverwritten>("repeated-ids-overwritten", EmbedCase{}, "embed")});
}

TEST_CASE("wrong sinusoids break the identities, save a wrong base, which keeps them", "[wrong]") {
  using Doubled = wrong::DoubledIndex<Cpu<double>>;
  using OtherBase = wrong::OtherBase<Cpu<double>>;
  const std::vector<double> doubled = sinusoid_table<Doubled>(512, 16), other = sinusoid_table<OtherBase>(512, 16);
  CHECK(circle_error(doubled) > 0.5);
  CHECK(rotation_error(doubled, 16, 1) > 0.5);
  CHECK(circle_error(other) < 1e-12);
  CHECK(rotation_error(other, 16, 1) < 1e-12);
}
