// Messages about values that no option can have: empty, no number, or full of bytes that a terminal obeys.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <regex>
#include <utility>

#include "app/commands/commands.hpp"
#include "app/options/command_line.hpp"
#include "app/options/command_tree.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/word_training.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Value {
  std::string command, option, kind;  ///< option: "--output", or "" and the value is an argument
};

/// Every option and every argument of every command that takes a value.
std::vector<Value> all_values() {
  CLI::App app;
  add_commands(app);
  std::vector<Value> all;
  for (const CLI::App* command : std::as_const(app).get_subcommands({})) {
    for (const CLI::Option* option : command->get_options()) {
      const bool is_argument = option->get_positional() && !option->nonpositional();
      const std::string kind = value_name(*option);
      if (!kind.empty())
        all.push_back({command->get_name(), is_argument ? "" : "--" + option->get_single_name(), kind});
    }
  }
  return all;
}

/// The message about an empty value; "" if it is accepted.
std::string fault_of_empty(const Value& value) {
  CLI::App app;
  const std::vector<Command> commands = add_commands(app);  // they hold the values
  CLI::App* const command = app.get_subcommand(value.command);
  for (CLI::Option* option : command->get_options()) option->required(false);
  std::vector<std::string> words{"", value.option, value.command};  // the last one first
  if (value.option.empty()) words.erase(words.begin() + 1);
  try {
    app.parse(words);
    require_names(*command);
  } catch (const CLI::ParseError& error) {
    return fault_of_value(*command, error);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("messages: an empty value of any option or argument is refused, and the message has its name") {
  const std::vector<Value> all = all_values();
  REQUIRE(all.size() > 100);
  for (const Value& value : all) {
    INFO(value.command << " " << value.option << ", " << value.kind);
    const std::string fault = fault_of_empty(value);
    const bool is_sentence = value.option.empty() && (value.command == "translate" || value.command == "explain");
    if (is_sentence || value.option == "--symbols") {
      CHECK(fault.empty());
    } else {
      CHECK_FALSE(fault.empty());
      CHECK(fault.find(value.option) != fault.npos);
      CHECK(fault.find('\n') == fault.npos);
    }
  }
}

TEST_CASE("messages: a value that an option was given before its last one is not dropped in silence") {
  const auto warnings = [](const std::vector<std::string>& words) {
    CLI::App app;
    const std::vector<Command> commands = add_commands(app);
    app.parse(std::vector<std::string>(words.rbegin(), words.rend()));
    return repeated_options(*app.get_subcommands().front());
  };
  using Lines = std::vector<std::string>;
  CHECK(warnings({"translate", "--beam-size", "2", "--beam-size", "5", "A"}) ==
        Lines{"--beam-size is given more than once, with different values; the last one counts"});
  CHECK(warnings({"train", "--seed", "2", "--seed=5", "--seed", "5"}).size() == 1);
  CHECK(warnings({"train", "--tied", "--untied"}) ==
        Lines{"--tied is given more than once, with different values; the last one counts"});
  for (const Lines& once : {Lines{"translate", "--beam-size", "2", "--beam-size", "2", "A", "B"},
                            Lines{"translate", "--input", "a", "--input", "b"}, Lines{"train", "--tied", "--tied"},
                            Lines{"info", "en-de"}})
    CHECK(warnings(once).empty());
  const Playground place("twice");
  CHECK_THAT(gradus_program(place, "translate --model en-de --model de-en Hund").err,
             contains("warning: --model is given more than once"));
}

TEST_CASE("messages: the program refuses an empty name in one line, also from a file of options") {
  const Playground place("empty-names");
  for (const std::string words : {"translate --output '' A",
                                  "translate --model '' A",
                                  "translate --input ''",
                                  "translate --attention '' A",
                                  "serve --port 0 --host ''",
                                  "serve --model ''",
                                  "evaluate --source '' --reference a",
                                  "info ''",
                                  "export --ctranslate2 ''",
                                  "import '' --output x",
                                  "import x --output ''",
                                  "average a '' --output b",
                                  "average a b --output ''",
                                  "report ''",
                                  "data --output ''",
                                  "data --from ''",
                                  "train --data ''",
                                  "train --train '' --valid x --output y",
                                  "train --init-from ''",
                                  "train --log-json ''",
                                  "translate --output= A",
                                  "serve --host=",
                                  "train --data= --output x",
                                  "train --config ''",
                                  "score --references '' --hypotheses a"}) {
    INFO(words);
    expect_usage_error(gradus_program(place, words), " is empty; give ");
  }
  for (const char* line : {"data = \"\"", "output =", "train-source = \"\""}) {
    INFO(line);
    const std::string file = place.write("options", std::string(line) + "\n");
    expect_usage_error(gradus_program(place, "train --dump-config --config " + file), " is empty; give ");
  }
  CHECK(gradus_program(place, "train --dump-config --symbols ''").status == 0);
}

TEST_CASE("messages: a value that is no number is named in a sentence") {
  const Playground place("no-numbers");
  const auto said = [&](const std::string& words) {
    const Result r = gradus_program(place, words);
    CHECK(r.status == 2);
    return r.err.substr(0, r.err.find(" (gradus"));
  };
  CHECK(said("translate --beam-size x A") == "gradus: --beam-size: x is not a whole number");
  CHECK(said("translate --beam-size 3 --beam-size 1e9 A") == "gradus: --beam-size: 1e9 is not a whole number");
  CHECK(said("translate --beam-size 1.5 A") == "gradus: --beam-size: 1.5 is not a whole number");
  for (const char* whole :
       {".5", "1e3", "2.5e9", "+3", "' 3'", "'3 '", "03", "0x3", "0b11", "3e0x", "1_0", "\xef\xbc\x93"})
    CHECK(said("translate --beam-size " + std::string(whole) + " A") ==
          "gradus: --beam-size: " + std::regex_replace(whole, std::regex("'"), "") + " is not a whole number");
  for (const char* real : {"+1", "' 1'", "01", "0x1p3", "nan", "inf", "1,5", "1e", "."})
    CHECK(said("translate --length-penalty " + std::string(real) + " A") ==
          "gradus: --length-penalty: " + std::regex_replace(real, std::regex("'"), "") + " is not a number");
  for (const char* flag : {"maybe", "7", "yes", "on", "TRUE", "+1"})
    CHECK(said("translate --json=" + std::string(flag) + " A")
              .find("gradus: --json: " + std::string(flag) + " is neither true nor false") == 0);
  CHECK(gradus_program(place, "translate --json=false A --model " + toy_model()).status == 0);
  CHECK(said("translate --length-penalty much A") == "gradus: --length-penalty: much is not a number");
  CHECK(said("translate --length-penalty 1e400 A").find("1e400 is not between ") != std::string::npos);
  for (const char* right : {".5", "5.", "0.5", "5e-1", "0"})
    CHECK(gradus_program(place, "translate A --model " + toy_model() + " --length-penalty " + right).status == 0);
  CHECK(said("train --d-model -5").find("-5 is not between ") != std::string::npos);
  const std::string file = place.write("options", "epochs = many\n");
  CHECK(said("train --dump-config --config " + file) ==
        "gradus: " + file + ": --epochs: many is not a whole number\n");
}

TEST_CASE("messages: bytes of the user are shown, and no terminal obeys them") {
  const Playground place("hostile-bytes");
  const std::string hostile = "\"$(printf 'x\\033[31m\\ny\\377\\302\\233z\\342\\200\\256')\"";
  for (const Value& value : all_values()) {
    std::string words = value.command + " " + value.option + (value.option.empty() ? "" : " ") + hostile;
    if (value.command == "data") words += " --from " + place.file("none");
    if (value.command == "serve") words += " --port 99999999";  // it never listens
    if (value.command == "bench" || value.command == "export") words += " --model " + place.file("none");
    if (value.command == "translate" && !value.option.empty()) words += " --input " + place.file("none");
    INFO(words);
    const Result r = gradus_program(place, words);
    const auto is_control = [](char c) { return (c >= 0 && c < 0x20 && c != '\n') || c == 0x7f; };
    CHECK(std::none_of(r.err.begin(), r.err.end(), is_control));
    CHECK(is_utf8(r.err));
    CHECK(r.err.find("\u009b") == std::string::npos);
    CHECK(r.err.find("\u202e") == std::string::npos);
    CHECK(("\n" + r.err).find("\ny") == std::string::npos);  // its line break makes no line
    CHECK(r.status != 0);
  }
}
