#pragma once
/// \file
/// The tokens of a translation, their log probabilities, and their places in both texts.

#include <algorithm>
#include <atomic>

#include "11_translator/search/search_host.hpp"
#include "11_translator/translator/token_alignment.hpp"
#include "11_translator/translator/translator_model.hpp"

namespace gradus {

/// For each of `ids` the index of its word in the decoded text; no_word if it adds nothing to the text.
std::vector<std::size_t> words_of_ids(const Tokenizer& words, const Sentence& ids);

/// Fills source_tokens and tokens of `texts`, the translations `found` of `sentence`, whose ids are `source`.
template <class Dev>
void add_tokens(Dev& dev, std::vector<TranslatedText>& texts, const TranslatorModel<Dev>& t,
                const std::string& sentence, const Sentence& source, const NBest& found) {
  std::vector<SourceToken> read;
  for (const TextPiece& piece : t.source_pieces(sentence, source)) read.push_back({piece.text, piece.word});
  read.push_back({eos_word, no_word});
  for (std::size_t n = 0; n < found.size(); ++n) {
    Sentence output = found[n].words;
    auto word = words_of_ids(t.words.target, output);
    if (found[n].ended) {
      output.push_back(Tokenizer::specials.eos);
      word.push_back(no_word);
    }
    const auto aligned = token_alignment(dev, source, output, t.model.params, t.model.config);
    texts[n].source_tokens = read;
    for (std::size_t k = 0; k < output.size(); ++k) {
      texts[n].tokens.push_back({t.words.target.token(output[k]), found[n].log_probs[k], aligned[k], word[k]});
    }
  }
}

/// Calls work(dev, 0) .. work(dev, n - 1), each once, on all `workers`; each worker has its own device.
template <class Dev, class Work>
void each_with_device(Workers& workers, std::size_t n, const Work& work) {
  std::atomic<std::size_t> next{0};
  each_on<Dev>(workers, Dev::side_by_side ? std::min(workers.size(), n) : 1, [&](std::size_t) {
    Dev dev;
    for (std::size_t k = next++; k < n; k = next++) work(dev, k);
  });
}

}  // namespace gradus
