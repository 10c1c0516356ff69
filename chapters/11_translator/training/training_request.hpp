#pragma once
/// \file
/// The user's choices for a training.

#include <cstdint>
#include <string>
#include <vector>

#include "09_transformer/config.hpp"
#include "09_transformer/initialise.hpp"
#include "10_training/run/plan.hpp"
#include "11_translator/data/tokenizer.hpp"
#include "11_translator/translator/translator.hpp"
#include "11_translator/warnings/text_languages.hpp"

namespace gradus {

struct TrainingRequest {
  std::string train_source, train_target, valid_source, valid_target;  ///< text files, plain or .gz
  std::string train_pairs, valid_pairs;  ///< instead of two of them: a file of lines `source TAB target`
  std::uint32_t valid_split = 0;         ///< instead of validation files: so many pairs of the training text
  std::string mix_source, mix_target;    ///< text that is mixed into the training text; empty: none
  double mix_share = 0.2;                ///< how much of all pairs it becomes
  std::string output;                    ///< folder of the run and of its model
  TokenizerOptions tokenizer;
  bool joint_vocabulary = true;  ///< one vocabulary for both languages
  ModelConfig model;             ///< the vocabularies' sizes are filled in later
  TrainingPlan plan;
  InitialisationOptions initialisation;  ///< its seed is the plan's
  std::string init_from;              ///< folder of a model for the first weights and the vocabulary; empty: none
  TextLanguages init_languages = {};  ///< of that model, if it is a known one
  bool keep_best = false;             ///< the model is the best validation's and not the mean of the last ones
  // false: a default that nobody gave. The warm-up then becomes shorter in a short run (warmup_that_fits), and a mean of fewer
  // validations is no surprise
  bool warmup_is_given = true, average_is_given = true;

  /// from here on: how long and on what device; this changes no weight
  DeviceChoice device = DeviceChoice::automatic;
  std::size_t threads = 2;
  std::uint32_t max_steps = 0;
  double max_minutes = 0;
  std::uint32_t save_every = 500;
  bool normalises_like_run = false;    ///< a run that continues keeps its normalisation, because none was asked for
  std::string ids;                     ///< file of the training pairs' ids; empty: training_ids.hpp says where
  bool overwrite = false;              ///< remove an existing run
  std::string title = "A translator";  ///< of the report
  std::vector<std::string> command;    ///< the command line with these choices, for the report
};

}  // namespace gradus
