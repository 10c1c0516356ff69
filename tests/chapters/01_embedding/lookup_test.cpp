#include "chapters/01_embedding/lookup_case.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A table whose row v is v, v, v; and the output of the lookup.
template <class Dev>
struct Words {
  Dev dev;
  std::vector<double> table{0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3}, dtable = std::vector<double>(12, 0);

  View<double, 2, Host> matrix(std::vector<double>& v) { return {v.data(), {v.size() / 3, 3}, 3}; }
  std::vector<double> vectors_of(const std::vector<std::int32_t>& ids, const LookupOptions& options) {
    std::vector<double> y(ids.size() * 3, -1);
    lookup_forward(dev, matrix(y), View<const std::int32_t, 1, Host>{ids.data(), {ids.size()}, ids.size()},
                   matrix(table), options);
    return y;
  }
  void learn_from(const std::vector<std::int32_t>& ids, std::vector<double> dy, const LookupOptions& options) {
    lookup_backward(dev, matrix(dtable), matrix(dy),
                    View<const std::int32_t, 1, Host>{ids.data(), {ids.size()}, ids.size()}, options);
  }
};

}  // namespace

TEST_CASE("lookup: finite differences and dual numbers agree with backward", "[gradients]") {
  expect(gradients(component(LookupCase{})));
  expect(gradients(component(LookupCase{{4, 1, 4, 0}, 5, 3, {1, 4}})));
}

TEST_CASE("lookup: every device agrees with the reference and keeps the contract") {
  for (const auto& [N, Vocab, D] :
       {std::array{7, 6, 4}, {1, 1, 1}, {33, 5, 33}, {2, 1025, 3}, {1025, 7, 2}, {3, 2, 1025}}) {
    for (const std::int32_t padding : {0, 1, -1}) {
      const auto words = static_cast<std::size_t>(Vocab), width = static_cast<std::size_t>(D);
      const LookupCase c{
          some_ids(static_cast<std::size_t>(N), words), words, width, {embedding_scale(width), padding}};
      const Component judged = component(c);
      for (const Runner& r : judged.devices) {
        expect(parity(judged, r));
        expect(contract(judged, r));
      }
    }
  }
}

TEST_CASE("lookup: golden values") {
  expect(golden(component(LookupCase{}), "lookup"));
  expect(golden(component(LookupCase{{4, 1, 4, 0, 2, 4}, 5, 3, {1, 4}}), "lookup_padding_4"));
}

TEST_CASE("lookup: an empty batch leaves the table's gradient as it is") {
  const Component judged = component(LookupCase{{}, 6, 4, {2, 0}});
  for (const Runner& r : judged.devices) {
    RunOptions from_two;
    from_two.accumulated_from = 2;
    CHECK(r.run(random_values(judged.description), from_two).gradient.at("table") == std::vector<double>(24, 2.0));
  }
}

TEMPLATE_TEST_CASE("lookup: a row of the table for each id, padding gives zeros", "", Cpu<double>,
                   Reference<double>) {
  Words<TestType> words;
  CHECK(words.vectors_of({3, 1, 3}, {1, 0}) == std::vector<double>{3, 3, 3, 1, 1, 1, 3, 3, 3});
  CHECK(words.vectors_of({3, 1}, {0.5, 1}) == std::vector<double>{1.5, 1.5, 1.5, 0, 0, 0});
  words.table[0] = 7;  // the padding row is not read, even if it is not zero
  CHECK(words.vectors_of({0}, {1, 0}) == std::vector<double>{0, 0, 0});
  CHECK(words.vectors_of({0}, {1, -1}) == std::vector<double>{7, 0, 0});
  CHECK(words.vectors_of({0, 1}, {}) == std::vector<double>{0, 0, 0, 1, 1, 1});  // by default, 0 is padding
}

TEMPLATE_TEST_CASE("lookup: gradients of repeated ids add up, and padding gets none", "", Cpu<double>,
                   Reference<double>) {
  Words<TestType> words;
  words.learn_from({2, 0, 2}, {1, 2, 3, 10, 10, 10, 4, 5, 6}, {2, 0});
  CHECK(words.dtable == std::vector<double>{0, 0, 0, 0, 0, 0, 10, 14, 18, 0, 0, 0});
}

TEMPLATE_TEST_CASE("lookup: an id that is no word is an error that names it", "", Cpu<double>, Reference<double>) {
  Words<TestType> words;
  CHECK_THROWS_WITH(words.vectors_of({1, 4}, {1, 0}), contains("id 4 in row 1") && contains("table of 4"));
  CHECK_THROWS_AS(words.vectors_of({-1}, {1, -1}), Error);
  CHECK_THROWS_WITH(words.learn_from({9}, {1, 1, 1}, {1, 0}), contains("id 9"));
  CHECK(words.dtable == std::vector<double>(12, 0));
}
