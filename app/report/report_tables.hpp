#pragma once
/// \file
/// The tables of a training's report, as HTML.

#include <string>
#include <vector>

#include "11_translator/training/record/run_results.hpp"
#include "11_translator/training/record/run_timing.hpp"
#include "11_translator/training/record/training_history.hpp"

namespace gradus {

/// Loss, perplexity and BLEU of at most twelve validations, including the best and the last.
std::string validations_table(const std::vector<ValidationRecord>& validations);

/// The lengths of the sentences, in tokens: two pictures and a table; "" without lengths.
std::string lengths_section(const std::vector<Lengths>& lengths);

/// Name and value of a run's time and machine: {"time", "1:02:03"}, {"speed", ...}.
std::vector<std::pair<std::string, std::string>> timing_facts(const RunTiming& timing);

/// The same as a section of the class "machine": the one part of a report that differs between equal runs. ""
/// without a session.
std::string machine_section(const RunTiming& timing);

/// {"unknown tokens, training text", "0.12 % of the sources, 0.00 % of the targets"}, and the same of the validation text; none
/// if they were not counted.
std::vector<std::pair<std::string, std::string>> unknown_facts(const TrainingHistory& history);

/// "<dt>name</dt><dd>value</dd>" lines in a list.
std::string fact_list(const std::vector<std::pair<std::string, std::string>>& facts);

}  // namespace gradus
