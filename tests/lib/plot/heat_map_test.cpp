#include "gradus/plot/heat_map.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "gradus/plot/markup.hpp"
#include "gradus/util/error.hpp"
#include "lib/plot/xml.hpp"
#include "support/catch.hpp"

using namespace gradus;
using gradus::test::Approx;
using gradus::test::Element;
using gradus::test::Xml;

namespace {

/// Two rows, three columns, so that a picture with swapped axes does not fit.
HeatMap small() {
  HeatMap map;
  map.rows = {"ein", "Hund"}, map.columns = {"a", "dog", "<eos>"};
  map.values = {0.75, 0.125, 0.125, 0.0, 0.9, 0.1};
  map.description = "a & b";
  return map;
}

double value(const Element& e, const char* key) { return std::stod(e[key]); }

}  // namespace

TEST_CASE("heat map: every cell says its row, its column and its value, and is as strong as that") {
  const Xml xml(svg_file(heat_map_svg(small())));
  INFO(xml.fault);
  REQUIRE(xml.fault.empty());
  const HeatMap map = small();
  const auto titles = xml.all("title");
  std::vector<Element> cells;
  for (const Element& e : xml.all("rect", "cell")) {
    if (e["width"] == "1") cells.push_back(e);
  }
  REQUIRE(titles.size() == 6);
  REQUIRE(cells.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const std::size_t row = i / 3, column = i % 3;
    CHECK(titles[i].text == map.rows[row] + " · " + map.columns[column] + ": " + number(map.values[i]));
    CHECK(value(cells[i], "x") == column);
    CHECK(value(cells[i], "y") == row);
    CHECK(value(cells[i], "fill-opacity") == map.values[i]);
  }
  CHECK(xml.elements[0]["aria-label"] == "a & b");
}

TEST_CASE("heat map: all labels are drawn, within the picture, and long ones cut") {
  HeatMap map = small();
  map.rows[0] = "Donaudampfschifffahrtsgesellschaftskapitän", map.columns[2] = "\x1b[31m<script>\xff";
  map.row_title = "rows", map.column_title = "columns";
  const Svg svg = heat_map_svg(map);
  const Xml xml(svg_file(svg));
  REQUIRE(xml.fault.empty());
  std::string shown;
  for (const Element& e : xml.all("text")) {
    shown += e.text + "\n";
    CHECK(value(e, "x") >= 0);
    CHECK(value(e, "x") <= svg.width);
    CHECK(value(e, "y") <= svg.height);
    if (e["class"] == "end") CHECK(value(e, "x") >= text_pixels(e.text));
  }
  for (const std::string label :
       {"Donaudampfschifffahrtsges…", "Hund", "a", "dog", "␛[31m<script>\uFFFD", "rows", "columns"}) {
    INFO(label);
    CHECK(shown.find(label + "\n") != std::string::npos);
  }
}

TEST_CASE("heat map: labels stand beside their cells, in letters that fit them") {
  for (const auto& [cell, font] : {std::pair{24.0, 12.0}, {10.0, 8.0}, {4.0, 5.0}}) {
    HeatMap map = small();
    map.cell = cell;
    map.columns = {"a", "b", "c"};
    const Xml xml(svg_file(heat_map_svg(map)));
    REQUIRE(xml.fault.empty());
    std::vector<Element> rows;
    for (const Element& e : xml.all("text")) {
      if (e["class"] == "end") rows.push_back(e);
    }
    REQUIRE(rows.size() == 2);
    CHECK(value(rows[1], "y") - value(rows[0], "y") == Approx(cell).margin(0.02));
    CHECK(rows[0]["style"] == (font == 12 ? "" : "font-size:" + number(font, 3) + "px"));
  }
}

TEST_CASE("heat map: the labels stand at the middle of their rows and columns") {
  HeatMap map = small();
  map.columns = {"a", "b", "c"}, map.scale = false, map.row_title = "rows", map.column_title = "columns";
  const Xml xml(svg_file(heat_map_svg(map)));
  REQUIRE(xml.fault.empty());
  std::istringstream place(xml.all("g", "table").at(0)["transform"].substr(std::string("translate(").size()));
  double left = 0, top = 0;
  place >> left >> top;
  const auto text = [&](const std::string& wanted) {
    for (const Element& e : xml.all("text")) {
      if (e.text == wanted) return e;
    }
    FAIL("no text " << wanted);
    return Element{};
  };
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(value(text(map.rows[i]), "y") == Approx(top + 24 * (i + 0.5) + 0.35 * 12).margin(0.02));
    CHECK(value(text(map.rows[i]), "x") < left);
  }
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(value(text(map.columns[i]), "x") == Approx(left + 24 * (i + 0.5)).margin(0.02));
    CHECK(value(text(map.columns[i]), "y") < top);
  }
  CHECK(value(text("columns"), "x") == Approx(left).margin(0.02));
  CHECK(value(text("rows"), "y") == Approx(top + 24).margin(0.02));  // the middle of two rows
}

TEST_CASE("heat map: the scale goes from the lowest value on the left to the highest on the right") {
  HeatMap map = small();
  map.lowest = -1.5, map.highest = 2.25;
  const Xml xml(svg_file(heat_map_svg(map)));
  REQUIRE(xml.fault.empty());
  std::vector<double> shades, places;
  for (const Element& e : xml.all("rect", "cell")) {
    if (e["width"] == "12") shades.push_back(value(e, "fill-opacity")), places.push_back(value(e, "x"));
  }
  CHECK(shades == std::vector<double>{0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1});
  CHECK(std::is_sorted(places.begin(), places.end()));
  std::vector<Element> ends = xml.all("text", "soft");
  REQUIRE(ends.size() == 2);
  CHECK((ends[0].text == "-1.5" && value(ends[0], "x") < places.front()));
  CHECK((ends[1].text == "2.25" && value(ends[1], "x") > places.back()));
  CHECK(heat_map_text(map).find(" from -1.31   ") != std::string::npos);  // -1.5 + 0.05 * 3.75
  CHECK(heat_map_text(map).find(" from 1.12\n") != std::string::npos);
}

TEST_CASE("heat map: lines between cells of ten pixels or more") {
  const auto grid = [](double cell) {
    HeatMap map = small();
    map.cell = cell;
    const Xml xml(svg_file(heat_map_svg(map)));
    const auto found = xml.all("path", "grid");
    return found.empty() ? "" : found[0]["d"];
  };
  CHECK(grid(10) == "M0 1h3M1 0v2M2 0v2");
  CHECK(grid(9.9).empty());
}

TEST_CASE("heat map: the picture ends where the longest turned label does") {
  HeatMap map = small();
  map.columns[2] = "a label longer than cells", map.scale = false;
  const Svg svg = heat_map_svg(map);
  const Xml xml(svg_file(svg));
  REQUIRE(xml.fault.empty());
  double end = 0;
  for (const Element& e : xml.all("text")) {
    if (e["transform"].find("rotate(-50") == std::string::npos) continue;
    const double middle =
        value(e, "x") - 0.2 * 12;  // of the cell: a turned label begins a fifth of its size behind it
    end = std::max(end, middle + 0.4 * map.cell + text_pixels(e.text) * 0.643);
  }
  CHECK(end > 100);
  CHECK(svg.width == Approx(std::ceil(end)).margin(1));
}

TEST_CASE("heat map: cells in few bytes are runs of equal shades, row by row") {
  CHECK(heat_cells({1, 1, 0, 0.5, 0.5, 1}, 3) ==
        "<g class=\"cells\" transform=\"translate(0 .5)\"><path opacity=\"0.5\" d=\"M0 1h2\"/>"
        "<path opacity=\"1\" d=\"M0 0h2M2 1h1\"/></g>");
  CHECK(heat_cells({-1, 0, 1, 7, std::nan("")}, 5, -1, 1).find("<path opacity=\"1\" d=\"M2 0h2\"/>") !=
        std::string::npos);
  for (int shade = 1; shade <= 16; ++shade)
    CHECK(heat_cells({shade / 16.0}, 1).find("opacity=\"" + number(shade / 16.0, 3) + "\"") != std::string::npos);
  CHECK(heat_cells({0, 1, 1, 0}, 2).find("d=\"M1 0h1M0 1h1\"") != std::string::npos);  // no run goes round a corner
  CHECK(heat_cells({}, 0).find("path") == std::string::npos);
}

TEST_CASE("heat map: in letters, one rung a column, one line a row, and the scale") {
  HeatMap map = small();
  map.rows[1] = "世界";  // four columns wide
  CHECK(heat_map_text(map) ==
        "     a\n"
        "     │ dog\n"
        "     │ │ <eos>\n"
        " ein ██░░░░\n"
        "世界   ██░░\n"
        "     ░░ from 0.05   ▒▒ from 0.2   ▓▓ from 0.4   ██ from 0.7\n");
  map.columns[0] = "\x1b[2J";
  CHECK(heat_map_text(map).find('\x1b') == std::string::npos);
}

TEST_CASE("heat map: nothing at all is a picture, a wrong number of values is an error") {
  CHECK(Xml(svg_file(heat_map_svg(HeatMap{}))).fault.empty());
  HeatMap map = small();
  map.values.pop_back();
  CHECK_THROWS_AS(heat_map_svg(map), Error);
  CHECK_THROWS_AS(heat_map_svg(map, ""), Error);
  CHECK_THROWS_AS(heat_map_text(map), Error);
}
