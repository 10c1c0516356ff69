#pragma once
/// \file
/// A table of numbers as shades of one colour, with words on both axes: drawn, or in letters for a terminal.

#include <string>
#include <vector>

#include "gradus/plot/svg.hpp"

namespace gradus {

struct HeatMap {
  std::vector<std::string> rows, columns;  ///< any text; an empty label is not drawn
  std::vector<double> values;              ///< (rows, columns); what is not finite is drawn as `lowest`
  double lowest = 0, highest = 1;          ///< the palest shade and the darkest
  std::string row_title, column_title;     ///< what rows and columns are; may be empty
  std::string description;                 ///< the picture in a sentence
  double cell = 24;                        ///< side of a cell in pixels
  bool scale = true;                       ///< with a scale of the shades below
};

/// The picture. Cells that are large enough to point at show their value then. Throws Error, as all of these do, if
/// the values are not rows times columns.
Svg heat_map_svg(const HeatMap& map);

/// The same in four shades of block letters, two a cell, with a ladder of column labels above and the scale below.
std::string heat_map_text(const HeatMap& map);

/// The same axes around cells that the caller draws: elements in units of cells, from (0, 0) on.
Svg heat_map_svg(const HeatMap& map, const std::string& cells);

/// Cells to lay there, in sixteen shades and few bytes: for pages that hold hundreds of tables.
std::string heat_cells(const std::vector<double>& values, std::size_t columns, double lowest = 0,
                       double highest = 1);

/// Throws Error if the values are not rows times columns.
void check_heat_map(const HeatMap& map);

}  // namespace gradus
