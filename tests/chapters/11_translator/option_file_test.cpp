// The output of --dump-config asks for the same training as the command line that printed it.
#include <CLI/CLI.hpp>
#include <iterator>
#include <map>
#include <set>

#include "app/options/train_options.hpp"
#include "app/options/train_settings.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/train_option_rows.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A folder of text whose name needs quotes in a file of options.
std::string text_folder(const Playground& place, const std::string& name) {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  std::filesystem::create_directories(place.file(name));
  for (const char* language : {"en", "de"}) {
    for (const auto& [from, to] : {std::pair{"train.", "train."}, std::pair{"valid.", "val."}})
      std::filesystem::copy_file(toy + from + language, place.file(name) + "/" + to + language);
  }
  return place.file(name);
}

/// The identity of the run of a command line: its recipe, after one step.
std::string recipe(const Playground& place, const std::string& options) {
  std::filesystem::remove_all(place.file("run"));
  const Result r =
      gradus_program(place, "train --quiet --max-steps 1 --output " + place.file("run") + " " + options);
  INFO(options << "\n" << r.err);
  REQUIRE(r.status == 0);
  return SafetensorsFile::load(place.file("run/checkpoint.safetensors")).metadata().at("recipe");
}

/// The toy corpus in one file.
std::string pair_file(const Playground& place, const std::string& toy) {
  const LinePairs lines = read_pairs(toy + "train.en", toy + "train.de");
  std::string text;
  for (std::size_t i = 0; i < lines.source.size(); ++i) text += lines.source[i] + "\t" + lines.target[i] + "\n";
  return place.write("pairs.tsv", text);
}

/// The options of the help that a file may hold.
std::set<std::string> options_of_files(const Playground& place) {
  std::set<std::string> names{"max-minutes", "save-every"};
  for (const std::string& line : split_lines(gradus_program(place, "train --help").out, "help")) {
    if (line.rfind("How long and on what", 0) == 0) break;
    if (line.rfind("  --", 0) != 0) continue;
    std::string name = line.substr(4, line.find_first_of(" ,", 4) - 4);
    if (name.rfind("[no-]", 0) == 0) name.erase(0, 5);
    names.insert(name);
  }
  return names;
}

const std::string sizes = " --d-model 8 --heads 2 --layers 1 --ffn 8";

}  // namespace

TEST_CASE("dump-config: every option is read back, also with further options on the command line") {
  const Playground place("dump");
  const std::string text = text_folder(place, "text"), toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  const std::string data = " --data " + text;
  const std::string files = " --train-source " + toy + "train.en --train-target " + toy +
                            "train.de --valid-source " + toy + "valid.en --valid-target " + toy + "valid.de";
  const std::string pairs = pair_file(place, toy);
  struct Line {
    std::string dumped, added;  ///< the content of the file; the further words of the command line
  };
  const std::string choices = " --dropout 0.2 --seed 7 --epochs 3 --valid-every 5 --patience 6 --vocab-size 300 ";
  const std::string other = sizes + choices;
  const std::vector<Line> lines = {
      {" --source-lang de --target-lang en --vocab-size 300" + sizes, data},
      {" --source-lang de --target-lang en --tokenizer word" + sizes + data, ""},
      {other + "--optimizer sgd --momentum 0.5 --weight-decay 0.1 --decay coupled --learning-rate 0.003", files},
      {other + "--schedule cosine --decay-steps 9 --warmup 3 --clip 2 --adam-beta1 0.8 --adam-beta2 0.9", files},
      {other + "--keep-best --batch-sentences 5 --label-smoothing 0.2" + files, ""},
      {other + "--average-last 7 --batch-tokens 300 --vocab separate --norm post --init normal --init-sigma 0.03" +
           files,
       ""},
      {" --d-model 8 --heads 2 --ffn 8" + choices +
           "--schedule plateau --plateau-factor 0.9 --plateau-patience 1 --plateau-threshold 0.01 "
           "--plateau-delay 2 --encoder-layers 2 --decoder-layers 1 --max-length 99 --batches length",
       files},
      {other + "--attention-output-bias --output-bias --positions none --decoder ssru --init kaiming-uniform "
               "--init-tables "
               "like-weights "
               "--init-biases --weight-decay 0.1 --decay-all",
       files},
      {other + "--activation gelu --untied --attention-bias --no-scale-embedding --lowercase --no-punctuation "
               "--normalise never",
       files},
      {sizes + " --vocab-size 300 --embedding-dropout 0.1 --attention-dropout 0 --activation-dropout 0.3 "
               "--residual-dropout 0.4",
       files},
      {other + "--symbols '<url> <name>' --valid-split 7 --train " + pairs, ""},
      {other + "--valid " + pairs, " --train " + pairs},
      {" --preset quick --tokenizer word --min-frequency 2 --keep-best" + sizes, files},
      {" --init-from en-de --seed 3 --epochs 3", files},
      {other + "--mix-share 0.4 --mix-source " + toy + "valid.en --mix-target " + toy + "valid.de", files},
      {other + "--max-minutes 60 --save-every 9", files},
      {" --preset quick --products exact --vocab-size 300 --batch-sentences 7" + files, ""}};
  std::set<std::string> missing = options_of_files(place);
  REQUIRE(missing.size() > 50);
  missing.erase("output");  // where a run lies is no part of it
  const auto judge = [&](const Line& line) {
    const auto& [dumped, added] = line;
    INFO(dumped << " |" << added);
    const Result dump = gradus_program(place, "train --dump-config" + dumped);
    REQUIRE(dump.status == 0);
    const std::string file = place.write("mine", dump.out);
    CHECK(recipe(place, "--config " + file + added) == recipe(place, dumped + added));
    CHECK(gradus_program(place, "train --dump-config --config " + file).out == dump.out);
    for (auto name = missing.begin(); name != missing.end();) {
      const bool named = (dumped + " ").find("--" + *name + " ") != std::string::npos ||
                         (dumped + " ").find("--no-" + *name + " ") != std::string::npos ||
                         (*name == "tied" && dumped.find("--untied") != std::string::npos) ||
                         (added + " ").find("--" + *name + " ") != std::string::npos;
      name = named ? missing.erase(name) : std::next(name);
    }
  };
  for (const Line& line : lines) judge(line);
  for (const TrainRow& row : plan_rows()) {  // what no line names
    if (missing.count(row.option) != 0) judge({other + row.context + row.words, files});
  }
  for (const std::string& name : missing)
    FAIL_CHECK("no line for --" << name << ": add it to one of the command lines of this test");
}

TEST_CASE("dump-config: values with quotes, spaces and # come back as they were") {
  const Playground place("dump-names");
  const std::string text = text_folder(place, "text");
  for (const std::string name :
       {"two words", " ends ", "#1", "\"quoted\"", "a \"b\" # c", "\"", "\"\"", "=", "ä'", "end\r"}) {
    INFO(name);
    for (const char* part : {"train.", "val."})
      std::filesystem::copy_file(text + "/" + part + "en", text + "/" + part + name);
    std::string shell;
    for (const char c : name) shell += c == '\'' ? std::string("'\\''") : std::string(1, c);
    const Result dump =
        gradus_program(place, "train --dump-config --tokenizer word" + sizes + " --source-lang '" + shell + "'");
    REQUIRE(dump.status == 0);
    recipe(place,
           "--data " + text + " --config " + place.write("mine", dump.out));  // finds train.NAME and val.NAME
  }
  for (const char* name : {"$(printf 'two\\nlines')", "$(printf '\\377')"}) {
    const Result dump = gradus_program(place, "train --dump-config --source-lang \"" + std::string(name) + "\"");
    CHECK(dump.status == 2);
    CHECK(dump.out.empty());
    CHECK(dump.err.rfind("gradus: --source-lang: ", 0) == 0);
  }
}

TEST_CASE(
    "options of a file: one that the command line overrules is left out, for each pair that excludes each other") {
  const std::string pairs[][2] = {{"batch-tokens", "batch-sentences"},
                                  {"batch-sentences", "batch-tokens"},
                                  {"encoder-layers", "layers"},
                                  {"decoder-layers", "layers"},
                                  {"average-last", "keep-best"},
                                  {"keep-best", "average-last"},
                                  {"data", "train-source"},
                                  {"data", "train"},
                                  {"train-source", "data"},
                                  {"train-source", "train"},
                                  {"train-target", "data"},
                                  {"train-target", "train"},
                                  {"train", "data"},
                                  {"train", "train-source"},
                                  {"valid-source", "data"},
                                  {"valid-source", "valid"},
                                  {"valid-source", "valid-split"},
                                  {"valid-target", "data"},
                                  {"valid-target", "valid"},
                                  {"valid-target", "valid-split"},
                                  {"valid", "data"},
                                  {"valid", "valid-source"},
                                  {"valid", "valid-split"},
                                  {"valid-split", "valid"},
                                  {"valid-split", "valid-source"}};
  const std::set<std::string> names = [&] {
    std::set<std::string> all{"seed"};
    for (const auto& pair : pairs) all.insert(pair[0]);
    return all;
  }();
  std::map<std::string, std::set<std::string>> excluded;  // by the option that is given
  for (const auto& pair : pairs) excluded[pair[1]].insert(pair[0]);
  for (const std::string given : {"batch-tokens", "batch-sentences", "layers", "keep-best", "average-last", "data",
                                  "train-source", "train", "valid", "valid-source", "valid-split", "seed"}) {
    CLI::App command;
    TrainOptions options;
    add_train_options(command, options);
    std::vector<std::string> words{"--" + given};
    if (given != "keep-best") words.insert(words.begin(), "9");
    command.parse(words);
    Settings settings;
    for (const std::string& name : names) settings.emplace_back(name, "1");
    std::set<std::string> left_out = names;
    for (const auto& [name, value] : without_overruled(settings, command)) left_out.erase(name);
    INFO(given);
    CHECK(left_out == excluded[given]);
  }
}
