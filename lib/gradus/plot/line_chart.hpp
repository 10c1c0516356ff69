#pragma once
/// \file
/// Curves over a common axis.

#include <optional>
#include <string>
#include <vector>

#include "gradus/plot/svg.hpp"

namespace gradus {

struct Series {
  std::string name;
  std::vector<double> x, y;                ///< equally many, x ascending; where y is not finite the line has a gap
  std::optional<std::size_t> marked = {};  ///< the point that gets a ring
};

struct LineChart {
  std::string title;           ///< what the y axis shows
  std::string x_title;         ///< and the x axis
  std::vector<Series> series;  ///< up to four; the first has the accent
  bool log_y = false;          ///< points at 0 and below are gaps
  double width = 480, height = 270;
};

/// The picture, with the names beside the title where there are several. A line of few points has a dot with its
/// number at each; one of more points than pixels keeps the highest and lowest of each pixel. Throws Error if a
/// series has unequally many x and y.
Svg line_chart_svg(const LineChart& chart);

}  // namespace gradus
