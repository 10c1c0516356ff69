#pragma once
/// \file
/// The scores of translations as lines, as bare numbers, or as JSON.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "app/options/score_options.hpp"

namespace gradus {

/// Lines or numbers: of the whole text, or of each of its lines. Ends with a line break.
std::string score_text(const Scores& scores, const ScoreChoices& choices);

/// {"metrics": [...]}, and with --sentence-level "sentences": an object of scores for each line.
nlohmann::ordered_json score_json(const Scores& scores, const ScoreChoices& choices);

/// Whether system s has the baseline's scores, on the test set and on the resamples on average. sacreBLEU gives it the p-value of a large
/// difference, because it counts larger ones only.
bool equals_baseline(const MetricResults& metric, std::size_t s);

/// {"systems": [...]}: the figures of the paired bootstrap; `names` has the baseline first.
nlohmann::ordered_json comparison_json(const std::vector<MetricResults>& metrics,
                                       const std::vector<std::string>& names);

/// The JSON as text, with a line break at the end.
std::string printed(const nlohmann::ordered_json& json);

}  // namespace gradus
