// Repetitions in a translation.

#include "11_translator/warnings/repetition.hpp"

#include "11_translator/translator/translation_warnings.hpp"
#include "support/catch.hpp"

using namespace gradus;

namespace {

TranslatedText says_of(const std::string& text) {
  TranslatedText best;
  best.text = text;
  return best;
}

/// The text of the only warning.
std::string warning_of(const std::string& source, const TranslatedText& best) {
  const auto all = translation_warnings("line 7", source, best);
  REQUIRE(all.size() == 1);
  return all[0].text;
}

std::string phrase(const std::string& text) {
  const Repetition found = repeated_words(text);
  return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
}

std::string characters(const std::string& text) {
  const Repetition found = repeated_characters(text);
  return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
}

}  // namespace

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

TEST_CASE("repetition: the word that has the repeated part is named with it") {
  CHECK(repetition("a dog", "ein \u201eIn\u201c\u201c\u201c\u201c Hund", "de").word ==
        "\u201eIn\u201c\u201c\u201c\u201c");
  CHECK(repetition("a dog", "ein Nuuuuu, Hund", "de").word == "Nuuuuu");
}

TEST_CASE("repetition: a word twice in a row, in any case and with any punctuation") {
  for (const char* text : {"Dogs dogs.", "two, two men", "the THE", "\u00c4ltere \u00e4ltere"})
    CHECK(says_a_word_twice(text));
  for (const char* text : {"", "dog", "dogs dog", "dog a dog", "- -", "two twos"})
    CHECK_FALSE(says_a_word_twice(text));
}

TEST_CASE("repetition: a word beside itself or a form of itself, without a sign between them") {
  const auto forms = [](const std::string& text, bool also_different = true) {
    const Repetition found = repeated_forms(text, also_different);
    return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
  };
  CHECK(forms("Dog dogs") == "Dog dogs 1");
  CHECK(forms("dogs dog.") == "dogs dog 1");
  CHECK(forms("the bride's bride.") == "bride's bride 1");
  CHECK(forms("\u00dcbung \u00fcbungen") == "\u00dcbung \u00fcbungen 1");
  CHECK(forms("a security guard Guard behind") == "guard 2");
  CHECK(forms("dog dogged").empty());      // three letters more
  CHECK(forms("the there").empty());       // two of three
  CHECK(forms("as ask, a an I").empty());  // too short
  CHECK(forms("dogs frogs, hunter haunted").empty());
  CHECK(forms("tray tray").empty());  // "nous nous"
  CHECK(forms("tables, tables \u201etables\u201c tables dogs, dog").empty());
  CHECK(forms("12345 12345 123456").empty());
  CHECK(forms("dog dogs", false).empty());
  CHECK(forms("tables tables", false) == "tables 2");
  CHECK(forms("").empty());
}

TEST_CASE(
    "repetition: forms of one word may stand side by side if they do in the source, or if the source has as many "
    "words") {
  CHECK(repetition("Hunde", "Dog dogs").part == "Dog dogs");
  CHECK(repetition("Ein Mann in kurzen Shorts.", "A man in short shorts.").part.empty());
  CHECK(repetition("Ein Mann, kurze Shorts.", "A man in short shorts.").part == "short shorts");
  CHECK(repetition("Drei Boote.", "boats boats").part == "boats");
  CHECK(repetition("Boot Boot.", "The boats boats").part.empty());
  CHECK(repetition("ein eine Boot.", "The boats boats boat").part.empty());
  CHECK(warning_of("Hunde", says_of("Dog dogs")) == "the translation of line 7 says \"Dog dogs\"; do not trust it");
}

TEST_CASE("repetition: a word may be repeated as often as in the source, and not more") {
  CHECK(repetition("dog dog dog", "Hund Hund Hund").part.empty());
  CHECK(repetition("dog dog dog", "Ein Hund Hund Hund Hund rennt.").times == 4);
  CHECK(repetition("dog dog dog dog", "Hund Hund Hund").part.empty());
}

TEST_CASE("repetition: words may be repeated if the source repeats words, characters if it repeats characters") {
  CHECK(repetition("two dogs", "zwei zwei zwei Hunde").part == "zwei");
  CHECK(repetition("No, no, no!", "Nein, nein, nein!").part.empty());
  CHECK(repetition("No, no!", "Nein, nein, nein!").part == "Nein");
  CHECK(repetition("Brrrrr, no", "nein nein nein").part == "nein");
  CHECK(repetition("Brrrrr!", "Brrrr!").part.empty());
  CHECK(repetition("no no no", "Huuuund").part == "u");
  CHECK(repetition("no no no", "nein nein nein Huuuund").part == "u");
  CHECK(warning_of("dogs", says_of("Hunde, hunde, Hunde")) ==
        "the translation of line 7 says \"Hunde\" 3 times running; do not trust it");
  CHECK(warning_of("dogs", says_of("Die Theatatatater.")) ==
        "the translation of line 7 says \"at\" 4 times running in \"Theatatatater\"; do not trust it");
}

TEST_CASE("repetition: articles and other frequent words are no forms of each other") {
  const auto part = [](const std::string& translation, const char* language) {
    return repetition("dogs", translation, language).part;
  };
  for (const char* language : {"de", ""}) {
    CHECK(part("von denen die eine einen Hut hat, einer eine Hose", language).empty());
    CHECK(part("sieht, dass das ein Hund ist", language).empty());
    CHECK(part("Hund Hunde", language) == "Hund Hunde");
    CHECK(part("Eine Frau einem einem Pullunder", language) == "einem");
  }
  CHECK(part("many in the area are waiting", "en").empty());
}

TEST_CASE("repetition: in every script") {
  const auto part = [](const std::string& source, const std::string& translation, const char* language = "") {
    const Repetition found = repetition(source, translation, language);
    return found.part.empty() ? "" : found.part + " " + std::to_string(found.times);
  };
  CHECK(part("A dog.", "собака собака собака") == "собака 3");
  CHECK(part("A cat.", "Кошка кошка спит.") == "Кошка 2");
  CHECK(part("A cat.", "Кота кота видит.") == "Кота 2");
  CHECK(part("A dog.", "на улице на улице") == "на улице 2");
  CHECK(part("A dog.", "كلب كلب يجري") == "كلب 2");
  CHECK(part("slowly", "رويدا رويدا").empty());
  CHECK(part("slowly", "धीरे धीरे").empty());
  CHECK(part("a few", "थोड़े थोड़े").empty());
  CHECK(part("slowly", "yavaş yavaş", "tr").empty());
  CHECK(part("A cat.", "Katze katze", "tr").empty());
  CHECK(part("A cat.", "Katze katze", "de") == "Katze 2");
  CHECK(part("A dog.", "一只狗一只狗一只狗。") == "一只狗 3");
  CHECK(part("A dog.", "一只狗在跑一只狗在跑。") == "一只狗在跑 2");
  CHECK(part("A dog.", "一只狗在跑，一只狗在跑。").empty());  // words of a sentence, as "a dog, a dog"
  CHECK(part("A dog.", "狗、狗、狗。") == "狗 3");
  CHECK(part("A dog.", "狗，猫，狗，猫。") == "狗 猫 2");
  CHECK(part("A dog.", "犬が走る犬が走る。") == "犬が走る 2");
  CHECK(part("slowly", "ゆっくりゆっくり歩く。").empty());
  CHECK(part("various", "いろいろな人々。").empty());
  CHECK(part("A dog.", "สุนัขวิ่งสุนัขวิ่ง") == "สุนัขวิ่ง 2");
  CHECK(part("A dog.", "สุนัขสุนัขสุนัข") == "สุนัข 3");
  CHECK(part("A dog.", "개가 개가 개가 달린다") == "개가 3");
  CHECK(part("A dog.", "Он он").empty());  // short words are doubled on purpose
  CHECK(part("A dog.", "кот кот").empty());
  CHECK(part("A dog.", "من من").empty());
  CHECK(part("A dog.", "あいうえおあいうえお").empty());
  CHECK(part("A dog.", "あいうえおかあいうえおか") == "あいうえおか 2");
  CHECK(part("A dog.", "狗在跑狗在跑").empty());
  CHECK(part("A dog.", "狗在跑走狗在跑走") == "狗在跑走 2");
  const std::string myanmar = "\u1000\u1001\u1002\u1003\u1004\u1005\u1006", longer = myanmar + "\u1007";
  CHECK(part("A dog.", myanmar + myanmar).empty());
  CHECK(part("A dog.", longer + longer) == longer + " 2");
  const std::string twenty = "abcdefghijklmnopqrst", more = twenty + "u";
  CHECK(part("A dog.", twenty + twenty + twenty) == twenty + " 3");
  CHECK(part("A dog.", more + more + more).empty());
}

TEST_CASE("repetition: between scripts with and without spaces as often as in the source") {
  const auto found = [](const std::string& source, const std::string& translation) {
    return repetition(source, translation).part;
  };
  CHECK(found("no no no", "いやいやいや").empty());
  CHECK(found("no no", "いやいやいや") == "いや");
  CHECK(found("狗狗狗狗", "dog dog dog dog").empty());
  CHECK(found("哈哈哈", "ha ha ha").empty());
  CHECK(found("狗、狗、狗", "dog, dog, dog").empty());
  CHECK(found("一只狗一只狗", "a dog a dog").empty());
  CHECK(found("一只狗", "a dog a dog") == "a dog");
  CHECK(found("the dog runs the dog runs", "犬が走る犬が走る").empty());
  CHECK(found("no no no", "Huuuund") == "u");  // no such script
}
