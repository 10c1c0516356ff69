// Sources of a word or a few: the rules of their search, and what the bundled models say.

#include <sstream>

#include "11_translator/translator/search_texts.hpp"
#include "chapters/11_translator/search_option_rows.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "chapters/11_translator/told_search.hpp"
#include "gradus/io/lines.hpp"
#include "support/thread_ranks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr std::int32_t eos = 3;

SearchOptions penalised(double penalty, double alpha = 0) {
  SearchOptions o = Told::options(2, alpha, 2);
  o.repetition_penalty = penalty;
  return o;
}

std::string text_of(const std::string& source, const TranslateOptions& o = {}, const char* model = "en-de") {
  return gradus::test::bundled(model).translate({source}, o).front().front().text;
}

}  // namespace

TEST_CASE(
    "short sources: a repeated word costs its penalty each time, in the ranks but not in the log probability") {
  Told t(penalised(2, 1), 9);
  t.step({{{4, -1}, {5, -9}, {6, -9}}});
  t.step({{{4, -1}, {5, -2}, {6, -20}}, {{4, -20}, {5, -20}, {6, -20}}});
  REQUIRE(t.search.open().size() == 2);
  CHECK(t.search.open()[0].words == Sentence{4, 5});  // -3; 4 4 has -2 - 2
  CHECK(t.search.open()[1].words == Sentence{4, 4});
  CHECK(t.search.open()[1].log_prob == -2);
  CHECK(t.search.open()[1].penalty == 2);
  t.step({{{4, -0.5}, {eos, -1.5}, {7, -9}}, {{4, -0.25}, {eos, -0.5}, {7, -9}}});
  // 4 5 ends with -4.5 and 4 4 with -2.5 - 2; 4 5 4 has -3.5 - 2, and 4 4 4 has -2.25 - 4
  const NBest best = t.search.result();
  REQUIRE(best.size() == 2);
  CHECK(best[0].words == Sentence{4, 5});
  CHECK(best[1].words == Sentence{4, 4});
  CHECK(best[1].log_prob == Approx(-2.5));
  CHECK(best[1].score == Approx(-4.5 / (8.0 / 6)));
}

TEST_CASE("short sources: no penalty if the source repeats a word itself, or if none is asked for") {
  for (const bool repeats : {false, true}) {
    SearchOptions o = penalised(repeats ? 5 : 0);
    o.stands_once = [](std::int32_t) { return true; };
    if (!repeats) o.stands_once = {};
    Told t(o, 9);
    t.search = SentenceSearch(o, 9, repeats ? Sentence{7, 8, 7, 3} : Sentence{7, 8, 3});
    t.step({{{4, -1}, {5, -9}, {6, -9}}});
    t.step({{{4, -1}, {5, -2}, {6, -20}}, {{4, -20}, {5, -20}, {6, -20}}});
    CHECK(t.search.open()[0].words == Sentence{4, 4});
    CHECK(t.search.open()[0].penalty == 0);
  }
}

TEST_CASE("short sources: each word beyond the length of the source costs its penalty, the end marks counted") {
  SearchOptions o = penalised(0);
  o.excess_penalty = 2;
  Told t(o, 9);
  t.search = SentenceSearch(o, 9, {7, 8, 3});
  t.step({{{4, -1}, {5, -9}, {6, -9}}});
  t.step({{{5, -1}, {6, -1.5}, {7, -9}}, {{4, -20}, {5, -20}, {6, -20}}});
  for (const Beam& beam : t.search.open()) CHECK(beam.penalty == 0);
  t.step({{{7, -0.5}, {eos, -9}, {8, -9}}, {{eos, -2}, {7, -9}, {8, -9}}});  // 4 6 <eos> is as long as the source
  REQUIRE(t.search.open().size() == 1);
  t.step({{{eos, -0.25}, {8, -9}, {9, -9}}});
  const NBest best = t.search.result();
  REQUIRE(best.size() == 2);
  CHECK(best[0].words == Sentence{4, 6});
  CHECK(best[0].score == best[0].log_prob);
  CHECK(best[1].words == Sentence{4, 5, 7});
  CHECK(best[1].score == Approx(best[1].log_prob - 2));
}

TEST_CASE("short sources: a word that begins a word never follows itself directly; pieces of words may") {
  SearchOptions o = penalised(0);
  o.stands_once = [](std::int32_t id) { return id == 4; };
  Told t(o, 9);
  t.step({{{4, -1}, {5, -1.5}, {6, -9}}});
  t.step({{{4, -0.1}, {6, -3}, {7, -9}}, {{5, -0.1}, {6, -9}, {4, -8}}});
  CHECK(t.search.open()[0].words == Sentence{5, 5});
  CHECK(t.search.open()[1].words == Sentence{4, 6});
  t.step({{{4, -0.1}, {7, -9}, {6, -9}}, {{4, -0.1}, {7, -9}, {6, -9}}});
  CHECK(t.search.open()[0].words == Sentence{5, 5, 4});
  CHECK(t.search.open()[1].words == Sentence{4, 6, 4});  // not directly
}

TEST_CASE("short sources: an unwanted text is taken only if there is no other, or if the source repeats a word") {
  for (const Sentence& source : {Sentence{7, 8, 3}, Sentence{7, 8, 7, 3}}) {
    SearchOptions o = penalised(0);
    o.text = [](const Sentence& words) {
      return words == Sentence{4} ? std::string("bad") : words == Sentence{5} ? "good" : "x";
    };
    o.is_unwanted = [](const std::string& text) { return text == "bad"; };
    Told t(o, 9);
    t.search = SentenceSearch(o, 9, source);
    t.step({{{4, -1}, {5, -1.5}, {6, -9}}});
    t.step({{{eos, -0.1}, {6, -9}, {7, -9}}, {{eos, -0.1}, {6, -9}, {7, -9}}});
    const bool repeats = source.size() == 4;
    CHECK(t.search.result()[0].words == (repeats ? Sentence{4} : Sentence{5}));
    CHECK(t.search.result().size() == (repeats ? 2 : 1));
  }
  SearchOptions o = penalised(0);
  o.text = [](const Sentence&) { return std::string("bad"); };
  o.is_unwanted = [](const std::string&) { return true; };
  Told t(o, 1);
  t.step({{{4, -1}, {5, -0.5}, {6, -9}}});
  REQUIRE(t.search.result().size() == 1);
  CHECK(t.search.result()[0].words == Sentence{5});  // the best of them
}

TEST_CASE("short sources: stopping early changes no answer with a penalty either") {
  for (unsigned seed = 0; seed < 50; ++seed) {
    Dice dice(seed);
    const std::size_t width = dice.from(1, 5), n_best = dice.from(1, width);
    const auto row = [&](const Sentence& words) {
      unsigned hash = seed;
      for (const std::int32_t w : words) hash = 31 * hash + static_cast<unsigned>(w);
      Dice d(hash);
      std::vector<std::pair<std::int32_t, double>> all;
      for (std::int32_t id = 3; id < 8; ++id) all.emplace_back(id, -std::abs(2 * d.normal()) - 0.01);
      return all;
    };
    const auto run = [&](std::size_t wanted) {
      SearchOptions o = Told::options(width, 1, wanted);
      o.repetition_penalty = 0.7;
      o.excess_penalty = 0.3;
      Told t(o, 8);
      while (!t.search.open().empty()) {
        std::vector<std::vector<std::pair<std::int32_t, double>>> rows;
        for (const Beam& b : t.search.open()) rows.push_back(row(b.words));
        t.step(rows);
      }
      return t.search.result();
    };
    NBest best = run(n_best), all = run(width);
    all.resize(best.size());
    for (std::size_t i = 0; i < best.size(); ++i) {
      CHECK(best[i].words == all[i].words);
      CHECK(best[i].score == all[i].score);
    }
  }
}

TEST_CASE("short sources: the search ranks by probability, has twice the beam, and greedy search stays greedy") {
  const Translator& translator = bundled();
  TranslateOptions wide;
  wide.n_best = 5;
  const auto best = translator.translate({"A cat."}, wide).front();
  REQUIRE(best.size() == 5);
  for (const TranslatedText& t : best) CHECK(t.score <= best[0].score);
  CHECK(best[0].score ==
        Approx(best[0].token_log_prob * static_cast<double>(4)).epsilon(1e-6));  // Eine Katze . <eos>
  TranslateOptions greedy, plain;
  greedy.beam_size = plain.beam_size = 1;
  plain.short_source = 0;
  for (const char* source : {"A cat.", "Two men.", "Children."})
    CHECK(text_of(source, greedy) == text_of(source, plain));
}

TEST_CASE("short sources: what the bundled models say of a word or two is no longer longer than it") {
  CHECK(text_of("A cat.") == "Eine Katze.");
  CHECK(text_of("Two men.") == "Zwei Männer.");
  CHECK(text_of("Three women.") == "Drei Frauen.");
  CHECK(text_of("A woman.") == "Eine Frau.");
  CHECK(text_of("The beach.") == "Der Strand.");
  CHECK(text_of("A red car.") == "Ein rotes Auto.");
  CHECK(text_of("Zwei Männer.", {}, "de-en") == "Two men.");
  CHECK(text_of("Drei Frauen.", {}, "de-en") == "Three women.");
  // Nothing of which the source has no word.
  CHECK(text_of("A boy.") == "Ein Junge.");
  CHECK(text_of("A man.") == "Ein Mann.");
  CHECK(text_of("Three men") == "Drei Männer.");
  CHECK(text_of("Ein Baby.", {}, "de-en") == "A baby.");
  CHECK(text_of("Eine Familie.", {}, "de-en") == "A family.");
  TranslateOptions as_others;
  as_others.short_source = 0;
  CHECK(text_of("A cat.", as_others) != "Eine Katze.");
  CHECK(text_of("Two men.", as_others) == "Zwei Männer Männer.");
  TranslateOptions up_to_3;
  up_to_3.short_source = 3;  // "Two men ." and the end mark are four
  CHECK(text_of("Two men.", up_to_3) == text_of("Two men.", as_others));
  up_to_3.short_source = 4;
  CHECK(text_of("Two men.", up_to_3) == "Zwei Männer.");
}

TEST_CASE(
    "short sources: the warning of an unsure model judges the words, not the end that is improbable so early") {
  const auto is_unsure = [](const std::string& source, const TranslateOptions& o = {}) {
    return bundled().translate({source}, o).front().front().unusual;
  };
  CHECK_FALSE(is_unsure("A man."));
  CHECK_FALSE(is_unsure("A camera."));
  CHECK_FALSE(is_unsure("Two children"));  // Zwei Kinder, without a mark, and <eos> is improbable
  CHECK(is_unsure("Glasses."));            // Krankenschwestern.
  CHECK(is_unsure("Sand."));               // Bauarbeiten.
  CHECK_FALSE(bundled().explain("A camera.").best.unusual);
  CHECK(bundled().explain("Sand.").best.unusual);
  const TranslatedText shown = bundled().translate({"A camera."}, {}).front().front();
  CHECK(shown.token_log_prob < -1.1);  // the mean of all its tokens, as before
}

TEST_CASE("short sources: none says a word twice running, and other sentences are searched as before") {
  const std::vector<std::string> sources{"Men.",   "Women.",  "Children.",    "Two dogs.",
                                         "Music.", "A ball.", "Four friends."};
  for (const auto& best : bundled().translate(sources, {})) {
    std::istringstream words(best.front().text);
    std::string last;
    for (std::string word; words >> word; last = word) CHECK(word != last);
  }
  TranslateOptions as_others;
  as_others.short_source = 0;
  const auto with = bundled().translate(lines.source, {}), without = bundled().translate(lines.source, as_others);
  for (std::size_t i = 0; i < with.size(); ++i) {
    CHECK(with[i].front().text == without[i].front().text);
    CHECK(with[i].front().score == without[i].front().score);
  }
}

TEST_CASE("short sources: among others they keep their places, on one rank and on several") {
  const std::vector<std::string> sources{lines.source[0], "Two men.", "", lines.source[1], "A cat.", "The beach."};
  std::vector<std::string> alone_texts;
  TranslateOptions o;
  o.short_source = 4;
  for (const std::string& source : sources) alone_texts.push_back(source.empty() ? "" : text_of(source, o));
  const auto texts = [&](const std::vector<std::vector<TranslatedText>>& found) {
    std::vector<std::string> all;
    for (const auto& best : found) all.push_back(best.front().text);
    return all;
  };
  CHECK(texts(bundled().translate(sources, o)) == alone_texts);
  CHECK(alone_texts[1] == "Zwei Männer.");
  const std::vector<std::string> errors = on_ranks(3, [&](Ranks& ranks) {
    if (ranks.rank() != 0) return bundled().help(ranks, 1);
    const Helpers helpers(ranks);
    const Translator on_all = bundled().shared_by(ranks);
    TranslateOptions shared = o;
    shared.short_source = 0;  // the other ranks must hear of it
    if (texts(on_all.translate(sources, shared))[1] != "Zwei Männer Männer.") fail("the option did not travel");
    shared.short_source = 4;
    if (texts(on_all.translate(sources, shared)) != alone_texts) fail("other translations");
  });
  CHECK(errors == std::vector<std::string>(3));
}
