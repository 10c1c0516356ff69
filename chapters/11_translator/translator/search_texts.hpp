#pragma once
/// \file
/// The search for texts: that of ids (search.hpp), and another one for sources that are only a word or a few.

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

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
  if (o.beam_size <= 1) return o;  // the search refuses 0
  o.beam_size *= 2;
  o.length_penalty = 0;
  o.repetition_penalty = short_source_repetition;
  o.stands_once = [target = t.words.target](std::int32_t id) { return target.begins_word(id); };
  o.is_unwanted = says_a_word_twice;  // in other pieces, or with a capital letter
  return o;
}

/// Sources of at most this many tokens, their end mark counted, are hardly ever whole sentences.
constexpr std::size_t phrase_tokens = 5;
constexpr std::size_t phrase_beam = 40;
constexpr double phrase_excess = 2;

/// The options for sources that are phrases. The model adds a verb or a place that no word of the source says. So each token costs
/// something by which the translation is longer. The full stop after a phrase is so improbable that only a wide beam keeps it.
template <class Dev>
SearchOptions for_phrases(const SearchOptions& usual, const TranslatorModel<Dev>& t) {
  SearchOptions o = for_short_sources(usual, t);
  if (usual.beam_size <= 1) return o;
  o.beam_size = std::max(o.beam_size, phrase_beam);
  o.excess_penalty = phrase_excess;
  return o;
}

/// Whether a source (ids with <eos>) is searched as a short one.
inline bool is_short_source(const Sentence& source, const TranslateOptions& options) {
  return source.size() <= options.short_source;
}

/// The n best translations of each source (ids with <eos>), in order. `ranks` and `lent` are those of translate_ids.
template <class Dev>
std::vector<NBest> search_texts(Workers& workers, const TranslatorModel<Dev>& t,
                                const std::vector<Sentence>& sources, const TranslateOptions& options,
                                Ranks& ranks = alone(), LentWorkspaces<Dev>* lent = nullptr) {
  const SearchOptions usual = t.search_options(options);
  std::vector<NBest> found(sources.size());
  const auto is_short = [&](const Sentence& source) { return is_short_source(source, options); };
  const auto is_phrase = [&](const Sentence& source) { return is_short(source) && source.size() <= phrase_tokens; };
  const auto search_those = [&](const auto& is_one, const SearchOptions& search) {
    std::vector<Sentence> some;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      if (is_one(sources[i])) some.push_back(sources[i]), places.push_back(i);
    }
    if (some.empty()) return;
    std::vector<NBest> best =
        translate_ids<Dev>(workers, t.model.params, t.model.config, some, search, ranks, lent);
    for (std::size_t k = 0; k < places.size(); ++k) found[places[k]] = std::move(best[k]);
  };
  search_those([&](const Sentence& s) { return !is_short(s); }, usual);
  search_those([&](const Sentence& s) { return is_short(s) && !is_phrase(s); }, for_short_sources(usual, t));
  search_those(is_phrase, for_phrases(usual, t));
  return found;
}

}  // namespace gradus
