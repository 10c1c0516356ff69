#include "support/twins.hpp"
#include "chapters/11_translator/decoder_step_case.hpp"
#include "support/catch.hpp"
#include "wrong/translator.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A wrong past, inside the decoder that uses it; the right version there is the decoder on all words.
template <template <class> class Wrong>
Twin in_the_decoder(const std::string& name,
                    const std::vector<DecoderUnit>& units = {DecoderUnit::attention, DecoderUnit::ssru}) {
  Twin twin{name, &Wrong<Cpu<double>>::calls, {}};
  for (const DecoderUnit unit : units) {
    for (const Norm norm : {Norm::pre, Norm::post}) {
      DecoderStepCase c{norm};
      c.unit = unit;
      twin.cases.push_back({stepwise(c), runner<Wrong<Cpu<double>>>(name, c), ""});
    }
  }
  return twin;
}

template <template <class> class Wrong>
Twin in_the_search(const std::string& name) {
  const SearchCase c{};
  return {name, &Wrong<Cpu<double>>::calls, {{search(c), runner<Wrong<Cpu<double>>>(name, c), ""}}};
}

}  // namespace

TEST_CASE("wrong twins of chapter 11 are rejected", "[wrong]") {
  const SearchCase right{};
  CHECK_FALSE(rejected(parity(search(right), runner<Cpu<double>>("Cpu<double>", right))));
  expect_rejected(
      "11_translator",
      {in_the_search<wrong::RawLogits>("raw-logits"), in_the_decoder<wrong::PastNotSelected>("past-not-selected"),
       in_the_decoder<wrong::NeighboursPast>("neighbours-past"),
       in_the_decoder<wrong::FinishedBeamWrites>("finished-beam-writes"),
       // a state is all that an SSRU keeps: it may forget the row of every other word
       in_the_decoder<wrong::ForgetfulPast>("forgetful-past", {DecoderUnit::attention})});
}
