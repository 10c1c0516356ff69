// gradus report: the page of a run from its folder alone.
#include <nlohmann/json.hpp>
#include <tuple>

#include "11_translator/training/record/history_csv.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "chapters/11_translator/two_runs.hpp"

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
  expect_refusal(gradus_program(place, "report " + place.file("broken")), "has no results.json of its model; run");
  place.write("broken/timing.json", "[");  // no reason to stop
  place.write("broken/results.json", read_file(run("one") + "/results.json"));
  CHECK(gradus_program(place, "report " + place.file("broken")).status == 0);
}

TEST_CASE("report: a damaged file of the run is named, and the page has what the others say") {
  const Playground place("report-damaged");
  const std::string folder = place.file("run"), to = " --output " + place.file("page");
  std::filesystem::copy(run("one"), folder, std::filesystem::copy_options::recursive);
  const std::string table = gradus_program(place, "report --csv - " + folder).out;
  place.write("run/history.json", "{");
  const Result r = gradus_program(place, "report --output - " + folder);
  CHECK_THAT(r.out, contains("Translated best") && contains("What it looks at"));
  CHECK(r.err == "warning: " + folder + "/history.json: this is not the history of a training; the checkpoint's " +
                     "history takes its place\n");
  // The history of the checkpoint has the last steps one by one; history.json has their mean.
  const std::string rows = gradus_program(place, "report --csv - " + folder).out;
  const std::size_t last = table.rfind("\n26,2,"), scores = table.rfind(',', table.rfind(',') - 1);
  REQUIRE(last != table.npos);
  CHECK(rows.substr(0, last) == table.substr(0, last));
  CHECK(rows.substr(rows.size() - (table.size() - scores)) == table.substr(scores));
  CHECK(rows.find("\n21,2,") != rows.npos);
  for (const char* name : {"checkpoint.safetensors", "checkpoint-before.safetensors"})
    std::filesystem::remove(folder + "/" + name);
  const Result less = gradus_program(place, "report --output - " + folder);
  CHECK(less.status == 0);
  CHECK_THAT(less.out, contains("Translated best") && contains("What it looks at"));
  CHECK_THAT(less.err, contains("history.json: this is not the history of a training; so there are no losses"));
  expect_refusal(gradus_program(place, "report --csv - " + folder), "has no history for a table");
  CHECK(gradus_program(place, "report " + folder + " " + run("two") + to).status == 0);
  place.write("run/history.json", read_file(run("one") + "/history.json"));
  place.write("run/results.json", "{}");
  const Result curves = gradus_program(place, "report " + folder + to);
  CHECK(curves.status == 0);
  CHECK(curves.err == "warning: " + folder + "/results.json: these are not the results of a training\n");
  CHECK(gradus_program(place, "report --csv - " + folder).out == table);
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
  CHECK_THAT(gradus_program(place, "report --help").out,
             gradus::test::contains("learning rate over the steps since the row before"));
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
                {{"run", judged_in("run_comparison_test.cpp", "two runs side by side")},
                 {"output", judged_in("report_command_test.cpp", "--output -")},
                 {"csv", judged_in("report_command_test.cpp", "--csv -")},
                 {"device",
                  [&] {
                    CHECK(gradus_program(place, "report --device cpu --output - " + run("one")).status == 0);
                    CHECK(gradus_program(place, "report --device tpu " + run("one")).status == 2);
                  }}},
                "tests/chapters/11_translator/report_command_test.cpp");
}

TEST_CASE("report: a model that reads few tokens has as many positions") {
  StoredRun short_run = stored_run(run("one"));
  short_run.results.reset();
  auto recipe = nlohmann::ordered_json::parse(short_run.recipe);
  recipe["model"]["max_length"] = 5;
  short_run.recipe = recipe.dump();
  CHECK(report_data(short_run, DeviceChoice::automatic).positions.size() == 5 * 16);
}
