#pragma once
/// \file
/// The commands of the program, each as a request that main fills and a function that runs it and returns the exit
/// status. Results go to the standard output, everything else to the standard error stream.

#include <string>
#include <vector>

#include "11_translator/training_run.hpp"
#include "11_translator/translator.hpp"

namespace gradus {

int run_train(const TrainingRequest& request);

struct TranslateRequest {
  std::vector<std::string> sentences;
  std::string input, output, model;
  bool attention = false;  ///< draw which source pieces each target piece looked at
  TranslateOptions options;
};
int run_translate(const TranslateRequest& request);

struct ScoreRequest {
  std::string hypotheses, references;
  bool lowercase = false;
};
int run_score(const ScoreRequest& request);

/// Version, compiler, BLAS kernels: what a bug report needs.
std::string build_information();

}  // namespace gradus
