#pragma once
/// \file
/// How the program speaks of its own options: help that is short, complaints that help.

#include <memory>
#include <string>
#include <vector>

namespace CLI {
class App;
class FormatterBase;
class ParseError;
}  // namespace CLI

namespace gradus {

/// Help in columns, with every default in brackets behind what it is the default of.
std::shared_ptr<CLI::FormatterBase> help_format();

/// One line about a command line that could not be read; of an unknown command or option, what was meant.
std::string complaint(const CLI::App& app, const CLI::ParseError& error);

/// "--d-model" and so on, all names that a command knows.
std::vector<std::string> option_names(const CLI::App& command);

}  // namespace gradus
