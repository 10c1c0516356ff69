#pragma once
/// \file
/// What `gradus translate` was asked for.

#include <string>
#include <vector>

#include "11_translator/program/options/bundled.hpp"
#include "11_translator/translator/translator.hpp"

namespace gradus {

struct TranslateRequest {
  std::vector<std::string> sentences;  ///< of the command line
  std::string input, output, attention, model = default_model();
  bool with_scores = false, alignment = false, json = false;
  std::size_t buffer = 0;  ///< most lines that are translated together; 0: 192 for each thread
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
};

/// Most lines that are translated together, by default enough for each thread to sort them by length.
std::size_t most_lines(const TranslateRequest& request);

/// Throws UsageError or Error for choices that do not go together, and for files that could not be written: what would
/// go wrong after the work is better said before it.
void check(const TranslateRequest& request);

}  // namespace gradus
