// Unknown tokens of each side, and a validation text in another script: counted before the training, in its history and report.

#include "11_translator/training/text_quality.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "11_translator/training/training_ids.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/word_training.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

Tokenizer words(const std::string& line) { return Tokenizer::learn({line}, {TokenizerKind::word, 0, 1, {}}); }

/// Vocabularies a b c and x y z w; the unknown words of the four parts are 1 of 5, 3 of 7, 2 of 11 and 4 of 13.
TrainingData counted_data() {
  TrainingData data{{}, {}, {words("a b c"), words("x y z w"), false}, {}, {}};
  const auto lines = [&](const Tokenizer& known, const std::vector<std::string>& text) {
    std::vector<std::vector<std::int32_t>> ids;
    for (const std::string& line : text) ids.push_back(known.encode(line));
    return ids;
  };
  data.pairs = {lines(data.tokenizers.source, {"a b", "u c a"}),
                lines(data.tokenizers.target, {"x u u y", "z u w"})};
  data.valid = {lines(data.tokenizers.source, {"a b c a b c u", "u a a a"}),
                lines(data.tokenizers.target, {"u u u x x x", "u w w w w w z"})};
  data.valid_lines = {{"a b c a b c u", "u a a a"}, {"u u u x x x", "u w w w w w z"}};
  return data;
}

void check_counts(const UnknownTokens& u) {
  const std::pair<TokenCount, std::pair<int, int>> all[] = {
      {u.train_source, {1, 5}}, {u.train_target, {3, 7}}, {u.valid_source, {2, 11}}, {u.valid_target, {4, 13}}};
  for (const auto& [found, expected] : all) {
    CHECK(found.unknown == static_cast<std::uint64_t>(expected.first));
    CHECK(found.tokens == static_cast<std::uint64_t>(expected.second));
  }
}

/// The shares of other scripts, source and target, with these training and validation lines.
std::pair<double, double> scripts(const LinePairs& train, const LinePairs& valid) {
  const Playground place("scripts");
  const auto file = [&](const char* name, const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return place.write(name, text);
  };
  TrainingRequest r;
  r.train_source = file("a", train.source), r.train_target = file("b", train.target);
  r.valid_source = file("c", valid.source), r.valid_target = file("d", valid.target);
  r.tokenizer.kind = TokenizerKind::word;
  const TextQuality q = text_quality(training_data(r), {});
  return {q.other_script_source, q.other_script_target};
}

const std::string latin = "A dog runs across the street.", cyrillic = "Собака бежит через улицу.",
                  chinese = "一只狗跑过街道。", japanese = "犬が通りを走っています。",
                  korean = "개가 길을 건너 달린다.", greek = "Ένας σκύλος τρέχει.", hindi = "एक कुत्ता दौड़ता है।",
                  bengali = "একটি কুকুর দৌড়াচ্ছে।", arabic = "كلب يركض عبر الشارع.",
                  german = "Ein weißer Hund läuft über die Straße.";

}  // namespace

TEST_CASE("text quality: unknown tokens of each part and side, without marks") {
  check_counts(text_quality(counted_data(), {}).unknown);
}

TEST_CASE("text quality: the same from a file of ids") {
  const Playground place("quality-ids");
  TrainingRequest r;
  r.train_source = place.write("s", "a b\nu c a\n"), r.train_target = place.write("t", "x u u y\nz u w\n");
  r.tokenizer.kind = TokenizerKind::word, r.joint_vocabulary = false;
  r.ids = place.file("ids"), r.output = place.file("run");
  TrainingData data = counted_data();
  data.train_lines = {{"a b", "u c a"}, {"x u u y", "z u w"}};
  data.longest = 9;
  keep_ids(ids_place(r, nullptr), r, data);
  REQUIRE(data.mapped);
  check_counts(text_quality(data, r.plan.marks).unknown);
}

TEST_CASE("text quality: a validation text in another script is seen on each side") {
  const LinePairs train{{latin, latin + " One"}, {german, german}};
  CHECK(scripts(train, {{latin}, {german}}) == std::pair{0.0, 0.0});
  CHECK(scripts(train, {{cyrillic}, {german}}) == std::pair{1.0, 0.0});
  CHECK(scripts(train, {{latin}, {chinese}}) == std::pair{0.0, 1.0});
  const auto [half, none] = scripts(train, {{"abcd", "абвгде"}, {"é1234567", "Ä"}});
  CHECK(half == Approx(0.6));
  CHECK(none == 0);  // German has such letters, and digits are in no script
  for (const std::string& one : {latin, cyrillic, chinese, japanese, korean, greek, hindi, bengali, arabic}) {
    for (const std::string& other : {latin, cyrillic, chinese, japanese, korean, greek, hindi, bengali, arabic}) {
      INFO(one << " | " << other);
      const double share = scripts({{one}, {latin}}, {{other}, {latin}}).first;
      const bool share_letters = one == japanese && other == chinese;
      if (one == other || share_letters) CHECK(share <= 0.2);
      if (one != other && !share_letters) CHECK(share > 0.2);
    }
  }
}

TEST_CASE("text quality: each fault has a line, and what is usual has none") {
  TrainingRequest r;
  const auto with = [](std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) {
    return TextQuality{{{a, 1000}, {b, 1000}, {c, 1000}, {d, 1000}}, 0, 0};
  };
  CHECK(faults_of_text(r, with(10, 10, 10, 10)).empty());
  for (const auto& quality : {with(11, 3, 0, 0), with(3, 11, 0, 0)}) {
    const auto lines = faults_of_text(r, quality);
    REQUIRE(lines.size() == 1);
    CHECK_THAT(lines[0], gradus::test::contains("training sources") && gradus::test::contains("1.1 %") &&
                             gradus::test::contains("0.3 %") && gradus::test::contains("\u2047"));
  }
  CHECK(faults_of_text(r, with(0, 0, 237, 0)) ==
        std::vector<std::string>{
            "unknown to the vocabulary: 23.7 % of the tokens of the validation sources and 0.0 % of "
            "the targets; the model reads and writes them as \u2047; the training text does not "
            "have their characters"});
  r.init_from = "some/model";
  CHECK_THAT(faults_of_text(r, with(400, 500, 0, 0)).at(0), gradus::test::contains("40.0 %") &&
                                                                gradus::test::contains("50.0 %") &&
                                                                gradus::test::contains("some/model"));
  r.init_from = "", r.tokenizer.kind = TokenizerKind::word;
  CHECK(faults_of_text(r, with(100, 100, 100, 100)).empty());
  CHECK_THAT(faults_of_text(r, with(0, 0, 101, 0)).at(0), gradus::test::contains("too seldom for --vocab-size"));
  CHECK_THAT(faults_of_text(r, with(0, 101, 0, 0)).at(0),
             gradus::test::contains("<unk>") && gradus::test::contains("--min-frequency"));
  CHECK(faults_of_text(r, {{}, 0.2, 0.2}).empty());
  const auto lines = faults_of_text(r, {{}, 0.3, 0.412});
  REQUIRE(lines.size() == 2);
  CHECK_THAT(lines[0], gradus::test::contains("30.0 % of the letters of the validation sources"));
  CHECK_THAT(lines[1], gradus::test::contains("41.2 % of the letters of the validation targets"));
}

TEST_CASE(
    "text quality: a Chinese text in the vocabulary of an English model is warned of, and counted in history and "
    "report") {
  const Playground place("quality-program");
  const std::string zh = place.write("zh", chinese + "\n" + chinese + chinese + "\n"),
                    en = place.write("en", "A dog runs.\nTwo dogs run.\n");
  const std::string words = "train --init-from en-de --train-source " + zh + " --train-target " + en +
                            " --valid-source " + zh + " --valid-target " + en + " --output " + place.file("run") +
                            " --epochs 1 --average-last 1";
  const Result r = gradus_program(place, words);
  INFO(r.err);
  REQUIRE(r.status == 0);
  const std::string warning = lines_with(r.err, "unknown to the vocabulary");
  CHECK(lines_in(warning) == 2);
  CHECK_THAT(warning, gradus::test::contains("of the training sources and 0.0 % of the targets"));
  CHECK(lines_with(r.err, "another script").empty());  // both are Chinese
  const auto history = nlohmann::json::parse(read_file(place.file("run/history.json"))).at("unknown_tokens");
  const auto source = history.at("training").at("source");
  CHECK(source.at("unknown").get<int>() * 3 > source.at("tokens").get<int>());
  CHECK(history.at("training").at("target").at("unknown") == 0);
  const std::string page = read_file(place.file("run/report.html"));
  const double share = 100.0 * source.at("unknown").get<double>() / source.at("tokens").get<double>();
  char text[80];
  std::snprintf(text, sizeof text, "<dd>%.2f %% of the sources, 0.00 %% of the targets</dd>", share);
  CHECK_THAT(page, gradus::test::contains("<dt>unknown tokens, training text</dt>" + std::string(text)));
  CHECK_THAT(page, gradus::test::contains("<dt>unknown tokens, validation text</dt>"));
}

TEST_CASE("text quality: validation in another script than training is warned of by the program") {
  const Playground place("quality-script");
  const Result r = gradus_program(place, gradus::test::word_training(place, "--valid-every 0 --max-steps 1"));
  CHECK(lines_with(r.err, "another script").empty());
  CHECK(lines_with(r.err, "unknown").empty());
  place.write("text/val.en", cyrillic + "\n" + cyrillic + "\n"),
      place.write("text/val.de", german + "\n" + german + "\n");
  const Result other = gradus_program(
      place, "train --data " + place.file("text") + " --output " + place.file("other") +
                 " --vocab-size 200 --d-model 8 --heads 2 --layers 1 --ffn 8 --epochs 1 --max-steps 1");
  INFO(other.err);
  CHECK(other.status == 0);
  CHECK_THAT(lines_with(other.err, "another script"),
             gradus::test::contains("100.0 % of the letters of the validation sources are in another script"));
  CHECK(lines_in(lines_with(other.err, "another script")) == 1);
  CHECK_THAT(lines_with(other.err, "unknown to the vocabulary"),
             gradus::test::contains("of the validation sources"));
}
