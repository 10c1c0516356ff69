#pragma once
/// \file
/// The commands and their options as plain text, read from CLI11's own tree. Help, manual and shell completion use
/// it, so they always agree with the program.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

struct OptionText {
  std::vector<std::string> names;  ///< "--beam-size"; an argument without dashes has its name alone
  /// the type of its value: N, X, FILE, DIR, MODEL, WORD, TEXT; empty: it has none
  std::string value;
  std::vector<std::string> choices;  ///< the accepted words, if there is a list of them
  std::string text;                  ///< description, with the default in brackets
  bool is_argument = false;          ///< identified by its place, not by its name
};

struct CommandText {
  std::string name;  ///< empty: the program itself
  std::string text;  ///< description
  std::string footer;
  std::vector<OptionText> options;  ///< options and arguments, in the order of the help
};

/// The program, then its commands in the order of the help.
std::vector<CommandText> command_tree(const CLI::App& app);

/// OptionText::value and OptionText::text of one option.
std::string value_name(const CLI::Option& option);
std::string described(const CLI::Option& option);

}  // namespace gradus
