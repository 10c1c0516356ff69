#include <algorithm>
#include <cmath>

#include "gradus/plot/heat_map.hpp"
#include "gradus/plot/markup.hpp"

namespace gradus {
namespace {

constexpr std::size_t longest = 26;             // columns of the longest label
constexpr double cosine = 0.643, sine = 0.766;  // of 50 degrees, the angle of the column labels
constexpr double gap = 6;

/// The place of the cells in the picture, in pixels.
struct Place {
  double left, top, cell;
};

/// The labels of an axis; the font is smaller if the cells are small.
struct Axis {
  Axis(const std::vector<std::string>& all, double cell)
      : sparse(std::any_of(all.begin(), all.end(), [](const std::string& label) { return label.empty(); })),
        font(sparse ? 11 : std::clamp(0.8 * cell, 5.0, 12.0)) {
    for (const std::string& label : all) {
      labels.push_back(shortened(label, longest));
      widths.push_back(text_pixels(labels.back(), font));
      widest = std::max(widest, widths.back());
    }
  }
  bool sparse;
  double font, widest = 0;
  std::vector<std::string> labels;
  std::vector<double> widths;
};

std::string text(double x, double y, const std::string& classes, const std::string& attributes,
                 const std::string& content) {
  return "<text x=\"" + number(x) + "\" y=\"" + number(y) + "\" class=\"" + classes + "\"" + attributes + ">" +
         escaped(content) + "</text>\n";
}

std::string size_of(double font) { return font == 12 ? "" : " style=\"font-size:" + number(font, 3) + "px\""; }

std::string row_labels(const Axis& rows, const Place& p) {
  std::string svg;
  for (std::size_t r = 0; r < rows.labels.size(); ++r) {
    if (rows.labels[r].empty()) continue;
    const double y = p.top + (static_cast<double>(r) + 0.5) * p.cell + 0.35 * rows.font;
    svg += text(p.left - gap, y, "end", size_of(rows.font), rows.labels[r]);
  }
  return svg;
}

std::string column_labels(const Axis& columns, const Place& p, bool turned) {
  std::string svg;
  for (std::size_t c = 0; c < columns.labels.size(); ++c) {
    if (columns.labels[c].empty()) continue;
    const double x = p.left + (static_cast<double>(c) + 0.5) * p.cell + (turned ? 0.2 * columns.font : 0);
    const double y = p.top - gap;
    const std::string turn = " transform=\"rotate(-50 " + number(x) + " " + number(y) + ")\"";
    svg += text(x, y, turned ? "" : "middle", size_of(columns.font) + (turned ? turn : ""), columns.labels[c]);
  }
  return svg;
}

/// The scale of shades, which starts at (x, y), and its width.
std::string scale(const HeatMap& map, double x, double y, double& width) {
  constexpr int steps = 8;
  constexpr double side = 12;
  const std::string low = number(map.lowest, 3), high = number(map.highest, 3);
  const double begin = x + text_pixels(low) + gap;
  std::string svg = text(x, y + 10, "soft", "", low);
  for (int i = 0; i <= steps; ++i) {
    svg += "<rect class=\"tile\" x=\"" + number(begin + i * side) + "\" y=\"" + number(y) +
           "\" width=\"12\" height=\"12\"/>" + "<rect class=\"cell\" x=\"" + number(begin + i * side) + "\" y=\"" +
           number(y) + "\" width=\"12\" height=\"12\" fill-opacity=\"" + number(static_cast<double>(i) / steps, 3) +
           "\"/>";
  }
  const double end = begin + (steps + 1) * side + gap;
  width = end + text_pixels(high) - x;
  return svg + text(end, y + 10, "soft", "", high);
}

/// Lines in the colour of the paper between the cells, if the cells are large enough.
std::string grid(std::size_t rows, std::size_t columns) {
  std::string d;
  for (std::size_t r = 1; r < rows; ++r) d += "M0 " + std::to_string(r) + "h" + std::to_string(columns);
  for (std::size_t c = 1; c < columns; ++c) d += "M" + std::to_string(c) + " 0v" + std::to_string(rows);
  return "<path class=\"grid\" stroke-width=\".05\" d=\"" + d + "\"/>";
}

/// The background, the cells, and the lines between them.
std::string cells_at(const HeatMap& map, const Place& p, const std::string& cells) {
  const std::string rows = std::to_string(map.rows.size()), columns = std::to_string(map.columns.size());
  return "<g class=\"table\" transform=\"translate(" + number(p.left) + " " + number(p.top) + ") scale(" +
         number(p.cell) + ")\"><rect class=\"tile\" width=\"" + columns + "\" height=\"" + rows + "\"/>\n" + cells +
         (p.cell >= 10 ? grid(map.rows.size(), map.columns.size()) : "") + "</g>\n";
}

Place place_of(const HeatMap& map, const Axis& rows, const Axis& columns, bool turned) {
  return {1 + rows.widest + gap + (map.row_title.empty() ? 0 : 22),
          gap + (turned ? columns.widest * sine + columns.font * cosine : columns.font) +
              (map.column_title.empty() ? 2 : columns.font + 8),
          map.cell};
}

std::string titles(const HeatMap& map, const Place& p, double bottom) {
  std::string svg;
  const double middle = (p.top + bottom) / 2;
  const std::string turn = " transform=\"rotate(-90 12 " + number(middle) + ")\"";
  if (!map.column_title.empty()) svg += text(p.left, 12, "soft", "", map.column_title);
  if (!map.row_title.empty()) svg += text(12, middle, "soft middle", turn, map.row_title);
  return svg;
}

}  // namespace

Svg heat_map_svg(const HeatMap& map, const std::string& cells) {
  check_heat_map(map);
  const Axis rows(map.rows, map.cell), columns(map.columns, map.cell);
  const bool turned = !columns.sparse && columns.widest > map.cell;
  const Place p = place_of(map, rows, columns, turned);
  const double bottom = p.top + static_cast<double>(map.rows.size()) * p.cell;

  Svg svg;
  svg.description = map.description;
  svg.content =
      cells_at(map, p, cells) + row_labels(rows, p) + column_labels(columns, p, turned) + titles(map, p, bottom);
  svg.width = p.left + static_cast<double>(map.columns.size()) * p.cell + 2;
  svg.width = std::max(svg.width, p.left + text_pixels(map.column_title));
  for (std::size_t c = 0; turned && c < columns.widths.size(); ++c) {
    svg.width = std::max(svg.width, p.left + (static_cast<double>(c) + 0.9) * p.cell + columns.widths[c] * cosine);
  }
  svg.height = bottom + 2;
  if (map.scale) {
    double width = 0;
    svg.content += scale(map, p.left, bottom + 12, width);
    svg.width = std::max(svg.width, p.left + width);
    svg.height = bottom + 28;
  }
  svg.width = std::ceil(svg.width), svg.height = std::ceil(svg.height);
  return svg;
}

}  // namespace gradus
