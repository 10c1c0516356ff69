// A text whose sides are not what the options say, and a text that is too small for the usual choices.

#include "11_translator/training/text_sides.hpp"

#include <algorithm>
#include <cctype>

#include "chapters/11_translator/toy_texts.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// cost_of_order of the toy text with these files for validation.
double cost_of(TokenizerKind kind, bool joint, const std::string& source, const std::string& target,
               const std::string& train_target = "train.de") {
  TrainingRequest r;
  r.train_source = toy_texts + "train.en", r.train_target = toy_texts + train_target;
  r.valid_source = toy_texts + source, r.valid_target = toy_texts + target;
  r.tokenizer.kind = kind, r.tokenizer.vocab_size = kind == TokenizerKind::word ? 0 : 300;
  r.joint_vocabulary = joint;
  const TrainingData data = training_data(r);
  return cost_of_order(data, text_quality(data, {}).train);
}

const std::string toy_train = sides_of("train", toy_texts + "train.en", toy_texts + "train.de"),
                  toy_valid = sides_of("valid", toy_texts + "valid.en", toy_texts + "valid.de"),
                  exchanged_valid = sides_of("valid", toy_texts + "valid.de", toy_texts + "valid.en");

}  // namespace

TEST_CASE("text sides: exchanged validation is seen with each kind of vocabulary, and nothing else is") {
  for (const TokenizerKind kind : {TokenizerKind::word, TokenizerKind::sentencepiece}) {
    for (const bool joint : {true, false}) {
      INFO(name_of(kind) << " " << joint);
      CHECK(cost_of(kind, joint, "valid.en", "valid.de") < 0.95);
      CHECK(cost_of(kind, joint, "valid.de", "valid.en") > 1.1);
      CHECK(cost_of(kind, joint, "valid.en", "valid.en") == Approx(1).margin(0.001));
      CHECK(cost_of(kind, joint, "valid.en", "valid.en", "train.en") < 1.05);
    }
  }
}

TEST_CASE("text sides: the program warns of exchanged validation files") {
  const Playground place("exchanged");
  CHECK_THAT(messages_of(place, toy_train + exchanged_valid),
             gradus::test::contains("warning: the validation sources look like the training targets"));
  CHECK(lines_with(messages_of(place, toy_train + toy_valid), "look like").empty());
  CHECK(lines_with(messages_of(place, toy_train + "--valid-split 40"), "look like").empty());
}

TEST_CASE("text sides: rare words and capitals are no sign of exchanged sides") {
  const Playground place("no-exchange");
  for (const char* few : {"--tokenizer word --vocab separate --min-frequency 5", "--tokenizer word --vocab-size 20",
                          "--tokenizer word --vocab separate --vocab-size 50"}) {
    INFO(few);
    CHECK(lines_with(messages_of(place, toy_train + toy_valid + few), "look like").empty());
    CHECK(lines_in(lines_with(messages_of(place, toy_train + exchanged_valid + few), "look like")) == 1);
  }
  std::string capitals = read_file(toy_texts + "train.en");
  for (char& c : capitals) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string up = sides_of("train", place.write("up.en", capitals), toy_texts + "train.de");
  for (const char* kind : {"", "--tokenizer word --vocab separate", "--tokenizer word"}) {
    INFO(kind);
    CHECK(lines_with(messages_of(place, up + toy_valid + kind), "look like").empty());
  }
}

TEST_CASE("text sides: the program warns of a first model of the other direction") {
  const Playground place("other-direction");
  const auto found = [&](const std::string& model, const std::string& source, const std::string& target) {
    const Result r = gradus_program(
        place, "train --output " + place.file("run") + " --overwrite --max-steps 1 --init-from " + model + " " +
                   sides_of("train", toy_texts + "train." + source, toy_texts + "train." + target) +
                   sides_of("valid", toy_texts + "valid." + source, toy_texts + "valid." + target));
    INFO(r.err);
    CHECK(r.status == 0);
    return lines_in(lines_with(r.err, "look like the targets of "));
  };
  CHECK(found("en-de", "de", "en") == 1);
  CHECK(found("en-de", "en", "de") == 0);
  CHECK(found("de-en", "en", "de") == 1);
  CHECK(found("de-en", "de", "en") == 0);
}

TEST_CASE("text sides: the languages of a known model show a text of the other direction") {
  const Playground place("known-direction");
  const auto found = [&](const TextLanguages& languages, const std::string& init_from) {
    TrainingRequest r;
    r.train_source = toy_texts + "train.en", r.train_target = toy_texts + "train.de";
    r.valid_source = toy_texts + "valid.en", r.valid_target = toy_texts + "valid.de";
    r.tokenizer.kind = TokenizerKind::word;
    const TrainingData data = training_data(r);
    r.init_from = init_from, r.init_languages = languages;
    const auto faults = faults_of_sides(r, data, text_quality(data, {}));
    return std::count_if(faults.begin(), faults.end(),
                         [](const auto& f) { return gradus::test::contains(f, "look like the targets of m,"); });
  };
  CHECK(found({"de", "en"}, "m") == 1);
  for (const TextLanguages& l : {TextLanguages{"en", "de"}, {"en", "pt"}, {"pt", "en"}, {"fr", "de"}, {"", ""}})
    CHECK(found(l, "m") == 0);
  CHECK(found({"de", "en"}, "") == 0);
}

TEST_CASE("text sides: a text that is mixed in is judged by the training's own text") {
  const Playground place("mixed");
  const std::string text = toy_train + toy_valid, en = toy_texts + "valid.en", de = toy_texts + "valid.de";
  std::string chinese;
  for (int i = 0; i < 40; ++i) chinese += "一只狗跑过街道。\n";
  const std::string zh = place.write("zh", chinese), zh_too = place.write("zh-too", chinese);
  const auto warnings = [&](const std::string& more) {
    return lines_with(messages_of(place, text + more), "warning: ");
  };
  for (const char* options : {"", "--tokenizer word --vocab separate --mix-share 0.9"}) {
    INFO(options);
    CHECK(lines_with(warnings(sides_of("mix", en, de) + options), "mixed-in").empty());
    const std::string exchanged = lines_with(warnings(sides_of("mix", de, en) + options), "look like");
    CHECK(lines_in(exchanged) == 1);
    CHECK_THAT(exchanged, gradus::test::contains("the mixed-in sources look like the training targets") &&
                              gradus::test::contains("exchange the two sides of --mix-source and --mix-target"));
  }
  const std::string script = warnings(sides_of("mix", zh, zh_too));
  CHECK_THAT(script,
             gradus::test::contains("100.0 % of the letters of the mixed-in sources are in another script") &&
                 gradus::test::contains("letters of the mixed-in targets"));
  const Result r = gradus_program(place, "train --max-steps 1 --init-from en-de --output " + place.file("tuned") +
                                             " " + text + sides_of("mix", zh, zh_too));
  REQUIRE(r.status == 0);
  const std::string unknown = lines_with(r.err, "unknown to");
  CHECK(lines_in(unknown) == 1);
  CHECK_THAT(unknown, gradus::test::contains("of the tokens of the mixed-in sources"));
}

TEST_CASE("text sides: a file of pairs as one side is warned of, in each part") {
  const Playground place("one-side");
  const std::string train = place.write("train.tsv", toy_pairs("train")),
                    valid = place.write("valid.tsv", toy_pairs("valid"));
  for (const std::string& options : {sides_of("train", train, toy_texts + "train.de") + toy_valid,
                                     sides_of("train", toy_texts + "train.en", train) + toy_valid}) {
    const std::string found = lines_with(messages_of(place, options), "have a tab");
    CHECK(lines_in(found) == 1);
    CHECK_THAT(found, gradus::test::contains("most lines of " + train +
                                             " have a tab: if it holds pairs, give it "
                                             "alone, as --train " +
                                             train));
  }
  CHECK_THAT(messages_of(place, toy_train + sides_of("valid", valid, toy_texts + "valid.de")),
             gradus::test::contains("give it alone, as --valid " + valid));
  CHECK(lines_with(messages_of(place, "--train " + train + " --valid " + valid), "have a tab").empty());
  for (const char* part : {"train", "valid"}) {
    const std::string both = std::string(part) == "train" ? sides_of("train", train, train) + toy_valid
                                                          : toy_train + sides_of("valid", valid, valid);
    expect_usage_error(
        gradus_program(place, "train --output " + place.file("run") + " --overwrite --quiet " + both),
        "is given as both sides");
  }
}

TEST_CASE("text sides: lines with carriage returns within them are named") {
  const Playground place("returns-within");
  const std::string source = place.write("a.en", "A dog.\nA cat.\rA dog.\nA man.\n"),
                    target = place.write("a.de", "Ein Hund.\nEine Katze.\rEin Hund.\nEin Mann.\n"),
                    pairs = place.write("a.tsv", "A dog.\tEin Hund.\nA\rcat.\tEine\rKatze.\n");
  const std::string words = "--tokenizer word --vocab-size 100 ";
  const std::string found =
      lines_with(messages_of(place, words + sides_of("train", source, target) + toy_valid), "carriage");
  CHECK(lines_in(found) == 2);
  CHECK_THAT(found, gradus::test::contains("line 2 of " + source + " has carriage returns in it") &&
                        gradus::test::contains("line 2 of " + target));
  CHECK(lines_in(lines_with(messages_of(place, words + "--train " + pairs + " " + toy_valid), "carriage")) == 1);
}

TEST_CASE("text sides: a small text with the usual batches gets a hint, and smaller batches none") {
  const Playground place("few-steps");
  const std::string text = toy_train + toy_valid;
  const std::string hint = lines_with(messages_of(place, text), "hardly learn");
  CHECK(lines_in(hint) == 1);
  CHECK_THAT(hint, gradus::test::contains("try --batch-tokens 256, which makes at least "));
  CHECK(lines_with(messages_of(place, text + "--batch-tokens 256"), "hardly learn").empty());
  CHECK(lines_with(messages_of(place, text + "--epochs 1000"), "hardly learn").empty());
}

TEST_CASE("text sides: whole words of a text without spaces are sentences, and subwords are advised") {
  const Playground place("no-spaces");
  std::string zh, th, en, spaced;
  for (int i = 0; i < 4; ++i) {
    zh += "一只狗跑过街道。\n一只猫睡在桌子上面。\n", en += "A dog runs.\nA cat sleeps.\n";
    th += "สุนัขวิ่งข้ามถนน\nแมวนอนบนโต๊ะ\n", spaced += "一只 狗 跑过 街道 。\n一只 猫 睡 在 桌子 上面 。\n";
  }
  const std::string english = place.write("en", en);
  const auto found = [&](const std::string& text, const std::string& options) {
    const std::string file = place.write("other", text);
    return lines_with(
        messages_of(place, sides_of("train", english, file) + sides_of("valid", english, file) + options),
        "no spaces between words");
  };
  for (const std::string& text : {zh, th}) {
    const std::string line = found(text, "--tokenizer word");
    CHECK(lines_in(line) == 1);
    CHECK_THAT(line, gradus::test::contains("warning: the training targets have no spaces") &&
                         gradus::test::contains("--tokenizer sentencepiece cuts them"));
    CHECK(found(text, "--tokenizer sentencepiece").empty());
  }
  CHECK(found(spaced, "--tokenizer word").empty());
}

TEST_CASE("text sides: eight letters without a space in a word are a sentence") {
  const Playground place("letters");
  TrainingRequest r;
  r.tokenizer.kind = TokenizerKind::word, r.joint_vocabulary = false;
  r.train_source = r.valid_source = place.write("en", "A dog.\n");
  r.train_target = r.valid_target = place.file("zh");
  const auto found = [&](const char* target) {
    place.write("zh", target + std::string("\n"));
    const TrainingData data = training_data(r);
    return faults_of_sides(r, data, text_quality(data, {}));
  };
  CHECK(found("一只狗跑过街道").empty());
  const auto eight = found("一只黑狗跑过街道");
  REQUIRE(eight.size() == 1);
  CHECK_THAT(eight[0], gradus::test::contains("--tokenizer word learns whole sentences"));
  CHECK(found("一只黑狗跑过街道 狗").empty());
}

TEST_CASE("text sides: symbols that no training sentence has are named, and those of one side alone are not") {
  const Playground place("symbols");
  std::string pairs = toy_pairs("train");
  pairs.insert(pairs.find('\t'), " <source>"), pairs.insert(pairs.find('\n'), " <target>");
  const std::string text = "--train " + place.write("a.tsv", pairs) + " --valid " +
                           place.write("b.tsv", toy_pairs("valid") + "<a>,<b>\t<none>\n") + " ";
  for (const char* vocab : {"--vocab joint ", "--vocab separate "}) {
    const auto found = [&](const std::string& symbols) {
      return lines_with(messages_of(place, text + vocab + "--symbols '" + symbols + "'"),
                        "none of these --symbols");
    };
    CHECK(found("<source> <target>").empty());
    const std::string line = found("<target> <none> <a>,<b>");
    CHECK(lines_in(line) == 1);
    CHECK_THAT(line, gradus::test::contains("nothing is learnt of them: \"<a>,<b>\" \"<none>\"\n"));
  }
  expect_usage_error(
      gradus_program(place, "train --quiet --output " + place.file("none") + " --symbols '\xff' " + text),
      "the symbol \"\\ufffd\": not UTF-8");
}

TEST_CASE("text sides: one pair is one pair") {
  const Playground place("one-pair");
  const std::string one = place.write("one.tsv", "A dog runs.\tEin Hund rennt.\n");
  CHECK_THAT(messages_of(place, "--tokenizer word --train " + one + " --valid " + one),
             gradus::test::contains("\n1 pair to train on, 1 to validate on"));
  const Result r = gradus_program(place,
                                  "train --output " + place.file("run") +
                                      " --overwrite --d-model 8 --heads 2 --layers 1 --ffn 8 --max-steps 1 "
                                      "--tokenizer word --train " +
                                      one + " --valid -",
                                  "A dog runs.\tEin Hund rennt.\nA dog.\tEin Hund.\n");
  CHECK_THAT(r.err, gradus::test::contains("\n1 pair to train on, 2 to validate on"));
}
