#pragma once
/// \file
/// What a translator owns: a model in the memory of a device, and the words of its languages.

#include <algorithm>
#include <limits>

#include "09_transformer/model.hpp"
#include "11_translator/beginning.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/search_host.hpp"
#include "11_translator/translator.hpp"

namespace gradus {

inline SearchOptions search_options(const TranslateOptions& o) {
  SearchOptions s;
  s.width = o.beam_size;
  s.n_best = o.n_best;
  s.length_penalty = o.length_penalty;
  s.decoding.max_words = o.max_length;
  return s;
}

template <class D>
struct TranslatorModel {
  using Dev = D;

  explicit TranslatorModel(const ModelFiles& files)
      : words(files.tokenizers),
        model(dev, files.config),
        unusual_below(files.unusual_below.value_or(-std::numeric_limits<double>::infinity())) {
    write(dev, model.flat(), files.weights);
  }

  /// Most tokens that the model has positions for, beside <eos>.
  std::size_t longest() const { return model.config.max_length - 1; }

  /// The ids of a text, no more than these.
  Sentence encoded(const Tokenizer& tokenizer, const std::string& text, bool& cut) const {
    Sentence ids = beginning(tokenizer, text, longest()).ids;
    cut = ids.size() > longest();
    if (cut) ids.resize(longest());
    return ids;
  }

  /// The ids of a sentence with <eos>, cut to what the model has positions for.
  Sentence source(const std::string& text, bool& cut) const {
    Sentence ids = encoded(words.source, text, cut);
    ids.push_back(Tokenizer::eos);
    return ids;
  }

  /// What of `text`, whose ids are `source`, is unknown to the model.
  std::vector<std::string> unknown(const std::string& text, const Sentence& source) const {
    std::vector<std::string> parts;
    if (std::find(source.begin(), source.end(), Tokenizer::unk) == source.end()) return parts;
    std::vector<TextPiece> pieces = words.source.pieces(beginning(words.source, text, longest()).text);
    pieces.resize(source.size() - 1);  // what was cut is not read
    for (const TextPiece& piece : pieces) {
      if (piece.id == Tokenizer::unk) parts.push_back(piece.text);
    }
    return parts;
  }

  /// Puts into `text` what one translation is.
  void describe(TranslatedText& text, const Translation& one) const {
    text.text = words.target.decode(one.words);
    text.score = one.score;
    text.token_log_prob = one.token_log_prob();
    text.unusual = is_unusual(one);
  }

  /// The ids of a reference, without <eos>, cut likewise.
  Sentence target(const std::string& text, bool& cut) const { return encoded(words.target, text, cut); }

  /// Less probable than nearly all of the model's validation.
  bool is_unusual(const Translation& t) const { return t.token_log_prob() < unusual_below; }

  Dev dev;  // of the weights; searches bring devices of their own
  Tokenizers words;
  Model<Dev> model;
  double unusual_below;
};

}  // namespace gradus
