#include "app/report/training_report.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <set>

#include "chapters/11_translator/attention_records.hpp"
#include "gradus/plot/ticks.hpp"
#include "gradus/util/error.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

ReportData example() {
  ReportData d;
  d.title = "English <-> German";
  for (std::uint32_t step = 10; step <= 3740; step += 10)
    d.history.steps.push_back({step, 1 + step / 1000, 8.0 / step, 1e-3, 2});
  for (std::uint32_t e = 1; e <= 9; ++e) {
    d.history.validations.push_back(
        {e * 400, e, 3.5 - 0.125 * e, 4.25 * e, {{"a dog", "ein Hund", "Versuch " + std::to_string(e)}}});
  }
  d.history.command = {"gradus", "train", "--output", "it's & \"mine\"", "--epochs", "16"};
  d.model.source_vocab = d.model.target_vocab = 6000;
  d.model.d_model = 8;
  d.facts = {{"training pairs", "29,000"}};
  d.scores = {{"BLEU", 38.776}, {"chrF2", 62.39}};
  for (std::size_t i = 0; i < 100 * 8; ++i) d.positions.push_back(std::sin(static_cast<float>(i)));
  d.attention = {record(), record("_<i>")};
  d.best = {{"the best", "das Beste", "das <Beste>", 99.94}};
  d.worst = {{"the worst", "das Schlimmste", "die Wurst", 3.14}};
  return d;
}

Xml parsed(const ReportData& data) {
  const std::string html = training_report(data);
  CHECK(html.size() < 1000000);
  Xml xml(html);
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  return xml;
}

bool shows(const Xml& xml, const std::string& text) {
  for (const Element& e : xml.elements) {
    if (e.text.find(text) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("report: the numbers shown are the numbers given") {
  const Xml xml = parsed(example());
  for (const char* text :
       {"English <-> German", "38.78", "62.39", "3,740 steps in 4 epochs", "29,000", "validation, 400: 3.375",
        "BLEU, 3,600: 38.25", "99.9", "3.1", "das <Beste>", "die Wurst"}) {
    INFO(text);
    CHECK(shows(xml, text));
  }
  CHECK(xml.all("circle").size() == 2 * 9);        // loss and BLEU of each validation
  CHECK(xml.all("path", "line").size() == 5 + 2);  // five curves and a legend of two
  const auto rings = xml.all("path", "ring");      // the best validation in both curves, and nowhere else
  REQUIRE(rings.size() == 2);
  CHECK(shows(xml, "validation, 3,600: 2.375"));
  const std::string dots[] = {"validation, 3,600: 2.375", "BLEU, 3,600: 38.25"};
  for (std::size_t i = 0; i < rings.size(); ++i) {
    const std::string place = rings[i]["d"];
    const auto after =
        std::find_if(xml.elements.begin(), xml.elements.end(), [&](const Element& e) { return e["d"] == place; });
    REQUIRE(after + 1 < xml.elements.end());
    CHECK((after + 1)->text == dots[i]);
  }
  for (const char* attempt : {"Versuch 1", "Versuch 9"}) CHECK(shows(xml, attempt));
  CHECK_FALSE(shows(xml, "Versuch 3"));  // six of nine are enough
}

TEST_CASE("report: of many validations twelve are in the table, with the first, the best and the last") {
  ReportData d = example();
  d.history.validations.clear();
  for (std::uint32_t e = 1; e <= 30; ++e)
    d.history.validations.push_back({e * 400, e, e == 8 ? 0.5 : 3, 1.5 * e, {}});
  const auto steps = [](const ReportData& data) {
    const std::string page = training_report(data), begin = "<table class=\"validations\">";
    const std::size_t at = page.find(begin), end = page.find("</table>", at);
    REQUIRE(end != page.npos);
    std::set<std::string> found;
    for (const Element& cell : Xml(page.substr(at, end + 8 - at)).all("td", "number")) found.insert(cell.text);
    return found;
  };
  const std::set<std::string> all = steps(d);
  const int shown[] = {1, 3, 6, 8, 9, 12, 15, 18, 21, 24, 27, 30};
  for (int e = 1; e <= 30; ++e) {
    INFO(e);
    CHECK(all.count(tick_text(400.0 * e)) == (std::count(std::begin(shown), std::end(shown), e) != 0 ? 1U : 0U));
  }
}

TEST_CASE("report: the cells contain the names of their columns, for narrow screens") {
  for (const char* column : {"source", "reference", "translation"}) {
    CHECK(training_report(example()).find("<td data-name=\"" + std::string(column) + "\"") != std::string::npos);
  }
}

TEST_CASE("report: has every head of every sentence, and loads nothing from the network") {
  const std::string html = training_report(example());
  const Xml xml = parsed(example());
  std::size_t maps = 0;
  for (const Element& input : xml.all("input")) maps += input["aria-label"].empty() ? 0U : 1U;
  CHECK(maps == 2 * (7 + 5 + 5) * 3);
  for (const Element& e : xml.elements) {
    CHECK(e["src"].empty());
    CHECK((e["href"].empty() || e["href"][0] == '#'));
  }
  CHECK(html.find("url(") == std::string::npos);
  CHECK(html.find("@import") == std::string::npos);
}

TEST_CASE("report: a shell can run the shown command unchanged") {
  CHECK(shell_command({"gradus", "train", "--output", "it's & \"mine\"", "--seed", "1", ""}) ==
        "gradus train \\\n    --output 'it'\\''s & \"mine\"' \\\n    --seed 1 ''");
  const Xml xml = parsed(example());
  CHECK(xml.all("pre")[0].text == "gradus train \\\n    --output 'it'\\''s & \"mine\"' \\\n    --epochs 16\n");
}

TEST_CASE("report: absent data is left out, and a run without a step has a report") {
  const Xml xml = parsed(ReportData{});
  CHECK(xml.all("section", "attention").empty());
  CHECK(xml.all("pre").empty());
  CHECK(shows(xml, "nothing recorded yet"));
  ReportData wrong;
  wrong.positions = {1, 2, 3};
  CHECK_THROWS_AS(training_report(wrong), Error);
}

TEST_CASE("report: stays below a megabyte, and says what it leaves out") {
  ReportData d = example();
  std::vector<std::string> many;
  for (int i = 0; i < 60; ++i) many.push_back("_piece" + std::to_string(i));
  const AttentionRecord large{"long", "lang", maps(6, many, many), maps(6, many, many), maps(6, many, many)};
  d.attention.assign(8, large);
  for (std::uint32_t step = 3750; step < 600000; step += 10) d.history.steps.push_back({step, 9, 2, 1e-3, 2});
  const Xml xml = parsed(d);
  CHECK_FALSE(xml.all("section", "attention").empty());
  CHECK(shows(xml, "Left out"));
}
