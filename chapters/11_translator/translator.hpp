#pragma once
/// \file
/// A trained translator: text in, text out.

#include <memory>
#include <string>
#include <vector>

#include "11_translator/explain.hpp"
#include "11_translator/pictures/attention_record.hpp"

namespace gradus {

/// On what to compute. By itself a GPU is taken where there is one, in a program that was built for it.
enum class DeviceChoice { automatic, cpu, cuda };

struct TranslateOptions {
  std::size_t beam_size = 5;
  double length_penalty = 1.0;
  std::size_t threads = 1;
  std::size_t n_best = 1;
  std::size_t max_length = 200;  ///< most tokens of a translation, <eos> counted
};

struct TranslatedText {
  std::string text;
  double score = 0;           ///< log probability over the length norm: what the search ranks by
  double token_log_prob = 0;  ///< log probability, mean over its tokens, <eos> counted
  bool cut = false;           ///< the source was longer than the model reads, so its end was left out
  bool unusual = false;  ///< less probable than nearly all of the model's validation (ModelFiles::unusual_below)
};

/// What the model says when every word before is the reference's.
struct TeacherForced {
  std::vector<std::string> texts;
  double loss = 0;      ///< cross-entropy in nats a token, <eos> counted
  double accuracy = 0;  ///< share of the tokens that it guessed
};

struct ModelFiles;       // model_files.hpp
class TranslatorEngine;  // translator_engine.hpp

/// Several threads may ask one. On the processor they compute side by side, on a GPU one after the other.
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
  /// score is not one. `sources` and `references` are of equal length; what is too long for the model is cut.
  TeacherForced teacher_forced(const std::vector<std::string>& sources, const std::vector<std::string>& references,
                               std::size_t threads) const;

  std::size_t parameters() const;

 private:
  explicit Translator(std::shared_ptr<const TranslatorEngine> engine);
  std::shared_ptr<const TranslatorEngine> engine_;
};

}  // namespace gradus
