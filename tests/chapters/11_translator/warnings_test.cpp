#include "11_translator/translator/translation_warnings.hpp"

#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/repetition.hpp"
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

Words in_parts(const Words& pieces) {
  std::vector<TextPiece> all;
  for (const std::string& piece : pieces)
    all.push_back({piece, piece == "\u0142" ? Tokenizer::specials.unk : 5, 0});
  return words_in_parts(all);
}

std::string phrase(const std::string& text) {
  const Repetition found = repeated_words(text);
  return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
}

std::string characters(const std::string& text) {
  const Repetition found = repeated_characters(text);
  return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
}

/// "lost -> added"
std::string change(const std::string& source, const std::string& translation) {
  const ChangedNumbers found = changed_numbers(source, translation);
  std::string text;
  for (const std::string& one : found.lost) text += one + ' ';
  text += "->";
  for (const std::string& one : found.added) text += ' ' + one;
  return text;
}

}  // namespace

TEST_CASE("warnings: none for a good translation or an empty sentence") {
  CHECK(codes("Two dogs.", output("Zwei Hunde.")).empty());
  CHECK(codes("", output("")).empty());
  CHECK(codes(" \t\u00A0", output("")).empty());
}

TEST_CASE("warnings: all codes, in the order of the list") {
  TranslatedText best = output("la la la 4");
  best.cut = best.unusual = best.hesitant = true;
  best.in_parts = {"x"};
  CHECK(codes("236", best) == Words{"cut", "unsure", "never-seen", "repetition", "numbers", "no-letters"});
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
  CHECK(in_parts({"\u2581B", "2", "2"}).empty());           // digits are the numbers' business
  CHECK(in_parts({"\u2581go", "\u0142", "keep"}).empty());  // <unk>, which has a message of its own
  CHECK(in_parts({"\u2581\u72d7", "\u732b"}).empty());      // no spaces part words there
  CHECK(in_parts({"\u2581\u00fcb", "er"}) == Words{"\u00fcber"});
}

TEST_CASE("words in parts and hesitation: the bundled model knows the word dogs, but not beekeeper") {
  const Translator bundled = Translator::load(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  const Words sentences{"A dog runs through the snow.", "A beekeeper lifts a hive.", "The go\u0142keeper."};
  const auto found = bundled.translate(sentences, {});
  CHECK(found[0][0].in_parts.empty());
  CHECK_FALSE(found[0][0].hesitant);
  CHECK(found[1][0].in_parts == Words{"beekeeper", "hive"});
  CHECK(found[1][0].hesitant);
  CHECK(found[2][0].unknown == Words{"\u0142"});
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

TEST_CASE("repeated words: one three times running, a phrase twice") {
  CHECK(phrase("es ist nicht nicht nicht wahr") == "nicht 3");
  CHECK(phrase("nicht nicht nicht nicht nicht") == "nicht 5");
  CHECK(phrase("es ist nicht nicht wahr").empty());  // "die, die"
  CHECK(phrase("Orangen, orangen, Orangen.") == "Orangen 3");
  CHECK(phrase("- nicht - nicht - nicht -") == "nicht 3");
  CHECK(phrase("mit der Hand in der Hand in der linken") == "der Hand in 2");
  CHECK(phrase("der Hand in der linken Hand in").empty());
  CHECK(phrase("a b c d e f g h a b c d e f g h") == "a b c d e f g h 2");
  CHECK(phrase("a b c d e f g h i a b c d e f g h i").empty());  // longer than it looks
  CHECK(phrase("").empty());
  CHECK(phrase("... ... ...").empty());
}

TEST_CASE("repeated characters: a group with a letter three times running, one character four times") {
  CHECK(characters("Ein Theatatataterst\u00fcck") == "at 4");
  CHECK(characters("Kitty-Kitty-Kitty-") == "Kitty- 3");
  CHECK(characters("die Ananas und Mississippi").empty());
  CHECK(characters("Ein Duuuuell") == "u 4");
  CHECK(characters("Schifffahrt auf www.example.org").empty());  // three of one
  CHECK(characters("Halt!!!!") == "! 4");
  CHECK(characters("im Jahr 10000, 555555").empty());  // numbers are compared, not counted
  CHECK(characters("10:10:10:").empty());
  CHECK(characters("ab ab ab").empty());  // words, not characters
  CHECK(characters("\u00fc\u00e4\u00fc\u00e4\u00fc\u00e4") == "\u00fc\u00e4 3");
  CHECK(characters("").empty());
}

TEST_CASE("repetition: words may be repeated if the source repeats words, characters if it repeats characters") {
  CHECK(repetition("two dogs", "zwei zwei zwei Hunde").part == "zwei");
  CHECK(repetition("No, no, no!", "Nein, nein, nein!").part.empty());
  CHECK(repetition("No, no!", "Nein, nein, nein!").part == "Nein");
  CHECK(repetition("Brrrrr, no", "nein nein nein").part == "nein");
  CHECK(repetition("Brrrrr!", "Brrrr!").part.empty());
  CHECK(repetition("no no no", "Huuuund").part == "u");
  CHECK(repetition("no no no", "nein nein nein Huuuund").part == "u");
  CHECK(text_of("dogs", output("Hunde, hunde, Hunde")) ==
        "the translation of line 7 says \"Hunde\" 3 times running; do not trust it");
}

TEST_CASE("numbers in a text: signs separate them, except signs that group thousands") {
  CHECK(numbers_in("from 7:45 to 12.30").size() == 4);
  CHECK(numbers_in("1,200 1.200 1'200 1\u2019200 1\u202F200 1\u00A0200") == Words(6, "1200"));
  CHECK(numbers_in("1,234,567 and 12,34") == Words{"1234567", "12", "34"});
  CHECK(numbers_in("2019,200") == Words{"2019", "200"});  // four digits are no group
  CHECK(numbers_in("1,2000") == Words{"1", "2000"});
  CHECK(numbers_in("1 200") == Words{"1", "200"});  // a plain space parts words
  CHECK(numbers_in("007 0 00") == Words{"7", "0", "0"});
  CHECK(numbers_in("B22, 3rd, 42km") == Words{"22", "3", "42"});
  CHECK(numbers_in("two").empty());
}

TEST_CASE("numbers: a lost or changed one gives a warning, another way of writing it does not") {
  CHECK(change("number 236", "Nummer 23") == "236 -> 23");
  CHECK(change("number 236", "Nummer") == "236 ->");
  CHECK(change("1,200 people", "1.200 Menschen") == "->");
  CHECK(change("1200 people in 1990", "1990 waren es 1.200") == "->");
  CHECK(change("10000 people", "10 000 Menschen") == "->");
  CHECK(change("14.50 euros", "14,50 Euro") == "->");
  CHECK(change("14.50 euros", "14,60 Euro") == "50 -> 60");
  CHECK(change("at 7:45", "um 7 Uhr 45") == "->");
  CHECK(change("the 3rd", "der 3.") == "->");
  CHECK(change("March 14, 2023", "14. M\u00e4rz 2023") == "->");
  CHECK(change("07:05", "7 Uhr 5") == "->");
  CHECK(change("a 30-year-old", "ein 30-J\u00e4hriger") == "->");
  CHECK(change("20 and 20", "20") == "20 ->");
}

TEST_CASE("numbers: small ones may be words, in the source or in the translation") {
  CHECK(change("5 boys and 2 dogs", "F\u00fcnf Jungen und zwei Hunde") == "->");
  CHECK(change("12 boys", "Zw\u00f6lf Jungen") == "->");
  CHECK(change("13 boys", "Jungen") == "13 ->");
  CHECK(change("5 boys", "6 Jungen") == "5 -> 6");
  CHECK(change("5 boys and 20 girls", "f\u00fcnf Jungen") == "5 20 ->");
  CHECK(change("twenty boys", "20 Jungen") == "->");
  CHECK(text_of("number 236", output("Nummer 23")) ==
        "the translation of line 7 lacks 236 and has 23 instead; compare its numbers");
  CHECK(text_of("number 236", output("Nummer")) == "the translation of line 7 lacks 236; compare its numbers");
}

TEST_CASE("no-letters: digits, signs and emoji are not translated, letters of every script are") {
  CHECK(codes("???", output("x")) == Words{"no-letters"});
  CHECK(codes("\U0001F600", output("x")) == Words{"no-letters"});
  CHECK(codes("\u0967\u0968", output("x")) == Words{"no-letters"});  // Devanagari digits
  CHECK(codes("12345", output("12345")) == Words{"no-letters"});
  for (const char* text : {"I", "\u00c4", "\u72d7", "\u0939", "\u05d0", "1 a"})
    CHECK(codes(text, output("x 1")).empty());
}

TEST_CASE("warnings: bytes that are no text do no harm") {
  CHECK(codes("A dog.", output("\xFF\xFF Hund")).empty());
  CHECK(codes("A dog.", output("ha ha ha \xFF")) == Words{"repetition"});
}
