#pragma once
/// \file
/// The engine of a translator on a device.

#include <algorithm>

#include "11_translator/explain_translation.hpp"
#include "11_translator/pictures/attention_weights.hpp"
#include "11_translator/search.hpp"
#include "11_translator/teacher_forced.hpp"
#include "11_translator/translated_tokens.hpp"
#include "11_translator/translator_engine.hpp"

namespace gradus {

/// A piece as a label: SentencePiece's U+2581, the space before a word, is an underscore.
inline std::string readable(const Tokenizer& words, std::int32_t id) {
  if (id == Tokenizer::bos) return "<bos>";
  if (id == Tokenizer::eos) return "<eos>";
  std::string piece = words.piece(id);
  const std::string mark = "\u2581";
  for (auto at = piece.find(mark); at != std::string::npos; at = piece.find(mark))
    piece.replace(at, mark.size(), "_");
  return piece;
}

/// The n best translations of every sentence, in their order; an empty sentence gives an empty one.
template <class Dev>
std::vector<std::vector<TranslatedText>> translate_texts(const TranslatorModel<Dev>& t,
                                                         const std::vector<std::string>& sentences,
                                                         const TranslateOptions& options) {
  std::vector<Sentence> sources;
  std::vector<std::size_t> place;  // of each source among the sentences
  std::vector<std::vector<TranslatedText>> result(sentences.size(), {TranslatedText{}});
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    Sentence source = t.source(sentences[i], result[i][0].cut);
    if (source.size() == 1) continue;  // nothing but <eos>: an empty line stays one
    sources.push_back(std::move(source));
    place.push_back(i);
  }
  Workers workers(std::max<std::size_t>(1, options.threads));
  const auto found = translate_ids<Dev>(workers, t.model.params, t.model.config, sources, search_options(options));
  for (std::size_t k = 0; k < found.size(); ++k) {
    auto& best = result[place[k]];
    best.resize(found[k].size(), best[0]);
    for (std::size_t n = 0; n < best.size(); ++n) t.describe(best[n], found[k][n]);
    t.describe_source(best[0], sentences[place[k]], sources[k]);
  }
  if (!options.with_tokens) return result;
  each_with_device<Dev>(workers, found.size(), [&](Dev& dev, std::size_t k) {
    add_tokens(dev, result[place[k]], t, sentences[place[k]], sources[k], found[k]);
  });
  return result;
}

/// All but `explain`, which needs a device that takes notes of what it does.
template <class Dev>
class EngineOn : public TranslatorEngine {
 public:
  explicit EngineOn(const ModelFiles& files) : model_(files) {}

  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options) const override {
    return translate_texts(model_, sentences, options);
  }

  AttentionRecord attention(const std::string& sentence, const TranslateOptions& options) const override {
    AttentionRecord record;
    bool cut = false;
    const Sentence source = model_.source(sentence, cut);
    if (source.size() > 1) {  // more than <eos>
      Workers workers(1);
      const auto& model = model_.model;
      const Translation best =
          translate_ids<Dev>(workers, model.params, model.config, {source}, search_options(options))
              .front()
              .front();
      const auto source_name = [&](std::int32_t id) { return readable(model_.words.source, id); };
      const auto target_name = [&](std::int32_t id) { return readable(model_.words.target, id); };
      Dev dev;
      record = attention_record(dev, source, best.words, model.params, model.config, {source_name, target_name});
      record.translation = model_.words.target.decode(best.words);
    }
    record.source_text = sentence;
    return record;
  }

  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const override {
    return gradus::teacher_forced<Dev>(model_, sources, references, threads);
  }

  std::vector<PairScore> score_pairs(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets, std::size_t threads) const override {
    return gradus::score_pairs<Dev>(model_, sources, targets, threads);
  }

  std::size_t parameters() const override { return model_.model.layout.size(); }

 protected:
  TranslatorModel<Dev> model_;
};

/// With `explain`, for a device whose memory the host can read.
template <class Dev>
class ExplainingEngine final : public EngineOn<Dev> {
 public:
  using EngineOn<Dev>::EngineOn;
  Explanation explain(const std::string& sentence, const TranslateOptions& options) const override {
    return explain_translation<Dev>(this->model_, sentence, options);
  }
};

}  // namespace gradus
