#pragma once
/// \file
/// The commands and their options as plain text, read from CLI11's own tree: for help, manual and shell completion, which
/// can therefore not say other things than the program does.

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace gradus {

struct OptionText {
  std::vector<std::string> names;    ///< "--beam-size"; of an argument without dashes its name alone
  std::string value;                 ///< what follows: N, X, FILE, DIR, MODEL, WORD, TEXT; empty: nothing does
  std::vector<std::string> choices;  ///< the words that it takes, if there is a list of them
  std::string text;                  ///< what it does, with its default in brackets
  bool is_argument = false;          ///< given by its place, not by its name
};

struct CommandText {
  std::string name;  ///< empty: the program itself
  std::string text;  ///< what it does
  std::string footer;
  std::vector<OptionText> options;  ///< and arguments, in the order of the help
};

/// The program, then its commands in the order of the help.
std::vector<CommandText> command_tree(const CLI::App& app);

/// OptionText::value and OptionText::text of one option.
std::string value_name(const CLI::Option& option);
std::string described(const CLI::Option& option);

}  // namespace gradus
