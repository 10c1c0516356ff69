#include "gradus/io/strict_json.hpp"

#include <cstddef>
#include <nlohmann/json.hpp>

#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::contains;
using gradus::test::error_of;

namespace {

std::string verdict(const std::string& text, std::size_t deepest = 3) {
  return error_of([&] { check_json(text, deepest); });
}

}  // namespace

TEST_CASE("strict JSON: what the format allows is accepted") {
  for (const char* good : {"{}", "[]", "7", " \"x\" \n", "[1,2.5,-3e4,true,false,null]",
                           R"({"a":{"b":[]},"b":"\ud83d\ude00"})", R"([{"a":1},{"a":2}])"}) {
    INFO(good);
    CHECK(verdict(good) == "no error");
    CHECK(nlohmann::json::accept(good));
  }
}

TEST_CASE("strict JSON: a fault is named with its byte") {
  CHECK(verdict(R"({"a": 1,})") == "not JSON (byte 9): a comma stands before }");
  CHECK(verdict("[1, \n ]") == "not JSON (byte 7): a comma stands before ]");
  CHECK(verdict(R"({"a": ,})") != "not JSON (byte 8): a comma stands before }");
  CHECK(verdict(R"("\ud800")") ==
        R"(not JSON (byte 8): \ud800 is half of a pair of surrogates, and the other half is not beside it)");
  CHECK_THAT(verdict(R"(["\u0041\uDBff\u0041"])"), contains(R"(\uDBff is half of a pair)"));
  CHECK_THAT(verdict(R"("\udc00\ud83d")"), contains(R"(\udc00 is half of a pair)"));
  CHECK(verdict("[1e999]") == "not JSON (byte 6): a number is out of range");
  CHECK(verdict("[\"a\vb\"]") ==
        "not JSON (byte 4): the control character U+000B stands in a string; leave it out");
  CHECK(verdict("\"\n\"") ==
        R"(not JSON (byte 2): the control character U+000A stands in a string; write it as \n)");
  CHECK_THAT(verdict("\"\t\""), contains(R"(write it as \t)"));
  CHECK_THAT(verdict("\"\r\""), contains(R"(write it as \r)"));
  CHECK(verdict("{} x") == "not JSON (byte 4): invalid literal");
  CHECK_THAT(verdict(""), contains("unexpected end of input"));
  for (const char* bad : {"{'a':1}", "{\"a\" 1}", "[1 2]", "nul", "01", "+1", "NaN", "\"\n\"", "\"\\x\"",
                          "\"\xff\"", "[1] // c", "\xef\xbb\xbf[", "{\"a\":1}{"}) {
    INFO(bad);
    const std::string message = verdict(bad);
    CHECK(message.rfind("not JSON (byte ", 0) == 0);
    CHECK(message.find('\n') == message.npos);
    CHECK(message.find("json.exception") == message.npos);
  }
}

TEST_CASE("strict JSON: a key comes once in its object, however it is spelt, and in others again") {
  CHECK(verdict(R"({"a":1,"b":2,"a":1})") == "\"a\" comes twice");
  CHECK(verdict(R"({"a":1,"\u0061":1})") == "\"a\" comes twice");
  CHECK(verdict(R"([{"x":{"b":1,"b":2}}])") == "\"b\" comes twice");
  CHECK(verdict(R"({"a":{"a":{"a":1}},"b":{"a":1}})") == "no error");
}

TEST_CASE("strict JSON: the depth has a limit, and a deep text is refused before it is stored") {
  CHECK(verdict("[[[]]]") == "no error");
  CHECK(verdict("[[[[]]]]") == "nested too deeply");
  CHECK(verdict(std::string(50'000'000, '[')) == "nested too deeply");
}
