#pragma once
/// \file
/// A model with its vocabularies: text to ids and back.

#include <algorithm>
#include <functional>
#include <numeric>

#include "09_transformer/model.hpp"
#include "11_translator/data/beginning.hpp"
#include "11_translator/search/search_host.hpp"
#include "11_translator/translator/model_texts.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/sentences.hpp"
#include "11_translator/warnings/words_in_parts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/memory/lent_workspaces.hpp"

namespace gradus {

/// The most source tokens of the open sentences. Every step reads the keys and values of all of them, which leave a processor's caches if there
/// are many. A GPU needs many rows to be busy. FAST.md has the measurement.
template <class Dev>
constexpr std::size_t search_tokens = Dev::side_by_side ? 512 : 2048;

/// A GPU replays a recorded step, which has a fixed number of rows. So there the next batch begins while sentences of others are
/// open. On a processor this was slower.
template <class Dev>
constexpr std::size_t search_parts = Dev::side_by_side ? 1 : 4;

template <class Dev>
SearchOptions search_options(const TranslateOptions& o) {
  SearchOptions s;
  static_cast<SearchChoices&>(s) = o;
  s.batch_tokens = search_tokens<Dev>;
  s.parts = search_parts<Dev>;
  s.decoding.max_length = o.max_length;
  return s;
}

/// Owns nothing: the model may still be in training.
template <class Dev>
struct TranslatorModel {
  const Tokenizers& words;
  const Model<Dev>& model;
  const ModelTexts& texts = no_texts();
  LentWorkspaces<Dev>* lent = nullptr;  ///< memory for its searches, if it is kept from one call to the next
  std::function<void(const Beam& beam)> watch = {};  ///< as in SearchOptions

  /// How to search for the texts of translations.
  SearchOptions search_options(const TranslateOptions& o) const {
    SearchOptions s = gradus::search_options<Dev>(o);
    s.text = [target = words.target](const Sentence& ids) { return target.decode(ids); };
    s.watch = watch;
    return s;
  }

  /// The number of tokens that the model has positions for, without <eos>.
  std::size_t longest() const { return model.config.max_length - 1; }

  /// The ids of a text of one side without <eos>, at most longest() of them.
  Sentence source_ids(const std::string& text, bool& cut) const {
    return at_most_longest(beginning(words.source, texts.source, text, longest()).ids, cut);
  }
  Sentence target_ids(const std::string& text, bool& cut) const {
    return at_most_longest(beginning(words.target, texts.target, text, longest()).ids, cut);
  }

  /// The ids of a sentence with <eos>, cut to the model's positions.
  Sentence source(const std::string& text, bool& cut) const {
    Sentence ids = source_ids(text, cut);
    ids.push_back(Tokenizer::specials.eos);
    return ids;
  }

  /// Whether the text is its own translation: without a letter it is in no language.
  bool copies(const std::string& text) const { return texts.copies_signs && !has_letters(text); }

  /// Completes `best`, whose other fields are filled, with the parts of its sentence that the model has not learnt.
  /// `text` is the sentence, `source` its ids. Most sentences do not need their pieces for that.
  void describe_source(TranslatedText& best, const std::string& text, const Sentence& source) const {
    best.muted = texts.muted;
    best.languages = texts.languages;
    const auto is_new = [&](std::int32_t id) { return id == Tokenizer::specials.unk || !texts.has_seen(id); };
    const bool has_unknown = std::any_of(source.begin(), source.end(), is_new);
    const bool looks_at_words = best.hesitant && words.source.kind() == TokenizerKind::sentencepiece;
    if (!has_unknown && !looks_at_words) return;
    const UnknownWords found = unknown_words(text, source_pieces(text, source), is_new);
    const bool has_read_signs = words.source.kind() == TokenizerKind::imported && !best.hesitant;
    best.unknown = has_read_signs ? without_usual_signs(found.unknown) : found.unknown;
    if (looks_at_words) best.in_parts = found.in_parts;
  }

  /// Fills `text` from one translation of the search; `is_short`: its source is short (search_texts.hpp).
  void describe(TranslatedText& text, const Translation& one, bool is_short) const {
    text.text = words.target.decode(one.words);
    text.score = one.score;
    text.token_log_prob = one.token_log_prob();
    text.unfinished = !one.ended;
    text.unusual = (is_short ? inner_log_prob(one) : text.token_log_prob) < texts.unusual_below;
    text.hesitant = text.token_log_prob < texts.hesitant_below;
  }

  /// The pieces of a sentence whose ids are `source`, without <eos>.
  std::vector<TextPiece> source_pieces(const std::string& text, const Sentence& source) const {
    const std::string read = beginning(words.source, texts.source, text, longest()).text;
    std::vector<TextPiece> pieces = words.source.pieces(texts.source(read));
    pieces.resize(source.size() - 1);  // the part that was cut is not read
    const std::vector<std::size_t> places = words_left(texts.source, read);
    for (TextPiece& piece : pieces) {
      if (piece.word < places.size()) piece.word = places[piece.word];
    }
    return pieces;
  }

 private:
  /// The mean log probability without <eos> and the end mark before it. A model of whole sentences finds them improbable after
  /// a few words, however right these are.
  double inner_log_prob(const Translation& one) const {
    std::size_t inner = one.words.size();
    if (inner > 0 && is_end_mark(words.target.decode({one.words.back()}))) --inner;
    if (inner == 0) return one.token_log_prob();
    const auto first = one.log_probs.begin();
    return std::accumulate(first, first + static_cast<std::ptrdiff_t>(inner), 0.0) / static_cast<double>(inner);
  }

  Sentence at_most_longest(Sentence ids, bool& cut) const {
    cut = ids.size() > longest();
    if (cut) ids.resize(longest());
    return ids;
  }
};

}  // namespace gradus
