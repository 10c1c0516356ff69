#pragma once
/// \file
/// The tick marks of an axis.

#include <string>
#include <vector>

namespace gradus {

/// Multiples of 1, 2 or 5 times a power of ten that enclose lowest .. highest, about `wanted` of them: the first is
/// at most `lowest`, the last at least `highest`. A range of one number, or of numbers that differ only by
/// rounding, is widened.
std::vector<double> round_ticks(double lowest, double highest, int wanted = 5);

/// The same for a logarithmic axis: 1, 2 and 5 times powers of ten; if these are too many, powers of ten between
/// two ends. Requires 0 < lowest.
std::vector<double> log_ticks(double lowest, double highest);

/// A tick's label, whole numbers in groups of three digits: "0.05", "20,000", "1e-05".
std::string tick_text(double value);

}  // namespace gradus
