#pragma once
/// \file
/// The options of `gradus train`, and what they ask for together.

#include <memory>
#include <string>
#include <vector>

#include "11_translator/training/training_request.hpp"

namespace CLI {
class App;
}

namespace gradus {

/// As given, word by word. Defaults are those of the bundled model's training.
struct TrainOptions {
  TrainOptions();

  std::string data, source_lang = "en", target_lang = "de";
  std::string train_source, train_target, valid_source, valid_target, output;
  VocabularyChoice vocab = VocabularyChoice::joint;
  int vocab_size = 10000, min_frequency = 1;
  bool lowercase = false;
  std::size_t layers = 4;
  bool tied = true;
  double dropout = 0.3;
  double embedding_dropout = 0, attention_dropout = 0, activation_dropout = 0, residual_dropout = 0;  // see rate()
  Decay decay = Decay::decoupled;
  double clip = 1, weight_decay = 0;
  std::string preset, config, log_json, init_from;
  bool dump_config = false, quiet = false;
  TrainingRequest request;  ///< what needs no translation stands here at once
};

/// Adds the options to the command.
void add_train_options(CLI::App& command, TrainOptions& options);

/// Fills `options.request`: takes from --config and --preset what the command line does not say, and checks that the
/// choices go together. Throws UsageError, one line that says what was meant.
void resolve_train_options(CLI::App& command, TrainOptions& options);

/// What --dump-config prints: text that --config reads.
std::string config_text(const CLI::App& command, const TrainOptions& options);

}  // namespace gradus
