#include "gradus/io/utf8.hpp"

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;

namespace {

bool is_scalar(char32_t value) { return value < 0xD800 || (value > 0xDFFF && value <= 0x10FFFF); }

}  // namespace

TEST_CASE("encoding and decoding keep every Unicode scalar value, with the number of bytes of the standard") {
  for (char32_t value = 0; value <= 0x10FFFF; ++value) {
    if (!is_scalar(value)) continue;
    std::string text;
    append_utf8(text, value);
    const std::size_t length = value < 0x80 ? 1 : value < 0x800 ? 2 : value < 0x10000 ? 3 : 4;
    const CodePoint point = decode_utf8(text + "\x80");  // the bytes after it do not matter
    if (text.size() != length || point.value != value || point.length != length || !is_utf8(text)) {
      FAIL("code point " << static_cast<unsigned long>(value));
    }
  }
  REQUIRE(to_utf8(U"a\u00e4\u20ac\U0001F600") == "a\xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80");
}

TEST_CASE("two or three bytes are UTF-8 only if they encode a scalar value") {
  std::size_t two = 0, three = 0;
  for (unsigned lead = 0x80; lead < 0x100; ++lead) {
    for (unsigned i = 0; i < 0x10000; ++i) {
      const char bytes[3] = {static_cast<char>(lead), static_cast<char>(i >> 8), static_cast<char>(i)};
      const CodePoint point = decode_utf8({bytes, 3});
      if (point.length == 2) ++two;
      if (point.length == 3) ++three;
    }
  }
  REQUIRE(two == (0x800 - 0x80) * 256);  // for every third byte
  REQUIRE(three == 0x10000 - 0x800 - 0x800);
}

TEST_CASE("sequences that resemble UTF-8 are rejected at their first byte") {
  const auto prefix = [](std::string_view bytes) { return utf8_prefix(std::string("ab").append(bytes) + "c"); };
  REQUIRE(prefix("") == 3);
  for (const std::string_view bad : {"\x80",
                                     "\xbf",
                                     "\xfe",
                                     "\xff",  // never at the head
                                     "\xc0\x80",
                                     "\xc1\xbf",  // overlong, two bytes
                                     "\xe0\x80\x80",
                                     "\xe0\x9f\xbf",  // overlong, three
                                     "\xf0\x80\x80\x80",
                                     "\xf0\x8f\xbf\xbf",  // overlong, four
                                     "\xed\xa0\x80",
                                     "\xed\xbf\xbf",  // surrogates
                                     "\xf4\x90\x80\x80",
                                     "\xf5\x80\x80\x80",      // above U+10FFFF
                                     "\xf8\x88\x80\x80\x80",  // five bytes
                                     "\xc3",
                                     "\xe2\x82",
                                     "\xf0\x9f\x98",  // cut short by another character
                                     "\xe2\x28\xa1",
                                     "\xf0\x28\x8c\xbc",  // a wrong byte within
                                     "\xe4",              // Latin-1
                                     "\xff\xfe"
                                     "a"}) {  // UTF-16
    INFO("size " << bad.size() << ", first byte " << int(static_cast<unsigned char>(bad[0])));
    CHECK(prefix(bad) == 2);
    CHECK_FALSE(is_utf8(bad));
  }
  for (const std::string_view cut : {"\xc3", "\xe2\x82", "\xf0\x9f\x98"}) CHECK(decode_utf8(cut).length == 0);
  CHECK(decode_utf8("").length == 0);
  CHECK(is_utf8(""));
  CHECK(is_utf8({"\0", 1}));
}

TEST_CASE("a text is converted to code points and back") {
  REQUIRE(code_points("Ä\xe2\x82\xac\xf0\x9f\x98\x80"
                      "a\u0301")
              .size() == 5);  // a combining accent is a code point of its own
  REQUIRE(code_points("").empty());
  REQUIRE(to_utf8(code_points("Grüße, 世界!")) == "Grüße, 世界!");
  REQUIRE_THAT(error_of([] { code_points("ab\xff"); }), contains("not UTF-8: byte 3"));
  REQUIRE_THAT(error_of([] { to_utf8(std::u32string(1, 0xD800)); }), contains("55296"));
  REQUIRE_THAT(error_of([] { to_utf8(std::u32string(1, 0x110000)); }), contains("1114112"));
}
