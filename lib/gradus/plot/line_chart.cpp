#include "gradus/plot/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include "gradus/plot/markup.hpp"
#include "gradus/plot/ticks.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

constexpr double right_margin = 16;
constexpr std::size_t few = 40;  // lines with at most this many points get dots

struct Point {
  double x, y;
};

/// Maps numbers to pixels.
struct Frame {
  double left = 0, right = 0, top = 0, bottom = 0;
  std::vector<double> x_ticks, y_ticks;
  double x_last = 1;  // the x axis ends at the last data point, not at a tick
  bool log_y = false;

  double height(double y) const { return log_y ? std::log10(y) : y; }
  double px(double x) const { return left + (right - left) * (x - x_ticks.front()) / (x_last - x_ticks.front()); }
  double py(double y) const {
    const double low = height(y_ticks.front()), high = height(y_ticks.back());
    return bottom - (bottom - top) * (height(y) - low) / (high - low);
  }
};

bool drawable(double x, double y, bool log_y) { return std::isfinite(x) && std::isfinite(y) && (!log_y || y > 0); }

std::string text(double x, double y, const char* classes, const std::string& content) {
  return "<text x=\"" + number(x, 4) + "\" y=\"" + number(y, 4) + "\" class=\"" + classes + "\">" +
         escaped(content) + "</text>\n";
}

/// Makes the frame around all points. Returns false if there are no points.
bool fit(const LineChart& chart, Frame& f) {
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  for (const Series& s : chart.series) {
    if (s.x.size() != s.y.size()) {
      fail("line chart: " + s.name + " has " + std::to_string(s.x.size()) + " x and " + std::to_string(s.y.size()) +
           " y");
    }
    for (std::size_t i = 0; i < s.x.size(); ++i) {
      if (!drawable(s.x[i], s.y[i], chart.log_y)) continue;
      x_low = std::min(x_low, s.x[i]), x_high = std::max(x_high, s.x[i]);
      y_low = std::min(y_low, s.y[i]), y_high = std::max(y_high, s.y[i]);
    }
  }
  if (!(x_low <= x_high)) return false;
  f.log_y = chart.log_y;
  f.x_ticks = round_ticks(x_low > 0 && x_low < x_high / 3 ? 0 : x_low, x_high);
  f.x_last = x_low < x_high ? std::max(x_high, f.x_ticks[1]) : f.x_ticks.back();
  f.y_ticks = chart.log_y ? log_ticks(y_low, y_high) : round_ticks(y_low, y_high, 4);
  return true;
}

std::string axes(const LineChart& chart, const Frame& f) {
  std::string lines, labels;
  for (const double y : f.y_ticks) {
    lines += "M" + number(f.left) + " " + number(f.py(y), 4) + "H" + number(f.right);
    labels += text(f.left - 8, f.py(y) + 4, "soft end", tick_text(y));
  }
  for (const double x : f.x_ticks) {
    if (x > f.x_last) continue;
    lines += "M" + number(f.px(x), 4) + " " + number(f.bottom) + "v4";
    labels += text(f.px(x), f.bottom + 18, "soft middle", tick_text(x));
  }
  return "<path class=\"rule\" d=\"" + lines + "\"/>\n" + labels +
         text(f.right, f.bottom + 36, "soft end", chart.x_title);
}

/// Keeps the lowest and the highest point of each pixel column, in their order.
std::vector<Point> thinned(const std::vector<Point>& points) {
  std::vector<Point> kept;
  for (std::size_t begin = 0; begin < points.size();) {
    std::size_t end = begin, low = begin, high = begin;
    for (; end < points.size() && std::floor(points[end].x) == std::floor(points[begin].x); ++end) {
      if (points[end].y < points[low].y) low = end;
      if (points[end].y > points[high].y) high = end;
    }
    kept.push_back(points[std::min(low, high)]);
    if (low != high) kept.push_back(points[std::max(low, high)]);
    begin = end;
  }
  return kept;
}

std::string polyline(const std::vector<Point>& points) {
  std::string d;
  for (const Point& p : points) d += (d.empty() ? "M" : "L") + number(p.x, 4) + " " + number(p.y, 4);
  return d;
}

std::string stroke(const std::vector<Point>& points) {
  if (points.size() > few) return polyline(thinned(points));
  return points.size() > 1 ? polyline(points) : "";
}

/// A ring around the series' marked point, if that point can be drawn.
std::string ring(const Series& s, const Frame& f, const std::string& style) {
  if (!s.marked || *s.marked >= s.x.size() || !drawable(s.x[*s.marked], s.y[*s.marked], f.log_y)) return "";
  const double x = s.x[*s.marked], y = s.y[*s.marked];
  return "<path class=\"ring s" + style + "\" d=\"M" + number(f.px(x) - 6, 4) + " " + number(f.py(y), 4) +
         "a6 6 0 1 0 12 0a6 6 0 1 0 -12 0\"><title>" + escaped(s.name) + ", " + tick_text(x) + ": " + number(y, 4) +
         "</title></path>\n";
}

/// Line and dots of a series.
std::string curve(const Series& s, const Frame& f, std::size_t style) {
  std::string d, dots;
  std::vector<Point> run;
  for (std::size_t i = 0; i <= s.x.size(); ++i) {
    if (i < s.x.size() && drawable(s.x[i], s.y[i], f.log_y)) {
      const Point p{f.px(s.x[i]), f.py(s.y[i])};
      run.push_back(p);
      if (s.x.size() > few) continue;
      dots += "<circle class=\"dot" + std::to_string(style) + "\" cx=\"" + number(p.x, 4) + "\" cy=\"" +
              number(p.y, 4) + "\" r=\"2.6\"><title>" + escaped(s.name) + ", " + tick_text(s.x[i]) + ": " +
              number(s.y[i], 4) + "</title></circle>\n";
      continue;
    }
    d += stroke(run);
    run.clear();
  }
  return "<path class=\"line s" + std::to_string(style) + "\" d=\"" + d + "\"/>\n" +
         ring(s, f, std::to_string(style)) + dots;
}

/// The names of the series, right-aligned on the title's line.
std::string legend(const LineChart& chart) {
  constexpr double sample = 18, gap = 6;
  std::string svg;
  double x = chart.width - right_margin;
  for (std::size_t i = chart.series.size(); i-- > 0;) {
    const std::string name = shortened(chart.series[i].name, 16), style = std::to_string(i % 4);
    svg += "<path class=\"line s" + style + "\" d=\"M" + number(x - sample, 4) + " 10h" + number(sample) +
           "\"/>\n" + text(x - sample - gap, 14, "soft end", name);
    x -= sample + gap + text_pixels(name) + 2 * gap;
  }
  return svg;
}

}  // namespace

Svg line_chart_svg(const LineChart& chart) {
  Svg svg{chart.width, chart.height, chart.title + " over " + chart.x_title, text(0, 14, "heading", chart.title)};
  Frame f;
  f.top = 34, f.bottom = chart.height - 44;
  if (!fit(chart, f)) {
    svg.content += text(0, 40, "soft", "nothing recorded yet");
    return svg;
  }
  f.left = 48;  // equal for charts below one another, unless a tick label needs more
  for (const double y : f.y_ticks) {
    f.left = std::max(f.left, text_pixels(tick_text(y)) + 10);
  }
  f.right = chart.width - right_margin;
  svg.content += axes(chart, f);
  for (std::size_t i = chart.series.size(); i-- > 0;)
    svg.content += curve(chart.series[i], f, i % 4);  // drawn last to first, so the first series is on top
  if (chart.series.size() > 1) svg.content += legend(chart);
  return svg;
}

}  // namespace gradus
