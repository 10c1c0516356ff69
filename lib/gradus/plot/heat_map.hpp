#pragma once
/// \file
/// A table of numbers as shades of one colour, with labels on both axes: as a picture, or as characters for a
/// terminal.

#include <cstddef>
#include <string>
#include <vector>

#include "gradus/plot/svg.hpp"

namespace gradus {

struct HeatMap {
  std::vector<std::string> rows, columns;  ///< any text; an empty label is not drawn
  std::vector<double> values;              ///< (rows, columns); values that are not finite are drawn as `lowest`
  double lowest = 0, highest = 1;          ///< the palest shade and the darkest
  std::string row_title, column_title;     ///< titles of the axes; may be empty
  std::string description;                 ///< the picture in one sentence
  double cell = 24;                        ///< side of a cell in pixels
  bool scale = true;                       ///< draw a scale of the shades below the picture
};

/// The picture. Cells that are large enough show their value under the mouse pointer. Throws Error, as all
/// functions here do, if the number of values is not rows times columns.
Svg heat_map_svg(const HeatMap& map);

/// The same in four shades of block characters, two for each cell, with the column labels above and the scale
/// below.
std::string heat_map_text(const HeatMap& map);

/// The same axes around cells that the caller draws: SVG elements in units of cells, starting at (0, 0).
Svg heat_map_svg(const HeatMap& map, const std::string& cells);

/// Cells for that function, in sixteen shades and few bytes: for pages with hundreds of tables.
std::string heat_cells(const std::vector<double>& values, std::size_t columns, double lowest = 0,
                       double highest = 1);

/// Throws Error if the number of values is not rows times columns.
void check_heat_map(const HeatMap& map);

}  // namespace gradus
