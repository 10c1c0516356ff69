#pragma once
/// \file
/// Translating sentences: text, ids, search, text.

#include <algorithm>
#include <utility>

#include "11_translator/translator/search_texts.hpp"
#include "11_translator/translator/translated_tokens.hpp"
#include "11_translator/translator/translator_model.hpp"
#include "gradus/text/single_spaces.hpp"

namespace gradus {

/// The translation of a text that is its own.
inline TranslatedText copy_of(const std::string& text) {
  TranslatedText copy;
  copy.text = single_spaces(text);
  copy.copied = true;
  return copy;
}

/// The n best translations of every sentence, in order; an empty sentence has an empty one, and one without a letter is its own (with
/// single spaces), unless the model has learnt to translate such sentences. With several ranks each has
/// all of them; those with_tokens compute all tokens themselves.
template <class Dev>
std::vector<std::vector<TranslatedText>> translate_texts(const TranslatorModel<Dev>& t,
                                                         const std::vector<std::string>& sentences,
                                                         const TranslateOptions& options, Ranks& ranks = alone()) {
  Workers workers(std::max<std::size_t>(1, options.threads));
  std::vector<std::vector<TranslatedText>> result(sentences.size(), {TranslatedText{}});
  std::vector<Sentence> ids(sentences.size()), sources;
  workers.each(sentences.size(), [&](std::size_t i) { ids[i] = t.source(sentences[i], result[i][0].cut); });
  std::vector<std::size_t> place;  // the sentence's index for each source
  for (std::size_t i = 0; i < sentences.size(); ++i) {
    if (ids[i].size() == 1) continue;  // only <eos>: an empty line stays empty
    if (t.copies(sentences[i])) {      // in no language
      result[i][0] = copy_of(sentences[i]);
      continue;
    }
    sources.push_back(std::move(ids[i]));
    place.push_back(i);
  }
  const auto found = search_texts(workers, t, sources, options, ranks, t.lent);
  workers.each(found.size(), [&](std::size_t k) {
    auto& best = result[place[k]];
    best.resize(found[k].size(), best[0]);
    const bool is_short = is_short_source(sources[k], options);
    for (std::size_t n = 0; n < best.size(); ++n) t.describe(best[n], found[k][n], is_short);
    t.describe_source(best[0], sentences[place[k]], sources[k]);
  });
  if (!options.with_tokens) return result;
  each_with_device<Dev>(workers, found.size(), [&](Dev& dev, std::size_t k) {
    add_tokens(dev, result[place[k]], t, sentences[place[k]], sources[k], found[k]);
  });
  return result;
}

}  // namespace gradus
