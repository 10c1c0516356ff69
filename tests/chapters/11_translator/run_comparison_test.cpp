// The page of two runs side by side.
#include "app/report/run_comparison.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "chapters/11_translator/small_training.hpp"
#include "chapters/11_translator/two_runs.hpp"
#include "gradus/plot/markup.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE(
    "comparison: other words of the target are noted, and each ring is at the best validation of its own run") {
  StoredRun a = stored_run(run("one")), b = a;
  const auto has_note = [&] { return run_comparison(a, b).find("Their vocabularies differ") != std::string::npos; };
  auto recipe = nlohmann::ordered_json::parse(b.recipe);
  recipe["source vocabulary"] = "another";
  b.recipe = recipe.dump();
  CHECK_FALSE(has_note());
  recipe["target vocabulary"] = "another";
  b.recipe = recipe.dump();
  CHECK(has_note());
  a.history.validations = {{10, 1, 3, 21, {}}, {20, 2, 2, 22, {}}};
  b.history.validations = {{10, 1, 1, 23, {}}, {20, 2, 4, 24, {}}};
  std::map<std::string, int> count;
  for (const Element& title : parsed_html(run_comparison(a, b)).all("title")) ++count[title.text];
  CHECK((count["A, 10: 3"] == 1 && count["A, 20: 2"] == 2 && count["B, 10: 1"] == 2 && count["B, 20: 4"] == 1));
}

TEST_CASE("comparison: two runs side by side show both curves, scores, facts, and what differs") {
  const Playground place("report-two");
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(place.path);
  const Result r = gradus_program(place, "report " + run("one") + " " + run("two"));
  std::filesystem::current_path(before);
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(r.out == "comparison.html\n");
  const std::string html = read_file(place.file("comparison.html"));
  const Xml xml = parsed_html(html);
  const StoredRun a = stored_run(run("one")), b = stored_run(run("two"));
  const auto facts = rows_behind(html, "<h1>");
  CHECK(facts.at("folder") == std::pair{a.folder, b.folder});
  CHECK(facts.at("state") == std::pair<std::string, std::string>{"finished", "finished"});
  CHECK(facts.at("recipe") == std::pair{recipe_hash(a.recipe), recipe_hash(b.recipe)});
  CHECK(recipe_hash(a.recipe) != recipe_hash(b.recipe));
  const auto best = [](const StoredRun& run) {
    return run.history.validations.at(*best_validation(run.history.validations));
  };
  CHECK(facts.at("its BLEU, greedy") == std::pair{fixed(best(a).bleu, 2), fixed(best(b).bleu, 2)});
  CHECK(facts.at("its perplexity") ==
        std::pair{fixed(std::exp(best(a).loss), 2), fixed(std::exp(best(b).loss), 2)});
  for (std::size_t i = 0; i < 4; ++i) {
    const Score &x = a.results->scores[i], &y = b.results->scores[i];
    CHECK(facts.at(x.name) == std::pair{fixed(x.value, x.decimals), fixed(y.value, y.decimals)});
  }
  CHECK(facts.at("weights").second.find("of the best validation") == 0);
  CHECK_FALSE(facts.at("processor").first.empty());
  const auto differing = rows_behind(html, "What differs");
  CHECK(differing == std::map<std::string, std::pair<std::string, std::string>>{
                         {"--seed", {"1", "9"}}, {"--learning-rate", {"0.004", "0.01"}}, {"--epochs", {"2", "3"}}});
  std::set<std::string> titles;
  for (const Element& title : xml.all("title")) titles.insert(title.text);
  for (const auto& [name, stored] : {std::pair{"A", &a}, std::pair{"B", &b}}) {
    for (const ValidationRecord& v : stored->history.validations) {
      CHECK(titles.count(std::string(name) + ", " + std::to_string(v.step) + ": " + number(v.loss, 4)) == 1);
      CHECK(titles.count(std::string(name) + ", " + std::to_string(v.step) + ": " + number(v.bleu, 4)) == 1);
    }
  }
  CHECK(xml.all("path", "ring").size() == 4);
  CHECK(html.find("<bdi>" + escaped(b.history.validations.back().samples[1].translation) + "</bdi>") !=
        std::string::npos);
  CHECK(html.find("can be compared") == std::string::npos);
}

namespace {

/// Two runs of which no two numbers are equal; the best validation of A is its first, that of B its second.
std::pair<StoredRun, StoredRun> made_runs() {
  StoredRun a = stored_run(run("one")), b = stored_run(run("two"));
  a.history.steps = {{120, 2, 3, 0.1, 1}}, b.history.steps = {{10, 1, 4, 0.2, 5}, {2340, 7, 3.5, 0.3, 6}};
  a.history.validations = {{100, 1, 2.5, 11, {}},
                           {110, 2, 2.75, 12, {{"s", "r", "a1"}, {"t", "u", "a2"}, {"v", "w", "a3"}}}};
  b.history.validations = {{1900, 3, 1.875, 13, {}},
                           {2000, 4, 1.75, 14, {{"v", "w", "b1"}, {"s", "r", "b2"}, {"t", "other", "b3"}}}};
  a.history.unknown = UnknownTokens{{1, 40}, {3, 50}, {5, 100}, {7, 1000}};
  b.history.unknown = UnknownTokens{{2, 50}, {3, 100}, {9, 100}, {11, 1000}};
  a.results->facts = {{"weights", "wa"}, {"training pairs", "1,001"}, {"validation pairs", "12"}};
  b.results->facts = {{"training pairs", "2,002"}, {"validation pairs", "34"}, {"weights", "wb"}};
  a.results->scores = {{"BLEU", 12.345, 2}}, b.results->scores = {{"chrF2", 41, 1}, {"BLEU", 22.5, 2}};
  a.timing = {{3700.5, 100.5, 1000, 300000, 420000, "one processor", "Haswell", "cpu", 2, 513000000}};
  b.timing = {{60, 20, 10, 3000, 4200, "another", "Zen", "cuda", 4, 400000000}};
  b.finished = false;
  auto recipe = nlohmann::ordered_json::parse(b.recipe);
  recipe["model"]["ffn"] = 33;  // was 32
  b.recipe = recipe.dump();
  return {a, b};
}

std::size_t as_number(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  return std::stoul(text);
}

}  // namespace

TEST_CASE("comparison: every row has the numbers of both runs, each in its own column") {
  const auto [a, b] = made_runs();
  auto rows = rows_behind(run_comparison(a, b), "<h1>");
  const auto parameters = rows.at("parameters");
  CHECK(as_number(parameters.second) - as_number(parameters.first) == 2 * (16 + 1 + 16));  // two layers
  rows.erase("parameters");
  CHECK(rows ==
        std::map<std::string, std::pair<std::string, std::string>>{
            {"BLEU", {"12.35", "22.50"}},
            {"chrF2", {"–", "41.0"}},
            {"folder", {a.folder, b.folder}},
            {"state", {"finished", "not finished"}},
            {"steps", {"120", "2,340"}},
            {"best validation loss", {"2.5000 at step 100", "1.7500 at step 2,000"}},
            {"its perplexity", {"12.18", "5.75"}},
            {"its BLEU, greedy", {"11.00", "14.00"}},
            {"weights", {"wa", "wb"}},
            {"training pairs", {"1,001", "2,002"}},
            {"validation pairs", {"12", "34"}},
            {"unknown tokens, training text",
             {"2.50 % of the sources, 6.00 % of the targets", "4.00 % of the sources, 3.00 % of the targets"}},
            {"unknown tokens, validation text",
             {"5.00 % of the sources, 0.70 % of the targets", "9.00 % of the sources, 1.10 % of the targets"}},
            {"time", {"1:01:41, 0:01:41 of it for validation", "0:01:00, 0:00:20 of it for validation"}},
            {"speed",
             {"200 tokens/s, source and target, without validation",
              "180 tokens/s, source and target, without validation"}},
            {"processor", {"one processor", "another"}},
            {"threads", {"2", "4"}},
            {"BLAS kernels", {"Haswell", "Zen"}},
            {"device", {"cpu", "cuda"}},
            {"peak memory", {"513 MB", "400 MB"}},
            {"recipe", {recipe_hash(a.recipe), recipe_hash(b.recipe)}}});
}

TEST_CASE("comparison: a sentence is shown if both runs translated it for the same reference") {
  const auto [a, b] = made_runs();
  const std::string html = run_comparison(a, b), shown = html.substr(html.find("The same sentences"));
  std::vector<std::string> texts;
  const std::regex pattern("<bdi>([^<]*)</bdi>");
  for (std::sregex_iterator i(shown.begin(), shown.end(), pattern), end; i != end; ++i) texts.push_back((*i)[1]);
  CHECK(texts == std::vector<std::string>{"s", "r", "a1", "b2", "v", "w", "a3", "b1"});
}

TEST_CASE("comparison: the page says which numbers cannot be compared, and whether two runs are equal") {
  const StoredRun a = stored_run(run("one"));
  CHECK(run_comparison(a, a).find("Nothing: both runs have the same recipe.") != std::string::npos);
  StoredRun b = a;
  auto recipe = nlohmann::ordered_json::parse(a.recipe);
  recipe["target vocabulary"] = recipe["source vocabulary"] = "other";
  b.recipe = recipe.dump();
  CHECK(run_comparison(a, b).find("so only BLEU and chrF2 can be compared") != std::string::npos);
  recipe["validation data"] = "other";
  b.recipe = recipe.dump();
  CHECK(run_comparison(a, b).find("neither losses nor scores can be compared") != std::string::npos);
  b.results.reset(), b.timing.clear(), b.finished = false;
  b.history = {};
  const std::string html = run_comparison(a, b);
  parsed_html(html);
  CHECK(rows_behind(html, "<h1>").at("state").second == "not finished");
  CHECK(rows_behind(html, "<h1>").at("chrF2 of the validation text, beam 5").second == "–");
}
