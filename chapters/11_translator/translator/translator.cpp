#include "11_translator/translator/translator.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

void require_translations(const std::vector<std::string>& sources, const std::vector<std::string>& targets) {
  require_text(sources, "source");
  require_text(targets, "translation");
  if (sources.size() == targets.size()) return;
  fail(std::to_string(sources.size()) + " sources, but " + std::to_string(targets.size()) +
       " translations: each source needs one");
}

const std::string no_more = "{}";  // the last call that helpers get

/// A call of `translate` as text, for the ranks that help.
std::string to_text(const std::vector<std::string>& sentences, const TranslateOptions& options) {
  return Json{{"sentences", sentences}, {"options", to_text(options)}}.dump();
}

}  // namespace

double PairScore::log_prob() const { return std::accumulate(log_probs.begin(), log_probs.end(), 0.0); }
double PairScore::mean() const { return log_prob() / static_cast<double>(log_probs.size()); }
double PairScore::perplexity() const { return std::exp(-mean()); }

Translator::Translator(const ModelFiles& model, DeviceChoice device, SearchWeights weights)
    : engine_(make_engine(device, model, weights)), rules_(model.tokenizers.target.rules()), weights_(weights) {}

Translator Translator::load(const std::string& folder, DeviceChoice device, SearchWeights weights) {
  return {open_model(folder), device, weights};
}

Translator Translator::of(const ModelFiles& model, DeviceChoice device, SearchWeights weights) {
  return {model, device, weights};
}

std::string Translator::translate(const std::string& sentence) const {
  return translate(std::vector<std::string>{sentence}, {}).front().front().text;
}

std::vector<std::vector<TranslatedText>> Translator::translate(const std::vector<std::string>& sentences,
                                                               const TranslateOptions& options) const {
  require_text(sentences, "sentence");
  if (ranks_->size() > 1) broadcast(*ranks_, to_text(sentences, options));
  return engine_->translate(sentences, options, *ranks_);
}

Translator Translator::shared_by(Ranks& ranks) const {
  Translator shared = *this;
  shared.ranks_ = &ranks;
  return shared;
}

void Translator::help(Ranks& ranks, std::size_t threads) const {
  for (std::string call = broadcast(ranks, ""); call != no_more; call = broadcast(ranks, "")) {
    const Json asked = Json::parse(call);
    TranslateOptions options = translate_options(asked.at("options"));
    options.threads = threads;
    try {
      engine_->translate(asked.at("sentences"), options, ranks);
    } catch (const EndedWithOthers&) {  // rank 0 has the error, and decides what follows
      ranks.set_end_together(false);    // so the others do not yet end
    }
  }
}

Helpers::~Helpers() {
  if (ranks_.size() > 1) broadcast(ranks_, no_more);
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
