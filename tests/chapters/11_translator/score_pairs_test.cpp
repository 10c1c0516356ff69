// The probabilities of given translations under the bundled model: the search, the validation loss and `explain`
// must agree.

#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::vector<std::string>& captions() {
  static const std::vector<std::string> all = {"A dog runs through the snow.",
                                               "Two women are talking at a table.",
                                               "A man rides a red bicycle.",
                                               "Children play in the sand.",
                                               "An old man with a hat sits on a bench.",
                                               "A girl jumps into the water.",
                                               "A cat sleeps on a sofa.",
                                               "People are waiting for a train.",
                                               "A boy throws a ball.",
                                               "Three men are cooking.",
                                               "A woman in a green dress reads a book.",
                                               "The players run across the field."};
  return all;
}

const Translator& bundled() {
  static const Translator one = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  return one;
}

}  // namespace

TEST_CASE("score_pairs: the search's own translations have the log probabilities that it gives them") {
  const auto best = bundled().translate(captions(), {});
  std::vector<std::string> said;
  for (const auto& one : best) said.push_back(one.front().text);
  const auto scores = bundled().score_pairs(captions(), said, 2);
  for (std::size_t i = 0; i < said.size(); ++i) {
    INFO(said[i]);
    CHECK(scores[i].tokens.back() == "<eos>");
    CHECK(std::abs(scores[i].mean() - best[i].front().token_log_prob) < 1e-5);
    const Explanation e = bundled().explain(captions()[i]);
    REQUIRE(e.steps.size() == scores[i].tokens.size());
    for (std::size_t k = 0; k < e.steps.size(); ++k) {
      CHECK(scores[i].tokens[k] == e.steps[k].output.text);
      CHECK(std::abs(std::exp(scores[i].log_probs[k]) - e.steps[k].probability) < 1e-5);
    }
  }
}

TEST_CASE("score_pairs: the mean over a text is the validation loss") {
  const auto sources = read_lines(toy("valid.en")), targets = read_lines(toy("valid.de"));
  double sum = 0, tokens = 0;
  for (const PairScore& one : bundled().score_pairs(sources, targets)) {
    sum += one.log_prob();
    tokens += static_cast<double>(one.tokens.size());
  }
  const double perplexity = std::exp(-sum / tokens);
  CHECK(perplexity > 2);
  CHECK(perplexity == Approx(std::exp(bundled().teacher_forced(sources, targets, 1).loss)).epsilon(1e-6));
}

TEST_CASE("score_pairs: a pair has the same score alone, among others and on any number of threads") {
  const auto sources = read_lines(toy("valid.en")), targets = read_lines(toy("valid.de"));
  const auto together = bundled().score_pairs(sources, targets, 1),
             threaded = bundled().score_pairs(sources, targets, 3);
  for (std::size_t i = 0; i < sources.size(); ++i) CHECK(together[i].log_probs == threaded[i].log_probs);
  for (const std::size_t i : {0, 17, 39}) {
    const auto alone = bundled().score_pairs({sources[i]}, {targets[i]});
    CHECK(alone[0].log_prob() == Approx(together[i].log_prob()).epsilon(1e-5));
  }
  CHECK(bundled().score_pairs({}, {}).empty());
}

TEST_CASE("score_pairs: the right translation is more probable than that of another sentence") {
  const auto sources = read_lines(toy("valid.en")), targets = read_lines(toy("valid.de"));
  std::vector<std::string> others(targets.begin() + 1, targets.end());
  others.push_back(targets.front());
  const auto right = bundled().score_pairs(sources, targets), wrong = bundled().score_pairs(sources, others);
  std::size_t better = 0;
  for (std::size_t i = 0; i < sources.size(); ++i) better += right[i].mean() > wrong[i].mean();
  CHECK(better >= 38);
}

TEST_CASE("the translator refuses text that the program refuses, and says which") {
  const std::vector<std::string> good = {"A dog.", "A cat."}, bad = {"A dog.", "A c\xe4t."},
                                 nul = {std::string("A\0", 2), "b"};
  const std::string fault = "2: not UTF-8 (byte 4 of the line)";
  CHECK_THROWS_WITH(bundled().translate(bad, {}), contains("sentence " + fault));
  CHECK_THROWS_WITH(bundled().translate(nul, {}), contains("sentence 1: a NUL byte (byte 2 of the line)"));
  CHECK_THROWS_WITH(bundled().translate(bad[1]), contains("not UTF-8 (byte 4"));
  CHECK_THROWS_WITH(bundled().attention(bad[1]), contains("not UTF-8 (byte 4"));
  CHECK_THROWS_WITH(bundled().explain(bad[1]), contains("not UTF-8 (byte 4"));
  CHECK_THROWS_WITH(bundled().score_pairs(bad, good), contains("source " + fault));
  CHECK_THROWS_WITH(bundled().score_pairs(good, bad), contains("translation " + fault));
  CHECK_THROWS_WITH(bundled().teacher_forced(good, bad, 1), contains("translation " + fault));
  CHECK_THROWS_WITH(bundled().teacher_forced(good, {"a"}, 1), contains("2 sources, but 1 translations"));
  CHECK_THROWS_WITH(bundled().score_pairs({}, {"a"}), contains("0 sources, but 1 translations"));
}

TEST_CASE("score-pairs: lines of text or of JSON, and the perplexity that evaluate prints") {
  const Playground place("score-pairs");
  const std::string pairs = " --source " + toy("valid.en") + " --target ";
  std::string four_times, targets_four_times;  // more than one part
  for (int i = 0; i < 4; ++i)
    four_times += read_file(toy("valid.en")), targets_four_times += read_file(toy("valid.de"));
  const Result text = gradus_program(place, "score-pairs" + pairs + toy("valid.de"));
  const Result json =
      gradus_program(place, "score-pairs --json --threads 1 --target - --source " + place.write("four", four_times),
                     targets_four_times);
  const auto sources = read_lines(toy("valid.en")), targets = read_lines(toy("valid.de"));
  const auto expected = bundled().score_pairs(sources, targets);
  REQUIRE(text.status == 0);
  REQUIRE(json.status == 0);
  std::istringstream plain(text.out), objects(json.out);
  std::size_t i = 0;
  for (std::string line, object; std::getline(plain, line) && std::getline(objects, object); ++i) {
    char row[200];
    std::snprintf(row, sizeof row, "%.4f\t%.4f\t%.4g\t%zu", expected[i].log_prob(), expected[i].mean(),
                  expected[i].perplexity(), expected[i].tokens.size());
    CHECK(line == row);
    const auto one = nlohmann::json::parse(object);
    CHECK(one.at("line") == i + 1);
    CHECK(one.at("source") == sources[i]);
    CHECK(one.at("text") == targets[i]);
    CHECK(one.at("log_prob").get<double>() == Approx(expected[i].log_prob()));
    CHECK(one.at("token_log_prob").get<double>() == Approx(expected[i].mean()));
    CHECK(one.at("perplexity").get<double>() == Approx(expected[i].perplexity()));
    REQUIRE(one.at("tokens").size() == expected[i].tokens.size());
    CHECK(one.at("tokens")[2].at("text") == expected[i].tokens[2]);
    CHECK(one.at("tokens")[2].at("log_prob").get<double>() == Approx(expected[i].log_probs[2]).margin(1e-5));
    CHECK_FALSE(one.at("source_cut").get<bool>());
  }
  CHECK(i == 40);
  CHECK(lines_in(json.out) == 160);
  std::size_t place_in_all = 0;
  for (const std::string& object : split_lines(json.out, "json")) {  // also the parts after the first
    const auto one = nlohmann::json::parse(object);
    CHECK(one.at("log_prob").get<double>() == Approx(expected[place_in_all % 40].log_prob()));
    CHECK(one.at("line") == ++place_in_all);
  }
  const std::size_t last = json.out.rfind("{\"line\":");
  CHECK(nlohmann::json::parse(json.out.substr(last)).at("line") == 160);
  CHECK(nlohmann::json::parse(json.out.substr(last)).at("source") == sources[39]);
  CHECK(json.err.find("160 pairs, ") == 0);
  const Result evaluated = gradus_program(
      place, "evaluate --beam-size 1 --source " + toy("valid.en") + " --reference " + toy("valid.de"));
  const std::string perplexity = text.err.substr(text.err.rfind("perplexity "));
  CHECK(text.err.find("40 pairs, ") == 0);
  CHECK(evaluated.out.find(perplexity.substr(0, perplexity.find('\n')) + ";") != std::string::npos);
}

TEST_CASE("score-pairs: the model is the one that is named, and neither threads nor device change a score") {
  const Playground place("score-pairs-model");
  const std::string german = place.write("de", "Ein Hund rennt durch den Schnee.\n"),
                    english = place.write("en", "A dog runs through the snow.\n");
  const auto said = [&](const std::string& words) {
    return gradus_program(place, "score-pairs --source " + german + " --target " + english + " " + words).out;
  };
  const PairScore there =
      Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/de-en")
          .score_pairs({"Ein Hund rennt durch den Schnee."}, {"A dog runs through the snow."})[0];
  char expected[100];
  std::snprintf(expected, sizeof expected, "%.4f\t", there.log_prob());
  CHECK(said("--model de-en").rfind(expected, 0) == 0);
  CHECK(said("--model de-en --threads 3 --device cpu") == said("--model de-en"));
  CHECK(said("") != said("--model de-en"));
}

TEST_CASE("score-pairs: a text that is too long gives a warning, an empty line a score, a bad line one message") {
  const Playground place("score-pairs-bad");
  std::string many;
  for (int i = 0; i < 400; ++i) many += "Hund ";
  const std::string source = place.write("source", "A dog.\n\n" + many + "\n"),
                    target = place.write("target", "\nEin Hund.\n" + many);
  const Result r = gradus_program(place, "score-pairs --json --source " + source + " --target " + target);
  REQUIRE(r.status == 0);
  CHECK(r.err.find("line 3: the source is longer than the model reads") != std::string::npos);
  CHECK(r.err.find("line 3: the translation is longer than the model reads") != std::string::npos);
  CHECK(lines_in(r.err) == 3);
  std::istringstream objects(r.out);
  std::vector<nlohmann::json> found;
  for (std::string object; std::getline(objects, object);) found.push_back(nlohmann::json::parse(object));
  REQUIRE(found.size() == 3);
  CHECK(found[0].at("tokens").size() == 1);  // the end mark
  CHECK(found[2].at("tokens").size() == 256);
  CHECK(found[2].at("source_cut") == true);
  CHECK(found[2].at("text_cut") == true);
  const auto refused = [&](const std::string& text, const std::string& why) {
    const Result bad =
        gradus_program(place, "score-pairs --source " + source + " --target " + place.write("bad", text));
    INFO(bad.err);
    CHECK(bad.status == 1);
    CHECK(bad.out.empty());
    CHECK(lines_in(bad.err) == 1);
    CHECK(bad.err.find(why) != std::string::npos);
  };
  std::string long_lines, short_lines;
  for (int i = 0; i < 13; ++i) long_lines += many + "\n", short_lines += "Ein Hund.\n";
  const Result capped = gradus_program(place, "score-pairs --source " + place.write("long", long_lines) +
                                                  " --target " + place.write("short", short_lines));
  CHECK(lines_in(lines_with(capped.err, "longer than the model reads")) == 10);
  CHECK(lines_in(lines_with(capped.err, "3 more lines have the warning \"source-cut\"")) == 1);
  refused("a\nb\xff\nc\n", "bad, line 2: not UTF-8 (byte 2 of the line)");
  refused("a\nb\n", "source has 3 lines, but " + place.file("bad") + " has 2 lines");
  refused("", "bad: empty, where sentences were expected");
}
