#include "gradus/io/unicode.hpp"

#include <fstream>
#include <map>
#include <sstream>
#include <vector>

#include "gradus/io/utf8.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;

namespace {

std::string text_of(char32_t c) { return to_utf8(std::u32string(1, c)); }

struct Context {
  char32_t first, last;
  std::string kind;  // cased, ignorable, plain
};

/// All code points that Unicode 14 assigns: newer tables may have more, but agree on these.
std::vector<Context> contexts() {
  std::vector<Context> all;
  std::ifstream table(GRADUS_IO_FIXTURES "case_context.txt");
  unsigned long first = 0, last = 0;
  for (std::string kind; table >> std::hex >> first >> last >> kind;)
    all.push_back({static_cast<char32_t>(first), static_cast<char32_t>(last), kind});
  return all;
}

std::map<char32_t, std::string> small_letters() {
  std::map<char32_t, std::string> small;
  std::ifstream table(GRADUS_IO_FIXTURES "lower_case.txt");
  for (std::string line; std::getline(table, line);) {
    std::istringstream points(line);
    unsigned long capital = 0, letter = 0;
    points >> std::hex >> capital;
    while (points >> letter) append_utf8(small[static_cast<char32_t>(capital)], static_cast<char32_t>(letter));
  }
  return small;
}

}  // namespace

TEST_CASE("unicode: every single code point has Python's lower case") {
  const std::map<char32_t, std::string> small = small_letters();
  REQUIRE(small.size() == 1433);
  std::size_t tried = 0;
  for (const Context& range : contexts()) {
    for (char32_t c = range.first; c <= range.last; ++c, ++tried) {
      const auto known = small.find(c);
      const std::string expected = known == small.end() ? text_of(c) : known->second;
      if (lower_case(text_of(c)) != expected) FAIL("code point " << static_cast<unsigned long>(c));
    }
  }
  CHECK(tried > 280000);
}

TEST_CASE("unicode: beside every code point a capital sigma has Python's lower case") {
  const auto sigma_behind = [](const std::string& before, const std::string& behind) {
    const std::u32string lower = code_points(lower_case(before + "Σ" + behind));
    return lower[code_points(lower_case(before)).size()];
  };
  for (const Context& range : contexts()) {
    const bool cased = range.kind == "cased", ignorable = range.kind == "ignorable";
    for (char32_t c = range.first; c <= range.last; ++c) {
      const bool right = sigma_behind(text_of(c), "") == (cased ? U'ς' : U'σ') &&
                         sigma_behind("A" + text_of(c), "") == (cased || ignorable ? U'ς' : U'σ') &&
                         sigma_behind("A", text_of(c)) == (cased ? U'σ' : U'ς') &&
                         sigma_behind("A", text_of(c) + "A") == (cased || ignorable ? U'σ' : U'ς');
      if (!right) FAIL("code point " << static_cast<unsigned long>(c));
    }
  }
}

TEST_CASE("unicode: the lower case of words in many scripts") {
  CHECK(lower_case("EIN GROẞES ÄRGERNIS, 3×Œ!") == "ein großes ärgernis, 3×œ!");
  CHECK(lower_case("ŁÓDŹ ŽIŽKOV İĲŸ") == "łódź žižkov i̇ĳÿ");
  CHECK(lower_case("ȘTIINȚĂ și ȚARĂ") == "știință și țară");
  CHECK(lower_case("ĐƯỜNG PHỐ Ở HÀ NỘI") == "đường phố ở hà nội");
  CHECK(lower_case("ISPARTA'DA IŞIK, İSTANBUL") == "isparta'da işik, i̇stanbul");
  CHECK(lower_case("ΌΣΟΙ ΣΟΦΟΊ, ΟΔΌΣ. Σ Σ' ΑΣ' ΑΣ'Α ΆΛΦΑ ΏΡΑ") == "όσοι σοφοί, οδός. σ σ' ας' ασ'α άλφα ώρα");
  CHECK(lower_case("ЁЖИК ҚАЗАҚ ӘЛЕМ ЈЕДНА ЏЕП ІЇЄҐ") == "ёжик қазақ әлем једна џеп іїєґ");
  CHECK(lower_case("ՀԱՅԱՍՏԱՆ ᲡᲐᲥᲐᲠᲗᲕᲔᲚᲝ ᏣᎳᎩ 𐐔𐐯𐑅 𞤀𞤁") ==
        "հայաստան საქართველო ꮳꮃꭹ 𐐼𐐯𐑅 𞤢𞤣");
  CHECK(lower_case("Ⅷ Ⓐ ǅ") == "ⅷ ⓐ ǆ");
  CHECK(lower_case("schon klein: ßıŉĸſ שלום سلام नमस्ते 漢字 かな 한글") ==
        "schon klein: ßıŉĸſ שלום سلام नमस्ते 漢字 かな 한글");
  CHECK(lower_case("").empty());
  CHECK_THAT(error_of([] { lower_case("\xc3"); }), contains("not UTF-8"));
}

TEST_CASE("unicode: white space is exactly the list of the standard") {
  const std::u32string spaces =
      U"\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029"
      U"\u202f\u205f\u3000";
  for (char32_t c = 0; c <= 0x10FFFF; ++c) {
    if (is_white_space(c) != (spaces.find(c) != spaces.npos)) FAIL("code point " << static_cast<unsigned long>(c));
  }
}

TEST_CASE("unicode: columns of letters, wide letters, marks and unassigned code points") {
  for (const char32_t c : U"aÄß漢か한😀🐕") {
    if (c != 0) CHECK(columns_of(c) == (c >= 0x1100 ? 2 : 1));
  }
  for (const char32_t mark :
       {0x300, 0x483, 0x5bf, 0x654, 0x93c, 0xe34, 0x1ab0, 0x200b, 0x200d, 0x302a, 0xfe0f, 0xfeff})
    CHECK(columns_of(mark) == 0);
  CHECK(columns_of(0x93e) == 1);   // a vowel sign of Devanagari, which stands beside its letter
  CHECK(columns_of(0x378) == 1);   // not assigned
  CHECK(columns_of(0xe000) == 1);  // for private use
  CHECK(columns_of(0x2705) == 2);  // an emoji outside their block
}

TEST_CASE("unicode: punctuation marks, and signs that are none") {
  for (const char32_t c : U".,-'\"()!?_@\u2026\u201e\u3002\u00bf") {
    if (c == 0) continue;
    INFO(static_cast<unsigned long>(c));
    CHECK(is_punctuation(c));
  }
  for (const char32_t c : U" $+<=>^`|~a1\u20ac\u0301\u00a0") {
    if (c == 0) continue;
    INFO(static_cast<unsigned long>(c));
    CHECK_FALSE(is_punctuation(c));
  }
}

TEST_CASE("unicode: letters, and the other characters of words and numbers") {
  for (const char32_t c : U"aZ\u00e4\u0416\u05d0\u0939\u72d7\u3042\u02b0") {
    if (c == 0) continue;
    INFO(static_cast<unsigned long>(c));
    CHECK(is_unicode_letter(c));
    CHECK(is_word_character(c));
  }
  for (const char32_t c : U"0\u0967\u00bd\u0301\u093f\u2167") {  // digits, a fraction, marks, a Roman number
    if (c == 0) continue;
    INFO(static_cast<unsigned long>(c));
    CHECK_FALSE(is_unicode_letter(c));
    CHECK(is_word_character(c));
  }
  for (const char32_t c : U" .-_@+\u00a0\u20ac\u2026\u200d\U0001F600") {
    if (c == 0) continue;
    INFO(static_cast<unsigned long>(c));
    CHECK_FALSE(is_unicode_letter(c));
    CHECK_FALSE(is_word_character(c));
  }
}
