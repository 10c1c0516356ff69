#pragma once
/// \file
/// Commands in which rank 0 does everything but the translations; these the ranks share.

#include <string>

#include "11_translator/translator/translator.hpp"

namespace gradus {

/// Loads the model on every rank. Ends all ranks with one error if it is missing or damaged, or if they differ in their
/// program, their device, the content of their model, --int8, or an option of the search: those of rank 0 would count, and the
/// others be ignored. Threads may differ.
Translator load_on_all(Ranks& ranks, const std::string& folder, DeviceChoice device, SearchWeights weights,
                       const TranslateOptions& options);

/// Rank 0 runs the command with a translator that the ranks share. Returns its exit status on all of them.
template <class Command>
int with_help(Ranks& ranks, const Translator& translator, std::size_t threads, const Command& command) {
  int status = 0;
  if (!is_first(ranks)) translator.help(ranks, threads);
  on_first(ranks, [&] {
    const Helpers until_the_end(ranks);
    status = command(translator.shared_by(ranks));
  });
  return std::stoi(broadcast(ranks, std::to_string(status)));
}

}  // namespace gradus
