#include "11_translator/training/training_watch.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "11_translator/bleu.hpp"
#include "11_translator/translator.hpp"
#include "gradus/device/device.hpp"

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

/// Three places spread over the corpus, fewer if it is smaller.
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

template <class Dev>
ValidationRecord validation_record(Dev& dev, const Model<Dev>& model, const TrainingData& data,
                                   const SentenceMarks& marks, Workers& workers, std::size_t threads) {
  ValidationRecord record;
  record.loss = mean_loss(model, data.valid, marks, workers);
  TranslateOptions greedy;
  greedy.beam_size = 1;
  greedy.threads = threads;
  const LinePairs& lines = data.valid_lines;
  const Translator translator = Translator::of({model.config, current_weights(dev, model), data.tokenizers});
  std::vector<std::string> said;
  for (const auto& best : translator.translate(lines.source, greedy)) said.push_back(best.front().text);
  record.bleu = corpus_bleu(said, lines.target).score;
  for (const std::size_t i : sample_places(said.size())) {
    record.samples.push_back({lines.source[i], lines.target[i], said[i]});
  }
  return record;
}

double unusual_below(const ModelFiles& model, const std::vector<std::string>& sources, std::size_t threads) {
  TranslateOptions options;
  options.threads = threads;
  std::vector<double> found;
  for (const auto& best : Translator::of(model).translate(sources, options)) {
    if (!best.front().text.empty()) found.push_back(best.front().token_log_prob);
  }
  if (found.empty()) return -std::numeric_limits<double>::max();
  const auto worst = found.begin() + static_cast<std::ptrdiff_t>(found.size() / 200);  // 0.5 %
  std::nth_element(found.begin(), worst, found.end());
  return *worst;
}

template <class Dev>
std::vector<float> current_weights(Dev& dev, const Model<Dev>& model) {
  std::vector<typename Dev::Real> weights;
  read(dev, weights, In<Dev, 1>(model.flat()));
  return {weights.begin(), weights.end()};
}

template ValidationRecord validation_record(Cpu<float>&, const Model<Cpu<float>>&, const TrainingData&,
                                            const SentenceMarks&, Workers&, std::size_t);
template std::vector<float> current_weights(Cpu<float>&, const Model<Cpu<float>>&);

}  // namespace gradus
