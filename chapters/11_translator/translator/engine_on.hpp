#pragma once
/// \file
/// The engine of a translator on a device.

#include <memory>
#include <mutex>
#include <optional>
#include <type_traits>
#include <vector>

#include "11_translator/translator/attention_weights.hpp"
#include "11_translator/translator/explain_translation.hpp"
#include "11_translator/translator/teacher_forced.hpp"
#include "11_translator/translator/translate_texts.hpp"
#include "11_translator/translator/translator_engine.hpp"
#include "gradus/device/device.hpp"

namespace gradus {

/// A piece as a label: an underscore replaces SentencePiece's U+2581, the space before a word.
inline std::string readable(const Tokenizer& words, std::int32_t id) {
  std::string piece = words.token(id);
  const std::string mark = "\u2581";
  for (auto at = piece.find(mark); at != std::string::npos; at = piece.find(mark))
    piece.replace(at, mark.size(), "_");
  return piece;
}

/// A model in the memory of a device, and the vocabularies of its languages.
template <class Dev>
struct LoadedModel {
  explicit LoadedModel(const ModelFiles& files, SearchWeights weights = SearchWeights::exact)
      : words(files.tokenizers), model(dev, files.config), texts(files) {
    if constexpr (std::is_same_v<typename Dev::Space, Host> && std::is_same_v<typename Dev::Real, float>) {
      copy_weights(files, model.flat());
    } else {
      std::vector<float> copy(model.layout.size());
      copy_weights(files, {copy.data(), {copy.size()}, copy.size()});
      write(dev, model.flat(), copy);
    }
    model.freeze(dev, weights);
  }
  TranslatorModel<Dev> view() const { return {words, model, texts, &lent}; }

  Dev dev;  // holds the weights; each search makes its own devices
  Tokenizers words;
  Model<Dev> model;
  ModelTexts texts;
  mutable LentWorkspaces<Dev> lent;  // the searches of one call leave their memory to those of the next
};

/// All engines of a GPU share its stream, so their threads take turns.
template <class Dev>
std::unique_lock<std::mutex> turn() {
  static std::mutex one;
  return Dev::side_by_side ? std::unique_lock<std::mutex>() : std::unique_lock<std::mutex>(one);
}

template <class Dev>
class EngineOn final : public TranslatorEngine {
 public:
  explicit EngineOn(const ModelFiles& files, SearchWeights weights = SearchWeights::exact)
      : files_(can_take_notes ? std::optional<ModelFiles>() : files) {
    const auto mine = turn<Dev>();
    loaded_ = std::make_unique<const LoadedModel<Dev>>(files, weights);
  }

  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options, Ranks& ranks) const override {
    const auto mine = turn<Dev>();
    return translate_texts(model(), sentences, options, ranks);
  }

  AttentionRecord attention(const std::string& sentence, const TranslateOptions& options) const override {
    const auto mine = turn<Dev>();
    const TranslatorModel<Dev> t = model();
    AttentionRecord record;
    bool cut = false;
    const Sentence source = t.source(sentence, cut);
    if (source.size() > 1 && !t.copies(sentence)) {  // more than <eos>
      Workers workers(1);
      const Translation best = search_texts(workers, t, {source}, options).front().front();
      const auto source_name = [&](std::int32_t id) { return readable(t.words.source, id); };
      const auto target_name = [&](std::int32_t id) { return readable(t.words.target, id); };
      Sentence output = best.words;
      if (best.ended) output.push_back(Tokenizer::specials.eos);
      Dev dev;
      record = attention_record(dev, source, output, t.model.params, t.model.config, {source_name, target_name});
      record.translation = t.words.target.decode(best.words);
    }
    record.source_text = sentence;
    return record;
  }

  /// Operations are recorded on a processor, whose memory can be read while a model computes.
  Explanation explain(const std::string& sentence, const TranslateOptions& options) const override {
    if constexpr (can_take_notes) {
      return explain_translation<Dev>(model(), sentence, options);
    } else {
      return explain_translation<Readable>(LoadedModel<Readable>(*files_).view(), sentence, options);
    }
  }

  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const override {
    const auto mine = turn<Dev>();
    return gradus::teacher_forced<Dev>(model(), sources, references, threads);
  }

  std::vector<PairScore> score_pairs(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets, std::size_t threads) const override {
    const auto mine = turn<Dev>();
    return gradus::score_pairs<Dev>(model(), sources, targets, threads);
  }

 private:
  using Readable = ReadableDevice<Dev>;
  static constexpr bool can_take_notes = std::is_same_v<Readable, Dev>;

  TranslatorModel<Dev> model() const { return loaded_->view(); }

  std::optional<ModelFiles> files_;  // for `explain`, if this device cannot record operations
  std::unique_ptr<const LoadedModel<Dev>> loaded_;
};

}  // namespace gradus
