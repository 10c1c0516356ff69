#include "app/report/report_pictures.hpp"

#include <algorithm>

#include "03_attention/attention.hpp"
#include "gradus/plot/heat_map.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::string figure(const Svg& svg, const std::string& caption = "") {
  return "<figure>" + inline_svg(svg) + (caption.empty() ? "" : "<figcaption>" + caption + "</figcaption>") +
         "</figure>\n";
}

/// The validations' curve, with a ring around the one of the lowest loss.
Series validation_series(const std::string& name, const std::vector<ValidationRecord>& validations,
                         double ValidationRecord::*value) {
  Series s = series(name, validations, value);
  s.marked = best_validation(validations);
  return s;
}

LineChart chart(const std::string& title, std::vector<Series> all) {
  LineChart c;
  c.title = title, c.x_title = "step", c.series = std::move(all);
  return c;
}

/// A mask for the sentences of chapter 04: rows are queries, columns are keys.
Svg mask_picture(const std::string& title, const std::vector<std::string>& words, const std::vector<double>& mask) {
  HeatMap map;
  map.rows = map.columns = words;
  map.values = mask;
  map.cell = 22, map.scale = false;
  map.column_title = title;
  map.description = title;
  return heat_map_svg(map);
}

}  // namespace

std::string curves(const TrainingHistory& history) {
  const auto& steps = history.steps;
  const auto& validations = history.validations;
  LineChart norm = chart("Norm of the gradient", {series("norm", steps, &StepRecord::gradient_norm)});
  norm.log_y = true;
  return "<div class=\"pair\">\n" +
         figure(line_chart_svg(chart("Loss", {validation_series("validation", validations, &ValidationRecord::loss),
                                              series("training", steps, &StepRecord::loss)}))) +
         figure(line_chart_svg(chart("BLEU on the validation sentences, greedy",
                                     {validation_series("BLEU", validations, &ValidationRecord::bleu)}))) +
         figure(line_chart_svg(chart("Learning rate", {series("rate", steps, &StepRecord::learning_rate)}))) +
         figure(line_chart_svg(norm)) + "</div>\n" +
         (validations.empty() ? "" : "<p class=\"note\">The ring: the best validation, by its loss.</p>\n");
}

std::string positions_picture(const std::vector<float>& table, std::size_t D) {
  if (D == 0 || table.size() % D != 0)
    fail("report: the table of positions does not have rows of " + std::to_string(D));
  const std::size_t rows = std::min<std::size_t>(64, table.size() / D), stride = (D + 127) / 128;
  HeatMap map;
  for (std::size_t p = 0; p < rows; ++p) map.rows.push_back(p % 8 == 0 ? std::to_string(p) : "");
  std::vector<std::size_t> shown;
  for (std::size_t pair = 0; pair < D / 2; pair += stride) shown.insert(shown.end(), {2 * pair, 2 * pair + 1});
  for (std::size_t i = 0; i < shown.size(); ++i) map.columns.push_back(i % 16 == 0 ? std::to_string(shown[i]) : "");
  for (std::size_t p = 0; p < rows; ++p) {
    for (const std::size_t d : shown) map.values.push_back(table[p * D + d]);
  }
  map.lowest = -1, map.highest = 1;
  map.row_title = "position", map.column_title = "dimension";
  map.description = "The positional encoding of the first " + std::to_string(rows) + " positions";
  map.cell = std::min(7.0, 470.0 / static_cast<double>(std::max(rows, shown.size())));
  return figure(heat_map_svg(map),
                "A row is what is added to the word at that position. Fast waves on the left tell neighbours "
                "apart, slow ones on the right tell far from near.");
}

std::string masks_picture() {
  const std::vector<std::string> words{"a", "dog", "<eos>", "<pad>"};
  const std::size_t T = words.size(), real = 3;  // words that are not padding
  const auto mask = [&](bool padding, bool causal) {
    std::vector<double> cells;  // (T, T): eq:4.1 and eq:4.2
    for (std::size_t i = 0; i < T * T; ++i) {
      const bool seen = !padding || i % T < real, past = i % T < visible_keys(i / T, T, T, causal);
      cells.push_back(seen && past ? 1 : 0);
    }
    return cells;
  };
  return "<div class=\"masks\">\n" + figure(mask_picture("padding", words, mask(true, false))) +
         figure(mask_picture("causal", words, mask(false, true))) +
         figure(mask_picture("both", words, mask(true, true))) +
         "</div>\n<p class=\"note\">A row may look where its square is filled. Encoder and cross-attention hide "
         "the padding of the source, the decoder hides its own padding and the future. This program computes no "
         "padding at all: it packs sentences one after another, which gives the same numbers.</p>\n";
}

}  // namespace gradus
