#include "app/options/command_tree.hpp"

#include <CLI/CLI.hpp>
#include <sstream>

namespace gradus {
namespace {

/// CLI11 writes the type of a value and its check as "WORD:{pre,post}".
std::vector<std::string> choices(const CLI::Option& option) {
  const std::string type = option.get_type_name();
  const auto open = type.find('{'), close = type.rfind('}');
  std::vector<std::string> words;
  if (open == type.npos || close == type.npos) return words;
  std::istringstream list(type.substr(open + 1, close - open - 1));
  for (std::string word; std::getline(list, word, ',');) words.push_back(word);
  return words;
}

OptionText option_text(const CLI::Option& option) {
  OptionText o;
  o.is_argument = option.get_positional() && !option.nonpositional();
  if (o.is_argument) o.names = {option.get_name(true)};
  for (const std::string& name : option.get_snames()) o.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) o.names.push_back("--" + name);
  o.value = value_name(option);
  o.choices = choices(option);
  o.text = described(option);
  return o;
}

CommandText command_text(const CLI::App& command, const std::string& name) {
  CommandText c{name, command.get_description(), command.get_footer(), {}};
  for (const CLI::Option* option : command.get_options()) c.options.push_back(option_text(*option));
  return c;
}

}  // namespace

std::string value_name(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  const std::string plain = type.substr(0, type.find(':'));
  return plain == "UINT" || plain == "INT" ? "N" : plain == "FLOAT" ? "X" : plain;
}

std::string described(const CLI::Option& option) {
  const std::string standard = option.get_default_str();
  return option.get_description() + (standard.empty() ? "" : " [" + standard + "]") +
         (option.get_required() ? " (required)" : "");
}

std::vector<CommandText> command_tree(const CLI::App& app) {
  std::vector<CommandText> all{command_text(app, "")};
  for (const CLI::App* command : app.get_subcommands({}))
    all.push_back(command_text(*command, command->get_name()));
  return all;
}

}  // namespace gradus
