#pragma once
/// \file
/// The search for texts: that of ids (search.hpp), and another one for sources that are only a word or a few.

#include <utility>

#include "11_translator/search/search.hpp"
#include "11_translator/translator/translator_model.hpp"
#include "11_translator/warnings/repetition.hpp"

namespace gradus {

/// What a repeated word costs in the translation of a short source: with it a word must be about seven times as probable.
constexpr double short_source_repetition = 2;

/// The options for short sources. A model of whole sentences continues a short one, and most easily with the words that it has
/// said. So translations are ranked by their probability alone, for a norm favours those that go on; each word that is there already
/// costs something, and none follows itself; and the beam is twice as wide, because the end of a short translation has a
/// low probability at its own step, and would be lost. Greedy search stays what it is.
template <class Dev>
SearchOptions for_short_sources(SearchOptions o, const TranslatorModel<Dev>& t) {
  if (o.beam_size == 1) return o;
  o.beam_size *= 2;
  o.length_penalty = 0;
  o.repetition_penalty = short_source_repetition;
  o.stands_once = [target = t.words.target](std::int32_t id) { return target.begins_word(id); };
  o.is_unwanted = says_a_word_twice;  // in other pieces, or with a capital letter
  return o;
}

/// The n best translations of each source (ids with <eos>), in order. `ranks` and `lent` are those of translate_ids.
template <class Dev>
std::vector<NBest> search_texts(Workers& workers, const TranslatorModel<Dev>& t,
                                const std::vector<Sentence>& sources, const TranslateOptions& options,
                                Ranks& ranks = alone(), LentWorkspaces<Dev>* lent = nullptr) {
  const SearchOptions usual = t.search_options(options);
  std::vector<NBest> found(sources.size());
  for (const bool is_short : {false, true}) {
    std::vector<Sentence> some;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if ((sources[i].size() <= options.short_source) == is_short) some.push_back(sources[i]), places.push_back(i);
    }
    if (some.empty()) continue;
    std::vector<NBest> best = translate_ids<Dev>(workers, t.model.params, t.model.config, some,
                                                 is_short ? for_short_sources(usual, t) : usual, ranks, lent);
    for (std::size_t k = 0; k < places.size(); ++k) found[places[k]] = std::move(best[k]);
  }
  return found;
}

}  // namespace gradus
