#pragma once
/// \file
/// What the program says of a command line that it cannot read.

#include <string>
#include <vector>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace gradus {

/// One line about a command line that could not be read; of an unknown command or option, what was meant.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

/// "--d-model" and so on, all names that a command knows.
std::vector<std::string> option_names(const CLI::App& command);

}  // namespace gradus
