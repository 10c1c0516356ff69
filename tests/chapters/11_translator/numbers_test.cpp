// The numbers of a sentence and of its translation.

#include "11_translator/translator/translation_warnings.hpp"
#include "11_translator/warnings/changed_numbers.hpp"
#include "11_translator/warnings/number_marks.hpp"
#include "11_translator/warnings/number_words.hpp"
#include "11_translator/warnings/text_numbers.hpp"
#include "gradus/io/utf8.hpp"
#include "support/catch.hpp"

using namespace gradus;
using Words = std::vector<std::string>;

namespace {

/// "lost -> added"
std::string change(const std::string& source, const std::string& translation) {
  const ChangedNumbers found = changed_numbers(source, translation);
  std::string text;
  for (const std::string& one : found.lost) text += one + ' ';
  text += "->";
  for (const std::string& one : found.added) text += ' ' + one;
  return text;
}

Words values(const std::string& text, const NumberReading& reading) {
  Words all;
  for (const TextNumber& number : text_numbers(text, reading)) all.push_back(number.value);
  return all;
}

Words whole_numbers(const std::string& text) { return values(text, {false, false}); }

/// The numbers as the text has them, each with the names of its marks in brackets.
Words written(const std::string& text) {
  Words all;
  const std::u32string characters = code_points(text);
  for (const TextNumber& number : text_numbers(text, {})) {
    const NumberMarks found = number_marks(characters, number.begin, number.end);
    std::string marks = found.is_ordinal ? "ordinal" : found.is_name ? "name" : "";
    for (const std::string& name : found.names) marks += (marks.empty() ? "" : " ") + name;
    all.push_back(found.written + (marks.empty() ? "" : " (" + marks + ")"));
  }
  return all;
}

std::string text_of(const std::string& source, const std::string& translation) {
  TranslatedText best;
  best.text = translation;
  const auto all = translation_warnings("line 7", source, best);
  REQUIRE(all.size() == 1);
  return all[0].text;
}

}  // namespace

TEST_CASE("numbers in a text: signs separate them, except signs that group thousands") {
  CHECK(whole_numbers("from 7:45 to 12.30").size() == 4);
  CHECK(whole_numbers("1,200 1.200 1'200 1\u2019200 1\u202F200 1\u00A0200") == Words(6, "1200"));
  CHECK(whole_numbers("1,234,567 and 12,34") == Words{"1234567", "12", "34"});
  CHECK(whole_numbers("2019,200") == Words{"2019", "200"});  // four digits are no group
  CHECK(whole_numbers("1,2000") == Words{"1", "2000"});
  CHECK(whole_numbers("1 200") == Words{"1", "200"});  // a plain space parts words
  CHECK(values("1 200 1 20", {true, true}) == Words{"1200", "1", "20"});
  CHECK(whole_numbers("007 0 00") == Words{"7", "0", "0"});
  CHECK(whole_numbers("B22, 3rd, 42km") == Words{"22", "3", "42"});
  CHECK(whole_numbers("two").empty());
}

TEST_CASE("numbers in a text: decimals and fractions are one number, dates, times and versions are several") {
  const auto numbers = [](const std::string& text) { return values(text, {}); };
  CHECK(numbers("3.5 3,5 3.50 03.5 .5") == Words{"3.5", "3.5", "3.5", "3.5", "0.5"});
  CHECK(numbers("1,234.56 1.234,56 1'234.5") == Words{"1234.56", "1234.56", "1234.5"});
  CHECK(numbers("0.125 0,125") == Words{"0.125", "0.125"});  // no group begins with 0
  CHECK(numbers("14.03.2023, 1.2.3, 3:30, 3:30.5") ==
        Words{"14", "3", "2023", "1", "2", "3", "3", "30", "3", "30", "5"});
  CHECK(numbers("3/14/2023 24/7") == Words{"3", "14", "2023", "3.42857"});
  CHECK(numbers("\u00bd 1/2 2\u00bd 2 1/2 1\u20442") == Words{"0.5", "0.5", "2.5", "2.5", "0.5"});
  CHECK(numbers("10\u00b2 H\u2082O x^2") == Words{"10^2", "2"});
  CHECK(numbers("It ends with 3. Then 4, then 5.") == Words{"3", "4", "5"});
  CHECK(numbers("12:00, 12:05, 0:00, 12:00:00") == Words{"12", "12", "5", "0", "12"});
  CHECK(numbers("1,00,000 12,34,567 1,23,45 12.34.567") ==
        Words{"100000", "1234567", "1", "23", "45", "12", "34567"});
  CHECK(numbers("3-5, 10\u201312, 50%") == Words{"3", "5", "10", "12", "50"});
}

TEST_CASE("numbers in a text: digits of every script") {
  CHECK(values("\u0663\u066b\u0665 \u0967\u0968 \uff13\uff0e\uff15 \u2462", {}) == Words{"3.5", "12", "3.5", "3"});
  CHECK(change("\u0663 \u0643\u0644\u0627\u0628", "3 dogs") == "->");
  CHECK(change("3 dogs", "\u0664 \u0643\u0644\u0627\u0628") == "-> \u0664");  // the word for 3 may be there
  CHECK(change("30 dogs", "\u0663\u0660 \u0643\u0644\u0628") == "->");
}

TEST_CASE("numbers: a lost or changed one gives a warning, another way of writing it does not") {
  CHECK(change("number 236", "Nummer 23") == "236 -> 23");
  CHECK(change("number 236", "Nummer") == "236 ->");
  CHECK(change("1,200 people", "1.200 Menschen") == "->");
  CHECK(change("1200 people in 1990", "1990 waren es 1.200") == "->");
  CHECK(change("10000 people", "10 000 Menschen") == "->");
  CHECK(change("1,000 people", "1 000 Menschen") == "->");
  CHECK(change("1 000 personnes", "1,000 people") == "->");
  CHECK(change("2,500 miles", "2,5 Meilen") == "2,500 -> 2,5");
  CHECK(change("14.50 euros", "14,50 Euro") == "->");
  CHECK(change("14.50 euros", "14,5 Euro") == "->");
  CHECK(change("14.50 euros", "14 Euro 50") == "->");
  CHECK(change("14.50 euros", "14,60 Euro") == "14.50 -> 14,60");
  CHECK(change("3.5 miles", "35-Til") == "3.5 -> 35");
  CHECK(change("3.5 miles", "3 Meilen") == "3.5 -> 3");
  CHECK(change("a .5 mile run", "Nummer 5") == ".5 -> 5");
  CHECK(change("a .5 mile run", "0,5 Meilen") == "->");
  CHECK(change("1,000.50 dollars", "1.000 Dollar") == "1,000.50 -> 1.000");
  CHECK(change("at 12:00", "um 12 Uhr") == "->");
  CHECK(change("at 12:30", "um 12 Uhr") == "12:30 ->");
  CHECK(change("1,00,000 rupees", "100.000 Rupien") == "->");
  CHECK(change("3.5 miles at 7:45", "3,5 Meilen um 7.45 Uhr") == "->");
  CHECK(change("at 7:45", "um 7 Uhr 45") == "->");
  CHECK(change("at 3:30 p.m.", "um 15:30 Uhr") == "->");
  CHECK(change("um 15:30 Uhr", "at 3:30 pm") == "->");
  CHECK(change("at 3:30", "um 15:30 Uhr") == "3:30 -> 15:30");
  CHECK(change("the 3rd", "der 3.") == "->");
  CHECK(change("March 14, 2023", "14. M\u00e4rz 2023") == "->");
  CHECK(change("3/14/2023", "14.03.2023") == "->");
  CHECK(change("3/14/2023", "14. M\u00e4rz 2023") == "->");
  CHECK(change("2023-03-14", "14. M\u00e4rz 2024") == "2023-03-14 -> 2024");
  CHECK(change("07:05", "7 Uhr 5") == "->");
  CHECK(change("a 30-year-old", "ein 30-J\u00e4hriger") == "->");
  CHECK(change("20 and 20", "20") == "20 ->");
  CHECK(change("3-5 dogs", "3 bis 5 Hunde") == "->");
  CHECK(change("50 % of 10\u00b2", "50 Prozent von 102") == "10\u00b2 -> 102");
  CHECK(change("10\u00b2", "10\u00b2") == "->");
  CHECK(change("\u00bd mile", "1/2 Meile") == "->");
  CHECK(change("2\u00bd miles", "2,5 Meilen") == "->");
}

TEST_CASE("numbers: an ill-formed number is not the one that its parts would make") {
  CHECK(change("It costs $1,000.50.", "Custa $1.000.50.") == "$1,000.50 -> $1.000.50");
  CHECK(change("It costs $1,000.50.", "Custa $1.000,50.") == "->");
  CHECK(change("1,234,567.5 miles", "1.234.567.5 Meilen") == "1,234,567.5 -> 1.234.567.5");
  CHECK(change("host 192.168.0.1", "Rechner 192.168.0.1") == "->");
  CHECK(change("1 000 20 people", "1,000 20 Menschen") == "->");
}

TEST_CASE("numbers: a word says no number if digits stand beside it") {
  CHECK(change("A 4x4 truck.", "Eine vier4 Lkw.") == "4x4 ->");
  CHECK(change("2x4 boards", "2zwei Bretter") == "2x4 ->");
  CHECK(change("A 4x4 truck.", "Ein 4x4 Lkw.") == "->");
  CHECK(change("4x4 meters", "vier mal vier Meter") == "->");
}

TEST_CASE("numbers: a minus with a space behind it is one") {
  CHECK(change("It is -3.5 degrees.", "\u00c9 - 3,5 graus.") == "->");
  CHECK(change("It is -3.5 degrees.", "\u2212 3,5 Grad.") == "->");
  CHECK(change("It is -3.5 degrees.", "\u00c9 3,5 graus.") == "-3.5 ->");
  CHECK(change("It is -3.5 degrees.", "\u00c9-3,5 graus - frio.") == "-3.5 ->");
}

TEST_CASE("numbers: a number may be a word in the other text") {
  CHECK(change("5 boys and 2 dogs", "F\u00fcnf Jungen und zwei Hunde") == "->");
  CHECK(change("12 boys", "Zw\u00f6lf Jungen") == "->");
  CHECK(change("2 boys", "Beide Jungen") == "->");
  CHECK(change("2 boys", "Ein Paar") == "->");
  CHECK(change("1 boy", "Ein Junge") == "->");
  CHECK(change("0 boys", "Keine Jungen") == "->");
  CHECK(change("the 3rd boy", "der dritte Junge") == "->");
  CHECK(change("a 3-year-old", "ein Dreij\u00e4hriger") == "->");
  CHECK(change("3 dogs", "\u4e09\u5339\u306e\u72ac") == "->");
  CHECK(change("4 dogs", "\u4e09\u5339\u306e\u72ac") == "4 ->");
  CHECK(change("3 dogs", "\u03a4\u03c1\u03af\u03b1 \u03c3\u03ba\u03c5\u03bb\u03b9\u03ac") ==
        "->");  // Greek words are not known
  CHECK(change("2 chiens", "two dogs") == "->");
  CHECK(change("2 dogs", "dva psi") == "->");
  CHECK(change("3.5 miles", "dreieinhalb Meilen") == "->");
  CHECK(change("\u00bd hour", "eine halbe Stunde") == "->");
  CHECK(change("3/4 der Hunde", "three quarters of the dogs") == "->");
  CHECK(change("1/4 cup", "ein Viertel") == "->");
  CHECK(change("2/3 der Hunde", "two thirds of the dogs") == "->");
  CHECK(change("10 dogs", "zehn Hunde") == "->");
  CHECK(change("10 dogs", "des\u00e1t\u00fd") == "->");
  CHECK(change("11 dogs", "jedena\u015bcie ps\u00f3w") == "->");
  CHECK(change("twenty boys", "20 Jungen") == "->");
  CHECK(change("20 boys", "zwanzig Jungen") == "->");
  CHECK(change("two hundred", "200") == "->");
}

TEST_CASE("numbers: a small one without its word is lost, and an invented one is reported") {
  CHECK(change("3.5 dogs run.", "Drei Hunde") == "3.5 ->");
  CHECK(change("5 boys", "Jungen") == "5 ->");
  CHECK(change("5 boys", "Drei Jungen") == "5 ->");
  CHECK(change("4 boys", "vierzig Jungen") == "4 ->");
  CHECK(change("3 boys", "dreihundert Jungen") == "3 ->");
  CHECK(change("8 boys", "achtzehn Jungen") == "8 ->");
  CHECK(change("10 boys", "zweitausend Jungen, f\u00fcnfzehn Hunde") == "10 ->");
  CHECK(change("1/4 cup", "eine Tasse") == "1/4 ->");
  CHECK(change("13 boys", "Jungen") == "13 ->");
  CHECK(change("5 boys", "6 Jungen") == "5 -> 6");
  CHECK(change("5 boys and 20 girls", "f\u00fcnf Jungen") == "20 ->");
  CHECK(change("2 Hunde rennen", "A dog goes to a man") == "2 ->");  // "to" is no number
  CHECK(change("a jersey", "ein Trikot mit der Nummer 7") == "-> 7");
  CHECK(change("a jersey", "ein Trikot mit der Nummer 1") == "-> 1");  // an article is no number
  CHECK(change("one jersey", "1 Trikot") == "->");
  CHECK(change("two dogs", "3 Hunde") == "-> 3");
}

TEST_CASE("numbers: each is named as the text has it, with its marks") {
  CHECK(written("It is -5 \u00b0C.") == Words{"-5 \u00b0C (- \u00b0)"});
  CHECK(written("50%, 50 %, (50\u00a0%) 50\u066a") ==
        Words{"50% (%)", "50 % (%)", "50\u00a0% (%)", "50\u066a (%)"});
  CHECK(written("$5, 5\u20ac 5 \u20ac US$5; -$5") ==
        Words{"$5 ($)", "5\u20ac (\u20ac)", "5 \u20ac (\u20ac)", "US$5 ($)", "-$5 ($ -)"});
  CHECK(written("\u2116 5, #5, \u21165") == Words{"\u2116 5 (\u2116)", "#5 (\u2116)", "\u21165 (\u2116)"});
  CHECK(written("5kg 5 kg 5-kg 5KG 5km/h 5 km/h.") ==
        Words{"5kg (kg)", "5 kg (kg)", "5-kg (kg)", "5KG (kg)", "5km/h (km)", "5 km/h (km)"});
  CHECK(written("5m 5 m 5g 5x 2x4") == Words{"5m (m)", "5", "5g (g)", "5x (x)", "2x4", "2x4"});
  CHECK(written("the 3rd, 1ST, 5e") == Words{"3rd (ordinal)", "1ST (ordinal)", "5e (ordinal)"});
  CHECK(written("3D, B22, 10am, 10PM, 1980s") == Words{"3D (name)", "B22 (name)", "10am", "10PM", "1980s"});
  CHECK(written("10:30 1/2 1,000 10\u00b2 \u00bd 2023-03-14") ==
        Words{"10:30", "10:30", "1/2", "1,000", "10\u00b2", "\u00bd", "2023-03-14", "2023-03-14", "2023-03-14"});
  CHECK(written("3-5 dogs, 3 -5, a-5, (-5), \u22125, 30-year-old") ==
        Words{"3-5", "3-5", "3", "5", "5", "-5 (-)", "\u22125 (-)", "30"});
  CHECK(written("<b>5</b> `5` 3\u5339") == Words{"5", "5", "3"});
  CHECK(written("5. 5, 5! \"5\" 5)") == Words(5, "5"));
}

TEST_CASE("numbers: a sign or a unit has to be in the other text, as it is or as a word") {
  CHECK(change("It is -5 \u00b0C.", "Es ist 5 \u00b0C.") == "-5 \u00b0C ->");
  for (const char* right : {"-5 \u00b0C", "\u22125 Grad", "minus 5 Grad", "5 Grad unter Null",
                            "minus f\u00fcnf Grad", "moins 5 degr\u00e9s"})
    CHECK(change("It is -5 \u00b0C.", right) == "->");
  CHECK(change("50% of the dogs", "50 der Hunde") == "50% ->");
  for (const char* right : {"50 % der Hunde", "50 Prozent der Hunde", "50 pour cent", "el 50 por ciento",
                            "\u062e\u0645\u0633\u0648\u0646 50"})
    CHECK(change("50% of the dogs", right) == "->");
  CHECK(change("50 dogs", "50% Hunde") == "-> 50%");
  CHECK(change("50 percent", "50%") == "->");
  CHECK(change("It costs $5.", "Es kostet 5.") == "$5 ->");
  CHECK(change("It costs $5.", "Es kostet 5 \u20ac.") == "$5 -> 5 \u20ac");
  CHECK(change("It costs $5.", "Es kostet f\u00fcnf Dollar.") == "->");
  CHECK(change("a 5kg bag", "eine 5k\u00fcte") == "5kg ->");
  CHECK(change("a 5kg bag", "eine 5 Kilo schwere Tasche") == "->");
  CHECK(change("5 kg", "5 \u043a\u0433") == "->");
  CHECK(change("5x the weight", "das Gewicht 5") == "5x ->");
  CHECK(change("5x the weight", "das F\u00fcnffache") == "->");
  CHECK(change("5x the weight", "das 5-fache") == "->");
  CHECK(change("\u2116 5", "F\u00fcnf Arbeiter") == "\u2116 5 ->");
  CHECK(change("\u2116 5", "Nummer f\u00fcnf") == "->");
}

TEST_CASE("numbers: no cardinal says an ordinal, and no word says a name") {
  CHECK(change("the 3rd man", "Drei Mann") == "3rd ->");
  CHECK(change("the 3rd man", "Der dritte Mann") == "->");
  CHECK(change("the 4th man", "Der vierte Mann") == "->");
  CHECK(change("the 2nd man", "deux hommes") == "2nd ->");
  CHECK(change("the 2nd man", "le deuxi\u00e8me homme") == "->");
  CHECK(change("le 1e homme", "the first man") == "->");
  CHECK(change("the 20th man", "der zwanzigste Mann") == "->");
  CHECK(change("March 3rd", "3. M\u00e4rz") == "->");
  CHECK(change("a 3D movie", "Drei Kino") == "3D ->");
  CHECK(change("a 3D movie", "ein 3D-Film") == "->");
  CHECK(change("a bus B2", "zwei Busse") == "B2 ->");
  CHECK(change("a bus B52", "ein Bus 52") == "B52 ->");
  CHECK(change("a bus 52", "ein Bus B52") == "-> B52");
  CHECK(change("a 3D suit", "ein 3DDo-Anzug") == "3D -> 3DDo");
  CHECK(change("an F-16, a 3 D film, an MP3", "ein F16, ein 3D-Film, eine MP-3") == "->");
  CHECK(change("5K people, 10AM", "5 Leute, 10 Uhr") == "->");
  CHECK(change("a 4x4 truck", "vier Wagen") == "4x4 ->");
  CHECK(change("a 4x4 truck", "ein Wagen, 4 mal 4") == "->");
  CHECK(change("10AM", "zehn Uhr") == "->");
}

TEST_CASE("numbers: of an endless chain a part is named, and a list is named number by number") {
  std::string chain, list;
  for (int i = 0; i < 500; ++i) chain += "1-", list += std::to_string(i) + "; ";
  for (const std::string& name : changed_numbers(chain, "x").lost) CHECK(name.size() < 82);
  REQUIRE_FALSE(changed_numbers(chain, "x").lost.empty());
  CHECK(changed_numbers(chain, "x").lost.back().size() >= 40);
  CHECK(changed_numbers(list, "x").lost.size() == 500);
}

TEST_CASE("numbers: what the warning says") {
  CHECK(text_of("It is -5 \u00b0C.", "Es ist 7.") ==
        "the translation of line 7 lacks -5 \u00b0C and has 7 instead; compare its numbers");
  CHECK(text_of("at 10:30", "um 8") ==
        "the translation of line 7 lacks 10:30 and has 8 instead; compare its numbers");

  CHECK(text_of("number 236", "Nummer 23") ==
        "the translation of line 7 lacks 236 and has 23 instead; compare its numbers");
  CHECK(text_of("number 236", "Nummer") == "the translation of line 7 lacks 236; compare its numbers");
  CHECK(text_of("a number", "Nummer 23") ==
        "the translation of line 7 has 23, which its source lacks; compare its numbers");
}
