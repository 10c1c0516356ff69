// BLEU's other tokenizers, TER, missing references and the interval of one system: what sacreBLEU gives for the same texts.
// GRADUS_MORE_SCORES names another file with its figures.
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "11_translator/metrics/bootstrap.hpp"
#include "11_translator/metrics/edit_distance.hpp"
#include "11_translator/metrics/ngrams.hpp"
#include "golden_scores.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const json& more() {
  static const json all = [] {
    const char* other = std::getenv("GRADUS_MORE_SCORES");
    std::ifstream file(other != nullptr ? other : GRADUS_GOLDEN "/more_scores.json");
    return json::parse(file);
  }();
  return all;
}

BleuOptions tokenized_by(const json& name) {
  BleuOptions options;
  options.tokenizer = parse<BleuTokenizer>(name.get<std::string>());
  return options;
}

std::string without_version(const std::string& line) {
  const std::size_t at = line.find("version:") + 8, end = line.find_first_of(" |", at);
  return line.substr(0, at) + "V" + (end == line.npos ? "" : line.substr(end));
}

const Metrics every_metric{Metric::bleu, Metric::chrf, Metric::chrf_words, Metric::ter};

}  // namespace

TEST_CASE("tokenizers of BLEU cut as sacreBLEU's of the same name") {
  std::size_t lines = 0;
  for (const json& expected : more().at("tokens")) {
    for (std::size_t i = 0; i < expected.at("lines").size(); ++i, ++lines) {
      const std::string line = expected.at("lines")[i];
      for (const auto& [name, tokens] : expected.at("tokens")[i].items()) {
        INFO(expected.at("name") << ", " << name << ": " << line);
        CHECK(tokenize(parse<BleuTokenizer>(name), line) == tokens.get<std::string>());
      }
    }
  }
  CHECK(lines > 400);
}

TEST_CASE("BLEU with each tokenizer is sacreBLEU's: corpus, sentences, signature") {
  for (const json& corpus : more().at("bleu")) {
    const Sentences hypotheses = corpus.at("hypotheses"), references = corpus.at("references");
    for (const json& expected : corpus.at("by")) {
      INFO(corpus.at("name") << ", " << expected.at("tokenize"));
      BleuOptions options = tokenized_by(expected.at("tokenize"));
      options.lowercase = expected.at("lowercase");
      const Scores found = score(hypotheses, references, options, {Metric::bleu});
      CHECK(to_string(found.bleu) == expected.at("bleu").get<std::string>());
      const std::string signature = expected.at("signature");
      CHECK(found.metrics.at(0).signature.rfind(signature + "|version:gradus-", 0) == 0);
      for (std::size_t i = 0; i < hypotheses.size(); ++i)
        CHECK(two_decimals(found.metrics[0].sentences.at(i)) == expected.at("sentences")[i].get<std::string>());
    }
  }
}

TEST_CASE("TER is sacreBLEU's: the edits and the length of each sentence, and the score") {
  for (const json& expected : more().at("ter")) {
    INFO(expected.at("name"));
    const Sentences hypotheses = expected.at("hypotheses");
    const std::vector<Sentences> references = expected.at("references");
    for (std::size_t i = 0; i < hypotheses.size(); ++i) {
      const TerStatistics one = ter_statistics(hypotheses[i], references_of(references, i));
      CHECK(one.edits == expected.at("edits")[i].get<long>());
      CHECK(one.reference_length == Approx(expected.at("lengths")[i].get<double>()));
    }
    const Scores found = score_several(hypotheses, references, {}, {Metric::ter});
    CHECK(found.ter == Approx(expected.at("score").get<double>()).margin(1e-12));
    CHECK(found.metrics.at(0).score == found.ter);
    CHECK(found.metrics[0].sentences.at(0) ==
          ter_score(ter_statistics(hypotheses[0], references_of(references, 0))));
  }
  for (const json& expected : more().at("signatures")) {
    const std::string signature = expected.at("ter");
    CHECK(ter_signature(expected.at("references")).rfind(signature + "|version:gradus-", 0) == 0);
  }
}

TEST_CASE("TER: words are moved by fifty places at most") {
  for (const int places : {50, 51}) {
    std::string words;
    for (int i = 0; i < places; ++i) words += "w" + std::to_string(i) + " ";
    CHECK(ter_statistics(words + "x", {"x " + words}).edits == (places == 50 ? 1 : 2));
  }
}

TEST_CASE("TER by hand: the numbers of the lesson") {
  CHECK(ter_statistics("a b c", {"a b c"}).edits == 0);
  CHECK(ter_statistics("c a b", {"a b c"}).edits == 1);  // one shift
  CHECK(ter_statistics("a x c d", {"a b c"}).edits == 2);
  CHECK(corpus_ter({"a b", "c"}, {"a b", "d"}) == Approx(100.0 / 3));
  CHECK_THROWS_WITH(corpus_ter({"a"}, {}), contains("TER needs one reference"));
}

TEST_CASE("an edit distance: the edits lead from one to the other, and a changed end is computed alone") {
  EditDistance distance({1, 2, 3, 4, 5});
  CHECK(distance.distance({1, 9, 3, 5, 6, 7}) == 4);
  std::size_t kept = 0, replaced = 0, inserted = 0, removed = 0;
  for (const Edit edit : distance.edits()) {
    kept += edit == Edit::keep, replaced += edit == Edit::replace;
    inserted += edit == Edit::insert, removed += edit == Edit::remove;
  }
  CHECK(kept + replaced + removed == 6);
  CHECK(kept + replaced + inserted == 5);
  CHECK(replaced + inserted + removed == 4);
  CHECK(distance.distance_of_changed({1, 9, 3, 4, 5, 7}, 3) == 2);
  CHECK(distance.distance_of_changed({1, 2, 3, 4, 5, 7}, 0) == 1);
  CHECK_THROWS_WITH(distance.distance_of_changed({1}, 0), contains("keeps the number of words"));
}

TEST_CASE("the interval of one system is printed as sacreBLEU prints it, also with missing references") {
  for (const json& expected : more().at("intervals")) {
    INFO(expected.at("name"));
    const Sentences hypotheses = expected.at("hypotheses");
    const std::vector<Sentences> references = expected.at("references");
    BootstrapOptions options;
    options.metrics = every_metric;
    Scores found = score_several(hypotheses, references, options.scoring, options.metrics);
    add_intervals(found, hypotheses, references, options);
    REQUIRE(found.metrics.size() == expected.at("lines").size());
    for (std::size_t m = 0; m < found.metrics.size(); ++m) {
      CHECK(without_version(to_string(found.metrics[m])) == expected.at("lines")[m].get<std::string>());
    }
  }
}

TEST_CASE("bootstrap: the figures of TER are sacreBLEU's, to the last digits, with means of three lengths") {
  for (const json& expected : more().at("paired_ter")) {
    BootstrapOptions options;
    options.metrics = {Metric::ter};
    const auto found = paired_bootstrap(expected.at("systems"), expected.at("references"), options);
    REQUIRE(found.size() == 1);
    CHECK(found[0].signature.rfind(expected.at("signature").get<std::string>() + "|version:gradus-", 0) == 0);
    for (std::size_t s = 0; s < found[0].systems.size(); ++s) {
      const BootstrapResult& one = found[0].systems[s];
      const json& theirs = expected.at("expected")[s];
      CHECK(one.score == Approx(theirs.at("score").get<double>()));
      CHECK(std::abs(one.mean - theirs.at("mean").get<double>()) < 1e-9);
      CHECK(std::abs(one.half_width - theirs.at("ci").get<double>()) < 1e-9);
      if (s > 0) CHECK(*one.p_value == Approx(theirs.at("p_value").get<double>()));
    }
  }
}

TEST_CASE("lines may have different numbers of references: a line without text is none") {
  const Sentences output = {"Ein Hund", "Zwei Frauen reden."};
  const std::vector<Sentences> references = {
      {"Ein Hund läuft schnell", "\u3000 \t"}, {"", "Zwei Damen reden."}, {"", "Er."}};
  CHECK(references_of(references, 0) == Sentences{"Ein Hund läuft schnell"});
  CHECK(references_of(references, 1) == Sentences{"Zwei Damen reden.", "Er."});
  CHECK(number_of_each(references) == varying_references);
  const Scores found = score_several(output, references, {}, every_metric);
  CHECK(found.bleu.statistics.reference_length ==
        4 + 4);  // an empty reference would be closer to two words than four are
  for (const MetricScore& metric : found.metrics) CHECK(metric.signature.rfind("nrefs:var|", 0) == 0);
  CHECK(number_of_each({{"a", ""}, {"", "b"}}) == 1);
  CHECK(number_of_each({{"a", ""}, {"c", ""}}) == varying_references);
  CHECK(references_of({{""}, {" "}}, 0) == Sentences{""});  // a sentence without any has an empty one
  CHECK(number_of_each({{""}, {""}}) == 1);
  CHECK(number_of_each({{"a", ""}}) == 1);
}

TEST_CASE("the tokenizer that fits a text is that of its script") {
  const auto fitting = [](const std::vector<Sentences>& references) { return fitting_tokenizer(references); };
  using T = BleuTokenizer;
  CHECK(fitting({{"Ein Hund läuft über die Straße.", "Собака бежит.", "갈색 개가 눈 속을 달린다.", "एक कुत्ता",
                  "كلب يركض"}}) == T::v13a);
  CHECK(fitting({{"两只狗在雪地里玩。", "ABC 123 45"}}) == T::zh);
  CHECK(fitting({{"\U00020000\U0002a6d6\U00030000"}}) == T::zh);
  CHECK(fitting({{"犬が雪の中を走っている。"}}) == T::characters);
  CHECK(fitting({{"ﾊﾝｶｸ"}, {"コーヒー"}}) == T::characters);
  CHECK(fitting({{"这是一本关于日本文化的书名叫ノルウェイ"},
                 {"一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十一二三四五六七八九十"}}) == T::zh);
  for (const char* line : {"สุนัขวิ่งในหิมะ", "ໝາແລ່ນ", "ཁྱི་རྒྱུག", "ခွေးပြေးနေသည်။", "ឆ្កែរត់លើព្រិល។", "ꦲꦱꦸ"})
    CHECK(fitting({{line, "a b"}}) == T::characters);
  CHECK(fitting({{"abcd 狗狗狗狗"}}) == T::v13a);  // half is not more than half
  CHECK(fitting({{"abcd 狗狗狗狗狗 1234567890 ...!!!"}}) == T::zh);
  CHECK(fitting({{"abcd"}, {"狗狗狗狗狗"}}) == T::zh);  // all lists of references together
  CHECK(fitting({{"", "123 !"}}) == T::v13a);
  CHECK(std::string(unspaced_script({{"犬が雪"}})->name) == "Japanese");
  CHECK(std::string(unspaced_script({{"狗"}})->name) == "Chinese");
  CHECK(std::string(unspaced_script({{"สุนัข 狗"}})->name) == "Thai");
  CHECK_FALSE(unspaced_script({{"dog"}}));
}

TEST_CASE("a perfect translation scores 100 with the tokenizer of its script, in every script") {
  for (const json& expected : more().at("bleu")) {
    const Sentences references = expected.at("references");
    const std::string name = expected.at("name");
    if (name.rfind("random", 0) == 0 || name == "white space around") continue;
    BleuOptions options;
    options.tokenizer = fitting_tokenizer({references});
    INFO(expected.at("name"));
    CHECK(score(references, references, options).bleu.score == Approx(100));
  }
  const Sentences thai = {"สุนัขวิ่งในหิมะ", "แมวนอน"};
  CHECK(score(thai, thai).bleu.score == 0);  // by 13a each line is one word, and there is no sequence of four
}
