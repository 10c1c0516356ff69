#include "app/answers/score_answer.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

std::string number(double score) {
  char text[40];
  std::snprintf(text, sizeof text, "%.2f", score);
  return text;
}

/// The signature of the scores of sentences: BLEU then has the effective order.
std::string of_sentences(std::string signature) {
  const std::size_t at = signature.find("|eff:no|");
  return at == signature.npos ? signature : signature.replace(at, 8, "|eff:yes|");
}

/// A row for each line of the text, a column for each metric; above them, unless numbers alone are asked for, what they are.
std::string sentence_table(const Scores& scores, bool numbers_alone) {
  std::string text;
  if (!numbers_alone) {
    text = "line";
    for (const MetricScore& m : scores.metrics) text += "\t" + m.name + "|" + of_sentences(m.signature);
    text += "\n";
  }
  for (std::size_t i = 0; i < scores.metrics.front().sentences.size(); ++i) {
    std::string row = numbers_alone ? "" : std::to_string(i + 1);
    for (const MetricScore& m : scores.metrics) row += (row.empty() ? "" : "\t") + number(m.sentences[i]);
    text += row + "\n";
  }
  return text;
}

Json metric_json(const MetricScore& m) {
  Json json{{"name", m.name}, {"score", m.score}, {"signature", m.signature}};
  if (m.interval) json["mean"] = m.interval->mean, json["half_width"] = m.interval->half_width;
  return json;
}

void add_parts(Json& json, const BleuScore& bleu) {
  json["precisions"] = bleu.precisions;
  json["brevity_penalty"] = bleu.brevity_penalty;
  json["ratio"] = bleu.ratio;
  json["hypothesis_length"] = bleu.statistics.hypothesis_length;
  json["reference_length"] = bleu.statistics.reference_length;
}

}  // namespace

std::string score_text(const Scores& scores, const ScoreChoices& choices) {
  const bool numbers_alone = choices.form == ScoreForm::numbers;
  if (choices.sentences) return sentence_table(scores, numbers_alone);
  if (!numbers_alone) return to_string(scores) + "\n";
  std::string text;
  for (const MetricScore& m : scores.metrics) {
    text += number(m.score);
    if (m.interval) text += " ± " + number(m.interval->half_width);
    text += "\n";
  }
  return text;
}

Json score_json(const Scores& scores, const ScoreChoices& choices) {
  Json json{{"metrics", Json::array()}};
  for (const MetricScore& m : scores.metrics) {
    json["metrics"].push_back(metric_json(m));
    if (!m.details.empty()) add_parts(json["metrics"].back(), scores.bleu);
  }
  if (!choices.sentences) return json;
  json["sentences"] = Json::array();
  for (std::size_t i = 0; i < scores.metrics.front().sentences.size(); ++i) {
    Json row = Json::object();
    for (const MetricScore& m : scores.metrics) row[m.name] = m.sentences[i];
    json["sentences"].push_back(row);
  }
  return json;
}

bool equals_baseline(const MetricResults& metric, std::size_t s) {
  const BootstrapResult &one = metric.systems[s], &baseline = metric.systems.front();
  return s > 0 && one.score == baseline.score && one.mean == baseline.mean;
}

Json comparison_json(const std::vector<MetricResults>& metrics, const std::vector<std::string>& names) {
  Json json{{"systems", Json::array()}};
  for (std::size_t s = 0; s < names.size(); ++s) {
    Json system{{"name", names[s]}, {"baseline", s == 0}, {"metrics", Json::array()}};
    for (const MetricResults& m : metrics) {
      const BootstrapResult& r = m.systems[s];
      Json one = metric_json({m.name, m.signature, r.score, {}, {}, ConfidenceInterval{r.mean, r.half_width}});
      if (r.p_value) one["p_value"] = equals_baseline(m, s) ? 1 : *r.p_value;
      system["metrics"].push_back(one);
    }
    json["systems"].push_back(system);
  }
  return json;
}

std::string printed(const Json& json) { return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n"; }

}  // namespace gradus
