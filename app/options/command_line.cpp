#include "app/options/command_line.hpp"

#include <CLI/CLI.hpp>

#include "app/options/suggestion.hpp"

namespace gradus {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// The shell splits words that are not in quotes.
std::string advice(const CLI::App& command) {
  return command.get_option_no_throw("sentence") == nullptr ? "" : "; put the whole sentence in quotes";
}

}  // namespace

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  const auto commands = app.get_subcommands();
  const std::string where = commands.empty() ? "gradus" : "gradus " + commands.front()->get_name();
  const std::string help = " (" + where + " --help lists commands and options)";
  if (rest.empty()) return error.what() + help;
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (commands.empty() && word[0] != '-') {
    return "there is no command '" + word + "'" + did_you_mean(word, command_names(app)) + help;
  }
  if (!commands.empty() && commands.front()->get_option_no_throw(word) != nullptr)
    return word + " belongs after the command: " + where + " " + word;
  if (word[0] != '-') return "'" + word + "' was not expected" + advice(*commands.front()) + help;
  return "there is no option " + word +
         did_you_mean(word, option_names(commands.empty() ? app : *commands.front())) + help;
}

}  // namespace gradus
