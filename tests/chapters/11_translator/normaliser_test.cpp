// What a model reads in place of a text's characters, wherever text goes into it.

#include "11_translator/data/normaliser.hpp"

#include "11_translator/data/beginning.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;
using Words = std::vector<std::string>;

namespace {

/// The pieces of this word vocabulary that occur in `source`.
Normaliser reading(const Words& vocabulary, const std::string& source, const TextRules& rules = {}) {
  const Tokenizer t = Tokenizer::learn(vocabulary, {TokenizerKind::word, 0, 1, rules});
  SeenPieces seen(t.size());
  for (const int id : t.encode(source)) seen[static_cast<std::size_t>(id)] = true;
  return {t, seen};
}

std::string bundled(const char* direction) {
  return std::string(GRADUS_CHAPTERS) + "/11_translator/models/" + direction;
}

}  // namespace

TEST_CASE("normaliser: the names of options and files") {
  check_names<Normalisation>({"at-use", "always", "never"});
}

TEST_CASE("normaliser: a sign of the written list becomes one that the source side had") {
  const Normaliser ascii = reading({"' \" . a f i"}, "' \" . a f i");
  CHECK(ascii("man\u2019s \u2018a\u2019 \u201ca\u201d \u00aba\u00bb \u201ea\u201c") ==
        "man's 'a' \"a\" \"a\" \"a\"");
  CHECK(ascii("a\u2026") == "a...");
  CHECK(ascii("\ufb01 \ufb00 \ufb03") == "fi ff ffi");
  CHECK(ascii("\uff41\uff0e\uff07") == "a.'");
  CHECK(ascii("\ufb02") == "\ufb02");  // it has no l
  CHECK(ascii("\uff42 \u2013") == "\uff42 \u2013");
  CHECK(ascii("10\u00b2 \u00bd \u2122") == "10\u00b2 \u00bd \u2122");  // not on the list
  const Normaliser curly = reading({"\u2019 \u201c a"}, "\u2019 \u201c a");
  CHECK(curly("a's \"a\" \u201da\u201d") == "a\u2019s \u201ca\u201c \u201ca\u201c");
  CHECK(reading({"a - b"}, "a - b")("a\u2011b \u2010 \u2013 \u2014 \u2212") == "a-b - - - -");
  CHECK(reading({"b"}, "b")("\u2019") == "\u2019");  // none of them
}

TEST_CASE("normaliser: what the source side had stays, and the other side's signs do not count") {
  const Words both{"' \u2019 . \u2026 a \uff41 f i \ufb01"};
  const std::string text = "\u2019 \u2026 \uff41 \ufb01";
  CHECK(reading(both, text)(text) == text);
  CHECK(reading(both, "' . a f i")(text) == "' ... a fi");
  const Tokenizer t = Tokenizer::learn(both, {TokenizerKind::word, 0, 1, {}});
  CHECK(Normaliser(t, {})(text) == text);  // nothing is known: the vocabulary decides
}

TEST_CASE("normaliser: equal characters are read alike, in the form that the model knows") {
  const std::string composed = "schl\u00e4ft", parted = "schla\u0308ft", inside = "sch\u00adl\u200ba\u0308ft";
  const Normaliser usual = reading({"s c h l \u00e4 f t"}, "s c h l \u00e4 f t");
  for (const std::string& text : {composed, parted, inside}) CHECK(usual(text) == composed);
  const Normaliser of_parts = reading({"s c h l a\u0308 f t"}, "s c h l a\u0308 f t");  // learnt from such a text
  for (const std::string& text : {composed, parted, inside}) CHECK(of_parts(text) == parted);
  CHECK(usual("\uff41\u0308") == "\uff41\u0308");  // neither known; nothing becomes worse
}

TEST_CASE("normaliser: it follows the rules of the model") {
  const TextRules lower{true, true};
  CHECK(reading({"a b '"}, "a b '", lower)("\uff21\uff22\u2019s") == "AB's");
  const Normaliser never = reading({"a"}, "a", {false, true, Normalisation::never});
  CHECK(never("a\u0308\u200b\u2026") == "a\u0308\u200b\u2026");
  CHECK(Normaliser()("a\u0308\u200b\u2026") == "a\u0308\u200b\u2026");
  CHECK(apply_rules({false, true, Normalisation::always}, "a\u0308\u200b\u2026") == "\u00e4\u2026");
  CHECK(apply_rules({false, true, Normalisation::at_use}, "a\u0308\u200b") == "a\u0308\u200b");
  CHECK(comparable({true, true, Normalisation::always}, {"a\u0308\u200b"}) ==
        Words{"a\u0308\u200b"});  // scores are literal
}

TEST_CASE("normaliser: words keep their numbers, also where a word disappears") {
  const Normaliser n = reading({"a b"}, "a b");
  CHECK(words_left(n, "a \u200b b\u00ad \u00ad b") == std::vector<std::size_t>{0, 2, 4});
  CHECK(words_left(n, "").empty());
  CHECK(beginning(Tokenizer::learn({"a b"}, {TokenizerKind::word, 0, 1, {}}), n, "\u200ba \u200bb", 9).ids.size() ==
        2);
}

TEST_CASE("translate: the bundled models read equal and invisible characters alike") {
  const Translator from_german = Translator::load(bundled("de-en")),
                   from_english = Translator::load(bundled("en-de"));
  const std::string plain = "Ein Hund schl\u00e4ft auf der Stra\u00dfe.", right = from_german.translate(plain);
  for (const char* text :
       {"Ein Hund schla\u0308ft auf der Stra\u00dfe.", "\u200bEin Hund schl\u00e4ft auf der Stra\u00dfe.",
        "Ein Hu\u00adnd schl\u00e4ft auf der Stra\u00ad\u00dfe.",
        "\ufeffEin H\u200bund schl\u00e4ft auf\u2060 der Stra\u00dfe\uff0e",
        "\uff25in Hund schl\u00e4\ufb00t auf der Stra\u00dfe."}) {
    INFO(text);
    if (std::string(text).find("\ufb00") == std::string::npos) CHECK(from_german.translate(text) == right);
  }
  const std::string dog = from_english.translate("The man's dog runs.");
  for (const char* text : {"The man\u2019s dog runs.", "The man\u02bcs dog runs.", "The man\u00b4s dog runs."})
    CHECK(from_english.translate(text) == dog);
  CHECK(from_english.translate("A \ufb01eld.") == from_english.translate("A field."));
  for (const char* text : {"\u200b", "\u200b \u00ad\ufeff", "\u2060\u2063"})
    CHECK(from_english.translate(text).empty());
}

TEST_CASE("translate: the tokens of a normalised text belong to the words of the given one") {
  const Translator t = Translator::load(bundled("en-de"));
  TranslateOptions o;
  o.with_tokens = true;
  const auto plain = t.translate(Words{"A dog runs."}, o)[0][0],
             other = t.translate(Words{"A \u200b dog\u00ad runs."}, o)[0][0];
  CHECK(other.text == plain.text);
  REQUIRE(other.source_tokens.size() == plain.source_tokens.size());
  for (std::size_t i = 0; i < plain.source_tokens.size(); ++i) {
    const std::size_t word = plain.source_tokens[i].word;
    CHECK(other.source_tokens[i].word == (word == no_word || word == 0 ? word : word + 1));
  }
}

TEST_CASE("score-pairs, evaluate, explain and attention: they read both sides as translate does") {
  const Translator t = Translator::load(bundled("de-en"));
  const std::string plain = "Ein Hund schl\u00e4ft.", other = "\u200bEin Hund schla\u0308ft.",
                    target = "A dog is sleeping.", wide = "A d\u00adog is sleeping\uff0e";
  const auto scores = t.score_pairs({plain, other, plain}, {target, target, wide});
  REQUIRE(scores[1].log_probs.size() == scores[0].log_probs.size());
  for (std::size_t i = 0; i < scores[0].log_probs.size(); ++i)  // rows of one batch may differ in their last bits
    CHECK(scores[1].log_probs[i] == Approx(scores[0].log_probs[i]));
  CHECK(scores[2].tokens == scores[0].tokens);
  CHECK(scores[2].log_prob() == Approx(scores[0].log_prob()));
  CHECK(t.teacher_forced({other}, {wide}, 1).loss == Approx(t.teacher_forced({plain}, {target}, 1).loss));
  const Explanation a = t.explain(plain), b = t.explain(other);
  REQUIRE(a.source.size() == b.source.size());
  CHECK(a.best.text == b.best.text);
  CHECK(t.explain("\u200b\u00ad").source.empty());
  CHECK(t.attention(other).translation == t.attention(plain).translation);
  CHECK(t.attention("\u200b").cross.layers == 0);
}

TEST_CASE("the program: a line of invisible characters is an empty line, the others are read in one form") {
  const Playground place("normal");
  const std::string input = place.write("input", "\u200b\u2060\nA man\u2019s dog.\nA man's dog.\n\u00ad\n");
  const Result r = gradus_program(place, "translate --input " + input);
  CHECK(r.status == 0);
  const auto lines = split_lines(r.out, "output");
  REQUIRE(lines.size() == 4);
  CHECK(lines[0].empty());
  CHECK(lines[1] == lines[2]);
  CHECK(lines[3].empty());
  CHECK(r.err.empty());
  const Result none = gradus_program(place, "explain \u200b");
  CHECK(none.status == 2);
  CHECK(none.err.find("the sentence is empty") != std::string::npos);
  const Result json = gradus_program(place, "translate --json 'A man\u2019s dog.'");
  CHECK(json.out.find("\"source\":\"A man\u2019s dog.\"") != std::string::npos);  // as it was given
}

TEST_CASE("never-seen: seen means the source side, not the joint vocabulary") {
  const Translator english = Translator::load(bundled("en-de")), german = Translator::load(bundled("de-en"));
  const auto unknown = [](const Translator& t, const std::string& text) {
    return t.translate(Words{text}, {})[0][0].unknown;
  };
  CHECK(unknown(english, "A man \u00df a dog.") == Words{"\u00df"});  // only the German side has it
  CHECK(unknown(german, "Ein Mann \u00df ein Hund.").empty());
  CHECK_FALSE(unknown(english, "Der Hund rennt durch den Schnee.").empty());
  CHECK_FALSE(unknown(german, "The dog runs through the snow.").empty());
  CHECK(unknown(english, "The dog runs through the snow.").empty());
}
