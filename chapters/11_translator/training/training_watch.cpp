#include "11_translator/training/training_watch.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <limits>
#include <set>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"
#include "11_translator/training/measure_limits.hpp"
#include "11_translator/warnings/limits.hpp"

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

/// The pieces of a joint vocabulary that the source side had, in this training and in that of the first weights. If one is
/// not known, or if the vocabulary has nothing else, none are named.
SeenPieces pieces_seen(const TrainingData& data) {
  const bool starts_anew = data.initial_weights.empty();
  if (!data.tokenizers.joint || (!starts_anew && data.initial_pieces.empty())) return {};
  SeenPieces seen = source_pieces(data.training_pairs(), data.tokenizers.source.size());
  for (std::size_t id = 0; id < data.initial_pieces.size(); ++id) seen[id] = seen[id] || data.initial_pieces[id];
  return seen;
}

}  // namespace

void note_step(TrainingHistory& history, const StepReport& r) {
  history.steps.push_back({r.step, r.epoch, r.loss, r.learning_rate, r.gradient_norm});
  if (r.step % steps_of_a_record == 0) merge(history.steps, r.step - steps_of_a_record);
}

std::string sign_of_divergence(const StepReport& r, double first, std::size_t words) {
  constexpr double far = 2;  // losses of small batches differ by less
  // a model that begins with trained weights may forget much, but it still knows more than nothing
  if (!(r.loss > std::max(far * first, std::log(static_cast<double>(words))))) return "";
  char losses[80];
  std::snprintf(losses, sizeof losses, "%.4g, and at the beginning it was %.4g", r.loss, first);
  return "the loss of step " + std::to_string(r.step) + " is " + losses +
         ": the training diverges; a lower --learning-rate or a longer --warmup may help";
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
  const std::vector<std::string> references = comparable(rules, lines.target);
  scoring.tokenizer = fitting_tokenizer({references});
  std::vector<std::string> output;
  for (const auto& best : translations) output.push_back(best.front().text);
  record.bleu = corpus_bleu(output, references, scoring).score;
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
  return std::min(*worst, unusual_at_most);
}

WarningLimits warning_limits(const std::vector<std::vector<TranslatedText>>& translations,
                             const TrainingData& data) {
  const TextRules& rules = data.tokenizers.target.rules();
  const std::vector<std::string> references = comparable(rules, data.valid_lines.target);
  ChrfOptions scoring;
  scoring.lowercase = rules.lower_case;
  std::vector<JudgedTranslation> judged;
  for (std::size_t i = 0; i < translations.size(); ++i) {
    const TranslatedText& best = translations[i].front();
    if (best.text.empty() || best.cut) continue;
    judged.push_back({best.token_log_prob, chrf_score(chrf_statistics(best.text, references[i], scoring))});
  }
  WarningLimits limits;
  limits.hesitant_below = hesitant_limit(std::move(judged), unusual_below(translations));
  limits.source_pieces = pieces_seen(data);
  limits.muted = muted_warnings(data.valid_lines, languages_of(data.tokenizers, limits.source_pieces));
  return limits;
}

void set_limits(ModelFiles& files, const std::vector<std::vector<TranslatedText>>& translations,
                const TrainingData& data) {
  files.unusual_below = unusual_below(translations);
  files.limits = warning_limits(translations, data);
}

}  // namespace gradus
