#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "gradus/tensor/view.hpp"

namespace gradus::test {

/// A matrix with its own memory, for properties that compare two ways to the same numbers.
struct Matrix {
  std::size_t rows, columns;
  std::vector<double> values;

  Matrix(std::size_t n, std::size_t m) : rows(n), columns(m), values(n * m) {}
  operator View<double, 2, Host>() { return view(); }
  operator View<const double, 2, Host>() { return view(); }
  View<double, 2, Host> view() { return {values.data(), {rows, columns}, columns}; }

  static Matrix normal(std::size_t n, std::size_t m, unsigned seed) {
    Matrix x(n, m);
    std::mt19937 generator(seed);
    std::normal_distribution<double> draw;
    for (double& v : x.values) v = draw(generator);
    return x;
  }
  static Matrix copy_of(View<const double, 2, Host> v) {
    Matrix x(v.extent[0], v.extent[1]);
    for (std::size_t i = 0; i < x.values.size(); ++i) x.values[i] = v.row(i / x.columns)[i % x.columns];
    return x;
  }
};

inline void put(View<double, 2, Host> to, const Matrix& from) {
  for (std::size_t i = 0; i < from.values.size(); ++i) to.row(i / from.columns)[i % from.columns] = from.values[i];
}

/// The largest difference between two matrices of one shape; infinite for two shapes.
inline double distance(View<const double, 2, Host> a, View<const double, 2, Host> b) {
  if (a.extent != b.extent) return HUGE_VAL;
  double d = 0;
  for (std::size_t i = 0; i < a.extent[0]; ++i) {
    for (std::size_t j = 0; j < a.extent[1]; ++j) {
      const double e = std::abs(a.row(i)[j] - b.row(i)[j]);
      d = std::isnan(e) ? HUGE_VAL : std::max(d, e);
    }
  }
  return d;
}

}  // namespace gradus::test
