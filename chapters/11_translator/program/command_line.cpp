#include "11_translator/program/command_line.hpp"

#include <CLI/CLI.hpp>

#include "11_translator/program/suggestion.hpp"

namespace gradus {
namespace {

class Help : public CLI::Formatter {
 public:
  Help() { column_width(31); }

  std::string make_option_name(const CLI::Option* option, bool is_positional) const override {
    std::string name = CLI::Formatter::make_option_name(option, is_positional);
    const auto negative = name.find(",--no-");
    if (negative != std::string::npos) return "--[no-]" + name.substr(2, negative - 2);
    const std::string value = "{false}";  // of a second name, which says so itself
    const auto at = name.find(value);
    return at == std::string::npos ? name : name.erase(at, value.size());
  }

  std::string make_option_opts(const CLI::Option* option) const override {
    if (option->get_type_size() == 0) return "";
    const std::string type = option->get_type_name();
    const std::string plain = type.substr(0, type.find(':'));  // behind it stands what is checked
    return " " + (plain == "UINT" || plain == "INT" ? "N" : plain == "FLOAT" ? "X" : plain);
  }

  std::string make_option_desc(const CLI::Option* option) const override {
    const std::string standard = option->get_default_str();
    return option->get_description() + (standard.empty() ? "" : " [" + standard + "]") +
           (option->get_required() ? " (required)" : "");
  }
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// The shell takes words apart that are not in quotes.
std::string advice(const CLI::App& command) {
  return command.get_option_no_throw("sentence") == nullptr ? "" : "; put the whole sentence in quotes";
}

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_format() { return std::make_shared<Help>(); }

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
  const std::string help = " (" + where + " --help lists what there is)";
  if (rest.empty()) return error.what() + help;
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (commands.empty() && word[0] != '-') {
    return "there is no command '" + word + "'" + did_you_mean(word, command_names(app)) + help;
  }
  if (!commands.empty() && commands.front()->get_option_no_throw(word) != nullptr)
    return word + " stands behind the command: " + where + " " + word;
  if (word[0] != '-') return "'" + word + "' was not expected" + advice(*commands.front()) + help;
  return "there is no option " + word +
         did_you_mean(word, option_names(commands.empty() ? app : *commands.front())) + help;
}

}  // namespace gradus
