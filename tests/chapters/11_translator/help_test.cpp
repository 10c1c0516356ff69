// The help fits the terminal and describes every option; so does the manual page.

#include <cstdlib>
#include <sstream>

#include "app/options/help_format.hpp"
#include "app/options/manual.hpp"
#include "app/terminal/wrapped.hpp"
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

/// The output of `gradus COMMAND --help` for a terminal of that width; 0: the environment gives no width.
std::string help_in(const Playground& place, const std::string& command, int columns) {
  if (columns == 0)
    unsetenv("COLUMNS");
  else
    setenv("COLUMNS", std::to_string(columns).c_str(), 1);
  const Result r = gradus_program(place, command + " --help");
  CHECK(r.status == 0);
  unsetenv("COLUMNS");
  return r.out;
}

/// Except lines of one word, such as an address.
std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t first = line.find_first_not_of(' ');
    if (line.find(' ', std::min(first, line.size())) != line.npos) longest = std::max(longest, line.size());
  }
  return longest;
}

/// Without white space, so that line breaks do not matter.
std::string packed(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c != ' ' && c != '\n') all += c;
  }
  return all;
}

}  // namespace

TEST_CASE("help: a name that reaches the column of the texts has its text on the next line") {
  for (const std::size_t letters : {23, 24, 25, 33}) {  // "  --name FILE"
    CLI::App app("x");
    app.formatter(help_format());
    std::string value;
    const std::string name = "--" + std::string(letters, 'n');
    app.add_option(name, value, "what it is")->type_name("FILE");
    const std::size_t width = 2 + name.size() + 5, column = 31;
    const std::string between =
        width >= column ? "\n" + std::string(column, ' ') : std::string(column - width, ' ');
    INFO(app.help());
    CHECK(app.help().find("  " + name + " FILE" + between + "what it is\n") != std::string::npos);
  }
}

TEST_CASE("wrapped: lines are broken between words, and continue with the same indent") {
  CHECK(wrapped("one two three", 13) == "one two three");
  CHECK(wrapped("one two three", 12) == "one two\nthree");
  CHECK(wrapped("one two three", 3) == "one\ntwo\nthree");
  CHECK(wrapped("  one two three", 9) == "  one two\n  three");
  CHECK(wrapped("  one two three", 9, 2) == "  one two\n    three");
  CHECK(wrapped("one  two\n\nthree four\n", 8) == "one  two\n\nthree\nfour\n");
  CHECK(wrapped("größe größe", 11) == "größe größe");  // characters, not bytes
  CHECK(wrapped("größe größe", 10) == "größe\ngröße");
  CHECK(wrapped("", 10).empty());
}

TEST_CASE("help: the commands stand in the order of use, from the data to the finished model") {
  std::vector<std::string> names;
  for (const CommandText& command : tree_of_the_program()) names.push_back(command.name);
  CHECK(names == std::vector<std::string>{"", "data", "train", "presets", "translate", "evaluate", "score",
                                          "score-pairs", "explain", "serve", "info", "average", "report", "export",
                                          "import", "models", "bench", "completion", "man"});
}

TEST_CASE("help: no line is wider than the terminal, a pipe has 80 columns, and no word is lost") {
  const Playground place("help");
  for (const CommandText& command : tree_of_the_program()) {
    INFO(command.name);
    const std::string wide = help_in(place, command.name, 100);
    CHECK(longest_line(wide) <= 100);
    CHECK(help_in(place, command.name, 300) == wide);
    CHECK(longest_line(help_in(place, command.name, 0)) <= 80);
    CHECK(longest_line(help_in(place, command.name, 64)) <= 64);
    CHECK(longest_line(help_in(place, command.name, 50)) <= 50);
    CHECK(packed(help_in(place, command.name, 50)) == packed(wide));
    for (const OptionText& option : command.options) {
      const std::string name = option.names.back(), bare = name.substr(name.rfind("--no-", 0) == 0 ? 5 : 0);
      INFO(name);
      CHECK(wide.find(bare) != std::string::npos);  // the help writes --[no-]NAME
    }
  }
}

TEST_CASE("man: every command and option is in the manual page, and no text is read as a command of roff") {
  const Playground place("man");
  const Result r = gradus_program(place, "man");
  REQUIRE(r.status == 0);
  const auto escaped = [](const std::string& text) {
    std::string all;
    for (const char c : text) all += c == '-' ? std::string("\\-") : std::string(1, c);
    return all;
  };
  for (const CommandText& command : tree_of_the_program()) {
    if (!command.name.empty()) CHECK(r.out.find(".SS gradus " + escaped(command.name) + "\n") != std::string::npos);
    for (const OptionText& option : command.options) {
      INFO(command.name << " " << option.names.back());
      CHECK(r.out.find(escaped(option.names.back())) != std::string::npos);
      CHECK(r.out.find(escaped(option.text)) != std::string::npos);
    }
  }
  std::istringstream lines(r.out);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    if (line[0] == '.') {
      CHECK((line.rfind(".TH ", 0) == 0 || line.rfind(".SH ", 0) == 0 || line.rfind(".SS ", 0) == 0 ||
             line.rfind(".B ", 0) == 0 || line == ".TP" || line == ".PP" || line == ".nf" || line == ".fi"));
    }
  }
  const std::vector<CommandText> odd{{"", "first", "", {}}, {"x", ".so /etc/passwd\n'a \\n -", "", {}}};
  CHECK(manual_page(odd).find("\n\\&.so /etc/passwd\n\\&'a \\en \\-\n") != std::string::npos);
}
