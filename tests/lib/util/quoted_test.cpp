#include "gradus/util/quoted.hpp"

#include "support/catch.hpp"

using gradus::printable;
using gradus::quoted;
using gradus::shell_word;

TEST_CASE("printable: what a terminal obeys is spelt out, other characters stay") {
  CHECK(printable("").empty());
  CHECK(printable("Grüße, 世界 😀 \"a\\b\" \u2026\u200d") == "Grüße, 世界 😀 \"a\\b\" \u2026\u200d");
  CHECK(printable("a\x1b[31mb\nc\td\r\x7f") == "a\\u001b[31mb\\nc\\td\\r\\u007f");
  CHECK(printable(std::string(1, '\0')) == "\\u0000");
  CHECK(printable("\u0080\u009b1m\u009f\u00a0") == "\\u0080\\u009b1m\\u009f\u00a0");
  CHECK(printable("\u2027\u2028\u2029\u202a\u202e\u202f") == "\u2027\\u2028\\u2029\\u202a\\u202e\u202f");
  CHECK(printable("\u2065\u2066\u2069\u206a") == "\u2065\\u2066\\u2069\u206a");
  CHECK(printable("\uFFFD") == "\uFFFD");
}

TEST_CASE("printable: a byte that is no UTF-8 is spelt by its digits, and those around it stay") {
  CHECK(printable("a\xff") == "a\\xff");
  CHECK(printable("\x80z") == "\\x80z");
  CHECK(printable("\xc3\xa4\xa4") == "ä\\xa4");
  CHECK(printable("\xc3(") == "\\xc3(");
  CHECK(printable("\xe2\x82") == "\\xe2\\x82");
  CHECK(printable("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(printable("\xf4\x90\x80\x80 \xc0\xaf") == "\\xf4\\x90\\x80\\x80 \\xc0\\xaf");
  CHECK(printable("\xf0\x9f\x98\x80") == "😀");
  const std::string once = printable("a\x1b\xff\n");
  CHECK(printable(once) == once);
}

TEST_CASE("quoted: one line in quotes, cut where it is long; a word of a shell") {
  CHECK(quoted("a\n\x1b\"b") == "\"a\\n\\u001b\\\"b\"");
  CHECK(quoted(std::string(500, 'x')).size() == 123);
  CHECK(shell_word("a-b_c/d.e") == "a-b_c/d.e");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
}
