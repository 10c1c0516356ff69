#pragma once
/// \file
/// What a finished training leaves to be read: one HTML page that needs nothing else.

#include <string>
#include <utility>
#include <vector>

#include "09_transformer/config.hpp"
#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/record/run_timing.hpp"
#include "11_translator/training/record/training_history.hpp"
#include "11_translator/translator/attention_record.hpp"

namespace gradus {

struct ReportData {
  std::string title;  ///< "English to German", or the name of the run
  TrainingHistory history;
  ModelConfig model;
  std::vector<std::pair<std::string, std::string>> facts;  ///< beside the model: data, vocabulary, seed
  std::vector<Score> scores;                               ///< of the finished model: {"BLEU", 38.78}
  std::vector<float> positions;                            ///< (P, D): the table of positions
  std::vector<AttentionRecord> attention;                  ///< of a few short sentences
  std::string score_name = "chrF2";                        ///< what the sentences below are scored by
  std::vector<ScoredTranslation> best, worst;
  std::vector<Lengths> lengths;  ///< two by two: source and target, references and translations
  RunTiming timing;
  std::string note;  ///< below the title, for people
};

/// The page: curves, samples, best and worst, attention, positions, masks, the command. What is absent is left out. It
/// stays below a megabyte: sentences of `attention` that no longer fit are counted instead.
std::string training_report(const ReportData& data);

/// A command as a shell reads it back, an option a line.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gradus
