#pragma once
/// \file
/// Messages about a command line that the program cannot read.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace gradus {

/// One line about a wrong command line; for an unknown command or option, with a suggestion.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

/// "--d-model" and so on: the names of a command's options.
std::vector<std::string> option_names(const CLI::App& command);

}  // namespace gradus
