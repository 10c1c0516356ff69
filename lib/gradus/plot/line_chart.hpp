#pragma once
/// \file
/// Line charts: curves with a common x axis.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "gradus/plot/svg.hpp"

namespace gradus {

struct Series {
  std::string name;
  std::vector<double> x, y;                ///< equally many, x ascending; the line has a gap where y is not finite
  std::optional<std::size_t> marked = {};  ///< the point with a ring
};

struct LineChart {
  std::string title;           ///< the quantity on the y axis
  std::string x_title;         ///< the quantity on the x axis
  std::vector<Series> series;  ///< up to four; the first has the accent colour
  bool log_y = false;          ///< points at 0 and below become gaps
  double width = 480, height = 270;
};

/// The picture; with several series their names stand beside the title. A line of few points has a dot at each
/// point, with its number. A line with more points than pixels keeps the highest and lowest point of each pixel
/// column. Throws Error if a series does not have equally many x and y.
Svg line_chart_svg(const LineChart& chart);

}  // namespace gradus
