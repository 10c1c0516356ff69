#pragma once
/// \file
/// The report of a finished training: one self-contained HTML page.

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
  std::vector<std::pair<std::string, std::string>> facts;  ///< in addition to the model: data, vocabulary, seed
  std::vector<Score> scores;                               ///< of the finished model: {"BLEU", 38.78}
  std::vector<float> positions;                            ///< (P, D): the table of positions
  std::vector<AttentionRecord> attention;                  ///< of a few short sentences
  std::string score_name = "chrF2";                        ///< the score of the sentences below
  std::vector<ScoredTranslation> best, worst;
  std::vector<Lengths> lengths;  ///< in pairs: source and target, references and translations
  RunTiming timing;
  std::string note;  ///< shown below the title
};

/// The page: curves, samples, best and worst translations, attention, positions, masks, the command. Absent data is
/// left out. The page stays below a megabyte: sentences of `attention` that no longer fit are only counted.
std::string training_report(const ReportData& data);

/// A command in a form that a shell can read, one option on each line.
std::string shell_command(const std::vector<std::string>& words);

}  // namespace gradus
