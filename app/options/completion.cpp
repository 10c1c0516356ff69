#include "app/options/completion.hpp"

#include "app/models/known_models.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

std::string joined(const std::vector<std::string>& words, const std::string& between) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : between) + word;
  return all;
}

/// In single quotes for a shell, with a backslash before each character of `special`.
std::string in_quotes(const std::string& text, const std::string& special = "") {
  std::string quoted = "'";
  for (const char c : text) {
    if (special.find(c) != special.npos) quoted += '\\';
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

std::vector<std::string> names_of_commands(const std::vector<CommandText>& tree) {
  std::vector<std::string> names;
  for (const CommandText& command : tree) {
    if (!command.name.empty()) names.push_back(command.name);
  }
  return names;
}

std::vector<std::string> names_of_options(const CommandText& command) {
  std::vector<std::string> names;
  for (const OptionText& option : command.options) {
    if (!option.is_argument) names.insert(names.end(), option.names.begin(), option.names.end());
  }
  return names;
}

// bash: two tables: the words after each option, and the options of each command.

std::string bash_values(const CommandText& command) {
  std::string cases;
  for (const OptionText& option : command.options) {
    if (option.is_argument || option.value.empty()) continue;
    std::vector<std::string> patterns;
    for (const std::string& name : option.names) patterns.push_back(command.name + ":" + name);
    const std::string words = joined(suggested_words(option), " ");
    std::string then = words.empty() ? "" : " words=" + in_quotes(words) + ";";
    if (!takes_path(option)) then += " compopt +o default;";
    cases += "    " + joined(patterns, "|") + ")" + then + " is_value=1 ;;\n";
  }
  return cases;
}

std::string bash_words(const CommandText& command, const std::vector<std::string>& commands) {
  std::string words = joined(names_of_options(command), " "), arguments = joined(commands, " ");
  for (const OptionText& option : command.options) {
    if (option.is_argument) arguments += joined(suggested_words(option), " ");
  }
  return "    '" + command.name + "') options=" + in_quotes(words) + " arguments=" + in_quotes(arguments) + " ;;\n";
}

std::string bash_script(const std::vector<CommandText>& tree) {
  const std::vector<std::string> commands = names_of_commands(tree);
  std::string values, words;
  for (const CommandText& command : tree) {
    values += bash_values(command);
    words += bash_words(command, command.name.empty() ? commands : std::vector<std::string>());
  }
  return R"(# Completion of gradus for bash. To use it now: source <(gradus completion bash)
_gradus() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]} command= words= is_value= options= arguments= i
  if [[ $word == '=' ]]; then  # bash takes --name=value apart
    word=
  elif [[ $before == '=' ]]; then
    before=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  for ((i = 1; i < COMP_CWORD; ++i)); do
    case ${COMP_WORDS[i]} in
    )" + joined(commands, "|") +
         R"() command=${COMP_WORDS[i]}; break ;;
    esac
  done
  COMPREPLY=()
  case $command:$before in
)" + values +
         R"(  esac
  if [[ -z $is_value ]]; then
    case $command in
)" + words +
         R"(    esac
    if [[ $word == -* ]]; then words=$options; else words=$arguments; fi
  fi
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
}
complete -o default -F _gradus gradus
)";
}

// zsh: a list of commands, and for each command the arguments of _arguments.

std::string zsh_value(const OptionText& option) {
  const std::string words = joined(suggested_words(option), " ");
  std::string action = " ";
  if (option.value == "MODEL")
    action = "_gradus_models";
  else if (takes_path(option))
    action = "_files";
  else if (!words.empty())
    action = "(" + words + ")";
  return ":" + option.value + ":" + action;
}

/// A known model, or any folder.
std::string zsh_models() {
  const std::string words = joined(suggested_words({{}, "MODEL", {}, "", false}), " ");
  return "_gradus_models() {\n  _alternative 'models:known model:(" + words + ")' 'folders:folder:_files -/'\n}\n";
}

std::string zsh_arguments(const CommandText& command) {
  std::string lines;
  for (const OptionText& option : command.options) {
    if (option.is_argument) {
      lines += " \\\n        " + in_quotes("*" + zsh_value(option));
      continue;
    }
    for (const std::string& name : option.names) {
      const std::string text = in_quotes(option.text, "[]:\\");
      const std::string equals = option.value.empty() || name[1] != '-' ? "" : "=";
      lines += " \\\n        " + in_quotes("*" + name + equals) + "'['" + text + "']'" +
               (option.value.empty() ? "" : in_quotes(zsh_value(option)));
    }
  }
  return lines;
}

std::string zsh_script(const std::vector<CommandText>& tree) {
  std::string commands, cases;
  for (const CommandText& command : tree) {
    if (command.name.empty()) continue;
    commands += "    " + in_quotes(command.name + ":" + command.text) + "\n";
    cases += "      " + command.name + ")\n        _arguments" + zsh_arguments(command) + " ;;\n";
  }
  return "#compdef gradus\n# Completion of gradus for zsh. To use it now: source <(gradus completion zsh)\n" +
         zsh_models() + "_gradus() {\n  local state line\n  local -a commands=(\n" + commands +
         "  )\n  _arguments -C" + zsh_arguments(tree.front()) +
         " \\\n        '1: :->command' '*:: :->rest'\n"
         "  case $state in\n  command) _describe command commands ;;\n"
         "  rest)\n    case $words[1] in\n" +
         cases +
         "    esac ;;\n  esac\n}\n"
         "if [[ $funcstack[1] == _gradus ]]; then _gradus \"$@\"; else compdef _gradus gradus; fi\n";
}

// fish: one line for each command and each option.

std::string fish_line(const CommandText& command, const OptionText& option) {
  std::string line = "complete -c gradus -n ";
  line += command.name.empty() ? "__fish_use_subcommand" : in_quotes("__fish_seen_subcommand_from " + command.name);
  for (const std::string& name : option.names) {
    if (!option.is_argument) line += name[1] == '-' ? " -l " + name.substr(2) : " -s " + name.substr(1);
  }
  if (!option.value.empty() && !option.is_argument) line += takes_path(option) ? " -r" : " -x";
  const std::string words = joined(suggested_words(option), " ");
  if (!words.empty()) line += " -a " + in_quotes(words);
  return line + " -d " + in_quotes(option.text, "\\") + "\n";
}

std::string fish_script(const std::vector<CommandText>& tree) {
  std::string lines = "# Completion of gradus for fish. To use it now: gradus completion fish | source\n";
  for (const CommandText& command : tree) {
    if (!command.name.empty())
      lines += "complete -c gradus -f -n __fish_use_subcommand -a " + command.name + " -d " +
               in_quotes(command.text, "\\") + "\n";
  }
  for (const CommandText& command : tree) {
    for (const OptionText& option : command.options) lines += fish_line(command, option);
  }
  return lines;
}

}  // namespace

std::vector<std::string> suggested_words(const OptionText& option) {
  if (option.value == "MODEL") return known_names();
  return option.choices;
}

bool takes_path(const OptionText& option) {
  return option.value == "FILE" || option.value == "DIR" || option.value == "MODEL";
}

std::string completion_script(const std::string& shell, const std::vector<CommandText>& tree) {
  if (shell == "bash") return bash_script(tree);
  if (shell == "zsh") return zsh_script(tree);
  if (shell != "fish") fail("there is completion for bash, zsh and fish, not for " + shell);
  return fish_script(tree);
}

}  // namespace gradus
