#pragma once
/// \file
/// The first cell of every notebook includes this. It loads the compiled library, and has arrays with values in
/// braces, tables, pictures and a check of gradients. C++17; it also compiles outside a notebook.

#ifdef __CLING__
#pragma cling add_include_path("../lib")
#pragma cling add_include_path("../chapters")
#pragma cling add_include_path("../tests/wrong")
#pragma cling add_library_path("../build/release")
#pragma cling load("libgradus")
#endif

#include <cmath>
#include <initializer_list>
#include <iostream>
#include <string>
#include <type_traits>
#include <vector>
#include <xcpp/xdisplay.hpp>

#ifndef GRADUS_KERNEL
#include <nlohmann/json.hpp>
#endif

#include "gradus/device/device.hpp"
#include "gradus/plot/heat_map.hpp"
#include "gradus/plot/line_chart.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/scalar/dual.hpp"
#include "gradus/tensor/segments.hpp"
#include "gradus/tensor/view.hpp"

namespace notebook {

#ifdef GRADUS_KERNEL
using Bundle = xcpp::Bundle;  // this project's kernel; it compiles faster
#else
using Bundle = nlohmann::json;  // xeus-cling
#endif
using Names = std::vector<std::string>;

/// A matrix that owns its numbers, and becomes a view where a function takes one.
///
///     Matrix x{{1, 2}, {3, 4}};      Matrix y(2, 3);   // zeros
template <class R>
struct BasicMatrix {
  using Real = R;
  std::vector<R> values;
  std::size_t rows = 0, columns = 0;

  BasicMatrix() = default;
  BasicMatrix(std::size_t r, std::size_t c, R value = 0) : values(r * c, value), rows(r), columns(c) {}
  BasicMatrix(std::initializer_list<std::initializer_list<R>> lines) : rows(lines.size()) {
    for (const auto& line : lines) values.insert(values.end(), line.begin(), line.end());
    columns = rows == 0 ? 0 : values.size() / rows;
    for (const auto& line : lines)
      if (line.size() != columns) gradus::fail("the rows of a matrix have different lengths");
  }
  template <class Other>
  explicit BasicMatrix(const BasicMatrix<Other>& m)
      : values(m.values.begin(), m.values.end()), rows(m.rows), columns(m.columns) {}
  template <class Other>
  BasicMatrix(gradus::View<Other, 2, gradus::Host> v) : rows(v.extent[0]), columns(v.extent[1]) {
    for (std::size_t i = 0; i < rows; ++i) values.insert(values.end(), v.row(i), v.row(i) + columns);
  }

  R& operator()(std::size_t i, std::size_t j) { return values[i * columns + j]; }
  const R& operator()(std::size_t i, std::size_t j) const { return values[i * columns + j]; }
  operator gradus::View<R, 2, gradus::Host>() { return {values.data(), {rows, columns}, columns}; }
  operator gradus::View<const R, 2, gradus::Host>() const { return {values.data(), {rows, columns}, columns}; }
};
using Matrix = BasicMatrix<double>;

/// The same for a vector: Vector b{1, -1};      Vector y(3);   // zeros
template <class R>
struct BasicVector : std::vector<R> {
  using Real = R;
  using std::vector<R>::vector;
  BasicVector() = default;
  template <class Other>
  explicit BasicVector(const BasicVector<Other>& v) : std::vector<R>(v.begin(), v.end()) {}
  template <class Other>
  BasicVector(gradus::View<Other, 1, gradus::Host> v) : std::vector<R>(v.data, v.data + v.extent[0]) {}
  operator gradus::View<R, 1, gradus::Host>() { return {this->data(), {this->size()}, this->size()}; }
  operator gradus::View<const R, 1, gradus::Host>() const { return {this->data(), {this->size()}, this->size()}; }
};
using Vector = BasicVector<double>;
using Ids = BasicVector<std::int32_t>;

struct Table {
  std::string title;
  Names row_names, column_names;  ///< may be empty
  std::vector<Names> cells;
  bool is_text = false;
};

inline std::string html(const Table& table) {
  using gradus::escaped;
  const std::string open = table.is_text ? "<td style=\"text-align:left\">" : "<td>";
  std::string text = "<table>";
  if (!table.title.empty()) text += "<caption>" + escaped(table.title) + "</caption>";
  if (!table.column_names.empty()) {
    text += "<tr>";
    if (!table.row_names.empty()) text += "<th></th>";
    for (const std::string& name : table.column_names)
      text += (table.is_text ? "<th style=\"text-align:left\">" : "<th>") + escaped(name) + "</th>";
    text += "</tr>";
  }
  for (std::size_t i = 0; i < table.cells.size(); ++i) {
    text += "<tr>";
    if (i < table.row_names.size()) text += "<th>" + escaped(table.row_names[i]) + "</th>";
    for (const std::string& cell : table.cells[i]) text += open + escaped(cell) + "</td>";
    text += "</tr>";
  }
  return text + "</table>";
}

inline std::string plain(const Table& table) {
  std::string text = table.title;
  const auto line = [&](const std::string& name, const Names& cells) {
    if (!text.empty()) text += "\n";
    text += name;
    for (const std::string& cell : cells) text += "  " + cell;
  };
  if (!table.column_names.empty()) line("", table.column_names);
  for (std::size_t i = 0; i < table.cells.size(); ++i)
    line(i < table.row_names.size() ? table.row_names[i] : "", table.cells[i]);
  return text;
}

inline Bundle mime_bundle_repr(const Table& table) {
  return {{"text/html", html(table)}, {"text/plain", plain(table)}};
}

template <class R>
Table table_of(const BasicMatrix<R>& m, const std::string& title = "", int digits = 3) {
  Table table{title, {}, {}, std::vector<Names>(m.rows), false};
  for (std::size_t i = 0; i < m.rows; ++i)
    for (std::size_t j = 0; j < m.columns; ++j)
      table.cells[i].push_back(gradus::fixed(static_cast<double>(m(i, j)), digits));
  return table;
}

template <class R>
BasicMatrix<R> as_row(const BasicVector<R>& v) {
  BasicMatrix<R> m(1, v.size());
  m.values = v;
  return m;
}

template <class R>
Bundle mime_bundle_repr(const BasicMatrix<R>& m) {
  return mime_bundle_repr(table_of(m));
}
template <class R>
Bundle mime_bundle_repr(const BasicVector<R>& v) {
  return mime_bundle_repr(table_of(as_row(v)));
}

/// Shows a matrix or a vector as a table of numbers.
inline void show(const Matrix& m, const std::string& title = "", int digits = 3) {
  xcpp::display(table_of(m, title, digits));
}
inline void show(const Vector& v, const std::string& title = "", int digits = 3) {
  xcpp::display(table_of(as_row(v), title, digits));
}
/// Shows whether two results are the same, or where they differ most.
inline void compare(const std::string& name, const Matrix& ours, const Matrix& library, double tolerance = 1e-12) {
  if (ours.rows != library.rows || ours.columns != library.columns) gradus::fail("compare: two different shapes");
  std::size_t at = 0;
  const auto difference = [&](std::size_t i) { return std::fabs(ours.values[i] - library.values[i]); };
  for (std::size_t i = 0; i < ours.values.size() && !std::isnan(difference(at)); ++i)
    if (!(difference(i) <= difference(at) * 1.000001)) at = i;  // of equal ones the first
  std::string text = name + ": the same to " + gradus::number(tolerance);
  if (!ours.values.empty() && !(difference(at) <= tolerance)) {
    text = name + ": DIFFERENT, at [" + std::to_string(at / ours.columns) + ", " +
           std::to_string(at % ours.columns) + "] " + gradus::fixed(ours.values[at], 4) + " and " +
           gradus::fixed(library.values[at], 4);
  }
  std::cout << text << "\n";
}
inline void compare(const std::string& name, const Vector& ours, const Vector& library, double tolerance = 1e-12) {
  compare(name, as_row(ours), as_row(library), tolerance);
}
/// Shows a table of texts.
inline void show(const std::string& title, const Names& column_names, const std::vector<Names>& cells) {
  xcpp::display(Table{title, {}, column_names, cells, true});
}

struct Picture {
  gradus::Svg svg;
};
inline Bundle mime_bundle_repr(const Picture& picture) {
  return {{"image/svg+xml", gradus::svg_file(picture.svg)}, {"text/plain", picture.svg.description}};
}

/// Draws curves over a common axis: plot({"loss", "step", {{"ours", x, y}, {"theirs", x, z}}});
inline void plot(const gradus::LineChart& chart) { xcpp::display(Picture{gradus::line_chart_svg(chart)}); }

/// Draws a table of numbers as shades, from the palest at `lowest` to the darkest at `highest`.
inline void draw(const Matrix& m, const std::string& title, Names rows = {}, Names columns = {}, double lowest = 0,
                 double highest = 1) {
  rows.resize(m.rows);
  columns.resize(m.columns);
  gradus::HeatMap map;
  map.rows = rows, map.columns = columns, map.values = m.values, map.lowest = lowest, map.highest = highest;
  map.description = map.column_title = title;
  xcpp::display(Picture{gradus::heat_map_svg(map)});
}

// The check of a gradient.
template <class R>
std::vector<R>& numbers(BasicMatrix<R>& m) {
  return m.values;
}
template <class R>
std::vector<R>& numbers(BasicVector<R>& v) {
  return v;
}
inline BasicMatrix<gradus::Dual> dual(const Matrix& m) { return BasicMatrix<gradus::Dual>(m); }
inline BasicVector<gradus::Dual> dual(const Vector& v) { return BasicVector<gradus::Dual>(v); }

/// A gradient computed twice: at which element do both differ most, relative to numbers above 1?
struct Comparison {
  std::size_t element = 0;
  double by_hand = 0, found = 0, worst = -1;

  void add(std::size_t at, double ours, double theirs) {
    const double difference =
        std::fabs(ours - theirs) / std::fmax(1, std::fmax(std::fabs(ours), std::fabs(theirs)));
    if (std::isnan(worst) || difference <= worst * 1.000001) return;  // of equal ones the first
    element = at, by_hand = ours, found = theirs, worst = difference;
  }
};

/// Central differences: (f(x + h) - f(x - h)) / 2h, for one element of x after the other.
template <class F, class X>
Comparison by_differences(F&& f, X x, X gradient) {
  constexpr double h = 1e-5;
  Comparison result;
  for (std::size_t i = 0; i < numbers(x).size(); ++i) {
    double& number = numbers(x)[i];
    const double here = number;
    number = here + h;
    const double above = f(x);
    number = here - h;
    const double below = f(x);
    number = here;
    result.add(i, numbers(gradient)[i], (above - below) / (2 * h));
  }
  return result;
}

/// Dual numbers: one element after the other has the slope 1, and the slope of f(x) is the derivative.
template <class F, class X>
Comparison by_dual_numbers(F&& f, const X& x, X gradient) {
  auto with_slope = dual(x);
  Comparison result;
  for (std::size_t i = 0; i < numbers(with_slope).size(); ++i) {
    numbers(with_slope)[i].slope = 1;
    result.add(i, numbers(gradient)[i], f(with_slope).slope);
    numbers(with_slope)[i].slope = 0;
  }
  return result;
}

inline std::size_t columns_of(const Matrix& m) { return m.columns; }
inline std::size_t columns_of(const Vector& v) { return v.size(); }
inline Names verdict(const std::string& name, const Comparison& c, double tolerance, std::size_t columns) {
  if (c.worst <= tolerance) return {name, "agrees", "to " + gradus::number(tolerance)};
  const std::string place = std::to_string(c.element / columns) + ", " + std::to_string(c.element % columns);
  return {name, "DIFFERS",
          "at [" + place + "]: by hand " + gradus::fixed(c.by_hand, 4) + ", found " + gradus::fixed(c.found, 4)};
}

/// Compares a gradient with finite differences of f, and with dual numbers if f takes them: if it is written as
/// [&](const auto& x) { ... }, for all number types.
template <class F, class X>
void check_gradient(const std::string& name, F&& f, const X& x, const X& gradient) {
  const std::size_t columns = columns_of(x);
  if (numbers(const_cast<X&>(gradient)).size() != numbers(const_cast<X&>(x)).size())
    gradus::fail("check_gradient: " + name + " has another size than its variable");
  std::vector<Names> rows{verdict("finite differences", by_differences(f, x, gradient), 1e-6, columns)};
  if constexpr (std::is_invocable_v<F, decltype(dual(x))>)
    rows.push_back(verdict("dual numbers", by_dual_numbers(f, x, gradient), 1e-12, columns));
  show(name, {"compared with", "", ""}, rows);
}

}  // namespace notebook

using notebook::check_gradient;
using notebook::compare;
using notebook::draw;
using notebook::Ids;
using notebook::Matrix;
using notebook::Names;
using notebook::plot;
using notebook::show;
using notebook::Vector;
