// Completion: bash is called as a user would call it; the scripts of zsh and fish name every option.

#include "app/options/completion.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

std::vector<CommandText> tree_of_the_program() {
  CLI::App app("gradus");
  add_commands(app);
  return command_tree(app);
}

std::string script(const Playground& place, const std::string& shell) {
  const Result r = gradus_program(place, "completion " + shell);
  REQUIRE(r.status == 0);
  return place.write(shell, r.out);
}

/// The completions of bash after these words, the last of which is incomplete; one on each line.
std::string offered(const Playground& place, const std::string& words) {
  const std::string code = "complete() { :; }; compopt() { :; }; source " + place.file("bash") + "; COMP_WORDS=(" +
                           words +
                           "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _gradus; printf '%s\\n' \"${COMPREPLY[@]}\"";
  const std::string file = place.write("ask.sh", code), out = place.file("offered");
  REQUIRE(std::system(("bash --norc " + file + " >" + out).c_str()) == 0);
  return read_file(out);
}

}  // namespace

TEST_CASE("completion bash: commands, their options, the words that an option takes") {
  const Playground place("bash");
  script(place, "bash");
  CHECK(offered(place, "gradus transl") == "translate\n");
  CHECK(offered(place, "gradus tra") == "train\ntranslate\n");
  CHECK(offered(place, "gradus --ver") == "--version\n");
  CHECK(offered(place, "gradus translate --beam") == "--beam-size\n");
  CHECK(offered(place, "gradus train --no-low") == "--no-lowercase\n");
  CHECK(offered(place, "gradus train --norm ''") == "pre\npost\n");
  CHECK(offered(place, "gradus train --seed 3 --norm po") == "post\n");
  CHECK(offered(place, "gradus train --norm = p") == "pre\npost\n");  // bash takes --norm=p apart
  CHECK(offered(place, "gradus train --norm =") == "pre\npost\n");
  CHECK(offered(place, "gradus translate --model d") == "de-en\n");
  CHECK(offered(place, "gradus translate --device cu") == "cuda\n");
  CHECK(offered(place, "gradus completion z") == "zsh\n");
  CHECK(offered(place, "gradus train --seed ''") == "\n");        // a number: nothing to offer
  CHECK(offered(place, "gradus translate --input ''") == "\n");   // bash itself offers files
  CHECK(offered(place, "gradus evaluate --schedule c") == "\n");  // no option of this command
  CHECK(offered(place, "gradus train --schedule c") == "constant\ncosine\n");
}

TEST_CASE("completion: the scripts for zsh and fish have every command and option, and the shells can read them") {
  const Playground place("shells");
  for (const char* shell : {"bash", "zsh", "fish"}) {
    const std::string file = script(place, shell), text = read_file(file);
    for (const CommandText& command : tree_of_the_program()) {
      INFO(shell << ", " << command.name);
      CHECK(text.find(command.name) != std::string::npos);
      for (const OptionText& option : command.options) {
        if (option.is_argument) continue;
        INFO(option.names.back());
        CHECK(text.find(shell == std::string("fish") && option.names.back()[1] == '-'
                            ? "-l " + option.names.back().substr(2) + " "
                            : option.names.back()) != std::string::npos);
      }
    }
    const std::string which = std::string("command -v ") + shell + " >/dev/null";
    if (std::system(which.c_str()) == 0) CHECK(std::system((std::string(shell) + " -n " + file).c_str()) == 0);
  }
  const Result other = gradus_program(place, "completion tcsh");
  CHECK(other.status == 2);
  CHECK(other.out.empty());
}
