// The rules of a search for texts: none is empty, and the best ones differ.

#include "chapters/11_translator/told_search.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::int32_t pad = 0, eos = 3;

/// Words 4, 5, 6, ... are the letters a, b, c, ...; 9 is a word without a text, and 8 is "ab" in one piece.
std::string letters(const Sentence& words) {
  std::string text;
  for (const std::int32_t w : words) {
    if (w != 9) text += w == 8 ? std::string("ab") : std::string(1, static_cast<char>('a' + w - 4));
  }
  return text;
}

Told told_in_letters(std::size_t width, std::size_t longest, std::size_t n_best = 0) {
  SearchOptions o = Told::options(width, 0, n_best);
  o.text = letters;
  return Told(o, longest);
}

std::vector<std::string> texts(const NBest& best) {
  std::vector<std::string> all;
  for (const Translation& t : best) all.push_back(letters(t.words));
  return all;
}

}  // namespace

TEST_CASE("search rules: of translations with one text the best stays, and the other takes no place") {
  Told t = told_in_letters(2, 9);
  t.step({{{8, -1}, {4, -1.5}, {5, -9}}});
  t.step({{{eos, -2}, {7, -8}, {6, -9}}, {{5, -0.25}, {6, -2}, {eos, -9}}});  // "ab" in one piece ends with -3
  REQUIRE(t.search.open().size() == 1);
  CHECK(t.search.open()[0].words == Sentence{4, 5});
  t.step({{{eos, -0.25}, {6, -1}, {7, -9}}});  // "ab" again, -2: it takes the place of the first
  REQUIRE(t.search.open().size() == 1);        // so another one may go on
  CHECK(t.search.open()[0].words == Sentence{4, 5, 6});
  REQUIRE(t.search.result().size() == 1);
  CHECK(t.search.result()[0].words == Sentence{4, 5});
  CHECK(t.search.result()[0].log_prob == Approx(-2.0));
}

TEST_CASE("search rules: a worse translation with a text that is known is dropped") {
  Told t = told_in_letters(2, 9);
  t.step({{{8, -0.5}, {4, -0.75}, {6, -9}}});
  t.step({{{eos, -0.25}, {4, -9}}, {{5, -0.25}, {6, -2}}});  // "ab" -0.75
  REQUIRE(t.search.open().size() == 1);
  t.step({{{eos, -0.5}, {7, -1}, {6, -3}}});  // "ab" -1.5 is dropped; "abd" takes its place
  REQUIRE(t.search.open().size() == 1);
  CHECK(t.search.open()[0].words == Sentence{4, 5, 7});
  t.step({{{eos, -0.5}, {7, -1}}});
  CHECK(texts(t.search.result()) == std::vector<std::string>{"ab", "abd"});
  CHECK(t.search.result()[0].words == Sentence{8});
}

TEST_CASE("search rules: a translation without a text is given only if there is no other") {
  Told t = told_in_letters(2, 2);
  t.step({{{9, -0.5}, {4, -3}, {5, -9}}});
  t.step({{{eos, -0.1}, {9, -0.2}}, {{eos, -1}, {9, -2}}});  // "", "" and "a" twice
  CHECK(texts(t.search.result()) == std::vector<std::string>{"a"});
  Told none = told_in_letters(2, 2);
  none.step({{{9, -0.5}, {4, -90}}});
  none.step({{{eos, -0.25}, {9, -0.125}}, {{9, -90}, {eos, -90}}});
  const std::vector<std::string> found = texts(none.search.result());
  REQUIRE(found == std::vector<std::string>{"a"});  // however improbable it is
  Told nothing = told_in_letters(1, 2);
  nothing.step({{{9, -0.5}, {pad, -1}}});
  nothing.step({{{eos, -0.25}, {9, -0.5}}});
  REQUIRE(texts(nothing.search.result()) == std::vector<std::string>{""});
  CHECK(nothing.search.result()[0].log_prob == Approx(-0.75));  // the best of those
}

TEST_CASE("search rules: of one text the translation that ended stays, not the one that was cut") {
  for (const bool cut_first : {false, true}) {
    Told t = told_in_letters(2, 2);
    const double of_cut = cut_first ? -0.1 : -3, of_ended = cut_first ? -3 : -0.1;
    t.step({{{4, -0.5}, {8, -0.75}, {6, -9}}});
    t.step({{{5, of_cut}, {6, -9}, {eos, -9}}, {{5, -9}, {6, -9}, {eos, of_ended}}});  // "ab" from 4 5, and from 8
    INFO(cut_first);
    REQUIRE(!t.search.result().empty());
    CHECK(t.search.result()[0].words == Sentence{8});
    CHECK(t.search.result()[0].ended);
  }
}

TEST_CASE("search rules: of translations without a text the one that ended is given") {
  Told t = told_in_letters(2, 2);
  t.step({{{9, -0.5}, {pad, -9}}});
  t.step({{{9, -0.25}, {eos, -3}}});
  REQUIRE(t.search.result().size() == 1);
  CHECK(t.search.result()[0].ended);
}
