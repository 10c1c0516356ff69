#pragma once
/// \file
/// Messages about a command line that the program cannot read.

#include <string>
#include <vector>

namespace CLI {
class App;
class Error;
class ParseError;
}  // namespace CLI

namespace gradus {

/// Throws UsageError for a word such as `--output=`: CLI11 would take the next word as the value.
void require_values(const std::vector<std::string>& words);

/// Throws UsageError for an option or an argument that was given an empty value: no file, folder, model or address has that name. An empty
/// sentence is one, and no symbols are a choice.
void require_names(const CLI::App& command);

/// Throws UsageError for a flag with a value that is neither true nor false: CLI11 also takes 7, on and y.
void require_flags(const CLI::App& command);

/// A warning for each option of one value that was given several: the last one counts, and people may overlook that.
std::vector<std::string> repeated_options(const CLI::App& command);

/// A warning for each given model that is a training which has not ended, or whose files of the model are gone: whose weights are used.
std::vector<std::string> unfinished_models(const CLI::App& command);

/// What CLI11 says of a value, but a sentence where the value is no number, or no truth value of a flag: "--beam-size: x is not a whole number".
std::string fault_of_value(const CLI::App& command, const CLI::Error& error);

/// One line about a wrong command line; for an unknown command or option, with a suggestion.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

/// "--d-model" and so on: the names of a command's options.
std::vector<std::string> option_names(const CLI::App& command);

}  // namespace gradus
