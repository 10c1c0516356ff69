#pragma once
/// \file
/// A trained translator: text in, text out.

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "11_translator/translator/attention_record.hpp"
#include "11_translator/translator/device_choice.hpp"
#include "11_translator/translator/explain.hpp"
#include "11_translator/translator/translated_text.hpp"

namespace gradus {

struct TranslateOptions {
  std::size_t beam_size = 5;
  double length_penalty = 1.0;
  std::size_t threads = 1;
  std::size_t n_best = 1;
  std::size_t max_length = 200;  ///< most tokens of a translation, <eos> counted
  bool with_tokens = false;  ///< fill TranslatedText::source_tokens and tokens: one more pass for each translation
};

/// What the model says when every word before is the reference's.
struct TeacherForced {
  std::vector<std::string> texts;
  double loss = 0;      ///< cross-entropy in nats a token, <eos> counted
  double accuracy = 0;  ///< share of the tokens that it guessed
};

/// How probable the model finds a given translation. Logarithms are natural ones.
struct PairScore {
  std::vector<std::string> tokens;  ///< the translation as the model cuts it (U+2581: a space), and its end mark
  std::vector<double> log_probs;    ///< of each token, after the source and the tokens before it
  bool source_cut = false;          ///< the source was longer than the model reads, so its end was left out
  bool target_cut = false;          ///< so was the translation

  double log_prob() const;    ///< of the whole translation: the sum
  double mean() const;        ///< a token: TranslatedText::token_log_prob, where the model says these tokens
  double perplexity() const;  ///< exp(-mean)
};

struct ModelFiles;       // model_files.hpp
class TranslatorEngine;  // translator_engine.hpp

/// Several threads may ask one. On the processor they compute side by side, on a GPU one after the other. Text is UTF-8 without
/// NUL bytes, as in the files that the program reads (gradus/io/lines.hpp); anything else throws Error, with the number of the
/// sentence and of the byte.
class Translator {
 public:
  /// Loads the folder of a model. Throws Error, one line, if it is missing or damaged, or the device is.
  static Translator load(const std::string& folder, DeviceChoice device = DeviceChoice::automatic);

  /// A translator of a model in memory.
  static Translator of(const ModelFiles& model, DeviceChoice device = DeviceChoice::automatic);

  /// The best translation of one sentence.
  std::string translate(const std::string& sentence) const;

  /// The n best translations of every sentence, in their order. An empty sentence gives an empty one.
  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options) const;

  /// The best translation and what every head of every layer looked at. No layers for an empty sentence.
  AttentionRecord attention(const std::string& sentence, const TranslateOptions& options = {}) const;

  /// The best translation taken apart: every operation of the model that reads it, and what else it could have said.
  Explanation explain(const std::string& sentence, const TranslateOptions& options = {}) const;

  /// Each reference as the model would go on after the reference's own words: the teacher-forced "translation", whose
  /// score is not one. `sources` and `references` are of equal length, else Error; what is too long for the model is cut.
  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const;

  /// The probability of each of `targets` as a translation of the source at the same place. What is too long for the model
  /// is cut, and said so; an empty target is its end mark alone. Throws Error if there are not as many targets as sources.
  std::vector<PairScore> score_pairs(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets, std::size_t threads = 1) const;

  std::size_t parameters() const;

 private:
  explicit Translator(std::shared_ptr<const TranslatorEngine> engine);
  std::shared_ptr<const TranslatorEngine> engine_;
};

}  // namespace gradus
