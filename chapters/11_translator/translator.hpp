#pragma once
/// \file
/// A trained translator: text in, text out.

#include <memory>
#include <string>
#include <vector>

namespace gradus {

struct TranslateOptions {
  std::size_t beam_size = 5;
  double length_penalty = 1.0;
  std::size_t threads = 1;
  std::size_t n_best = 1;
};

struct TranslatedText {
  std::string text;
  double score = 0;  ///< log probability over the length norm: what the search ranks by
  bool cut = false;  ///< the source was longer than the model reads, so its end was left out
};

/// Cross-attention of one translation, for pictures: weights[h][t][s], layer by layer.
struct AttentionPicture {
  std::vector<std::string> source, target;   ///< pieces, <eos> at the end
  std::vector<std::vector<double>> weights;  ///< (T, S): the last layer's, mean over its heads
};

class Translator {
 public:
  /// Loads the folder of a model. Throws Error, one line, if it is missing or damaged.
  static Translator load(const std::string& folder);

  /// The best translation of one sentence.
  std::string translate(const std::string& sentence) const;

  /// The n best translations of every sentence, in their order. An empty sentence gives an empty one.
  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options) const;

  /// The best translation and which source pieces each of its pieces looked at.
  AttentionPicture explain(const std::string& sentence, const TranslateOptions& options = {}) const;

  std::size_t parameters() const;

 private:
  struct Impl;
  explicit Translator(std::shared_ptr<const Impl> impl);
  std::shared_ptr<const Impl> impl_;
};

}  // namespace gradus
