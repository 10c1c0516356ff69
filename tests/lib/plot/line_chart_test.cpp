#include "gradus/plot/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gradus/plot/ticks.hpp"
#include "gradus/util/error.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::Approx;
using gradus::test::Element;
using gradus::test::Xml;

namespace {

std::vector<Element> lines(const Xml& xml) { return xml.all("path", "line"); }

/// The points of "M1 2L3 4".
std::vector<std::pair<double, double>> points(std::string d) {
  for (char& c : d) {
    if (c == 'M' || c == 'L') c = ' ';
  }
  std::istringstream in(d);
  std::vector<std::pair<double, double>> all;
  for (double x, y; in >> x >> y;) all.emplace_back(x, y);
  return all;
}

Xml drawn(const LineChart& chart) {
  Xml xml(svg_file(line_chart_svg(chart)));
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  return xml;
}

/// The pixel of a tick's label.
double pixel(const Xml& xml, const std::string& label, const char* axis) {
  for (const Element& e : xml.all("text")) {
    if (e.text == label) return std::stod(e[axis]) - (axis[0] == 'y' ? 4 : 0);
  }
  FAIL("no mark " << label);
  return 0;
}

}  // namespace

TEST_CASE("line chart: points lie where the axes say, and say their number") {
  LineChart chart;
  chart.title = "Loss & more", chart.x_title = "step";
  chart.series = {{"validation", {1000, 2000, 4000}, {4, 2, 3}}, {"training", {0, 4000}, {4, 0}}};
  const Xml xml = drawn(chart);
  CHECK(xml.all("svg")[0]["viewBox"] == "-16 -16 512 302");  // 480 * 270 and the margins
  REQUIRE(lines(xml).size() == 4);                           // two curves, and two in the legend
  const auto validation = points(lines(xml)[1]["d"]);
  REQUIRE(validation.size() == 3);
  CHECK(validation[0].first == Approx(pixel(xml, "1,000", "x")).margin(0.2));
  CHECK(validation[2].first == Approx(pixel(xml, "4,000", "x")).margin(0.2));
  CHECK(validation[0].second == Approx(pixel(xml, "4", "y")).margin(0.2));
  CHECK(validation[1].second == Approx(pixel(xml, "2", "y")).margin(0.2));
  CHECK(validation[2].second == Approx((validation[0].second + validation[1].second) / 2).margin(0.2));
  const auto titles = xml.all("title");
  REQUIRE(titles.size() == 5);
  CHECK(titles[2].text == "validation, 1,000: 4");
}

TEST_CASE(
    "line chart: the legend has beside each line its own name, and the axis and the picture their own titles") {
  LineChart chart;
  chart.title = "Loss", chart.x_title = "step";
  chart.series = {
      {"first", {1, 2, 3}, {7, 8, 9}}, {"second", {1, 2, 3}, {1, 3, 2}}, {"third", {1, 2, 3}, {4, 5, 4}}};
  const Xml xml = drawn(chart);
  std::vector<std::pair<std::string, std::string>> legend;  // the class of a line, and the text that follows it
  for (std::size_t i = 0; i + 1 < xml.elements.size(); ++i) {
    const Element &line = xml.elements[i], &name = xml.elements[i + 1];
    if (line.name == "path" && line["class"].rfind("line ", 0) == 0 && name.name == "text")
      legend.emplace_back(line["class"], name.text);
  }
  const std::vector<std::pair<std::string, std::string>> expected{
      {"line s2", "third"}, {"line s1", "second"}, {"line s0", "first"}};
  CHECK(legend == expected);
  std::size_t dots = 0;  // of the curves themselves, which have the same numbers
  for (std::size_t i = 0; i + 1 < xml.elements.size(); ++i) {
    const std::string dot = xml.elements[i]["class"];
    if (dot.rfind("dot", 0) != 0) continue;
    ++dots;
    CHECK(xml.elements[i + 1].text.rfind(chart.series.at(std::stoul(dot.substr(3))).name + ", ", 0) == 0);
  }
  CHECK(dots == 9);
  double lowest = 0;
  std::string lowest_text;
  for (const Element& text : xml.all("text")) {
    if (std::stod(text["y"]) > lowest) lowest = std::stod(text["y"]), lowest_text = text.text;
  }
  CHECK(lowest_text == "step");
  CHECK(xml.all("text", "heading")[0].text == "Loss");
}

TEST_CASE("line chart: a logarithmic axis has equal steps for equal factors") {
  LineChart chart;
  chart.series = {{"norm", {0, 1, 2, 3}, {0.1, 1, 10, 0}}};
  chart.log_y = true;
  const auto line = points(lines(drawn(chart))[0]["d"]);
  REQUIRE(line.size() == 3);  // zero cannot be drawn on it
  CHECK(line[0].second - line[1].second == Approx(line[1].second - line[2].second).margin(0.2));
}

TEST_CASE("line chart: what is not finite is a gap, and no data is a sentence") {
  LineChart chart;
  chart.series = {{"loss", {1, 2, 3, 4, 5}, {1, 2, std::nan(""), 2, INFINITY}}};
  const Xml xml = drawn(chart);
  CHECK(points(lines(xml)[0]["d"]).size() == 2);
  CHECK(xml.all("circle").size() == 3);
  for (const auto& series :
       std::vector<std::vector<Series>>{{}, {{"none", {}, {}}}, {{"nan", {1}, {std::nan("")}}}}) {
    chart.series = series;
    CHECK(drawn(chart).all("text").back().text == "nothing recorded yet");
  }
  chart.series = {{"one", {5}, {0}}};
  CHECK(drawn(chart).all("circle").size() == 1);
  chart.series = {{"<bad>", {1, 2}, {1}}};
  CHECK_THROWS_AS(line_chart_svg(chart), Error);
}

TEST_CASE("line chart: many points keep their extremes and few bytes") {
  LineChart chart;
  Series s{"s", {}, {}};
  for (int i = 0; i < 100000; ++i) s.x.push_back(i), s.y.push_back(i == 70001 ? 100 : std::sin(i));
  chart.series = {s};
  const Xml xml = drawn(chart);
  const std::string d = lines(xml)[0]["d"];
  CHECK(d.size() < 20000);
  double top = 1e9;
  for (const auto& [x, y] : points(d)) top = std::min(top, y);
  CHECK(top == Approx(pixel(xml, "100", "y")).margin(0.2));
}

TEST_CASE("line chart: forty points have dots, and more have none but keep both extremes of a pixel") {
  for (const std::size_t count : {40, 41}) {
    LineChart chart;
    Series s{"s", {}, {}};
    for (std::size_t i = 0; i < count; ++i) s.x.push_back(i), s.y.push_back(i % 7);
    chart.series = {s};
    CHECK(drawn(chart).all("circle").size() == (count == 40 ? 40 : 0));
  }
  LineChart chart;
  Series s{"s", {}, {}};
  for (int i = 0; i < 100000; ++i) s.x.push_back(i), s.y.push_back(i == 70001 ? 100 : i == 30001 ? -100 : 0);
  chart.series = {s};
  const Xml xml = drawn(chart);
  double top = 1e9, bottom = 0;
  for (const auto& [x, y] : points(lines(xml)[0]["d"])) top = std::min(top, y), bottom = std::max(bottom, y);
  CHECK(top == Approx(pixel(xml, "100", "y")).margin(0.2));
  CHECK(bottom == Approx(pixel(xml, "-100", "y")).margin(0.2));
}

TEST_CASE("line chart: the axis begins at 0 if the data begins near it, and ends at the last point") {
  for (const double first : {500.0, 900.0}) {
    LineChart chart;
    chart.series = {{"s", {first, 1730}, {1, 2}}};
    const Xml xml = drawn(chart);
    bool has_zero = false;
    for (const Element& e : xml.all("text", "middle")) has_zero = has_zero || e.text == "0";
    CHECK(has_zero == (first == 500));
    CHECK(points(lines(xml)[0]["d"]).back().first == Approx(chart.width - 16).margin(0.1));
  }
}

TEST_CASE("ticks: round numbers that enclose the data") {
  CHECK(round_ticks(0, 10) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(round_ticks(1.2, 8.7, 4) == std::vector<double>{0, 2, 4, 6, 8, 10});
  CHECK(round_ticks(0, 0).front() == 0);
  CHECK(round_ticks(0, 0).back() == 1);
  CHECK(round_ticks(3, 3).back() > 3);
  for (const double high : {1e-9, 0.004, 1.0, 37.2, 3744.0, 1e12}) {
    const auto ticks = round_ticks(high / 3, high);
    INFO(high);
    CHECK(ticks.front() <= high / 3);
    CHECK(ticks.back() >= high * (1 - 1e-9));
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 8);
  }
  for (const double x : {0.02, -7.5, 1e20, 4e-310, 0.0}) {  // means of equal numbers differ in their last digits
    const auto ticks = round_ticks(x, std::nextafter(std::nextafter(x, INFINITY), INFINITY));
    INFO(x);
    CHECK(ticks.size() >= 3);
    CHECK(ticks.size() <= 8);
    CHECK(ticks.front() <= x);
    CHECK(ticks.back() > x);
  }
  CHECK(log_ticks(0.3, 7).front() == Approx(0.2));
  CHECK(log_ticks(0.3, 7).back() == Approx(10));
  CHECK(log_ticks(1, 1).size() >= 2);
  const auto wide = log_ticks(1e-6, 1e6);
  CHECK(wide.size() == 13);
  CHECK(wide.front() == Approx(1e-6));
  CHECK(tick_text(0.05) == "0.05");
  CHECK(tick_text(999) == "999");
  CHECK(tick_text(2613760) == "2,613,760");
  CHECK(tick_text(-20000) == "-20,000");
  CHECK(tick_text(1e-5) == "1e-05");
}
