#pragma once
/// \file
/// The pictures of a training's report, except attention, as HTML.

#include <cstddef>
#include <string>
#include <vector>

#include "11_translator/training/record/training_history.hpp"
#include "gradus/plot/line_chart.hpp"

namespace gradus {

/// The curve of one number of a run's records over their steps.
template <class Record>
Series series(const std::string& name, const std::vector<Record>& records, double Record::*value) {
  Series s;
  s.name = name;
  for (const Record& r : records) s.x.push_back(r.step), s.y.push_back(r.*value);
  return s;
}

/// Loss, BLEU, learning rate and norm of the gradient over the steps.
std::string curves(const TrainingHistory& history);

/// The first positions of a table (P, D): at most 64 rows and at most 128 columns, which are pairs of sine and
/// cosine.
std::string positions_picture(const std::vector<float>& table, std::size_t D);

/// Three masks of chapter 04: a padding mask, a causal mask, and both.
std::string masks_picture();

}  // namespace gradus
