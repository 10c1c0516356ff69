#include "11_translator/translator/translation_warnings.hpp"

#include <algorithm>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/words_in_parts.hpp"
#include "support/catch.hpp"

using namespace gradus;
using Words = std::vector<std::string>;

namespace {

TranslatedText output(const std::string& text) {
  TranslatedText best;
  best.text = text;
  return best;
}

Words codes(const std::string& source, const TranslatedText& best) {
  Words found;
  for (const TranslationWarning& warning : translation_warnings("line 7", source, best))
    found.push_back(warning.code);
  return found;
}

/// The text of the only warning.
std::string text_of(const std::string& source, const TranslatedText& best) {
  const auto all = translation_warnings("line 7", source, best);
  REQUIRE(all.size() == 1);
  return all[0].text;
}

/// Of the text that the pieces make, or of another spelling of it; those with a ł or in `unseen` are new.
UnknownWords words_read(const Words& pieces, std::string text = "", const Words& unseen = {"\u0142"}) {
  const std::string space = "\u2581";
  std::vector<TextPiece> all;
  std::string joined;
  std::size_t word = 0;
  for (const std::string& piece : pieces) {
    const bool begins = piece.rfind(space, 0) == 0;
    if (begins && !joined.empty()) ++word, joined += ' ';
    joined += begins ? piece.substr(space.size()) : piece;
    all.push_back({piece, std::count(unseen.begin(), unseen.end(), piece) != 0 ? 6 : 5, word});
  }
  return unknown_words(text.empty() ? joined : text, all, [](std::int32_t id) { return id == 6; });
}

Words in_parts(const Words& pieces) { return words_read(pieces).in_parts; }

}  // namespace

TEST_CASE("warnings: none for a good translation or an empty sentence") {
  CHECK(codes("Two dogs.", output("Zwei Hunde.")).empty());
  CHECK(codes("", output("")).empty());
  CHECK(codes(" \t\u00A0", output("")).empty());
}

TEST_CASE("warnings: all codes, in the order of the list") {
  TranslatedText best = output("la la la 4");
  best.cut = best.unfinished = best.unusual = best.hesitant = true;
  best.in_parts = {"x"};
  CHECK(codes("236", best) == Words{"cut", "unsure", "unfinished", "never-seen", "repetition", "numbers"});
}

TEST_CASE("never-seen: always warns of unknown characters, of words in parts only if the model hesitates") {
  TranslatedText best = output("Ein Imker.");
  best.in_parts = {"beekeeper"};
  CHECK(codes("A beekeeper.", best).empty());
  best.hesitant = true;
  CHECK(
      text_of("A beekeeper.", best) ==
      "line 7 has words that the model knows in parts only, \"beekeeper\"; it may have made up their translation");
  best.in_parts.clear();
  CHECK(codes("A beekeeper.", best).empty());
  best.hesitant = false;
  best.unknown = {"\u72d7", "@"};
  CHECK(text_of("A \u72d7@.", best) ==
        "line 7 has parts that the model has never read, \"\u72d7\", \"@\", and cannot translate");
}

TEST_CASE("never-seen: three words are named, the others counted, and none sends commands to the terminal") {
  TranslatedText best = output("x");
  best.hesitant = true;
  best.in_parts = {"a", "b", "c"};
  CHECK(text_of("a b c", best).find("\"a\", \"b\", \"c\"; it") != std::string::npos);
  best.in_parts = {"a", "b", "c", "d", "e"};
  CHECK(text_of("a b c d e", best).find("\"a\", \"b\", \"c\" and 2 more; it") != std::string::npos);
  for (const std::size_t size : {40, 41}) {
    best.in_parts = {std::string(size, 'x')};
    CHECK(text_of("x", best).find("\"" + std::string(40, 'x') + (size == 40 ? "\"" : "...\"")) !=
          std::string::npos);
  }
  best.in_parts = {"\u009b31m\x1b[0m" + std::string(100, 'x')};
  const std::string text = text_of("x", best);
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find("\u009b") == std::string::npos);
  CHECK(text.find("xxx...\"") != std::string::npos);
  CHECK(text.size() < 160);
}

TEST_CASE("words in parts: runs of letters in several pieces, the most pieces first, each once") {
  CHECK(in_parts({"\u2581A", "\u2581dog", "."}).empty());
  CHECK(in_parts({"\u2581sh", "arp", "\u2581be", "e", "ke", "ep", "er", "."}) == Words{"beekeeper", "sharp"});
  CHECK(in_parts({"\u2581sh", "arp", "\u2581cur", "ve"}) == Words{"sharp", "curve"});
  CHECK(in_parts({"\u2581sh", "arp", "\u2581sh", "arp"}) == Words{"sharp"});
  CHECK(in_parts({"\u2581(", "sh", "arp", ")"}) == Words{"sharp"});
  CHECK(in_parts({"\u2581", "sh", "arp"}) == Words{"sharp"});
  CHECK(in_parts({"\u2581T", "-", "shirt"}).empty());  // two words of one piece each
  CHECK(in_parts({"\u2581brother", "'", "s"}).empty());
  CHECK(in_parts({"\u2581B", "2", "2"}).empty());  // digits are the numbers' business
  CHECK(in_parts({"\u25812", "n", "d"}) == Words{"2nd"});
  CHECK(in_parts({"\u2581go", "\u0142", "keep"}).empty());  // <unk>, which has a message of its own
  CHECK(in_parts({"\u2581\u72d7", "\u732b"}).empty());      // no spaces part words there
  CHECK(in_parts({"\u2581\u00fcb", "er"}) == Words{"\u00fcber"});
}

TEST_CASE("words in parts: none in scripts without spaces between words") {
  CHECK(in_parts({"\u2581\u0e01\u0e32", "\u0e23"}).empty());                         // Thai
  CHECK(in_parts({"\u2581\u0ea5\u0eb2", "\u0ea7"}).empty());                         // Lao
  CHECK(in_parts({"\u2581\u1019\u103c", "\u1014"}).empty());                         // Burmese
  CHECK(in_parts({"\u2581\u1781\u17d2", "\u1798"}).empty());                         // Khmer
  CHECK(in_parts({"\u2581\u30ab\u30ab", "\u30ab", "\uff76", "\uff77"}).empty());     // katakana of both widths
  CHECK(in_parts({"\u2581\u0643", "\u0644\u0628"}) == Words{"\u0643\u0644\u0628"});  // Arabic has spaces
}

TEST_CASE("unknown words: whole words of the text, each once, with a piece that is new") {
  const auto unknown = [](const Words& pieces, const Words& unseen, const std::string& text = "") {
    return words_read(pieces, text, unseen).unknown;
  };
  CHECK(unknown({"\u2581A", "\u2581dog"}, {}).empty());
  CHECK(unknown({"\u2581B", "etw", "een", "\u2581two"}, {"etw"}) == Words{"Between"});
  CHECK(unknown({"\u2581X", "I", "V", "\u2581sits"}, {"\u2581X"}) == Words{"XIV"});
  CHECK(unknown({"\u2581(", "X", "V", ")", ",", "\u2581XV"}, {"X", "\u2581XV"}) == Words{"XV"});
  CHECK(unknown({"\u2581T", "-", "sh", "irt", "'", "s"}, {"irt"}) == Words{"shirt"});
  CHECK(unknown({"\u2581B", "2", "2"}, {"\u2581B"}) == Words{"B22"});
  CHECK(unknown({"\u2581dog", "\U0001F600", "."}, {"\U0001F600"}) == Words{"\U0001F600"});
  CHECK(unknown({"\u2581A", "\u2581", "\u72d7", "@", "."}, {"\u72d7", "@"}) == Words{"\u72d7@"});
  CHECK(unknown({"\u2581", "\u72d7", "\u732b", "\u72d7"}, {"\u732b"}) == Words{"\u732b"});  // no spaces there
  CHECK(unknown({"\u2581", "/", "\u2581a"}, {"/"}) == Words{"/"});
}

TEST_CASE("unknown words: they stand in the spelling of the text, whatever the model reads") {
  const auto unknown = [](const Words& pieces, const std::string& text) {
    return words_read(pieces, text).unknown;
  };
  CHECK(unknown({"\u2581go", "\u0142"}, "GO\u0141") == Words{"GO\u0141"});
  CHECK(unknown({"\u2581a", "\u2581go", "\u0142", "."}, "A\u00a0 go\u00ad\u0142.") == Words{"go\u00ad\u0142"});
  CHECK(unknown({"\u2581fi", "\u0142", ".", ".", "."}, "\uFB01\u0142...") == Words{"\uFB01\u0142"});
  CHECK(unknown({"\u2581", "\"", "go", "\u0142", ".", ".", "."}, "\u201Cgo\u0142\u2026") == Words{"go\u0142"});
  CHECK(words_read({"\u2581be", "ek", "eeper"}, "BEEKEEPER").in_parts == Words{"BEEKEEPER"});
}

TEST_CASE("words in parts and hesitation: the bundled model knows the word dogs, but not beekeeper") {
  const Translator bundled = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  const Words sentences{"A dog runs through the snow.", "A beekeeper lifts a hive.", "The go\u0142keeper."};
  const auto found = bundled.translate(sentences, {});
  CHECK(found[0][0].in_parts.empty());
  CHECK_FALSE(found[0][0].hesitant);
  CHECK(found[1][0].in_parts == Words{"beekeeper", "hive"});
  CHECK(found[1][0].hesitant);
  CHECK(found[2][0].unknown == Words{"go\u0142keeper"});
  const TranslatedText sure = bundled.translate(Words{"A man in a hat is grilling sausages."}, {})[0][0];
  CHECK_FALSE(sure.hesitant);
  CHECK(sure.in_parts.empty());  // though it reads "sausages" in three pieces
  const TranslatedText same = bundled.explain(sentences[1]).best;
  CHECK(same.in_parts == found[1][0].in_parts);
  CHECK(same.hesitant == found[1][0].hesitant);
  CHECK(same.text == found[1][0].text);
}

TEST_CASE("translate: every line keeps its own text and warnings, for any number of threads") {
  const Translator bundled = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  std::string endless;
  for (int word = 0; word < 400; ++word) endless += "dog ";
  const Words sentences{"",      "A beekeeper lifts a hive.",    "The go\u0142keeper.", " ",
                        endless, "A dog runs through the snow.", "Two dogs run."};
  const auto translate = [&](std::size_t threads) {
    TranslateOptions o;
    o.threads = threads;
    o.max_length = 20;
    o.full_batches = true;
    return bundled.translate(sentences, o);
  };
  const auto one = translate(1), four = translate(4);
  REQUIRE(four.size() == sentences.size());
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    CHECK(four[i][0].text == one[i][0].text);
    CHECK(four[i][0].token_log_prob == one[i][0].token_log_prob);
    CHECK(four[i][0].in_parts == one[i][0].in_parts);
    CHECK(four[i][0].unknown == one[i][0].unknown);
    CHECK(four[i][0].text.empty() == (i == 0 || i == 3));
    CHECK(four[i][0].cut == (i == 4));
    CHECK(four[i][0].unknown.empty() == (i != 2));
    CHECK((four[i][0].in_parts == Words{"beekeeper", "hive"}) == (i == 1));
  }
}

TEST_CASE("lines without a letter: no search changes them, and no warning tells of them") {
  const Translator bundled = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  const Words signs{".",
                    "?!",
                    "...",
                    "\u2014",
                    "()",
                    "\U0001F600",
                    "\U0001F468\u200D\U0001F469\u200D\U0001F467",
                    "12345",
                    "-5",
                    "1. 2. 3.",
                    "50%",
                    "10:30",
                    "\u0967\u0968",
                    "\u00bd",
                    "?! ?! ?!",
                    "\u2116 5",
                    "1 1 1 1",
                    std::string(3000, '.')};
  for (const std::string& line : signs) {
    INFO(line.substr(0, 20));
    const TranslatedText best = bundled.translate(Words{line}, {})[0][0];
    CHECK(best.text == line);
    CHECK(best.copied);
    CHECK(best.tokens.empty());
    CHECK(codes(line, best).empty());
  }
  CHECK(bundled.translate(" .\t\u00A0. ") == ". .");
  CHECK(bundled.translate("\u200b").empty());
  for (const char* text : {"I", "\u00c4", "\u72d7", "1 a", "5kg"}) {
    const TranslatedText best = bundled.translate(Words{text}, {})[0][0];
    CHECK_FALSE(best.copied);
    CHECK(best.text != text);
  }
}

TEST_CASE("lines without a letter: a model that has learnt to translate them does so") {
  const std::string folder = std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de";
  ModelFiles model = load_model(folder);
  model.limits.muted = {"numbers", translates_signs};
  CHECK(Translator::of(model).translate("12345") != "12345");
  model.limits.muted = {"numbers"};
  CHECK(Translator::of(model).translate("12345") == "12345");
}

TEST_CASE("warnings: they read the text as a model does, without what shows nothing") {
  CHECK(codes("\u200b\ufeff \u00ad", output("")).empty());  // an empty line
  CHECK(codes("1\u200b2 dogs", output("12 Hunde")).empty());
  CHECK(codes("dogs", output("Hun\u00adde, hunde, Hu\u200bnde")) == Words{"repetition"});
}

TEST_CASE("warnings: those that a model does not give are left out") {
  TranslatedText best = output("3 2 1 1 1");
  CHECK(codes("1 2 3 4", best) == Words{"repetition", "numbers"});
  best.muted = {"numbers", translates_signs};
  CHECK(codes("1 2 3 4", best) == Words{"repetition"});
  best.muted = {"repetition", "unsure"};
  best.unusual = true;
  CHECK(codes("1 2 3 4", best) == Words{"numbers"});
}

TEST_CASE("warnings: bytes that are no text do no harm") {
  CHECK(codes("A dog.", output("\xFF\xFF Hund")).empty());
  CHECK(codes("A dog.", output("ha ha ha \xFF")) == Words{"repetition"});
}
