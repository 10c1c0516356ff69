#pragma once
/// \file
/// The options of `gradus train`, and the request that they form together.

#include <string>

#include "11_translator/training/training_request.hpp"

namespace CLI {
class App;
}

namespace gradus {

/// The given values. The defaults are those of the bundled model's training.
struct TrainOptions {
  TrainOptions();

  std::string data, source_lang = "en", target_lang = "de";
  std::string train_source, train_target, train, valid_source, valid_target, valid, output;
  VocabularyChoice vocab = VocabularyChoice::joint;
  int vocab_size = TokenizerOptions{}.vocab_size, min_frequency = TokenizerOptions{}.min_frequency;
  std::string symbols;
  bool lowercase = TextRules{}.lower_case, punctuation = TextRules{}.punctuation;
  Normalisation normalise = Normalisation::always;
  std::size_t layers = 4;
  bool tied = true;
  double dropout = 0.3;
  // each is used only if it is given
  std::size_t encoder_layers = 0, decoder_layers = 0;
  double embedding_dropout = 0, attention_dropout = 0, activation_dropout = 0, residual_dropout = 0;
  std::string preset, config, log_json, init_from;
  bool dump_config = false, quiet = false;
  std::vector<std::string> warnings;  ///< of --config: options that the file itself leaves without effect
  TrainingRequest request;            ///< holds directly the values that need no conversion
};

/// Adds the options to the command.
void add_train_options(CLI::App& command, TrainOptions& options);

/// Fills `options.request`: takes from --config and --preset the options that the command line does not set, and
/// checks that the options fit together. Throws UsageError, one line with the correction.
void resolve_train_options(CLI::App& command, TrainOptions& options);

/// The output of --dump-config, which --config can read.
std::string config_text(const CLI::App& command, const TrainOptions& options);

}  // namespace gradus
