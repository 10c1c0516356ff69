#pragma once
/// \file
/// The request of `gradus translate`.

#include <string>
#include <vector>

#include "11_translator/translator/translator.hpp"
#include "app/models/known_models.hpp"

namespace gradus {

struct TranslateRequest {
  std::vector<std::string> sentences;  ///< from the command line
  std::vector<std::string> inputs;     ///< files, read one after the other
  std::string output, attention, model = default_model();
  bool with_scores = false, alignment = false, json = false;
  bool paragraphs = false;  ///< lines are paragraphs, of any number of sentences
  std::size_t buffer = 0;   ///< most lines that are translated together; 0: 192 for each thread
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
  SearchWeights weights = SearchWeights::exact;
};

/// Most lines that are translated together; by default enough that each thread of each rank can sort them
/// by length.
std::size_t most_lines(const TranslateRequest& request, std::size_t ranks);

/// Throws UsageError or Error for options that exclude each other and for files that cannot be written, so that the
/// user learns it before the work and not after it.
void check(const TranslateRequest& request);

}  // namespace gradus
