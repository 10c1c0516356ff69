#include "app/options/option_file.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "app/options/command_line.hpp"
#include "app/options/suggestion.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::string unquoted(const std::string& text) {
  const bool quoted = text.size() > 1 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

/// Whether a # in the value looks like the beginning of a comment.
bool has_comment(const std::string& value) {
  return value.rfind('#', 0) == 0 || value.find(" #") != value.npos || value.find("\t#") != value.npos;
}

/// A value in the form that parse_settings reads back: in quotes if it would lose its first or last character.
/// Inner quotes are kept.
std::string quoted_if_needed(const std::string& value, const std::string& name) {
  if (value.find('\n') != std::string::npos || !is_utf8(value))
    throw UsageError("--" + name + ": a file of options cannot hold a line break, or bytes that are not UTF-8");
  const bool safe = !value.empty() && trimmed(value) == value && value.back() != '\r' && unquoted(value) == value &&
                    !has_comment(value);
  return safe ? value : '"' + value + '"';
}

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_flag(const CLI::Option& option) { return option.get_expected_max() == 0; }

std::string value_of(const CLI::Option& option) {
  return option.count() != 0 ? option.as<std::string>() : option.get_default_str();
}

}  // namespace

Settings parse_settings(std::string_view text, const std::string& origin) {
  Settings settings;
  const auto lines = split_lines(with_line_feeds(std::string(text)), origin);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string line = trimmed(lines[i]);
    if (line.empty() || line[0] == '#') continue;
    const auto equals = line.find('=');
    const std::string name = trimmed(line.substr(0, equals)), where = origin + ":" + std::to_string(i + 1) + ": ";
    if (equals == std::string::npos || name.empty()) throw UsageError(where + "this is not `name = value`");
    for (const auto& [before, value] : settings) {
      if (before == name) throw UsageError(where + name + " is set twice");
    }
    const std::string value = trimmed(line.substr(equals + 1));
    if (unquoted(value) == value && has_comment(value))
      throw UsageError(where + "a comment needs a line of its own; if # belongs to the value, write it in quotes");
    settings.emplace_back(name, unquoted(value));
  }
  return settings;
}

void apply(CLI::App& command, const Settings& settings, const std::string& origin) {
  for (const auto& [name, value] : settings) {
    if (name.rfind("--", 0) == 0) throw UsageError(origin + ": names stand without dashes here, not as " + name);
    CLI::Option* const option = command.get_option_no_throw("--" + name);
    if (option == nullptr) {
      throw UsageError(origin + ": there is no option " + name + did_you_mean("--" + name, option_names(command)));
    }
    if (!option->get_configurable()) {
      throw UsageError(origin + ": " + name + " belongs on the command line, as --" + name +
                       ": it does not change what is trained");
    }
    if (option->count() != 0) continue;
    try {
      option->add_result(is_flag(*option) ? option->get_flag_value(name, value) : value);
      option->run_callback();
    } catch (const CLI::Error& error) {
      throw UsageError(origin + ": " + fault_of_value(command, error));
    }
  }
}

std::string settings_text(const CLI::App& command, const std::vector<std::string>& without) {
  std::string text;
  for (const std::string& group : command.get_groups()) {
    std::string lines;
    for (const CLI::Option* option : command.get_options()) {
      const std::string name = option->get_single_name(), value = value_of(*option);
      if (option->get_group() != group || !option->get_configurable() || value.empty() || contains(without, name))
        continue;
      lines += name + " = " + quoted_if_needed(value, name) + "\n";
    }
    if (!lines.empty()) text += (text.empty() ? "# " : "\n# ") + group + "\n" + lines;
  }
  return text;
}

std::vector<std::string> given_words(const CLI::App& command, const std::vector<std::string>& without) {
  std::vector<std::string> words;
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_single_name();
    if (option->count() == 0 || !option->get_configurable() || contains(without, name)) continue;
    const std::string value = value_of(*option);
    if (is_flag(*option)) {
      words.push_back("--" + name + (value == "true" ? "" : "=" + value));
    } else {
      words.push_back("--" + name);
      words.push_back(value);
    }
  }
  return words;
}

}  // namespace gradus
