#pragma once
/// \file
/// A trained translator: text in, text out.

#include <memory>
#include <string>
#include <vector>

#include "09_transformer/search_weights.hpp"
#include "11_translator/data/text_rules.hpp"
#include "11_translator/translator/attention_record.hpp"
#include "11_translator/translator/explain.hpp"
#include "11_translator/translator/translate_options.hpp"
#include "11_translator/translator/translated_text.hpp"
#include "gradus/device/choice.hpp"
#include "gradus/ranks/ranks.hpp"

namespace gradus {

/// The model's predictions under teacher forcing.
struct TeacherForced {
  std::vector<std::string> texts;
  double loss = 0;      ///< cross-entropy in nats a token, <eos> included
  double accuracy = 0;  ///< share of the tokens that it predicted
};

/// The probability that the model gives to a translation. Logarithms are natural ones.
struct PairScore {
  std::vector<std::string> tokens;  ///< the translation in the model's pieces (U+2581: a space), and its end mark
  std::vector<double> log_probs;    ///< of each token, after the source and the tokens before it
  bool source_cut = false;          ///< the source was longer than the model reads, so its end was left out
  bool target_cut = false;          ///< the same for the translation

  double log_prob() const;  ///< of the whole translation: the sum
  /// of a token; equal to TranslatedText::token_log_prob for the model's own translation
  double mean() const;
  double perplexity() const;  ///< exp(-mean)
};

struct ModelFiles;       // model_files.hpp
class TranslatorEngine;  // translator_engine.hpp

/// Several threads may use one. On the processor they compute in parallel, on a GPU one after the other. Text is
/// UTF-8 without NUL bytes, like the program's input files (gradus/io/lines.hpp); other text throws Error, with the
/// number of the sentence and of the byte.
class Translator {
 public:
  /// Loads the folder of a model. Throws Error, one line, if the folder is missing or damaged, or the device cannot
  /// be used. Weights of 8 bits serve `translate`; all other functions compute with the model's own.
  static Translator load(const std::string& folder, DeviceChoice device = DeviceChoice::automatic,
                         SearchWeights weights = SearchWeights::exact);

  /// A translator of a model in memory.
  static Translator of(const ModelFiles& model, DeviceChoice device = DeviceChoice::automatic,
                       SearchWeights weights = SearchWeights::exact);

  /// What `translate` multiplies with.
  SearchWeights weights() const { return weights_; }

  /// What it leaves out of every text. Scores must leave it out, too: see comparable().
  const TextRules& rules() const { return rules_; }

  /// The best translation of one sentence.
  std::string translate(const std::string& sentence) const;

  /// The n best translations of every sentence, in order. An empty sentence has an empty one.
  std::vector<std::vector<TranslatedText>> translate(const std::vector<std::string>& sentences,
                                                     const TranslateOptions& options) const;

  /// This translator on rank 0, whose `translate` of several sentences the ranks share. The other ranks call `help`: it does
  /// their part of each call, on so many threads, and returns at the end of rank 0's Helpers.
  Translator shared_by(Ranks& ranks) const;
  void help(Ranks& ranks, std::size_t threads) const;

  /// Those that share its translations; one rank unless it comes from `shared_by`.
  const Ranks& ranks() const { return *ranks_; }

  /// The best translation and its attention, every layer and head. No layers for an empty sentence.
  AttentionRecord attention(const std::string& sentence, const TranslateOptions& options = {}) const;

  /// The best translation in detail: every operation of the model, and the other candidates at each step.
  Explanation explain(const std::string& sentence, const TranslateOptions& options = {}) const;

  /// Teacher forcing: the model's next word after each of the reference's own words. The score of these words is
  /// not that of a translation. `sources` and `references` have equal length, else Error; texts that are too long
  /// for the model are cut.
  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const;

  /// The probability of each of `targets` as a translation of the source at the same index. Texts that are too long
  /// for the model are cut, and the result says so; an empty target has only its end mark. Throws Error if there
  /// are not as many targets as sources.
  std::vector<PairScore> score_pairs(const std::vector<std::string>& sources,
                                     const std::vector<std::string>& targets, std::size_t threads = 1) const;

 private:
  Translator(const ModelFiles& model, DeviceChoice device, SearchWeights weights);
  std::shared_ptr<const TranslatorEngine> engine_;
  TextRules rules_;
  SearchWeights weights_;
  Ranks* ranks_ = &alone();
};

/// On rank 0: the others help until the end of its scope.
class Helpers {
 public:
  explicit Helpers(Ranks& ranks) : ranks_(ranks) {}
  Helpers(const Helpers&) = delete;
  Helpers& operator=(const Helpers&) = delete;
  ~Helpers();

 private:
  Ranks& ranks_;
};

}  // namespace gradus
