// What /translate answers, value by value.

#include "app/serve/translate_answer.hpp"
#include "chapters/11_translator/http_status.hpp"
#include "chapters/11_translator/serve_service.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("serve: each line of a text is what translate --json prints") {
  const Playground place("serve-json");
  const std::string text = "A dog runs through the snow.\n\nTwo men are cooking.\n";
  for (const std::string n : {"1", "3"}) {
    const Result printed = gradus_program(place, "translate --json --beam-size 4 --n-best " + n, text);
    Json expected = Json::array();
    for (const std::string& line : split_lines(printed.out, "out")) expected.push_back(Json::parse(line));
    REQUIRE(expected.size() == 3);
    const HttpAnswer answer = posted(Json{{"text", text}, {"beam", 4}, {"n_best", std::stoi(n)}}.dump());
    CHECK(answer.status == 200);
    CHECK(answer.type == "application/json");
    CHECK(Json::parse(answer.body) == Json{{"direction", "en-de"}, {"sentences", expected}});
    const std::string encoded = "A+dog+runs+through+the+snow.%0A%0ATwo%20men+are+cooking.%0A";
    CHECK(got("/translate", "text=" + encoded + "&beam=4&n_best=" + n).body == answer.body);
  }
}

TEST_CASE("serve: an empty text has an empty translation, as an empty line has") {
  const Json json = Json::parse(posted(R"({"text": "", "attention": true, "explain": true})").body);
  REQUIRE(json.at("sentences").size() == 1);
  const Json& one = json.at("sentences")[0];
  CHECK((one.at("line") == 1 && one.at("source") == "" && one.at("text") == "" && one.at("warnings").empty()));
  CHECK(Json::parse(posted(R"({"text": "\n", "attention": true, "explain": true})").body) == json);
  CHECK(Json::parse(got("/translate", "text=&attention=true&explain=true").body) == json);
}

TEST_CASE("serve: attention and candidates are those of the best translation") {
  const std::string line = lines.target[0];
  const HttpAnswer answer =
      posted(Json{{"text", line}, {"direction", "de-en"}, {"attention", true}, {"explain", true}}.dump());
  const Json json = Json::parse(answer.body);
  CHECK(json.at("direction") == "de-en");
  const Json& one = json.at("sentences").at(0);
  TranslateOptions options;
  options.with_tokens = true;
  const TranslatedText best = bundled("de-en").translate({line}, options).front().front();
  const AttentionMaps maps = bundled("de-en").attention(line, {}).cross;
  const Json& attention = one.at("attention");
  CHECK(attention.at("layers") == maps.layers);
  CHECK(attention.at("heads") == maps.heads);
  REQUIRE(attention.at("row_words").size() == best.tokens.size());
  REQUIRE(attention.at("column_words").size() == best.source_tokens.size());
  CHECK(attention.at("row_words").back().is_null());
  CHECK(attention.at("column_words").back().is_null());
  CHECK(attention.at("column_words")[1] == best.source_tokens[1].word);
  CHECK(attention.at("row_words")[1] == best.tokens[1].word);
  REQUIRE(maps.layers > 1);
  double greatest = 0;
  for (std::size_t i = 0; i < maps.rows.size(); ++i) {
    for (std::size_t j = 0; j < maps.columns.size(); ++j) {
      double mean = 0;
      for (std::size_t h = 0; h < maps.heads; ++h) {
        mean += maps.at(maps.layers - 1, h, i, j) / static_cast<double>(maps.heads);
        const double shown = attention.at("weights")[0][h][i][j];
        greatest = std::max(greatest, std::abs(shown - maps.at(0, h, i, j)));
      }
      greatest = std::max(greatest, std::abs(attention.at("mean")[i][j].get<double>() - mean));
    }
  }
  CHECK(greatest < 6e-4);

  const Explanation e = bundled("de-en").explain(line, {});
  REQUIRE(one.at("steps").size() == e.steps.size());
  REQUIRE(e.steps.size() == one.at("tokens").size());
  for (std::size_t t = 0; t < e.steps.size(); ++t) {
    const Json& step = one.at("steps")[t];
    CHECK(step.at("text") == one.at("tokens")[t].at("text"));
    CHECK(step.at("probability") == e.steps[t].probability);
    REQUIRE(step.at("candidates").size() == e.steps[t].candidates.size());
    CHECK(step.at("candidates")[0].at("probability") == e.steps[t].candidates[0].second);
  }
  const Json plain = Json::parse(posted(R"({"text": "A dog."})").body).at("sentences").at(0);
  CHECK_FALSE(plain.contains("attention"));
  CHECK_FALSE(plain.contains("steps"));
}

TEST_CASE("serve: every member changes the answer, on several lines and in both ways to ask") {
  const std::string text =
      "An old sailor mends the broken net near the harbour.\nPoliticians discuss the new law in parliament today.";
  const std::string encoded =
      "text=An+old+sailor+mends+the+broken+net+near+the+harbour.%0APoliticians+discuss+the+new+law+in+parliament+"
      "today.";
  const auto answer = [&](const Json& members, const std::string& parameters) {
    Json query{{"text", text}};
    query.update(members);
    const std::string body = posted(query.dump()).body;
    CHECK(got("/translate", encoded + parameters).body == body);
    return Json::parse(body).at("sentences");
  };
  const Json usual = answer(Json::object(), "");
  for (const std::size_t beam : {1, 2}) {  // each finds other translations than the usual width
    TranslateOptions options;
    options.beam_size = beam;
    const auto expected = bundled().translate(split_lines(text, "text"), options);
    const Json found = answer({{"beam", beam}}, "&beam=" + std::to_string(beam));
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(found[i].at("score") == expected[i].front().score);
      CHECK(found[i].at("score") != usual[i].at("score"));
    }
  }
  const Json best = answer({{"n_best", 4}}, "&n_best=4");
  CHECK(usual[1].count("n_best") == 0);
  REQUIRE(best[1].at("n_best").size() == 4);
  std::set<std::string> texts;
  for (const Json& one : best[1].at("n_best")) texts.insert(one.at("text").get<std::string>());
  CHECK(texts.size() == 4);
  const Json attention = answer({{"attention", true}}, "&attention=true");
  const Json steps = answer({{"explain", true}}, "&explain=true");
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(attention[i].count("attention") == 1);
    CHECK(attention[i].count("steps") == 0);
    CHECK(steps[i].count("steps") == 1);
    CHECK(steps[i].count("attention") == 0);
  }
  CHECK(answer({{"direction", "de-en"}}, "&direction=de-en")[0].at("text") != usual[0].at("text"));
}

TEST_CASE("serve: each candidate has its own text") {
  const std::string line =
      "An old sailor mends the broken net near the harbour.";  // greedy search finds another one
  const Json json = Json::parse(posted(Json{{"text", line}, {"explain", true}, {"beam", 1}}.dump()).body);
  TranslateOptions greedy;
  greedy.beam_size = 1;
  const Explanation e = bundled().explain(line, greedy);
  const Json& steps = json.at("sentences")[0].at("steps");
  REQUIRE(steps.size() == e.steps.size());
  for (std::size_t t = 0; t < e.steps.size(); ++t) {
    std::set<std::string> texts;
    for (std::size_t k = 0; k < e.steps[t].candidates.size(); ++k) {
      CHECK(steps[t].at("candidates")[k].at("text") == e.steps[t].candidates[k].first.text);
      CHECK(steps[t].at("candidates")[k].at("probability") == e.steps[t].candidates[k].second);
      texts.insert(steps[t].at("candidates")[k].at("text").get<std::string>());
    }
    CHECK(texts.size() == e.steps[t].candidates.size());
    CHECK(steps[t].at("text") == steps[t].at("candidates")[0].at("text"));  // of a greedy search
  }
}

TEST_CASE("serve: attention is that of the translation that is asked for") {
  const std::string line = "An old sailor mends the broken net near the harbour.";
  TranslateOptions greedy;
  greedy.beam_size = 1;
  const AttentionMaps maps = bundled().attention(line, greedy).cross;
  REQUIRE(maps.rows != bundled().attention(line, {}).cross.rows);
  const Json one = Json::parse(posted(Json{{"text", line}, {"attention", true}, {"beam", 1}}.dump()).body);
  const Json& weights = one.at("sentences")[0].at("attention").at("weights");
  REQUIRE(weights[1][2].size() == maps.rows.size());
  for (std::size_t i = 0; i < maps.rows.size(); ++i) {
    for (std::size_t j = 0; j < maps.columns.size(); ++j)
      CHECK(std::abs(weights[1][2][i][j].get<double>() - maps.at(1, 2, i, j)) < 6e-4);
  }
}

TEST_CASE("serve: attention has as many layers and heads as the model, which may differ") {
  const Playground place("serve-shape");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 1")).status == 0);  // 1 layer, 2 heads
  TranslateQuery query;
  query.lines = {"A dog runs."};
  query.options.attention = true, query.options.search.max_length = 4;
  const Json json =
      Json::parse(translate_answer(Translator::load(place.file("run")), query, "toy", {1'000'000, [] {}}));
  const Json& attention = json.at("sentences")[0].at("attention");
  CHECK((attention.at("layers") == 1 && attention.at("heads") == 2));
  CHECK((attention.at("weights").size() == 1 && attention.at("weights")[0].size() == 2));
}

TEST_CASE("serve: paragraphs are translated sentence by sentence, and put together") {
  const auto t = bundled().translate({"A dog runs.", "A girl is reading.", "Two men are cooking."}, {});
  const std::string text = "  A dog runs.  A girl is reading.\n\n3.5 `A. B`\nTwo men are cooking.\n";
  const std::string expected =
      "  " + t[0].front().text + "  " + t[1].front().text + "\n\n3.5 `A. B`\n" + t[2].front().text;
  const auto json = [](const Json& texts, bool attention) {
    return Json::parse(posted(Json{{"text", texts}, {"paragraphs", true}, {"attention", attention}}.dump()).body);
  };
  for (const bool attention : {false, true}) {
    const Json one = json(text, attention);
    CHECK(one.at("text") == expected);
    REQUIRE(one.at("sentences").size() == 3);
    CHECK(one.at("sentences")[1].at("source") == "A girl is reading.");
    CHECK(one.at("sentences")[2].at("line") == 3);
    CHECK(one.at("sentences")[2].count("attention") == (attention ? 1 : 0));
    CHECK(json({"7", text, ""}, attention) == Json{json("7", attention), one, json("", attention)});
  }
  CHECK(json("7", false) == Json{{"direction", "en-de"}, {"sentences", Json::array()}, {"text", "7"}});
  CHECK(got("/translate", "text=A+dog+runs.++A+girl+is+reading.&paragraphs=true").body ==
        posted(R"({"text": "A dog runs.  A girl is reading.", "paragraphs": true})").body);
  std::string many;
  for (int i = 0; i < 30; ++i) many += "A cat. ";
  CHECK(posted(Json{{"text", many}, {"paragraphs", true}}.dump()).status == 413);
  CHECK(posted(Json{{"text", std::vector<std::string>(30)}, {"paragraphs", true}}.dump()).status == 413);
}

TEST_CASE("serve: the answer to a list is a list, text by text") {
  const auto json = [](const Json& text) {
    return Json::parse(
        posted(Json{{"text", text}, {"direction", "de-en"}, {"beam", 2}, {"attention", true}}.dump()).body);
  };
  const std::string first = "Ein Hund rennt.\nZwei Männer kochen.", second = "Eine Katze schläft.";
  CHECK(json({first, "", second}) == Json{json(first), json(""), json(second)});
  CHECK(json(Json::array()) == Json::array());
}

TEST_CASE("serve: the bytes of an answer are those of all texts of a list together") {
  const std::string line = "Ein Hund rennt.";
  TranslateQuery one, two;
  one.lines = {line}, two.lines = {line, line};
  one.list = {1}, two.list = {1, 1};
  const auto size = [&](const TranslateQuery& query, std::size_t most) {
    return translate_answer(bundled("de-en"), query, "de-en", {most, [] {}}).size();
  };
  const std::size_t bytes = size(one, 1'000'000);
  CHECK(size(two, 2 * bytes) > bytes);
  CHECK(status_of([&] { size(two, bytes + bytes / 2); }) == 413);
  CHECK(size(one, bytes + bytes / 2) == bytes);
}

TEST_CASE("serve: lengths agree when a translation is cut at its longest length") {
  const std::string line = "Zzz zzz zzz zzz zzz zzz zzz zzz zzz zzz";
  const Json query{{"text", line}, {"attention", true}, {"explain", true}, {"n_best", 3}};
  const Json one = Json::parse(posted(query.dump()).body).at("sentences")[0];
  REQUIRE(one.at("tokens").back().at("text") != "<eos>");  // it was cut
  const std::size_t rows = one.at("tokens").size(), columns = one.at("source_tokens").size();
  CHECK(one.at("alignment").size() == rows);
  CHECK(one.at("steps").size() == rows);
  const Json& attention = one.at("attention");
  CHECK(attention.at("row_words").size() == rows);
  CHECK(attention.at("column_words").size() == columns);
  const auto has_size = [&](const Json& map) { return map.size() == rows && map.back().size() == columns; };
  CHECK(has_size(attention.at("mean")));
  for (const Json& heads : attention.at("weights")) {
    for (const Json& map : heads) CHECK(has_size(map));
  }
  for (const Json& other : one.at("n_best")) CHECK(other.at("alignment").size() == other.at("tokens").size());
}
