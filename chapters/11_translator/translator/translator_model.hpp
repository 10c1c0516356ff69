#pragma once
/// \file
/// A model with its vocabularies: text to ids and back.

#include <algorithm>
#include <limits>

#include "09_transformer/model.hpp"
#include "11_translator/data/beginning.hpp"
#include "11_translator/search/search_host.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/words_in_parts.hpp"
#include "gradus/memory/lent_workspaces.hpp"

namespace gradus {

/// Chosen on every second sentence of the list that tests/bench/warning_rates.py uses.
constexpr double hesitant_share = 0.5;

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
  s.batch_tokens = search_tokens<Dev>;
  s.parts = search_parts<Dev>;
  s.beam_size = o.beam_size;
  s.n_best = o.n_best;
  s.full_batches = o.full_batches;
  s.length_penalty = o.length_penalty;
  s.decoding.max_length = o.max_length;
  s.between_steps = o.between_steps;
  return s;
}

/// Owns nothing: the model may still be in training.
template <class Dev>
struct TranslatorModel {
  const Tokenizers& words;
  const Model<Dev>& model;
  double unusual_below = -std::numeric_limits<double>::infinity();  ///< as in ModelFiles
  LentWorkspaces<Dev>* lent = nullptr;  ///< memory for its searches, if it is kept from one call to the next

  /// The number of tokens that the model has positions for, without <eos>.
  std::size_t longest() const { return model.config.max_length - 1; }

  /// The ids of a text without <eos>, at most longest() of them.
  Sentence encoded(const Tokenizer& tokenizer, const std::string& text, bool& cut) const {
    Sentence ids = beginning(tokenizer, text, longest()).ids;
    cut = ids.size() > longest();
    if (cut) ids.resize(longest());
    return ids;
  }

  /// The ids of a sentence with <eos>, cut to the model's positions.
  Sentence source(const std::string& text, bool& cut) const {
    Sentence ids = encoded(words.source, text, cut);
    ids.push_back(Tokenizer::specials.eos);
    return ids;
  }

  /// Completes `best`, whose other fields are filled, with the parts of its sentence that the model has not learnt.
  /// `text` is the sentence, `source` its ids. Most sentences do not need their pieces for that.
  void describe_source(TranslatedText& best, const std::string& text, const Sentence& source) const {
    const bool has_unknown = std::find(source.begin(), source.end(), Tokenizer::specials.unk) != source.end();
    const bool looks_at_words = best.hesitant && words.source.kind() == TokenizerKind::sentencepiece;
    if (!has_unknown && !looks_at_words) return;
    const std::vector<TextPiece> pieces = source_pieces(text, source);
    for (const TextPiece& piece : pieces) {
      if (piece.id == Tokenizer::specials.unk) best.unknown.push_back(piece.text);
    }
    if (looks_at_words) best.in_parts = words_in_parts(pieces);
  }

  /// Fills `text` from one translation of the search.
  void describe(TranslatedText& text, const Translation& one) const {
    text.text = words.target.decode(one.words);
    text.score = one.score;
    text.token_log_prob = one.token_log_prob();
    text.unusual = text.token_log_prob < unusual_below;
    text.hesitant = text.token_log_prob < hesitant_share * unusual_below;
  }

  /// The pieces of a sentence whose ids are `source`, without <eos>.
  std::vector<TextPiece> source_pieces(const std::string& text, const Sentence& source) const {
    std::vector<TextPiece> pieces = words.source.pieces(beginning(words.source, text, longest()).text);
    pieces.resize(source.size() - 1);  // the part that was cut is not read
    return pieces;
  }
};

}  // namespace gradus
