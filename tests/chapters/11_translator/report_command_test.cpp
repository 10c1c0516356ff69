// gradus report: the page of a run from its folder alone, and two runs side by side.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "11_translator/training/record/history_csv.hpp"
#include "app/report/run_comparison.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/report_text.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/plot/markup.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

void expect_one_line(const Result& r, int status, const std::string& about) {
  INFO(r.err);
  CHECK(r.status == status);
  CHECK(r.out.empty());
  CHECK(lines_in(r.err) == 1);
  CHECK(r.err.find(about) != std::string::npos);
}

/// Two finished runs that differ in seed, learning rate and epochs, made once for all cases.
const Playground& two_runs() {
  static const Playground place("report-runs");
  static const bool made = [] {
    for (const auto& [name, more] :
         {std::pair{"one", ""}, std::pair{"two", "--seed 9 --learning-rate 0.01 --epochs 3"}})
      REQUIRE(gradus_program(place, toy_training(place.file(name), more)).status == 0);
    return true;
  }();
  REQUIRE(made);
  return place;
}

std::string run(const std::string& name) { return two_runs().file(name); }

/// The rows of a table of two values: name, A, B.
std::map<std::string, std::pair<std::string, std::string>> rows_behind(const std::string& html,
                                                                       const std::string& text) {
  const auto cells = cells_behind(html, text);
  std::map<std::string, std::pair<std::string, std::string>> rows;
  REQUIRE(cells.size() % 3 == 0);
  for (std::size_t i = 0; i < cells.size(); i += 3) rows[cells[i]] = {cells[i + 1], cells[i + 2]};
  return rows;
}

}  // namespace

TEST_CASE("report: the page of a finished run is made again from its folder, byte by byte, without the text") {
  const Playground place("report-again");
  std::filesystem::copy(run("one"), place.file("run"), std::filesystem::copy_options::recursive);
  const std::string page = read_file(place.file("run/report.html"));
  place.write("run/report.html", "something else");
  const Result r = gradus_program(place, "report " + place.file("run"));
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(r.out == place.file("run") + "/report.html\n");
  CHECK(r.err.empty());
  CHECK(read_file(place.file("run/report.html")) == page);
  std::filesystem::remove(place.file("run/checkpoint.safetensors"));  // large, and not needed to look back
  std::filesystem::remove(place.file("run/checkpoint-before.safetensors"));
  CHECK(gradus_program(place, "report " + place.file("run") + " --output " + place.file("page")).out ==
        place.file("page") + "\n");
  CHECK(read_file(place.file("page")) == page);
  CHECK(gradus_program(place, "report " + place.file("run") + " --output -").out == page);
}

TEST_CASE("report: an unfinished run has a page of its results so far") {
  const Playground place("report-early");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 20")).status == 0);
  for (int twice = 0; twice < 2; ++twice) CHECK(gradus_program(place, "report " + place.file("run")).status == 0);
  const std::string page = read_file(place.file("run/report.html"));
  CHECK(page.find("<h1>run</h1>") != std::string::npos);
  CHECK(page.find("20 steps in 2 epochs") != std::string::npos);
  CHECK(page.find("This run has not finished") != std::string::npos);
  CHECK(page.find("Translated best") == std::string::npos);
  REQUIRE(gradus_program(place, toy_training(place.file("run"))).status == 0);
  const std::string whole = read_file(place.file("run/report.html"));
  CHECK(whole.find("This run has not finished") == std::string::npos);
  CHECK(whole.find("Translated best") != std::string::npos);
}

TEST_CASE("report: a finished run without its results keeps its page until they are measured again") {
  const Playground place("report-old");
  std::filesystem::copy(run("one"), place.file("run"), std::filesystem::copy_options::recursive);
  std::filesystem::remove(place.file("run/results.json"));
  std::filesystem::remove(place.file("run/timing.json"));
  const std::string page = read_file(place.file("run/report.html"));
  expect_one_line(gradus_program(place, "report " + place.file("run")), 1, "has no results.json of its model");
  CHECK(read_file(place.file("run/report.html")) == page);
  CHECK(gradus_program(place, "report " + place.file("run") + " --output " + place.file("curves")).status == 0);
  CHECK(read_file(place.file("curves")).find("training again to measure them") != std::string::npos);
  const Result again = gradus_program(place, toy_training(place.file("run")));
  CHECK(again.status == 0);
  CHECK(read_file(place.file("run/results.json")) == read_file(run("one") + "/results.json"));
  CHECK(read_file(place.file("run/report.html")).find("class=\"machine\"") ==
        std::string::npos);  // no time was measured
}

TEST_CASE("report: bad folders and numbers of them are refused in one line") {
  const Playground place("report-bad");
  std::filesystem::create_directories(place.file("empty"));
  expect_one_line(gradus_program(place, "report"), 2, "run");
  expect_one_line(gradus_program(place, "report " + place.file("nowhere")), 1, "there is no such folder");
  CHECK_FALSE(std::filesystem::exists(place.file("nowhere")));
  expect_one_line(gradus_program(place, "report " + place.file("empty")), 1, "there is no history.json in it");
  expect_one_line(gradus_program(place, "report " + std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de"),
                  1, "is a model and not the folder of a run");
  expect_one_line(gradus_program(place, "report " + run("one") + " " + run("two") + " " + run("one")), 2,
                  "not of 3");
  expect_one_line(gradus_program(place, "report " + run("one") + " --output " + place.file("no/where")), 1,
                  "there is no folder");
  std::filesystem::copy(run("one"), place.file("broken"), std::filesystem::copy_options::recursive);
  place.write("broken/results.json", "{}");
  expect_one_line(gradus_program(place, "report " + place.file("broken")), 1,
                  "results.json: these are not the results");
  place.write("broken/timing.json", "[");  // no reason to stop
  place.write("broken/results.json", read_file(run("one") + "/results.json"));
  CHECK(gradus_program(place, "report " + place.file("broken")).status == 0);
}

TEST_CASE("report: no file of another kind is replaced, also none of the run's own") {
  const Playground place("report-kinds");
  std::filesystem::copy(run("one"), place.file("run"), std::filesystem::copy_options::recursive);
  for (const auto& [option, name, kind] :
       {std::tuple{"--output ", "weights.safetensors", "is no page"},
        std::tuple{"--output ", "history.json", "is no page"}, std::tuple{"--csv ", "history.json", "is no table"},
        std::tuple{"--csv ", "report.html", "is no table"}}) {
    const std::string file = place.file("run") + "/" + name, before = read_file(file);
    expect_one_line(gradus_program(place, "report " + place.file("run") + " " + option + file), 1, kind);
    CHECK(read_file(file) == before);
  }
  for (const std::string& written : {"--output " + place.file("page"), "--csv " + place.file("table")})
    for (int twice = 0; twice < 2; ++twice)
      CHECK(gradus_program(place, "report " + place.file("run") + " " + written).status == 0);
}

TEST_CASE("report: the history as a table, in a file or on the standard output") {
  const Playground place("report-csv");
  const std::string table = gradus_program(place, "report --csv - " + run("one")).out;
  CHECK(table == to_csv(stored_run(run("one")).history));
  CHECK(lines_in(table) > 4);
  CHECK(gradus_program(place, "report " + run("one") + " --csv " + place.file("t.csv")).out ==
        place.file("t.csv") + "\n");
  CHECK(read_file(place.file("t.csv")) == table);
  expect_one_line(gradus_program(place, "report --csv - " + run("one") + " " + run("two")), 2,
                  "--csv is of one run");
  expect_one_line(gradus_program(place, "report --csv - --output x " + run("one")), 2, "exclude each other");
  expect_one_line(gradus_program(place, "report --csv - " + place.file("nowhere")), 1, "there is no such folder");
  expect_one_line(gradus_program(place, "report --csv " + place.file("no/where") + " " + run("one")), 1,
                  "there is no folder");
}

TEST_CASE("options: report") {
  const Playground place("report-options");
  judge_options("report",
                {{"run", judged_in("report_command_test.cpp", "two runs side by side")},
                 {"output", judged_in("report_command_test.cpp", "--output -")},
                 {"csv", judged_in("report_command_test.cpp", "--csv -")},
                 {"device",
                  [&] {
                    CHECK(gradus_program(place, "report --device cpu --output - " + run("one")).status == 0);
                    CHECK(gradus_program(place, "report --device tpu " + run("one")).status == 2);
                  }}},
                "tests/chapters/11_translator/report_command_test.cpp");
}

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

TEST_CASE("report: a model that reads few tokens has as many positions") {
  StoredRun short_run = stored_run(run("one"));
  short_run.results.reset();
  auto recipe = nlohmann::ordered_json::parse(short_run.recipe);
  recipe["model"]["max_length"] = 5;
  short_run.recipe = recipe.dump();
  CHECK(report_data(short_run, DeviceChoice::automatic).positions.size() == 5 * 16);
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
