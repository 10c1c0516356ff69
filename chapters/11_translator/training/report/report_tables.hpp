#pragma once
/// \file
/// The tables of a training's report, as HTML.

#include <string>
#include <vector>

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/record/run_timing.hpp"
#include "11_translator/training/record/training_history.hpp"

namespace gradus {

/// Loss, perplexity and BLEU of at most twelve validations, the best and the last among them.
std::string validations_table(const std::vector<ValidationRecord>& validations);

/// How long the sentences are, in tokens: two pictures and a table; "" of none.
std::string lengths_section(const std::vector<Lengths>& lengths);

/// What a run's time and machine are called: {"time", "1:02:03"}, {"speed", ...}.
std::vector<std::pair<std::string, std::string>> timing_facts(const RunTiming& timing);

/// Those, as a section of the class "machine": the one part of a report that differs between equal runs. "" of no session.
std::string machine_section(const RunTiming& timing);

/// "<dt>name</dt><dd>value</dd>" lines in a list.
std::string fact_list(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace gradus
