// BLEU and chrF2 must print what sacreBLEU prints. GRADUS_DATA names the folder of Multi30k.
#include "11_translator/score.hpp"

#include "11_translator/tokenize_13a.hpp"
#include "golden_scores.hpp"
#include "multi30k.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("BLEU and chrF2 of a corpus are printed as sacreBLEU prints them") {
  for (const json& expected : golden().at("cases")) {
    INFO(expected.at("name").get<std::string>());
    const Scores scores = score(expected.at("hypotheses"), expected.at("references"), options_of(expected));
    CHECK(to_string(scores.bleu) == expected.at("bleu").get<std::string>());
    CHECK(chrf_to_string(scores.chrf) == expected.at("chrf").get<std::string>());
  }
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
    const std::string bleu = expected.at("bleu"), chrf = expected.at("chrf");
    const std::string ours = bleu_signature(options_of(expected)), ours_chrf = chrf_signature();
    CHECK(ours.substr(0, bleu.size() + version.size()) == bleu + version);
    CHECK(ours_chrf.substr(0, chrf.size() + version.size()) == chrf + version);
  }
  const std::string report = to_string(score({"Ein Hund läuft."}, {"Ein Hund läuft."}));
  CHECK_THAT(report, contains("BLEU|nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:gradus-"));
  CHECK_THAT(report, contains(" = 100.00 100.0/100.0/100.0/100.0 (BP = 1.000 ratio = 1.000 hyp_len = 4 ref_"));
  CHECK_THAT(report, contains("\nchrF2|nrefs:1|case:mixed|eff:yes|nc:6|nw:0|space:no|version:gradus-"));
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

TEST_CASE("scores of real sentences are sacreBLEU's, where GRADUS_DATA holds them") {
  if (!multi30k_is_here()) return;
  for (const json& expected : golden().at("multi30k")) {
    INFO(expected.dump());
    const Sentences hypotheses = changed(multi30k(expected.at("hypotheses")), expected.at("change"));
    const Scores scores = score(hypotheses, multi30k(expected.at("references")), options_of(expected));
    CHECK(to_string(scores.bleu) == expected.at("bleu").get<std::string>());
    CHECK(chrf_to_string(scores.chrf) == expected.at("chrf").get<std::string>());
  }
}
