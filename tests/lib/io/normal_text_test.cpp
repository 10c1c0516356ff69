#include "gradus/io/normal_text.hpp"

#include <ios>

#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;

TEST_CASE("normal text: a letter and its marks become one character, in the order of the marks") {
  CHECK(normal_text("schla\u0308ft") == "schl\u00e4ft");
  CHECK(normal_text("q\u0307\u0323") == "q\u0323\u0307");
  CHECK(normal_text("\u1e0b\u0323") == "\u1e0d\u0307");
  CHECK(normal_text("\u212b \u2126") == "\u00c5 \u03a9");  // equal to the letters
  CHECK(normal_text("\u1112\u1161\u11ab") == "\ud55c");    // Hangul
  CHECK(normal_text("\u304b\u3099") == "\u304c");          // kana and its voiced mark
  CHECK(normal_text("\u0627\u0653") == "\u0622");          // alef with madda
  CHECK(normal_text("schl\u00e4ft, A dog.") == "schl\u00e4ft, A dog.");
  CHECK(normal_text("").empty());
}

TEST_CASE("normal text: compatibility characters are other characters, and stay") {
  for (const char* text :
       {"10\u00b2", "\u00bd", "\ufb01", "\uff21", "\u2026", "\u2460", "\u2122", "\u00a0", "\u3000x"})
    CHECK(normal_text(text) == text);
}

TEST_CASE("normal text: what shows nothing is left out, wherever it stands") {
  CHECK(normal_text("Hun\u00adde") == "Hunde");
  CHECK(normal_text("\u200bA \u2060dog\ufeff.") == "A dog.");
  CHECK(normal_text("a\u00ad\u0308") == "\u00e4");  // nothing parts the letter from its mark
  CHECK(normal_text("\u2764\ufe0f \U0001F468\u200d\U0001F469") == "\u2764 \U0001F468\U0001F469");
  CHECK(normal_text("\u202aA dog\u202c \u061c\u200e\u200f").size() == 6);
  CHECK(normal_text("\u200b\u200b\u2063\U000E0041\u3164\u2065\ufff0").empty());
  CHECK(normal_text("a\u034fb \u180eb") == "ab b");
  CHECK(normal_text("a\u200bb\u200cc\u200dd") == "abcd");  // Latin letters need no joiner
}

TEST_CASE("normal text: joiners stay between letters of scripts that need them, and only there") {
  const std::string persian = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645";
  const std::string hindi = "\u0915\u094d\u200d\u0937", bengali = "\u09b0\u200d\u09cd\u09af",
                    sinhala = "\u0dc1\u0dca\u200d\u0dbb";
  const std::string malayalam = "\u0d05\u0d35\u0d28\u0d4d\u200d",
                    khmer = "\u1780\u200c\u17d2\u1781";  // the first at a word's end
  for (const std::string& word : {persian, hindi, bengali, sinhala, malayalam, khmer})
    CHECK(normal_text(word) == word);
  CHECK(normal_text("\u200c" + persian + "\u200c " + hindi + "\u200d") == persian + " " + hindi);
  CHECK(normal_text("\u0645\u200c\u200c\u062e") == "\u0645\u200c\u062e");  // one is enough
  CHECK(normal_text("\u0645\u200c\u200b\u00ad\u062e") == "\u0645\u200c\u062e");
  CHECK(normal_text("\u0645\u200b\u200c\u062e") == "\u0645\u200c\u062e");
  CHECK(normal_text("\u0645\u200ca \u0915\u200cb") == "\u0645a \u0915b");  // to another script
  CHECK(normal_text("\u0645\u200c. \u200c\u0645") == "\u0645. \u0645");
}

TEST_CASE("normal text: the scripts whose letters need joiners") {
  const char32_t letters[] = {0x628,  0x710,   0x751,   0x7CA,   0x840,   0x8A0,  0x1820,
                              0xFB50, 0xFE70,  0x1E900,  // joined ones
                              0x905,  0x985,   0xA05,   0xA85,   0xB05,   0xB85,  0xC05,
                              0xC85,  0xD05,   0xD85,   0x1000,  0x1780,  // clusters
                              0x1A20, 0x1B05,  0x1B83,  0x1BC0,  0x1C00,  0x1CE9, 0xA800,
                              0xA882, 0xA8F2,  0xA930,  0xA984,  0xA9E0,  0xAA60, 0xAAE0,
                              0xABC0, 0x11005, 0x11083, 0x11103, 0x11183, 0x11480};
  for (const char32_t letter : letters) {
    const std::string text = to_utf8(std::u32string{letter, 0x200C, letter});
    INFO("U+" << std::hex << static_cast<unsigned>(letter));
    CHECK(normal_text(text) == text);
    CHECK(normal_text(to_utf8(std::u32string{letter, 0x200D, letter})).size() == text.size());
  }
  for (const char32_t letter : {0x61, 0x3B1, 0x431, 0x5D0, 0xE01, 0x10D0, 0x3042, 0x4E00})
    CHECK(normal_text(to_utf8(std::u32string{letter, 0x200C, letter})) == to_utf8(std::u32string{letter, letter}));
}

TEST_CASE("normal text: a second time changes nothing; a flood of marks takes no time") {
  std::string flood = "a";
  for (int i = 0; i < 400000; ++i) flood += i % 2 == 0 ? "\u0308" : "\u0323";
  CHECK(normal_text(flood).size() > flood.size() / 2);  // minutes, if the marks were sorted across the whole text
  std::string all;
  for (char32_t c = 1; c < 0x30000; ++c) {
    if (c < 0xD800 || c > 0xDFFF) append_utf8(all, c), all += "a ";
  }
  const std::string once = normal_text(all);
  CHECK(normal_text(once) == once);
  CHECK_THROWS_AS(normal_text("\xff"), Error);
}

TEST_CASE("unicode: digits of every script, and characters that are numbers") {
  CHECK(digit_value(U'7') == 7);
  CHECK(digit_value(0x0669) == 9);
  CHECK(digit_value(0x0966) == 0);
  CHECK(digit_value(0x0DEF) == 9);   // ten that begin at 6
  CHECK(digit_value(0x1D7D7) == 9);  // a bold nine
  CHECK(digit_value(0x1D7D8) == 0);
  CHECK(digit_value(0xFF15) == 5);
  CHECK(digit_value(U'a') == -1);
  CHECK(digit_value(0x00B2) == -1);
  CHECK(numeral(0x00B2).kind == Numeral::Kind::raised);
  CHECK(numeral(0x00B2).digits == U"2");
  CHECK(numeral(0x00BE).kind == Numeral::Kind::fraction);
  CHECK(numeral(0x00BE).digits == U"3\u20444");
  CHECK(numeral(0x246B).digits == U"12");              // in a circle
  CHECK(numeral(0x2082).kind == Numeral::Kind::none);  // as in H2O
  CHECK(numeral(0x4E09).kind == Numeral::Kind::none);
  CHECK(case_of(U'A') == LetterCase::capital);
  CHECK(case_of(0x00DF) == LetterCase::small);
  CHECK(case_of(0x4E09) == LetterCase::none);
}
