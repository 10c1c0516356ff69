// The content of requests to `gradus serve`, without a socket and without a model.

#include <regex>

#include "app/serve/translate_query.hpp"
#include "chapters/11_translator/program.hpp"
#include "http_status.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("serve: every member of a query is read") {
  const TranslateQuery all = query_of_body(
      R"({"text": " A dog. \r\n\nA cat.", "direction": "de-en", "beam": 4, "n_best": 3, "attention": true, "explain": true})",
      {});
  CHECK(all.lines == std::vector<std::string>{"A dog.", "", "A cat."});
  CHECK(all.options.direction == "de-en");
  CHECK(all.options.search.beam_size == 4);
  CHECK(all.options.search.n_best == 3);
  CHECK(all.options.attention);
  CHECK(all.options.explain);
  const TranslateQuery one = query_of_body(R"({"text": "7", "attention": false})", {});
  CHECK(one.lines == std::vector<std::string>{"7"});
  CHECK(one.options.search.beam_size == 5);
  CHECK(one.options.search.n_best == 1);
  CHECK_FALSE(one.options.attention);
  CHECK_FALSE(one.options.explain);
  CHECK(query_of_body(R"({"text": "a"})", {100, 10, 3}).options.search.beam_size == 3);
  QueryLimits started;
  started.standard.short_source = 3;
  CHECK(query_of_body(R"({"text": "a"})", started).options.search.short_source == 3);
  const TranslateQuery got = query_of_address("text=7&direction=1&&beam=2&explain=true&", {});
  CHECK(got.lines == one.lines);
  CHECK(got.options.direction == "1");
  CHECK(got.options.search.beam_size == 2);
  CHECK(got.options.explain);
  CHECK(query_of_address("text=1%2B1=2+%C3%a4%26", {}).lines == std::vector<std::string>{"1+1=2 ä&"});
  CHECK_FALSE(one.list);
  const TranslateQuery list = query_of_body(R"({"text": ["A dog.\n A cat.", "", "\n", "7"]})", {});
  CHECK(list.lines == std::vector<std::string>{"A dog.", "A cat.", "", "", "7"});
  CHECK(list.list == std::vector<std::size_t>{2, 1, 1, 1});
  CHECK(query_of_body(R"({"text": ""})", {}).lines == std::vector<std::string>{""});
  CHECK(query_of_body(R"({"text": "a\rb\r\rc\r"})", {}).lines == std::vector<std::string>{"a", "b", "", "c"});
  CHECK(query_of_body(R"({"text": []})", {}).list == std::vector<std::size_t>{});
}

TEST_CASE("serve: paragraphs are cut again where a sentence keeps its addresses and code") {
  using Texts = std::vector<std::string>;
  const TranslateQuery cut =
      query_of_body(R"({"paragraphs": true, "text": ["Keep `a` now.\n\n Lose `b` now.", "", "`c`"]})", {});
  CHECK(cut.lines == Texts{"Keep", "now.", "Lose", "now."});
  const TranslateQuery whole = with_whole_sentences(
      cut, [](const std::string& sentence, const Texts&) { return sentence.substr(0, 4) == "Keep"; });
  CHECK(whole.lines == Texts{"Keep `a` now.", "Lose", "now."});
  CHECK(whole.list == std::vector<std::size_t>{3, 0, 0});
  for (std::size_t i = 0; i < cut.texts.size(); ++i)
    CHECK(joined_parts(whole.texts[i]) == joined_parts(cut.texts[i]));
}

TEST_CASE("serve: each member has a row in the README, with its default, and refuses what is no value of it") {
  struct Checker {
    const std::string page = read_file(std::string(GRADUS_CHAPTERS) + "/../app/serve/README.md");

    void word(const char* name, const std::string&) const { check(name, "the first model", "7", "a string"); }
    void number(const char* name, std::size_t standard, std::size_t most) const {
      check(name, std::to_string(standard), "0", "a whole number from 1 to " + std::to_string(most));
      check(name, std::to_string(standard), std::to_string(most + 1),
            "a whole number from 1 to " + std::to_string(most));
    }
    void flag(const char* name, bool standard) const {
      check(name, standard ? "true" : "false", "1", "true or false");
    }
    void check(const std::string& name, const std::string& standard, const std::string& bad,
               const std::string& wanted) const {
      INFO(name);
      CHECK(std::regex_search(page, std::regex("\n\\| `" + name + "` \\|[^|\n]*\\| " + standard + " \\|\n")));
      std::string answer;
      try {
        query_of_body(R"({"text": "a", ")" + name + "\": " + bad + "}", {});
      } catch (const HttpError& error) {
        answer = std::to_string(error.status) + " " + error.what();
      }
      CHECK(answer == "400 " + name + " is " + bad + ", and has to be " + wanted);
    }
  };
  const ServeOptions usual;
  each_member(usual, QueryLimits{}.beam, Checker{});
}

TEST_CASE("serve: an invalid query is refused, with what to change") {
  const auto output = [](const std::string& json) {
    try {
      query_of_body(json, {5, 2, 3});
    } catch (const HttpError& error) {
      return std::to_string(error.status) + " " + error.what();
    }
    return std::string("200");
  };
  CHECK(output(R"({"text": "äöüßé"})") == "200");
  CHECK(output(R"({"text": "äöüßéx"})") == "413 the text has 6 characters; this server takes 5 at a time");
  CHECK(output(R"({"text": "a\nb\n"})") == "200");
  CHECK(output(R"({"text": "a\nb\nc"})") == "413 the text has 3 lines; this server takes 2 at a time");
  CHECK(output("{\"text\": \"a\xff\"}") == "400 the body is not UTF-8 (byte 12)");
  CHECK(output(R"({"text": "a\u0000"})") == "400 text, line 1: a NUL byte (byte 2 of the line)");
  CHECK(output(R"({"text": "\n\u001b"})") == "400 text, line 2: the control character U+001B (byte 1 of the line)");
  CHECK(output(R"({"text": "a", "beem": 1})") == "400 there is no member \"beem\"; did you mean beam?");
  CHECK(output(R"({"text": "a", "zzz": 1})").find("400 there is no member \"zzz\"; there are text, ") == 0);
  CHECK_THAT(output(""), contains("this request has none"));
  const std::string most_3 = ", and has to be a whole number from 1 to 3";
  for (const char* bad :
       {"0", "4", "-1", "1.5", "\"2\"", "true", "null", "3.0", "[2]", R"({"a":2})", "\"\\uff13\""})
    CHECK(output(std::string(R"({"text": "a", "beam": )") + bad + "}") ==
          std::string("400 beam is ") + bad + most_3);
  CHECK(output(R"({"text": "a", "beam": 3e0})") == "400 beam is 3.0" + most_3);
  CHECK(output(R"({"text": "a", "beam": ")" + std::string(5000, 'x') + "\"}") ==
        "400 beam is \"" + std::string(39, 'x') + "..." + most_3);
  for (const char* bad : {"+3", "03", "0x3", "3.", ".3", "NaN", "Infinity", "\xef\xbc\x93", ""})
    CHECK(output(std::string(R"({"text": "a", "beam": )") + bad + "}").find("; this one: not JSON") !=
          std::string::npos);
  CHECK(output(R"({"text": "a", "beam": 2, "n_best": 3})") ==
        "400 n_best is 3, and has to be a whole number from 1 to 2");
  CHECK(output(R"({"text": "a", "beam": 1, "text": "b"})") == "400 the body: \"text\" comes twice");
  for (const std::string& deep : {std::string(R"({"text": [[["a"]]]})"), std::string(60'000, '[')})
    CHECK(output(deep) == "400 the body: nested too deeply");
  CHECK(output("{\"text\": \"a\vb\"}").find("the control character U+000B stands in a string; leave it out") !=
        std::string::npos);
  CHECK(output(R"({"text": "a",})").find("; this one: not JSON (byte 14): a comma stands before }") !=
        std::string::npos);
  CHECK(output(R"({"text": "\ud800"})").find(R"(\ud800 is half of a pair)") != std::string::npos);
  CHECK(output(R"({"text": ["ab", "cde"]})") == "200");
  CHECK(output(R"({"text": ["ab", "cdef"]})") == "413 the text has 6 characters; this server takes 5 at a time");
  CHECK(output(R"({"text": ["", "", ""]})") == "413 the text has 3 lines; this server takes 2 at a time");
  CHECK(output(R"({"text": ["a", 7]})") == "400 text 2 is 7, and has to be a string");
  CHECK(output(R"({"text": ["a", "\u001b"]})") ==
        "400 text 2, line 1: the control character U+001B (byte 1 of the line)");
  for (const char* control : {"\\u000b", "\\u000c", "\\u0085", "\\u007f"})
    CHECK(output("{\"text\": \"a" + std::string(control) + "\"}")
              .find("400 text, line 1: the control character U+00") == 0);
  for (const char* white : {"\\t", "\\r", "\\u2028", "\\u2029", "\\u00a0"})
    CHECK(output("{\"text\": \"a" + std::string(white) + "b\"}") == "200");
  CHECK(output(R"({"text": {"a": 1}})") == R"(400 text is {"a":1}, and has to be a string or a list of strings)");
  CHECK(output(R"({"text": 7})") == "400 text is 7, and has to be a string or a list of strings");
  CHECK(output(R"({"text": "a", "direction": 7})") == "400 direction is 7, and has to be a string");
  CHECK(output(R"({"text": "a", "direction": ""})") == "400 direction is empty; leave it out, or name one");
  CHECK(output(R"({"text": "a", "explain": 1})") == "400 explain is 1, and has to be true or false");
  CHECK(output("{}") == R"(400 the text is missing: {"text": "A dog runs through the snow."})");
  for (const std::string& bad :
       {std::string(), std::string("["), std::string("[]"), std::string("7"), std::string(R"({"text": "a"} x)")})
    CHECK(output(bad).rfind("400 the body has to be a JSON object", 0) == 0);
}

TEST_CASE("serve: an invalid address is refused, with what to change") {
  const auto output = [](const std::string& query) {
    try {
      query_of_address(query, {5, 2, 3});
    } catch (const HttpError& error) {
      return std::to_string(error.status) + " " + error.what();
    }
    return std::string("200");
  };
  CHECK(output("text=a") == "200");
  CHECK(output("text=a&text=a") == "400 the parameter \"text\" comes twice");
  CHECK(output("text=a&beam=1&b%65am=1") == "400 the parameter \"beam\" comes twice");
  CHECK(output("text=a&beem=1") == "400 there is no parameter \"beem\"; did you mean beam?");
  CHECK(output("text=a&x").find("400 there is no parameter \"x\"; there are text, direction, beam, ") == 0);
  CHECK(output("text=a&%ff=1").rfind("400 there is no parameter", 0) == 0);
  for (const char* bad : {"%", "%a", "%zz", "%0g", "%+1"})
    CHECK(output("text=" + std::string(bad))
              .rfind("400 in the address, two hexadecimal digits have to follow %", 0) == 0);
  CHECK(output("text=%ff") == "400 text, line 1: not UTF-8 (byte 1 of the line)");
  const std::string most_3 = ", and has to be a whole number from 1 to 3";
  CHECK(output("text=a&beam=3") == "200");
  for (const char* bad : {"", "+3", " 3", "3 ", "03", "3.0", "3e0", "0x3", "-3", "3,0", "null", "[3]", "three"})
    CHECK(output("text=a&beam=" + std::regex_replace(bad, std::regex("\\+"), "%2B")) ==
          "400 beam is \"" + std::string(bad) + "\"" + most_3);
  CHECK(output("text=a&beam=+3") == "400 beam is \" 3\"" + most_3);
  CHECK(output("text=a&beam=%EF%BC%93") == "400 beam is \"\\uff13\"" + most_3);  // a full-width 3
  CHECK(output("text=a&beam=%ff") == "400 beam is \"\\ufffd\"" + most_3);
  for (const char* bad : {"0", "4", "999999999999999999"})
    CHECK(output("text=a&beam=" + std::string(bad)) == std::string("400 beam is ") + bad + most_3);
  CHECK(output("text=a&beam=18446744073709551619") == "400 beam is \"18446744073709551619\"" + most_3);
  for (const char* bad : {"", "True", "1", "yes", "true "})
    CHECK(output("text=a&explain=" + std::string(bad)) ==
          "400 explain is \"" + std::string(bad) + "\", and has to be true or false");
  CHECK(output("text=") == "200");
  CHECK(output("text") == "400 the parameter \"text\" has no value; write text=...");
  CHECK(output("text=a&explain") == "400 the parameter \"explain\" has no value; write explain=...");
  const std::string missing = "400 the text is missing: /translate?", example = output("").substr(missing.size());
  CHECK(output("") == missing + example);
  CHECK(output(example) == "413 the text has 28 characters; this server takes 5 at a time");  // it has a text
  CHECK(status_of([] { require_no_parameters("", "/x"); }) == 200);
  CHECK(status_of([] { require_no_parameters("&&", "/x"); }) == 200);
  try {
    require_no_parameters("a=1&b%20c", "/x");
    FAIL("accepted");
  } catch (const HttpError& error) {
    CHECK(std::string(error.what()) == "/x takes no parameters in its address, and this one has \"a\", \"b c\"");
  }
}
