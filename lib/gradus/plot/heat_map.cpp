#include "gradus/plot/heat_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "gradus/plot/markup.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr double pointable = 10;  // pixels: smaller cells have no tooltip

double share(double value, double lowest, double highest) {
  const double s = (value - lowest) / (highest - lowest);
  return std::isfinite(s) ? std::clamp(s, 0.0, 1.0) : 0.0;
}

/// One rectangle for each cell, with its value as a tooltip.
std::string pointable_cells(const HeatMap& map) {
  std::string svg;
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double value = map.values[r * map.columns.size() + c];
      svg += "<rect class=\"cell\" x=\"" + std::to_string(c) + "\" y=\"" + std::to_string(r) +
             "\" width=\"1\" height=\"1\" fill-opacity=\"" + number(share(value, map.lowest, map.highest), 3) +
             "\"><title>" + escaped(map.rows[r]) + " · " + escaped(map.columns[c]) + ": " + number(value, 4) +
             "</title></rect>\n";
    }
  }
  return svg;
}

}  // namespace

void check_heat_map(const HeatMap& map) {
  if (map.values.size() == map.rows.size() * map.columns.size()) return;
  fail("heat map: " + std::to_string(map.rows.size()) + " rows and " + std::to_string(map.columns.size()) +
       " columns need as many values, not " + std::to_string(map.values.size()));
}

std::string heat_cells(const std::vector<double>& values, std::size_t columns, double lowest, double highest) {
  constexpr std::size_t shades = 16;
  // for each shade: strokes as thick as a cell, one for each run of equal cells
  std::array<std::string, shades + 1> lines;
  const auto shade = [&](std::size_t i) {
    return static_cast<std::size_t>(std::lround(shades * share(values[i], lowest, highest)));
  };
  for (std::size_t begin = 0; begin < values.size();) {
    const std::size_t row_end = (begin / columns + 1) * columns;
    std::size_t end = begin + 1;
    while (end < std::min(row_end, values.size()) && shade(end) == shade(begin)) ++end;
    lines[shade(begin)] += "M" + std::to_string(begin % columns) + " " + std::to_string(begin / columns) + "h" +
                           std::to_string(end - begin);
    begin = end;
  }
  std::string svg = "<g class=\"cells\" transform=\"translate(0 .5)\">";
  for (std::size_t s = 1; s <= shades; ++s) {  // shade 0 is the background
    if (lines[s].empty()) continue;
    svg += "<path opacity=\"" + number(static_cast<double>(s) / shades, 3) + "\" d=\"" + lines[s] + "\"/>";
  }
  return svg + "</g>";
}

Svg heat_map_svg(const HeatMap& map) {
  check_heat_map(map);
  return heat_map_svg(map, map.cell >= pointable
                               ? pointable_cells(map)
                               : heat_cells(map.values, map.columns.size(), map.lowest, map.highest));
}

std::string heat_map_text(const HeatMap& map) {
  check_heat_map(map);
  static const std::array<const char*, 5> shades{"  ", "░░", "▒▒", "▓▓", "██"};
  static const std::array<double, 5> from{0, 0.05, 0.2, 0.4, 0.7};  // most weights are small
  constexpr std::size_t longest = 24;
  std::size_t margin = 0;
  for (const std::string& row : map.rows) margin = std::max(margin, std::min(longest, display_width(row)));
  const auto indent = [](std::size_t n) { return std::string(n, ' '); };
  std::string text;
  for (std::size_t c = 0; c < map.columns.size(); ++c) {  // each label has its own line
    text += indent(margin + 1);
    for (std::size_t k = 0; k < c; ++k) text += "│ ";
    text += shortened(map.columns[c], 4 * longest) + "\n";
  }
  for (std::size_t r = 0; r < map.rows.size(); ++r) {
    const std::string label = shortened(map.rows[r], longest);
    std::string line = indent(margin - display_width(label)) + label + " ";
    for (std::size_t c = 0; c < map.columns.size(); ++c) {
      const double s = share(map.values[r * map.columns.size() + c], map.lowest, map.highest);
      line += shades[static_cast<std::size_t>(std::upper_bound(from.begin(), from.end(), s) - from.begin()) - 1];
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  text += indent(margin);
  for (std::size_t k = 1; k < shades.size(); ++k) {
    text += std::string(k == 1 ? " " : "   ") + shades[k] + " from " +
            number(map.lowest + from[k] * (map.highest - map.lowest), 3);
  }
  return text + "\n";
}

}  // namespace gradus
