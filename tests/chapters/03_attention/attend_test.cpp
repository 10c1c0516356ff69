#include "chapters/03_attention/attend_case.hpp"

#include <algorithm>
#include <utility>

#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("attend: every device is the reference, and takes and gives back") {
  each_attend_case([](const AttendCase& c) {
    const Component judged = component(c);
    const Values v = random_values(judged.description);
    RunOptions strided;
    strided.strided = true;
    for (const Runner& r : judged.devices) {
      expect(parity(judged, r));
      CHECK(r.run(v, strided).output == r.run(v, {}).output);
      CHECK(r.run(v, {}).inputs_unchanged);
    }
  });
}

TEST_CASE("attend: it is attention_forward, whose golden values it gives") {
  for (const auto& [c, name] :
       {std::pair{aligned_case(), "attention_aligned"}, {large_logits_case(), "attention_large_logits"}}) {
    const Component attention = component(c), alone = component(AttendCase{c});
    const Values v = random_values(attention.description);
    for (std::size_t d = 0; d < alone.devices.size(); ++d) {
      INFO(name << " on " << alone.devices[d].device);
      const Run expected = attention.devices[d].run(v, {}), run = alone.devices[d].run(v, {});
      const auto &a = expected.output.at("y"), &b = run.output.at("y");
      for (std::size_t i = 0; i < a.size(); ++i) {
        CHECK(b[i] == Approx(a[i]).epsilon(alone.devices[d].is_double ? 1e-12 : 1e-4).margin(1e-5));
      }
    }
  }
}

TEST_CASE("attend: on the processor a query's bits depend on no other query") {
  const AttentionOptions options{2, false, {}};
  for (const auto& [count, is_turned] : {std::pair{2, false}, {5, false}, {2, true}, {5, true}, {8, true}}) {
    const Component all = component(AttendCase{{{count, 1}, {21, 3}, 16, options, 0}, is_turned});
    const Values v = random_values(all.description);
    for (std::size_t d = 1; d < all.devices.size(); ++d) {
      const Run run = all.devices[d].run(v, {});
      Values changed = v;
      for (std::size_t i = 32; i < 64; ++i) changed.value.at("q")[i] += 1;  // query 1
      const Run other = all.devices[d].run(changed, {});
      for (std::size_t i = 0; i < run.output.at("y").size(); ++i) {
        const bool is_same = run.output.at("y")[i] == other.output.at("y")[i];
        CHECK(is_same == (i < 32 || i >= 64));
      }
    }
  }
}

TEST_CASE("attend: on the processor a query has the same bits alone and beside others") {
  const AttentionOptions options{2, false, {}};
  for (const bool is_turned : {false, true}) {
    const Component all = component(AttendCase{{{6}, {150}, 16, options, 0}, is_turned});
    const Values v = random_values(all.description);
    for (const std::int32_t count : {1, 2, 3, 4, 5}) {
      const Component some = component(AttendCase{{{count}, {150}, 16, options, 0}, is_turned});
      Values first = random_values(some.description);
      first.value.at("k") = v.value.at("k"), first.value.at("v") = v.value.at("v");
      std::copy_n(v.value.at("q").begin(), first.value.at("q").size(), first.value.at("q").begin());
      for (std::size_t d = 1; d < all.devices.size(); ++d) {
        const auto whole = all.devices[d].run(v, {}).output.at("y"),
                   part = some.devices[d].run(first, {}).output.at("y");
        INFO(all.devices[d].device << ", " << count << " queries, turned: " << is_turned);
        CHECK(std::equal(part.begin(), part.end(), whole.begin()));
      }
    }
  }
}

TEST_CASE("attend: there is no dropout, and shapes are checked") {
  AttentionCase c{{1}, {3}, 2, {1, false, {0.3, 18, Side::target}}, 0};
  const Component dropping = component(AttendCase{c});
  for (const Runner& r : dropping.devices) CHECK_THROWS_AS(r.run(random_values(dropping.description), {}), Error);
  c.options.dropout = {};
  const Component judged = component(AttendCase{c});
  RunOptions shrunk;
  shrunk.shrunk = "k";
  for (const Runner& r : judged.devices) CHECK_THROWS_AS(r.run(random_values(judged.description), shrunk), Error);
}
