#pragma once
/// \file
/// How a tensor of the student's code differs from the right one.

#include <cstddef>
#include <vector>

namespace gradus::test {

/// The first wrong element of a tensor, how many there are, and whether all are still NaN, or all are 0.
struct Difference {
  std::size_t first = 0, wrong = 0;
  bool is_unwritten = true, is_zero = true;
};

/// By `bound` times the largest expected element, or times `floor` if that is larger. A NaN must be a NaN.
Difference difference(const std::vector<double>& expected, const std::vector<double>& got, double floor,
                      double bound);

/// The factor by which all elements differ from what is expected; NaN if there is none.
double common_factor(const std::vector<double>& expected, const std::vector<double>& got);

/// The place of element i of a tensor: row, column.
std::vector<std::size_t> place(std::size_t i, const std::vector<std::size_t>& shape);

}  // namespace gradus::test
