#include "chapters/01_embedding/lookup_case.hpp"
#include "chapters/02_positional_encoding/embed_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// One batch of the sizes given, with dropout.
EmbedCase sized(std::vector<std::int32_t> lengths, std::size_t spare, std::size_t Vocab, std::size_t D,
                double rate) {
  const Sentences sentences{std::move(lengths), spare};
  return {sentences, some_ids(sentences.table().rows, Vocab),           {}, Vocab,
          D,         {{embedding_scale(D), 0}, {rate, 1, Side::source}}};
}

/// The output of a case on a device, for chosen values.
template <class Dev>
std::vector<double> output(const EmbedCase& c, const Values& values) {
  return run_case<Dev>(c, values, {}).output.at("y");
}

}  // namespace

TEST_CASE("embed: finite differences and dual numbers agree with backward, dropout on", "[gradients]") {
  expect(gradients(component(EmbedCase{})));
}

TEST_CASE("embed: one pass is the composition of lookup, position and dropout, and keeps the contract") {
  for (const EmbedCase& c : {EmbedCase{}, sized({1}, 0, 1, 1, 0), sized({33, 1, 2}, 3, 9, 34, 0.3),
                             sized({1, 0, 4}, 0, 5, 1025, 0.1), sized({1025}, 1, 7, 3, 0.5)}) {
    const Component judged = component(c);
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      expect(contract(judged, r));
    }
  }
}

TEST_CASE("embed: golden values") { expect(golden(component(EmbedCase{}), "embed")); }

TEST_CASE("embed: an empty batch leaves the table's gradient as it is") {
  const Component judged = component(sized({}, 0, 4, 2, 0.2));
  for (const Runner& r : judged.devices) {
    RunOptions from_two;
    from_two.accumulated_from = 2;
    CHECK(r.run(random_values(judged.description), from_two).gradient.at("table") == std::vector<double>(8, 2.0));
  }
}

TEMPLATE_TEST_CASE("embed: word by word, as a decoder does it, gives the bits of the whole sentence", "",
                   Cpu<double>, Cpu<float>, Reference<double>) {
  const EmbedCase whole{{{5}, 0}, {5, 2, 3, 3, 1}, {}, 6, 8, {{embedding_scale(8), 0}, {0, 0, Side::target}}};
  const Values values = random_values(describe(whole));
  const std::vector<double> expected = output<TestType>(whole, values);
  for (std::int32_t t = 0; t < 5; ++t) {
    EmbedCase step = whole;
    step.sentences.lengths = {1};
    step.ids = {whole.ids[static_cast<std::size_t>(t)]};
    step.first = {t};
    Values of_step = values;
    const auto held = values.value.at("positions").begin();
    of_step.value["positions"].assign(held, held + (t + 1) * 8);
    of_step.value["dy"].resize(8);
    const std::vector<double> row = output<TestType>(step, of_step);
    CHECK(row == std::vector<double>(expected.begin() + t * 8, expected.begin() + (t + 1) * 8));
  }
}

TEST_CASE("embed: a sentence's vectors do not depend on its neighbours") {
  const EmbedOptions options{{2, 0}, {0, 0, Side::source}};
  const EmbedCase alone{{{2}, 0}, {3, 1}, {}, 5, 4, options},
      beside{{{4, 2}, 0}, {4, 4, 2, 1, 3, 1}, {}, 5, 4, options};
  Values values = random_values(describe(beside));
  const std::vector<double> both = output<Cpu<double>>(beside, values);
  values.value["positions"].resize(2 * 4);
  values.value["dy"].resize(2 * 4);
  CHECK(output<Cpu<double>>(alone, values) == std::vector<double>(both.begin() + 4 * 4, both.end()));
}

TEST_CASE("embed: a second step of the same size takes no memory from the system") {
  const SegmentTable table = Sentences{{3}, 0}.table();
  Cpu<float> dev;
  std::vector<float> words(20, 1), places(12, 1), y(12);
  const std::vector<std::int32_t> ids{1, 2, 3};
  const Out<Cpu<float>, 2> view{y.data(), {3, 4}, 4}, dtable{words.data(), {5, 4}, 4};
  const auto step = [&] {
    dev.reset();
    embed_forward(dev, view, {ids.data(), {3}, 3}, table.view(), {}, {words.data(), {5, 4}, 4},
                  {places.data(), {3, 4}, 4}, {{2, 0}, {0.1, 0, Side::source}});
    embed_backward(dev, dtable, view, {ids.data(), {3}, 3}, {{2, 0}, {0.1, 0, Side::source}});
  };
  step();
  const std::size_t before = dev.scratch.allocations() + dev.kept.allocations();
  step();
  CHECK(dev.scratch.allocations() + dev.kept.allocations() == before);
}
