#include "11_translator/translator/translator.hpp"

#include <cmath>
#include <numeric>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

void require_translations(const std::vector<std::string>& sources, const std::vector<std::string>& targets) {
  require_text(sources, "source");
  require_text(targets, "translation");
  if (sources.size() == targets.size()) return;
  fail(std::to_string(sources.size()) + " sources, but " + std::to_string(targets.size()) +
       " translations: each source needs one");
}

}  // namespace

double PairScore::log_prob() const { return std::accumulate(log_probs.begin(), log_probs.end(), 0.0); }
double PairScore::mean() const { return log_prob() / static_cast<double>(log_probs.size()); }
double PairScore::perplexity() const { return std::exp(-mean()); }

Translator::Translator(const ModelFiles& model, DeviceChoice device)
    : engine_(make_engine(device, model)), rules_(model.tokenizers.target.rules()) {}

Translator Translator::load(const std::string& folder, DeviceChoice device) { return {load_model(folder), device}; }

Translator Translator::of(const ModelFiles& model, DeviceChoice device) { return {model, device}; }

std::string Translator::translate(const std::string& sentence) const {
  return translate(std::vector<std::string>{sentence}, {}).front().front().text;
}

std::vector<std::vector<TranslatedText>> Translator::translate(const std::vector<std::string>& sentences,
                                                               const TranslateOptions& options) const {
  require_text(sentences, "sentence");
  return engine_->translate(sentences, options);
}

AttentionRecord Translator::attention(const std::string& sentence, const TranslateOptions& options) const {
  require_text({sentence}, "sentence");
  return engine_->attention(sentence, options);
}

Explanation Translator::explain(const std::string& sentence, const TranslateOptions& options) const {
  require_text({sentence}, "sentence");
  return engine_->explain(sentence, options);
}

TeacherForced Translator::teacher_forced(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& references, std::size_t threads) const {
  require_translations(sources, references);
  return engine_->teacher_forced(sources, references, threads);
}

std::vector<PairScore> Translator::score_pairs(const std::vector<std::string>& sources,
                                               const std::vector<std::string>& targets, std::size_t threads) const {
  require_translations(sources, targets);
  if (sources.empty()) return {};
  return engine_->score_pairs(sources, targets, threads);
}

}  // namespace gradus
