#pragma once
/// \file
/// What a translator owns: a model in the memory of a device, and the words of its languages.

#include <limits>

#include "09_transformer/model.hpp"
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

  /// The ids of a sentence with <eos>, cut to what the model has positions for.
  Sentence source(const std::string& text, bool& cut) const {
    Sentence ids = words.source.encode(text);
    const std::size_t longest = model.config.max_length - 1;
    cut = ids.size() > longest;
    if (cut) ids.resize(longest);
    ids.push_back(Tokenizer::eos);
    return ids;
  }

  /// The ids of a reference, without <eos>, cut likewise.
  Sentence target(const std::string& text) const {
    Sentence ids = words.target.encode(text);
    ids.resize(std::min(ids.size(), model.config.max_length - 1));
    return ids;
  }

  /// Less probable than nearly all of the model's validation.
  bool is_unusual(const Translation& t) const { return t.token_log_prob() < unusual_below; }

  Dev dev;  // of the weights; searches bring devices of their own
  Tokenizers words;
  Model<Dev> model;
  double unusual_below;
};

}  // namespace gradus
