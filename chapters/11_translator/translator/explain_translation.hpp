#pragma once
/// \file
/// Explains one translation: the search finds it, and one more pass over it, on a device that records, gives the
/// result of every operation.

#include <cmath>

#include "10_training/step/step.hpp"
#include "11_translator/search/search.hpp"
#include "11_translator/translator/explain.hpp"
#include "11_translator/translator/search_texts.hpp"
#include "11_translator/translator/teacher_forced.hpp"
#include "11_translator/translator/traced.hpp"
#include "11_translator/translator/translator_model.hpp"

namespace gradus {

constexpr std::size_t most_candidates = 5;

/// Decodes all words of a translation in one pass, as in training. Row t gives the `count` candidates for the word
/// after the first t words.
template <class Dev>
LikeliestWords<Dev> candidates(Dev& dev, const Sentence& source, const Sentence& words,
                               const TransformerParams<Dev>& p, const ModelConfig& config, std::size_t count) {
  DeviceBatch<Dev> batch;
  batch.load(dev, pack({0}, {{source}, {words}}, {}));
  TransformerCache<Dev> cache;
  transformer_forward(dev, cache, batch.view(), p, config.without_dropout());
  const Out<Dev, 2> logits = dev.kept.matrix(words.size() + 1, config.target_vocab);
  output_forward(dev, logits, cache.output(), p.output);
  return {dev, logits, count};
}

/// The tokens of a translation, each with its `count` candidates.
template <class Dev, class Likeliest>
std::vector<NextWord> next_words(const TranslatorModel<Dev>& t, const Translation& best, const Likeliest& next,
                                 std::size_t count) {
  const auto piece = [&](std::int32_t id) { return Piece{t.words.target.token(id), id}; };
  std::vector<NextWord> steps;
  for (std::size_t i = 0; i < best.log_probs.size(); ++i) {
    NextWord word{
        piece(i < best.words.size() ? best.words[i] : Tokenizer::specials.eos), std::exp(best.log_probs[i]), {}};
    for (std::size_t k = i * count; k < (i + 1) * count; ++k) {
      word.candidates.emplace_back(piece(next.ids[k]), std::exp(next.log_probs[k]));
    }
    steps.push_back(std::move(word));
  }
  return steps;
}

/// The best translation of `sentence`, and the operations of one pass over it; nothing for a sentence that is not translated.
template <class Dev>
Explanation explain_translation(const TranslatorModel<Dev>& t, const std::string& sentence,
                                const TranslateOptions& options) {
  const auto& model = t.model;
  Explanation e;
  Sentence source = t.source(sentence, e.best.cut);
  if (source.size() == 1 || t.copies(sentence)) return e;  // nothing to translate
  Workers workers(1);
  const Translation best = search_texts(workers, t, {source}, options).front().front();
  for (const std::int32_t id : source) e.source.push_back({t.words.source.token(id), id});
  t.describe(e.best, best, is_short_source(source, options));
  t.describe_source(e.best, sentence, source);

  Traced<Dev> dev;
  dev.layout = &model.layout, dev.flat = model.flat().data;
  source.pop_back();  // batches add <eos> themselves
  const std::size_t count = std::min(most_candidates, model.config.target_vocab);
  const auto next = candidates(dev, source, best.words, model.params, model.config, count);
  e.operations = dev.operations;
  e.steps = next_words(t, best, next, count);
  return e;
}

}  // namespace gradus
