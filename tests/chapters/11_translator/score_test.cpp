// BLEU, chrF2 and chrF2++ must print what sacreBLEU prints. GRADUS_DATA names the folder of Multi30k.
#include "11_translator/metrics/score.hpp"

#include <map>
#include <sstream>

#include "11_translator/metrics/ngrams.hpp"
#include "11_translator/metrics/tokenize_13a.hpp"
#include "golden_scores.hpp"
#include "multi30k.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void check_printed(const Scores& scores, const json& expected) {
  CHECK(to_string(scores.bleu) == expected.at("bleu").get<std::string>());
  CHECK(chrf_to_string(scores.chrf) == expected.at("chrf").get<std::string>());
  CHECK(chrf_to_string(scores.chrf_words, "", chrf_options({}, true)) == expected.at("chrf++").get<std::string>());
}

std::vector<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("score: the names of tokenizers in a signature") {
  check_names<BleuTokenizer>({"13a", "intl", "char", "none", "zh"});
  check_names<Metric>({"bleu", "chrf", "chrf++", "ter"});
}

TEST_CASE("BLEU, chrF2 and chrF2++ of a corpus are printed as sacreBLEU prints them") {
  for (const json& expected : golden().at("cases")) {
    INFO(expected.at("name").get<std::string>());
    const Scores scores = score(expected.at("hypotheses"), expected.at("references"), options_of(expected));
    check_printed(scores, expected);
  }
}

TEST_CASE("a text in any script and its own lower case score 100 without case, and are different with it") {
  std::map<std::string, std::map<bool, std::string>>
      small;  // by script: BLEU of its small letters, in lower case or not
  for (const json& expected : golden().at("cases")) {
    const std::string name = expected.at("name");
    const std::size_t at = name.find(", small, ");
    if (at != name.npos)
      small[name.substr(0, at)][expected.at("lowercase")] = expected.at("bleu").get<std::string>();
  }
  CHECK(small.size() == 16);
  for (auto& [script, bleu] : small) {
    INFO(script);
    const bool has_cases =
        script != "Hebrew and Arabic" && script != "Devanagari" && script != "Han and Kana" && script != "Hangul";
    CHECK_THAT(bleu[true], contains("BLEU = 100.00 "));
    CHECK((bleu[false] != bleu[true]) == has_cases);
  }
}

TEST_CASE("scores with several references are printed as sacreBLEU prints them") {
  for (const json& expected : golden().at("several")) {
    INFO(expected.at("name").get<std::string>());
    const std::vector<Sentences> references = expected.at("references");
    const Scores scores = score_several(expected.at("hypotheses"), references, options_of(expected));
    const json& number = expected.at("number");
    CHECK(scores.references == (number == "var" ? varying_references : number.get<std::size_t>()));
    check_printed(scores, expected);
  }
}

TEST_CASE("several references: an n-gram of any of them counts, and a repeated reference changes nothing") {
  const Sentences output = {"Ein Hund läuft über die Wiese.", "Zwei Frauen reden."};
  const Sentences first = {"Ein Hund rennt über die Wiese.", "Zwei Frauen reden."},
                  second = {"Ein Hund läuft.", "Zwei Damen."};
  const Scores one = score(output, first), twice = score_several(output, {first, first}),
               both = score_several(output, {first, second});
  CHECK(to_string(twice.bleu) == to_string(one.bleu));
  CHECK(twice.chrf == one.chrf);
  CHECK(both.bleu.statistics.correct[0] == one.bleu.statistics.correct[0] + 1);  // läuft
  CHECK(to_string(score_several(output, {second, first}).bleu) == to_string(both.bleu));
  CHECK_THROWS_WITH(score_several(output, {}), contains("needs references"));
  CHECK_THROWS_WITH(score_several(output, {first, {"a"}}), contains("got 2 translations and 1 references"));
}

TEST_CASE("score: an interval is printed, but that of resamples that all score 0") {
  MetricScore s{"TER", "x", 12.345};
  CHECK(to_string(s) == "TER|x = 12.35");
  s.interval = ConfidenceInterval{12.5, 0.25};
  CHECK(to_string(s) == "TER|x = 12.35 (μ = 12.50 ± 0.25)");
  s.details = "more";
  CHECK(to_string(s) == "TER|x = 12.35 (μ = 12.50 ± 0.25) more");
  s.interval = ConfidenceInterval{0, 0};
  CHECK(to_string(s) == "TER|x = 12.35 more");
}

TEST_CASE("BLEU of a sentence is sacreBLEU's, with effective order") {
  for (const json& expected : golden().at("cases")) {
    const Sentences hypotheses = expected.at("hypotheses"), references = expected.at("references");
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      INFO(expected.at("name").get<std::string>() << ", sentence " << i + 1);
      const BleuScore bleu = sentence_bleu(hypotheses[i], references[i], options_of(expected));
      CHECK(two_decimals(bleu.score) == expected.at("sentences").at(i).get<std::string>());
    }
  }
}

TEST_CASE("the 13a tokenizer cuts as sacreBLEU's does") {
  for (const json& expected : golden().at("cases")) {
    if (!expected.contains("tokens")) continue;
    for (std::size_t i = 0; i < expected.at("hypotheses").size(); ++i) {
      INFO(expected.at("name").get<std::string>() << ", sentence " << i + 1);
      CHECK(tokenize_13a(expected.at("hypotheses").at(i).get<std::string>()) ==
            expected.at("tokens").at(i).get<std::string>());
    }
  }
}

TEST_CASE("a signature says how the score was computed, in sacreBLEU's words") {
  const std::string version = "|version:gradus-";
  for (const json& expected : golden().at("signatures")) {
    const auto begins = [&](const std::string& ours, const char* key) {
      const std::string theirs = expected.at(key);
      CHECK(ours.substr(0, theirs.size() + version.size()) == theirs + version);
    };
    const BleuOptions options = options_of(expected);
    const std::size_t references = expected.at("references");
    begins(bleu_signature(options, references), "bleu");
    begins(chrf_signature(chrf_options(options, false), references), "chrf");
    begins(chrf_signature(chrf_options(options, true), references), "chrf++");
  }
  const std::string report = to_string(score({"Ein Hund läuft."}, {"Ein Hund läuft."}));
  CHECK_THAT(report, contains("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:gradus-"));
  CHECK_THAT(report, contains(" = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_"));
  CHECK_THAT(report, contains("\nchrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:gradus-"));
  CHECK_THAT(report, contains("\nchrF2++|nrefs:1|case:mixed|eff:yes|nc:6|nw:2|space:no|version:gradus-"));
  BleuOptions lower;
  lower.lowercase = true;
  const auto lines = lines_of(to_string(score_several({"EIN HUND"}, {{"ein hund"}, {"ein Hund"}}, lower)));
  REQUIRE(lines.size() == 3);
  for (const std::string& line : lines) {
    CHECK_THAT(line, contains("|nrefs:2|case:lc|"));
    CHECK_THAT(line, contains(line[0] == 'B' ? " = 0.00 " : " = 100.00"));  // two words have no 4-gram
  }
}

TEST_CASE("the BLEU of statistics counts all four orders, unless it is asked for the effective one") {
  const BleuStatistics two_words = bleu_statistics("ein Hund", "ein Hund");
  CHECK(bleu_score(two_words).score == 0);
  CHECK(bleu_score(two_words, true).score == Approx(100));
}

TEST_CASE("a corpus without sentences, or with too few references, has no score") {
  CHECK_THROWS_WITH(score({}, {}), contains("one reference for each translation: got 0 translations and 0 ref"));
  CHECK_THROWS_WITH(corpus_bleu({"a", "b"}, {"a"}), contains("got 2 translations and 1 references"));
  CHECK_THROWS_WITH(corpus_chrf({"a"}, {"a", "b"}), contains("chrF needs one reference"));
}

TEST_CASE("bytes that are not UTF-8 do not stop a score") {
  CHECK(corpus_chrf({"a\xff\xc3"}, {"a\xff\xc3"}) == Approx(100));
  CHECK(corpus_bleu({"a b \xe4 d"}, {"a b \xe4 d"}).score == Approx(100));
}

TEST_CASE("chrF by hand: the numbers of the lesson") {
  ChrfOptions words;
  words.words = true;
  CHECK(two_decimals(corpus_chrf({"Hunde"}, {"Hund"})) == "91.37");
  CHECK(two_decimals(corpus_chrf({"Hund"}, {"Hunde"})) == "72.57");
  CHECK(two_decimals(corpus_chrf({"Hunde"}, {"Hund"}, words)) == "73.09");
  const BleuStatistics two = bleu_statistics("the the the", std::vector<std::string>{"the cat the", "the dog"});
  CHECK(two.correct[0] == 2);
}

TEST_CASE("scores of bad text are refused as the program refuses it") {
  const Sentences good = {"a", "b"}, bad = {"a", "b\xff"};
  CHECK_THROWS_WITH(score(bad, good), contains("translation 2: not UTF-8 (byte 2 of the line)"));
  CHECK_THROWS_WITH(score_several(good, {good, bad}), contains("reference 2: not UTF-8 (byte 2 of the line)"));
}

TEST_CASE("scores of real sentences are sacreBLEU's, where GRADUS_DATA holds them") {
  if (!multi30k_is_here()) return;
  for (const json& expected : golden().at("multi30k")) {
    INFO(expected.dump());
    const Sentences hypotheses = changed(multi30k(expected.at("hypotheses")), expected.at("change"));
    const Scores scores = score(hypotheses, multi30k(expected.at("references")), options_of(expected));
    check_printed(scores, expected);
  }
}
