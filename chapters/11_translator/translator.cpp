#include "11_translator/translator.hpp"

#include "11_translator/device_choice.hpp"

namespace gradus {

Translator::Translator(std::shared_ptr<const TranslatorEngine> engine) : engine_(std::move(engine)) {}

Translator Translator::load(const std::string& folder, DeviceChoice device) {
  return Translator(make_engine(device, load_model(folder)));
}

Translator Translator::of(const ModelFiles& model, DeviceChoice device) {
  return Translator(make_engine(device, model));
}

std::size_t Translator::parameters() const { return engine_->parameters(); }

std::string Translator::translate(const std::string& sentence) const {
  return translate(std::vector<std::string>{sentence}, {}).front().front().text;
}

std::vector<std::vector<TranslatedText>> Translator::translate(const std::vector<std::string>& sentences,
                                                               const TranslateOptions& options) const {
  return engine_->translate(sentences, options);
}

AttentionRecord Translator::attention(const std::string& sentence, const TranslateOptions& options) const {
  return engine_->attention(sentence, options);
}

Explanation Translator::explain(const std::string& sentence, const TranslateOptions& options) const {
  return engine_->explain(sentence, options);
}

TeacherForced Translator::teacher_forced(const std::vector<std::string>& sources,
                                         const std::vector<std::string>& references, std::size_t threads) const {
  return engine_->teacher_forced(sources, references, threads);
}

}  // namespace gradus
