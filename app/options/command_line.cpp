#include "app/options/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <functional>

#include "11_translator/storage/model_files.hpp"
#include "app/options/command_tree.hpp"
#include "app/options/shared_options.hpp"
#include "app/options/suggestion.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "; did you mean --untied?" for "--no-tied": not each flag has an opposite that begins with no-.
std::string opposite(const CLI::App& command, const std::string& word) {
  const std::string no = "--no-";
  if (word.rfind(no, 0) != 0) return "";
  const CLI::Option* const option = command.get_option_no_throw("--" + word.substr(no.size()));
  if (option == nullptr || option->get_fnames().empty()) return "";
  return "; did you mean --" + option->get_fnames().front() + "?";
}

constexpr const char* is_no_flag = " is neither true nor false";

/// What a value that is shown as `kind` in the help has to be.
std::string meaning(const std::string& kind, const CLI::Option& option) {
  if (kind == "FILE") return "the name of a file";
  if (kind == "DIR") return "the name of a folder";
  if (kind == "MODEL" || option.get_single_name() == "model")
    return "the folder of a model, or the name of a known one";
  if (option.get_single_name() == "host") return "an address of this machine, such as 127.0.0.1";
  return "a value";
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

void require_values(const std::vector<std::string>& words) {
  const auto end = std::find(words.begin(), words.end(), "--");  // sentences follow
  const auto is_cut = [](const std::string& word) {
    return word.rfind("--", 0) == 0 && word.find('=') == word.size() - 1;
  };
  const auto cut = std::find_if(words.begin(), end, is_cut);
  if (cut != end) throw UsageError(cut->substr(0, cut->size() - 1) + " is empty; give a value behind " + *cut);
}

void require_names(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string kind = value_name(*option), name = option->get_single_name();
    if (kind.empty() || kind == "WORDS" || name == "sentence" || option->count() == 0) continue;
    const auto& given = option->results();
    if (std::find(given.begin(), given.end(), "") == given.end()) continue;
    const std::string what =
        option->get_positional() && !option->nonpositional() ? "the name of " + name : "--" + name;
    throw UsageError(what + " is empty; give " + meaning(kind, *option));
  }
}

void require_flags(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    if (!value_name(*option).empty()) continue;
    for (const std::string& value : option->results())
      if (value != "true" && value != "false")
        throw UsageError("--" + option->get_single_name() + ": " + value + is_no_flag);
  }
}

std::vector<std::string> repeated_options(const CLI::App& command) {
  std::vector<std::string> warnings;
  for (const CLI::Option* option : command.get_options()) {
    const auto& given = option->results();
    if (option->get_multi_option_policy() != CLI::MultiOptionPolicy::TakeLast) continue;
    if (std::adjacent_find(given.begin(), given.end(), std::not_equal_to<>()) == given.end()) continue;
    const std::string name = "--" + option->get_single_name();
    warnings.push_back(name + " is given more than once, with different values; the last one counts");
  }
  return warnings;
}

std::vector<std::string> unfinished_models(const CLI::App& command) {
  std::vector<std::string> warnings;
  for (const CLI::Option* option : command.get_options()) {
    if (value_name(*option) != "MODEL") continue;
    for (const std::string& folder : option->results()) {
      const std::string weights = weights_of_run(folder);
      if (!weights.empty())
        warnings.push_back(
            folder + " has no whole model: its training has not ended, or files are gone. Used are its weights " +
            weights);
    }
  }
  return warnings;
}

std::string fault_of_value(const CLI::App& command, const CLI::Error& error) {
  std::string raw = error.what();
  const std::size_t missing = raw.find(": 1 required ");
  if (missing != raw.npos) return raw.substr(0, missing) + " needs a value";
  const std::string head = "Could not convert: ", sign = " = ";
  const std::size_t equals = raw.find(sign);
  if (raw.rfind(head, 0) == 0 && equals != raw.npos) {
    const std::size_t value = std::max(equals + sign.size(), raw.rfind(',') + 1);  // the last of several: it counts
    raw = raw.substr(head.size(), equals - head.size()) + ": " + raw.substr(value) + is_no_number;
  }
  const CLI::Option* const option = command.get_option_no_throw(raw.substr(0, raw.find(": ")));
  const std::string kind = option == nullptr ? "X" : value_name(*option);
  const bool is_fraction = kind == "N" && raw.find_first_of(".eE", raw.find(": ")) < raw.find(" is not ");
  const std::size_t fault = is_fraction ? raw.find(" is not ") : raw.rfind(is_no_number);
  if (fault != raw.npos && kind != "X")
    raw.replace(fault, raw.npos, kind == "N" ? " is not a whole number" : is_no_flag);
  return raw;
}

std::string complaint(const CLI::App& app, const CLI::ParseError& error) {
  const std::vector<std::string> rest = app.remaining(true);
  const auto commands = app.get_subcommands();
  const std::string where = commands.empty() ? "gradus" : "gradus " + commands.front()->get_name();
  const std::string help = " (" + where + " --help lists commands and options)";
  if (rest.empty() && commands.empty() && error.get_name() == "RequiredError") return "a command is missing" + help;
  if (rest.empty()) return fault_of_value(commands.empty() ? app : *commands.front(), error) + help;
  const std::string word = rest.front().substr(0, rest.front().find('='));
  if (commands.empty() && word[0] != '-') {
    return "there is no command '" + word + "'" + did_you_mean(word, command_names(app)) + help;
  }
  if (!commands.empty() && commands.front()->get_option_no_throw(word) != nullptr)
    return word + " belongs after the command: " + where + " " + word;
  if (word[0] != '-') return "'" + word + "' was not expected" + advice(*commands.front()) + help;
  const CLI::App& command = commands.empty() ? app : *commands.front();
  const std::string other = opposite(command, word);
  return "there is no option " + word + (other.empty() ? did_you_mean(word, option_names(command)) : other) + help;
}

}  // namespace gradus
