// The forms in which `gradus score` and `gradus evaluate` answer: lines, numbers, sentences, JSON; and what they say of a script without spaces.
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "11_translator/metrics/bootstrap.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Json = nlohmann::json;

const TextLines output{"Ein Hund läuft über die Wiese.", "Zwei Frauen reden am großen Tisch.", "Ein Mann schläft."},
    first{"Ein Hund rennt über die Wiese.", "Zwei Frauen reden an einem großen Tisch.", "Ein Mann schläft tief."},
    second{"Der Hund läuft über eine Wiese.", "", "Der Mann schläft hier."};
const Metrics all_metrics{Metric::bleu, Metric::chrf, Metric::chrf_words, Metric::ter};

struct Files {
  Playground place{"score-forms"};
  std::string words;
  Files() {
    words = " --hypotheses " + write("out", output) + " --references " + write("first", first) + " " +
            write("second", second) + " ";
  }
  std::string write(const std::string& name, const TextLines& lines) const {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return place.write(name, text);
  }
  Result run(const std::string& command) const { return gradus_program(place, command); }
  std::string said(const std::string& command) const {
    const Result r = run(command);
    INFO(command << ": " << r.err);
    CHECK(r.status == 0);
    return r.out;
  }
};

std::string number(double x) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", x);
  return text;
}

}  // namespace

TEST_CASE("score: every metric, and a reference that is missing") {
  const Files f;
  const Scores expected = score_several(output, {first, second}, {}, all_metrics);
  CHECK(f.said("score" + f.words + "--metrics bleu chrf chrf++ ter") == to_string(expected) + "\n");
  CHECK(to_string(expected).find("TER|nrefs:var|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:gradus-") !=
        std::string::npos);
}

TEST_CASE("score: lines without a reference, and letters that are composed otherwise, are named") {
  const Playground place("odd-references");
  const auto said = [&](const std::string& hypotheses, const std::string& references) {
    const Result r = gradus_program(place, "score --hypotheses " + place.write("h", hypotheses) + " --references " +
                                               place.write("r", references));
    CHECK(r.status == 0);
    return r.err;
  };
  CHECK(said("a b\nc d\n", "a b\nc d\n").empty());
  CHECK_THAT(said("a b\nc d\n", "a b\n\n"), contains("warning: line 2 has no text in any reference"));
  CHECK_THAT(said("a b\nc d\nx\n", "a b\n\n \n"),
             contains("warning: 2 lines, the first is line 2, have no text in any reference"));
  CHECK(said("\u00e4 b\n", "\u00e4 b\n").empty());
  CHECK_THAT(said("a\nM\u00e4nner\n", "a\nMa\u0308nner\n"),
             contains("warning: line 2: translation and reference compose letters"));
  CHECK_THAT(said("a\nMa\u0308nner\n", "a\nM\u00e4nner\n"),
             contains("warning: line 2: translation and reference compose letters"));
}

TEST_CASE("score --score-only: one bare number for each metric and each system, BLEU alone if none is named") {
  const Files f;
  const Scores own = score_several(output, {first, second}, {}, all_metrics),
               other = score_several(first, {first, second}, {}, all_metrics);
  CHECK(f.said("score --score-only" + f.words) == number(own.bleu.score) + "\n");
  CHECK(f.said("score --score-only --metrics ter chrf" + f.words) ==
        number(own.ter) + "\n" + number(own.chrf) + "\n");
  CHECK(f.said("score --score-only --hypotheses " + f.place.file("first") + f.words) ==
        number(other.bleu.score) + "\n" + number(own.bleu.score) + "\n");
  CHECK(number(own.ter) != number(other.ter));
}

TEST_CASE("score --sentence-level: a row for each line, as a table, as numbers or as JSON") {
  const Files f;
  const Scores expected = score_several(output, {first, second}, {}, all_metrics);
  const std::string metrics = " --metrics bleu chrf chrf++ ter";
  const auto rows = split_lines(f.said("score --sentence-level" + metrics + f.words), "rows");
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].rfind("line\tBLEU|nrefs:var|case:mixed|eff:yes|tok:13a|", 0) == 0);
  CHECK(rows[0].find("\tTER|nrefs:var|") != std::string::npos);
  const auto bare = split_lines(f.said("score --sentence-level --score-only" + metrics + f.words), "rows");
  const Json json = Json::parse(f.said("score --sentence-level --json" + metrics + f.words)).at("systems").at(0);
  REQUIRE(json.at("sentences").size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    std::string row;
    for (const MetricScore& m : expected.metrics) {
      row += "\t" + number(m.sentences[i]);
      CHECK(json.at("sentences")[i].at(m.name).get<double>() == Approx(m.sentences[i]));
    }
    CHECK(rows[i + 1] == std::to_string(i + 1) + row);
    CHECK(bare.at(i) == row.substr(1));
  }
}

TEST_CASE("score --confidence: the mean and the interval stand behind each score") {
  const Files f;
  BootstrapOptions options;
  options.metrics = all_metrics;
  options.resamples = 31;
  Scores expected = score_several(output, {first, second}, {}, all_metrics);
  add_intervals(expected, output, {first, second}, options);
  const std::string words = "score --confidence --resamples 31 --metrics bleu chrf chrf++ ter" + f.words;
  CHECK(f.said(words) == to_string(expected) + "\n");
  CHECK(to_string(expected).find("BLEU|nrefs:var|bs:31|seed:12345|case:mixed|") == 0);
  CHECK(to_string(expected).find(" (μ = ") != std::string::npos);
  const Json json = Json::parse(f.said(words + "--json")).at("systems").at(0).at("metrics");
  for (std::size_t m = 0; m < 4; ++m) {
    CHECK(json[m].at("mean").get<double>() == Approx(expected.metrics[m].interval->mean));
    CHECK(json[m].at("half_width").get<double>() == Approx(expected.metrics[m].interval->half_width));
    CHECK(json[m].at("signature") == expected.metrics[m].signature);
  }
  const auto numbers = split_lines(f.said(words + "--score-only"), "numbers");
  CHECK(numbers[3] == number(expected.ter) + " ± " + number(expected.metrics[3].interval->half_width));
}

TEST_CASE("score --json: every part of a score, for each system") {
  const Files f;
  const Json json = Json::parse(f.said("score --json --hypotheses " + f.place.file("first") + f.words));
  REQUIRE(json.at("systems").size() == 2);
  const Scores expected = score_several(output, {first, second});
  const Json& system = json.at("systems")[1];
  CHECK(system.at("name") == f.place.file("out"));
  CHECK_FALSE(system.contains("sentences"));
  REQUIRE(system.at("metrics").size() == 3);
  const Json& bleu = system.at("metrics")[0];
  CHECK(bleu.at("name") == "BLEU");
  CHECK(bleu.at("score").get<double>() == Approx(expected.bleu.score));
  CHECK(bleu.at("signature") == expected.metrics[0].signature);
  for (std::size_t n = 0; n < 4; ++n)
    CHECK(bleu.at("precisions")[n].get<double>() == Approx(expected.bleu.precisions[n]));
  CHECK(bleu.at("brevity_penalty").get<double>() == Approx(expected.bleu.brevity_penalty));
  CHECK(bleu.at("ratio").get<double>() == Approx(expected.bleu.ratio));
  CHECK(bleu.at("hypothesis_length") == expected.bleu.statistics.hypothesis_length);
  CHECK(bleu.at("reference_length") == expected.bleu.statistics.reference_length);
  CHECK(bleu.at("hypothesis_length") != bleu.at("reference_length"));
  CHECK(system.at("metrics")[1].at("score").get<double>() == Approx(expected.chrf));
  CHECK_FALSE(system.at("metrics")[1].contains("mean"));
}

TEST_CASE("score --baseline --json: the figures of the comparison") {
  const Files f;
  BootstrapOptions options;
  options.resamples = 17;
  const auto expected = paired_bootstrap({first, output}, {first, second}, options);
  const Json json = Json::parse(f.said("score --json --resamples 17 --baseline " + f.place.file("first") + f.words))
                        .at("systems");
  REQUIRE(json.size() == 2);
  CHECK((json[0].at("baseline") == true && json[1].at("baseline") == false));
  CHECK(json[1].at("name") == f.place.file("out"));
  for (std::size_t m = 0; m < 3; ++m) {
    const Json& one = json[1].at("metrics")[m];
    const BootstrapResult& r = expected[m].systems[1];
    CHECK(one.at("name") == expected[m].name);
    CHECK(one.at("score").get<double>() == Approx(r.score));
    CHECK(one.at("mean").get<double>() == Approx(r.mean));
    CHECK(one.at("half_width").get<double>() == Approx(r.half_width));
    CHECK(one.at("p_value").get<double>() == Approx(*r.p_value));
    CHECK_FALSE(json[0].at("metrics")[m].contains("p_value"));
  }
  const Json same = Json::parse(f.said("score --json --baseline " + f.place.file("out") + f.words));
  for (const Json& metric : same.at("systems")[1].at("metrics")) CHECK(metric.at("p_value") == 1);
}

TEST_CASE("score: forms that exclude each other are refused in one line") {
  const Files f;
  const std::string base = "--baseline " + f.place.file("first") + " ";
  for (const auto& [words, why] :
       std::map<std::string, std::string>{{"--sentence-level --confidence", "leave it or --sentence-level out"},
                                          {"--json --score-only", "excludes"},
                                          {"--resamples 9", "--confidence or, of gradus score, --baseline"},
                                          {base + "--confidence", "leave --confidence out"},
                                          {base + "--sentence-level", "leave --sentence-level out"},
                                          {base + "--score-only", "leave --score-only out"},
                                          {"--metrics ter chrf --tokenize zh", "--tokenize is of BLEU"},
                                          {"--tokenize words", "'words' is none of: 13a, intl, char, none, zh"}}) {
    const Result r = f.run("score " + words + f.words);
    INFO(words << ": " << r.err);
    CHECK(r.status == 2);
    CHECK(lines_in(r.err) == 1);
    CHECK(r.err.find(why) != std::string::npos);
  }
  const Result r =
      f.run("evaluate --json --show 1 --source " + f.place.file("out") + " --reference " + f.place.file("first"));
  CHECK(r.status == 2);
  CHECK(r.err.find("--show prints examples for people") != std::string::npos);
}

TEST_CASE(
    "score: a script without spaces gets its tokenizer, which is said, and a tokenizer that cannot fit is told "
    "of") {
  const Files f;
  const auto scored = [&](const TextLines& lines, const std::string& words) {
    const std::string file = f.write("lines", lines);
    return f.run("score " + words + " --hypotheses " + file + " --references " + file);
  };
  const Result chinese = scored({"两只狗在雪地里玩。", "一个男人在睡觉。"}, "");
  CHECK(chinese.out.find("|tok:zh|") != std::string::npos);
  CHECK(chinese.out.find(" = 100.00 ") != std::string::npos);
  CHECK(chinese.err ==
        "the references are Chinese, which has no spaces between words: BLEU counts characters (--tokenize zh)\n");
  const Result thai = scored({"สุนัขวิ่งในหิมะ", "ผู้ชายนอนหลับ"}, "--metrics bleu ter");
  CHECK(thai.out.find("|tok:char|") != std::string::npos);
  CHECK(thai.out.find("BLEU|") == 0);
  CHECK(thai.out.find(" = 100.00 ") != std::string::npos);
  CHECK(thai.err.find("TER counts whole lines as words") != std::string::npos);
  const Result wrong = scored({"犬が雪の中を走る。"}, "--tokenize 13a");
  CHECK(wrong.out.find("|tok:13a|") != std::string::npos);
  CHECK(wrong.err.find("Japanese, which has no spaces between words: --tokenize 13a counts whole lines as words; "
                       "--tokenize char") != std::string::npos);
  CHECK(scored({"犬が雪の中を走る。"}, "--tokenize zh").err.empty());
  CHECK(scored({"Ein Hund läuft schnell."}, "").err.empty());
  CHECK(scored({"两只狗"}, "--metrics chrf").err.empty());  // it counts characters anyway
}

TEST_CASE("evaluate: the forms of score, of the model's translations") {
  const Playground place("evaluate-forms");
  const std::string files = " --beam-size 1 --model " + toy_model() + " --source " + toy("valid.en") +
                            " --reference " + toy("valid.de") + " ";
  const auto said = [&](const std::string& words) {
    const Result r = gradus_program(place, words + files);
    INFO(words << ": " << r.err);
    CHECK(r.status == 0);
    return r.out;
  };
  const std::string plain = said("evaluate --output " + place.file("out"));
  const TextLines lines = read_lines(place.file("out")), references = read_lines(toy("valid.de"));
  const Scores expected = score(lines, references, {}, all_metrics);
  CHECK(said("evaluate --score-only") == number(expected.bleu.score) + "\n");
  CHECK(said("evaluate --metrics ter").rfind(to_string(expected.metrics[3]) + "\nperplexity ", 0) == 0);
  BleuOptions by_characters;
  by_characters.tokenizer = BleuTokenizer::characters;
  CHECK(said("evaluate --tokenize char --score-only") ==
        number(score(lines, references, by_characters).bleu.score) + "\n");
  const auto rows = split_lines(said("evaluate --sentence-level --score-only --metrics ter"), "rows");
  REQUIRE(rows.size() == lines.size());
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(rows[i] == number(expected.metrics[3].sentences[i]));
  Scores with = score(lines, references);
  BootstrapOptions options;
  options.resamples = 31;
  add_intervals(with, lines, {references}, options);
  CHECK(said("evaluate --confidence --resamples 31").rfind(to_string(with) + "\n", 0) == 0);
  const Json json = Json::parse(said("evaluate --json"));
  CHECK(json.at("metrics")[0].at("score").get<double>() == Approx(expected.bleu.score));
  char perplexity[40];
  std::snprintf(perplexity, sizeof perplexity, "\nperplexity %.2f; %.1f %%", json.at("perplexity").get<double>(),
                100 * json.at("next_tokens_guessed").get<double>());
  CHECK(plain.find(perplexity) != std::string::npos);
  const std::string last = "BLEU " + number(json.at("teacher_forced_bleu")) +
                           " of those guesses (teacher-forced, so no score), " + number(json.at("greedy_bleu")) +
                           " of greedy";
  CHECK(plain.find(last) != std::string::npos);
}
