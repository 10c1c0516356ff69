#include "11_translator/training/training_watch.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "11_translator/metrics/bleu.hpp"

namespace gradus {
namespace {

constexpr std::uint32_t steps_of_a_record = 10;

/// Replaces the records after step `after` by their mean.
void merge(std::vector<StepRecord>& steps, std::uint32_t after) {
  StepRecord mean;
  std::size_t count = 0;
  for (; !steps.empty() && steps.back().step > after; steps.pop_back(), ++count) {
    const StepRecord& s = steps.back();
    if (count == 0) mean.step = s.step, mean.epoch = s.epoch;
    mean.loss += s.loss, mean.learning_rate += s.learning_rate, mean.gradient_norm += s.gradient_norm;
  }
  if (count == 0) return;
  const auto n = static_cast<double>(count);
  mean.loss /= n, mean.learning_rate /= n, mean.gradient_norm /= n;
  steps.push_back(mean);
}

/// Three indices spread over the corpus, fewer if it is smaller.
std::set<std::size_t> sample_places(std::size_t sentences) { return {0, sentences / 3, 2 * sentences / 3}; }

}  // namespace

void note_step(TrainingHistory& history, const StepReport& r) {
  history.steps.push_back({r.step, r.epoch, r.loss, r.learning_rate, r.gradient_norm});
  if (r.step % steps_of_a_record == 0) merge(history.steps, r.step - steps_of_a_record);
}

TrainingHistory shown(TrainingHistory history) {
  if (history.steps.empty()) return history;
  merge(history.steps, history.steps.back().step / steps_of_a_record * steps_of_a_record);
  return history;
}

void note_translations(ValidationRecord& record, const std::vector<std::vector<TranslatedText>>& translations,
                       const TrainingData& data) {
  const LinePairs& lines = data.valid_lines;
  BleuOptions scoring;
  const TextRules& rules = data.tokenizers.target.rules();
  scoring.lowercase = rules.lower_case;
  std::vector<std::string> output;
  for (const auto& best : translations) output.push_back(best.front().text);
  record.bleu = corpus_bleu(output, comparable(rules, lines.target), scoring).score;
  for (const std::size_t i : sample_places(output.size())) {
    record.samples.push_back({lines.source[i], lines.target[i], output[i]});
  }
}

double unusual_below(const std::vector<std::vector<TranslatedText>>& translations) {
  std::vector<double> found;
  for (const auto& best : translations) {
    if (!best.front().text.empty()) found.push_back(best.front().token_log_prob);
  }
  if (found.empty()) return -std::numeric_limits<double>::max();
  const auto worst = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 200);  // 0.5 %
  std::nth_element(found.begin(), worst, found.end());
  return *worst;
}

}  // namespace gradus
