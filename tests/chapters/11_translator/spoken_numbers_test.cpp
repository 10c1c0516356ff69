// Numbers in English and German words: their values, and which of them a translation has to have.

#include "11_translator/warnings/spoken_numbers.hpp"
#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/number_grammar.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

/// The values of a text's numbers with spaces between them; brackets around those that no translation needs, ? for unknown values.
std::string spoken(const char* language, const std::string& text) {
  std::string all;
  for (const SpokenNumber& n : spoken_numbers(text, language)) {
    const std::string value = n.value.empty() ? "?" : n.value;
    all += (all.empty() ? "" : " ") + (n.is_counted ? value : "(" + value + ")");
  }
  return all;
}

/// English below 1,000, by the rules of a grammar book.
std::string english(int n) {
  const char* small[] = {"",         "one",     "two",     "three",     "four",     "five",    "six",
                         "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
  const char* tens[] = {"", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"};
  if (n < 20) return small[n];
  if (n < 100) return std::string(tens[n / 10]) + (n % 10 == 0 ? "" : "-" + english(n % 10));
  return english(n / 100) + " hundred" + (n % 100 == 0 ? "" : " and " + english(n % 100));
}

std::string german(int n) {
  const char* small[] = {"",         "ein",      "zwei",     "drei",     "vier",     "fünf",    "sechs",
                         "sieben",   "acht",     "neun",     "zehn",     "elf",      "zwölf",   "dreizehn",
                         "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
  const char* tens[] = {"",        "",        "zwanzig", "dreißig", "vierzig",
                        "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};
  if (n < 20) return small[n];
  if (n < 100) return (n % 10 == 0 ? "" : german(n % 10) + "und") + tens[n / 10];
  return german(n / 100) + "hundert" + german(n % 100);
}

/// The numbers that only one of an English and a German text has, "English -> German"; the other direction must say the same.
std::string in_one_only(const std::string& english_text, const std::string& german_text) {
  const auto text = [](const std::vector<std::string>& some, const std::vector<std::string>& others) {
    std::string all;
    for (const std::string& one : some) all += one + ' ';
    all += "->";
    for (const std::string& one : others) all += ' ' + one;
    return all;
  };
  const ChangedNumbers there = changed_numbers(english_text, german_text, {"en", "de"});
  const ChangedNumbers back = changed_numbers(german_text, english_text, {"de", "en"});
  CHECK(text(there.lost, there.added) == text(back.added, back.lost));
  return text(there.lost, there.added);
}

}  // namespace

TEST_CASE("spoken numbers: the value of every word up to 999, and of thousands") {
  for (int n = 2; n < 1000; ++n) {
    const std::string value = std::to_string(n), large = std::to_string(1000 * n + (n == 17 ? 0 : 17));
    CHECK(spoken("en", english(n)) == value);
    CHECK(spoken("de", german(n)) == value);
    CHECK(spoken("en", english(n) + " thousand" + (n == 17 ? "" : " seventeen")) == large);
    CHECK(spoken("de", german(n) + "tausend" + (n == 17 ? "" : "siebzehn")) == large);
  }
  CHECK(spoken("en", "zero, one") == "(0) (1)");
  CHECK(spoken("de", "null, eins, ein") == "(0) (1) (1)");
}

TEST_CASE("spoken numbers: scales, ways of writing, years, halves") {
  CHECK(spoken("en", "A HUNDRED, one hundred, two dozen, fifteen hundred") == "100 100 24 1500");
  CHECK(spoken("en", "three million two hundred thousand and six, a billion") == "3200006 1000000000");
  CHECK(spoken("en", "twenty five, twenty\u2011five") == "25 25");
  CHECK(spoken("en", "nineteen ninety, twenty twenty, nine thirty") ==
        "(19) (90) 1990 (20) (20) 2020 (9) (30) 930");
  CHECK(spoken("en", "half a dozen, half a million, half past eight") == "6 (?) (30) 8");
  CHECK(spoken("en", "2.5 million, two and a half million, dozens, millions") == "(?) 2 (?)");
  CHECK(spoken("en", "five to ten, two or three, ten, eleven") == "5 10 2 3 10 11");
  CHECK(spoken("de", "zwo, dreissig, fuenfzig, zwoelf, DREIßIG, Hundertundfünf, hunderteins, eine Million") ==
        "2 30 50 12 30 105 101 1000000");
  CHECK(spoken("de", "zwei Dutzend, ein halbes Dutzend, zwei Millionen, Millionen, dreieinhalb Millionen") ==
        "24 (1) 6 2000000 (?) (?)");
  CHECK(spoken("de", "neunzehnhundertneunzig, zwölfhundert, zwanzig fünf") == "1990 1200 20 5");
  CHECK(spoken("de", "halb neun, halb eins") == "(8) (30) (9) (12) (30) (1)");
}

TEST_CASE(
    "spoken numbers: parts of other words and ordinals up to twelfth are not counted, and other words are no "
    "numbers") {
  CHECK(spoken("en", "a two-storey house, a twenty-storey house, four-year-olds") == "(2) 20 (4)");
  CHECK(spoken("en", "fifth, twenty-fifth, sixteenth, ninetieth, hundredth") == "(5) 25 16 90 100");
  CHECK(spoken("de", "der sechzehnte, zwanzigster, Sechzehnjährige, zwanziger") == "16 20 (16) (20)");
  CHECK(spoken("de", "Zwei spielen. Die Elf und zwei, Dutzend") == "2 (11) 2 12");
  CHECK(spoken("en", "tent often fortune hundreds someone weight") == "");
  CHECK(spoken("de", "Jahrhundert Achtung Hunderte Tausenden Elfen dreist Hunde einander zweite") == "");
  CHECK(spoken("fr", "seize") == "");
  CHECK(spoken("en", "4x4 two4 2nd") == "");
  CHECK(number_word(std::string(10000, 'x'), "de") == std::nullopt);
}

TEST_CASE("numbers in words: a value that is missing, whatever its word") {
  CHECK(in_one_only("Sixteen dogs run.", "Sechs Hunde rennen.") == "Sixteen -> Sechs");
  CHECK(in_one_only("Sixteen dogs run.", "6 Hunde rennen.") == "Sixteen -> 6");
  CHECK(in_one_only("16 dogs run.", "Siebzehn Hunde rennen.") == "16 -> Siebzehn");
  CHECK(in_one_only("Sixteen dogs run.", "Hunde rennen.") == "Sixteen ->");
  CHECK(in_one_only("Two men and five dogs.", "Zwei Männer und Hunde.") == "five ->");
  CHECK(in_one_only("Twenty-five dogs", "zwanzig Hunde") == "Twenty-five -> zwanzig");
  CHECK(in_one_only("one hundred and five", "hundert") == "one hundred and five -> hundert");
  CHECK(in_one_only("a dozen eggs", "zehn Eier") == "dozen -> zehn");
  CHECK(in_one_only("half a dozen eggs", "ein Dutzend Eier") == "half a dozen ->");  // a Dutzend may be any dozen
  CHECK(in_one_only("three million people", "zwei Millionen Leute") == "three million -> zwei Millionen");
  CHECK(in_one_only("forty-two", "vierundzwanzig") == "forty-two -> vierundzwanzig");
  CHECK(in_one_only("the sixteenth day", "der sechste Tag") == "sixteenth ->");
  CHECK(in_one_only("A sixteen-year-old", "Ein Sechsjähriger") == "sixteen ->");
  CHECK(in_one_only("twenty, twenty, thirty", "zwei") == "twenty thirty -> zwei");
}

TEST_CASE("numbers in words: digits, words and other ways to say a number stand for each other") {
  const std::pair<const char*, const char*> same[] = {
      {"Sixteen dogs", "sechzehn Hunde"},
      {"Sixteen dogs", "16 Hunde"},
      {"16 dogs", "sechzehn Hunde"},
      {"fifteen hundred", "1.500"},
      {"1,500", "eintausendfünfhundert"},
      {"two dozen", "vierundzwanzig"},
      {"six eggs", "ein halbes Dutzend Eier"},
      {"half a dozen", "6"},
      {"12 eggs", "ein Dutzend Eier"},
      {"dozens of people", "viele Leute"},
      {"hundreds of people", "Hunderte von Leuten"},
      {"300 people", "Hunderte von Leuten"},
      {"in nineteen ninety", "1990"},
      {"in nineteen ninety", "neunzehnhundertneunzig"},
      {"in the 1950s", "in den Fünfzigern"},
      {"a twenty-year-old", "ein Zwanzigjähriger"},
      {"a twenty-year-old", "ein 20-Jähriger"},
      {"the 20th man", "der zwanzigste Mann"},
      {"two twelve-year-olds", "zwei Zwölfjährige"},
      {"a two-storey house", "ein Haus"},
      {"two million", "2 Millionen"},
      {"two million", "2.000.000"},
      {"2.5 million", "zweieinhalb Millionen"},
      {"two and a half million", "2,5 Millionen"},
      {"half past eight", "halb neun"},
      {"8:30", "halb neun"},
      {"nine thirty", "9:30"},
      {"three quarters", "0,75"},
      {"both dogs, twins", "zwei Hunde, Zwillinge"},
      {"a couple of dogs", "zwei Hunde"},
      {"one another, no one", "einander, niemand"},
      {"The Big Ten and Twenty One Pilots", "Die Big Ten und Twenty One Pilots"},
      {"The team plays", "Die Elf spielt"},
      {"sixteen men and sixteen women", "sechzehn Männer und Frauen"},
      {"a hundred percent", "100 %"},
      {"a hundred percent", "hundertprozentig"}};
  for (const auto& [english_text, german_text] : same) {
    INFO(english_text << " | " << german_text);
    CHECK(in_one_only(english_text, german_text) == "->");
  }
}

TEST_CASE("numbers in words: of a language that is not known nothing is said") {
  const auto changes = [](const TextLanguages& languages, const std::string& target) {
    const ChangedNumbers found = changed_numbers("Sixteen dogs and two men", target, languages);
    return found.lost.size() + found.added.size();
  };
  CHECK(changes({"en", ""}, "Hunde") == 0);
  CHECK(changes({"", "de"}, "Hunde") == 0);
  CHECK(changes({"", ""}, "Hunde") == 0);
  CHECK(changes({"en", "de"}, "Hunde") == 2);
  CHECK(changes({"en", "fr"}, "Seize chiens et deux hommes") == 0);
  CHECK(changes({"en", "fr"}, "Vingt chiens") == 1);  // of French, words above twelve have no value here
}

TEST_CASE("numbers in words: the warning names them") {
  TranslatedText best;
  best.text = "Sechs Hunde rennen.", best.languages = {"en", "de"};
  const auto all = translation_warnings("line 7", "Sixteen dogs run.", best);
  REQUIRE(all.size() == 1);
  CHECK(all[0].code == "numbers");
  CHECK(all[0].text == "the translation of line 7 lacks Sixteen and has Sechs instead; compare its numbers");
}
