#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("translate: n best, numbered by line, with falling scores") {
  const Playground place("n-best");
  const std::string options = "translate --model " + toy_model() + " --beam-size 4 ";
  const Result plain = gradus_program(place, options + "--input " + place.write("in", "A dog runs.\n\nA cat."));
  const Result r = gradus_program(place, options + "--n-best 3 --with-scores --input " + place.file("in"));
  REQUIRE(r.status == 0);
  std::vector<std::vector<std::string>> of(4);
  double last = 0;
  for (const std::string& line : split_lines(r.out, "output")) {
    std::smatch parts;
    REQUIRE(std::regex_match(line, parts, std::regex("(\\d)\t(-?[0-9.]+)\t(.*)")));
    const auto number = static_cast<std::size_t>(std::stoi(parts[1]));
    const double score = std::stod(parts[2]);
    if (!of.at(number).empty()) CHECK(score <= last);
    last = score;
    of[number].push_back(parts[3]);
  }
  CHECK(of[1].size() == 3);
  CHECK(of[2] == std::vector<std::string>{""});  // the empty line stays
  CHECK(of[1][0] != of[1][1]);
  CHECK(of[1][0] + "\n\n" + of[3][0] + "\n" == plain.out);
  CHECK(gradus_program(place, options + "--n-best 5 a").status == 2);
}

TEST_CASE("translate: of a long text every line keeps its number, in results, warnings and errors") {
  const Playground place("line-numbers");
  constexpr int lines = 401;  // a thread takes 192 at a time
  const std::string too_long = [] {
    std::string text;
    for (int i = 0; i < 300; ++i) text += "dog ";
    return text;
  }();
  std::string text;
  for (int i = 1; i <= lines; ++i)
    text += i == 197 || i == 389 ? "\xff\n" : i == 199 || i == 397 ? too_long + "\n" : "A dog.\n";
  const std::string input =
      "--beam-size 1 --max-length 3 --threads 1 --model " + toy_model() + " --input " + place.write("in", text);
  for (const std::string form : {"--with-scores ", "--n-best 1 --json "}) {
    const Result r = gradus_program(place, "translate " + form + input);
    CHECK(r.status == 1);
    for (const char* fault : {"line 197: not UTF-8", "line 389: not UTF-8"})
      CHECK(r.err.find(fault) != std::string::npos);
    const bool json = form.find("json") != std::string::npos;
    std::string said = r.err;
    int number = 0;
    for (const std::string& line : split_lines(r.out, "output")) {
      ++number;
      if (!json) continue;
      const auto one = nlohmann::json::parse(line);
      CHECK(one.at("line") == number);
      if (one.contains("warnings")) said += one.at("warnings").dump();
    }
    CHECK(number == lines);
    for (const char* cut : {"line 199 is longer than", "line 397 is longer than"})
      CHECK(said.find(cut) != std::string::npos);
    for (const char* of_part : {"line 5:", "line 7 is", "line 13 is", "line 205 is"})  // less 192 or 384
      CHECK(said.find(of_part) == std::string::npos);
  }
  const Result best =
      gradus_program(place, "translate --n-best 2 --beam-size 2 " + input.substr(input.find("--max-length")));
  CHECK(best.out.find("\n401\t") != std::string::npos);
  CHECK(best.out.find("\n193\t") != std::string::npos);
  CHECK(best.out.find("\n402\t") == std::string::npos);
}

TEST_CASE("translate: the n best have different texts, and no sentence has an empty one") {
  const Playground place("n-best-texts");
  const std::string text = "A dog runs.\nTwo cats sleep.\nA man.\nx\nWomen.\na?\n";
  for (const std::string& model : {toy_model(), std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de"}) {
    const Result r = gradus_program(place, "translate --n-best 20 --beam-size 20 --threads 2 --model " + model +
                                               " --input " + place.write("in", text));
    REQUIRE(r.status == 0);
    std::map<std::string, std::set<std::string>> of;
    std::size_t count = 0;
    for (const std::string& line : split_lines(r.out, "output")) {
      const std::size_t tab = line.find('\t');
      CHECK(tab + 1 < line.size());
      of[line.substr(0, tab)].insert(line.substr(tab + 1));
      ++count;
    }
    CHECK(of.size() == 6);
    CHECK(count == 6 * 20);
    for (const auto& [number, texts] : of) CHECK(texts.size() == 20);
  }
}

TEST_CASE("translate --json: a line for each sentence, with what the other options print") {
  const Playground place("json");
  const std::string options = "translate --model " + toy_model() + " --beam-size 4 --n-best 2 ";
  const std::string input = "--input " + place.write("in", "A dog runs.\n\nTwo cats sleep.");
  const Result json = gradus_program(place, options + "--json " + input);
  const Result text = gradus_program(place, options + "--with-scores --alignment " + input);
  REQUIRE(json.status == 0);
  REQUIRE(text.status == 0);
  std::string same;
  int number = 0;
  for (const std::string& line : split_lines(json.out, "output")) {
    const auto one = nlohmann::json::parse(line);
    CHECK(one.at("line") == ++number);
    for (const auto& best : one.value("n_best", nlohmann::json::array({one}))) {
      char score[32];
      std::snprintf(score, sizeof score, "%.4f", best.at("score").get<double>());
      std::string pairs;
      for (const auto& pair : best.at("word_alignment")) {
        pairs += (pairs.empty() ? "" : " ") + pair[0].dump() + "-" + pair[1].dump();
      }
      same +=
          one.at("line").dump() + "\t" + score + "\t" + best.at("text").get<std::string>() + "\t" + pairs + "\n";
    }
  }
  CHECK(text.out == same);
  CHECK(lines_in(text.out) == 5);
  CHECK(text.out.find("\t0-0 ") != std::string::npos);
  const Result plain = gradus_program(place, options + input);
  CHECK(std::regex_replace(text.out, std::regex("\\t-?[0-9.]+\\t([^\\t]*)\\t.*"), "\t$1") == plain.out);
}

TEST_CASE("translate: a dash in the place of the sentences is the standard input") {
  const Playground place("dash");
  const std::string options = "translate --model " + toy_model() + " ", text = "A dog.\nA cat.\n";
  const Result dash = gradus_program(place, options + "-", text);
  CHECK(lines_in(dash.out) == 2);
  CHECK(dash.out == gradus_program(place, options, text).out);
}

TEST_CASE("translate: a page of attention has fifty sentences, and says so if there are more") {
  const Playground place("fifty");
  const auto warning = [&](int lines) {
    std::string text;
    for (int i = 0; i < lines; ++i) text += "7\n";  // copied, so nothing is drawn
    return lines_with(gradus_program(place, "translate --attention " + place.file("a.html"), text).err,
                      "shows the");
  };
  CHECK(warning(50).empty());
  CHECK_THAT(warning(51), gradus::test::contains("a.html shows the first 50 sentences"));
}

TEST_CASE("translate: options that do not go together are refused") {
  const Playground place("together");
  for (const std::string more : {"--with-scores", "--alignment", "--attention -"}) {
    const Result r = gradus_program(place, "translate 'A dog.' --json " + more + " --model " + toy_model());
    CHECK(r.status == 2);
    CHECK(r.out.empty());
    CHECK(r.err.find("--json") != std::string::npos);
  }
}

TEST_CASE("translate: signs in the texts give warnings, as text and as codes") {
  const Playground place("text-warnings");
  const std::string options = "translate --model " + std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de ";
  const std::string lines = "A runner with the number 236.\nA \u72d7.\n?!\nA dog runs.\n";
  const Result r = gradus_program(place, options, lines);
  CHECK(r.status == 0);
  CHECK(lines_in(lines_with(r.err, "the translation of line 1 lacks 236")) == 1);
  CHECK(lines_in(lines_with(r.err, "line 2 has parts that the model has never read, \"\u72d7\"")) == 1);
  CHECK(lines_with(r.err, "line 3").empty());
  CHECK(lines_with(r.err, "line 4").empty());
  CHECK(split_lines(r.out, "output").at(2) == "?!");
  const std::vector<std::string> codes{"numbers", "never-seen"};
  const auto answers = split_lines(gradus_program(place, options + "--json", lines).out, "output");
  REQUIRE(answers.size() == 4);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    CHECK(answers[i].find("{\"code\":\"" + codes[i] + "\",") != std::string::npos);
  }
  for (const std::size_t i : {2U, 3U}) CHECK(answers[i].find("\"warnings\":[]") != std::string::npos);
}

TEST_CASE("translate: many warnings of a cause are counted, and --json has them all") {
  const Playground place("many-warnings");
  std::filesystem::copy(toy_model(), place.file("model"));
  auto json = nlohmann::ordered_json::parse(read_file(toy_model() + "/model.json"));
  json["unusual_below"] = 0.0;  // no log probability is above 0
  place.write("model/model.json", json.dump());
  std::string lines;
  for (int i = 0; i < 25; ++i) lines += "A dog.\n";
  const std::string options = "translate --beam-size 1 --buffer 7 --model " + place.file("model");
  const Result r = gradus_program(place, options, lines);
  CHECK(r.status == 0);
  CHECK(lines_in(lines_with(r.err, "unsure")) == 11);
  CHECK(r.err.find("unsure of line 10;") != std::string::npos);
  CHECK(r.err.find("unsure of line 11;") == std::string::npos);
  CHECK(r.err.find("15 more lines have the warning \"unsure\"") != std::string::npos);
  const Result paragraphs = gradus_program(place, options + " --paragraphs", lines.substr(0, 11 * 7));
  CHECK(lines_in(lines_with(paragraphs.err, "1 more line has the warning \"unsure\"")) == 1);
  CHECK(lines_with(paragraphs.err, "--json").empty());  // it is refused beside --paragraphs
  const Result all = gradus_program(place, options + " --json", lines);
  CHECK(all.err.empty());
  for (const std::string& line : split_lines(all.out, "output")) {
    CHECK(nlohmann::json::parse(line).at("warnings").at(0).at("code") == "unsure");
  }
}

TEST_CASE("translate: of several files, a warning names the file and the line in it; of one, the line alone") {
  const Playground place("warned-files");
  const std::string one = place.write("one", "A dog.\nA cat.\n"),
                    two = place.write("two", "A man.\nA girl.\nA boy.\n"),
                    options = "translate --beam-size 1 --max-length 1 --model " + toy_model() + " --input ";
  const std::string err = gradus_program(place, options + one + " --input " + two).err;
  CHECK(err.find("the translation of " + one + ", line 2 stops") != std::string::npos);
  CHECK(err.find("the translation of " + two + ", line 3 stops") != std::string::npos);
  CHECK(lines_in(lines_with(err, "stops at")) == 5);
  CHECK(gradus_program(place, options + two).err.find("the translation of line 3 stops") != std::string::npos);
}
