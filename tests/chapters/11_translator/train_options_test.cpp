// The options of `gradus train`, one by one: each changes its part of the request, and nothing else.

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "app/options/train_options.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/request_fields.hpp"
#include "chapters/11_translator/train_option_rows.hpp"
#include "gradus/ranks/launcher.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/names.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// A folder that has the texts of two data sets, and an empty file of options.
struct TextFolders {
  TextFolders() : playground("train-options"), before(std::filesystem::current_path()) {
    std::filesystem::current_path(playground.path);
    for (const std::string folder : {"one", "two"}) {
      std::filesystem::create_directories(folder);
      for (const std::string language : {"en", "de", "fr"}) {
        playground.write(folder + "/train." + language, "a\n");
        playground.write(folder + "/val." + language, "a\n");
      }
    }
    playground.write("empty", "# nothing\n");
    write_model_without_weights();
  }
  ~TextFolders() { std::filesystem::current_path(before); }
  TextFolders(const TextFolders&) = delete;
  TextFolders& operator=(const TextFolders&) = delete;

  /// No value is the default.
  void write_model_without_weights() const {
    ModelDescription d;
    ModelConfig& m = d.config;
    m.source_vocab = m.target_vocab = 9, m.d_model = 64, m.heads = 8, m.ffn = 300;
    m.encoder_layers = 2, m.decoder_layers = 3, m.max_length = 99;
    m.norm = Norm::post, m.activation = Activation::gelu, m.tying = Tying::none;
    m.attention_bias = true, m.scale_embedding = false, m.decoder_unit = DecoderUnit::ssru;
    m.attention_output_bias = m.output_bias = true, m.positions = Positions::none;
    d.kind = TokenizerKind::word, d.rules = {true, false, Normalisation::never};
    d.source.file = "source.words.txt", d.target.file = "target.words.txt";
    std::filesystem::create_directories("model");
    playground.write("model/model.json", to_json(d));
  }

  Playground playground;
  std::filesystem::path before;
};

/// The options of `gradus train WORDS`, resolved.
struct Settled {
  explicit Settled(const std::string& words) {
    app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
    train = app.add_subcommand("train");
    add_train_options(*train, options);
    app.parse("train " + words);
    resolve_train_options(*train, options);
  }
  CLI::App app;
  CLI::App* train = nullptr;
  TrainOptions options;
};

TrainingRequest settled(const std::string& words) { return Settled(words).options.request; }

/// The request without the words of its command line.
Fields without_command(const TrainOptions& options) {
  Fields all = fields_of(options.request);
  all.erase("command");
  return all;
}
Fields fields(const std::string& words) { return without_command(Settled(words).options); }

std::string value_of(const std::string& change) { return change.substr(change.rfind(" -> ") + 4); }
std::string field_of(const std::string& change) { return change.substr(0, change.find(':')); }

/// A file of options with the row's words, and with all words before them.
std::string file_of(const TrainRow& row) {
  std::map<std::string, std::string> settings;
  std::istringstream words(row.base + row.context + (row.setting.empty() ? row.words : ""));
  for (std::string name, value; words >> name >> value;) settings[name.substr(2)] = value;
  std::string text = row.setting + "\n";
  for (const auto& [name, value] : settings) text += name + " = " + value + "\n";
  return text;
}

/// The program's message about an option, "" for an unknown one.
template <class Ask>
auto ask_option(const std::string& name, const Ask& ask) {
  CLI::App app;
  TrainOptions options;
  add_train_options(app, options);
  return ask(*app.get_option("--" + name));
}

bool is_configurable(const TrainRow& row) {
  return ask_option(row.option, [](const CLI::Option& o) { return o.get_configurable(); });
}

void add_leaves(Fields& leaves, const std::string& name, const nlohmann::json& json) {
  if (!json.is_object()) {
    leaves[name] = json.dump();
    return;
  }
  for (const auto& [key, value] : json.items()) add_leaves(leaves, name.empty() ? key : name + "." + key, value);
}

}  // namespace

TEST_CASE("train options: joint or separate vocabularies") { check_names<VocabularyChoice>({"joint", "separate"}); }

TEST_CASE("train options: every option of the program has a row") {
  std::vector<std::string> names;
  for (const TrainRow& row : train_rows) names.push_back(row.option);
  check_rows("train", names, "tests/chapters/11_translator/train_option_rows.hpp");
}

TEST_CASE("train options: each changes what its row says, and nothing else") {
  const TextFolders place;
  for (const TrainRow& row : train_rows) {
    if (row.option == "dump-config") continue;
    INFO(row.words);
    const std::string base = row.base + row.context;
    CHECK(changes(fields(base), fields(base + row.words)) == row.changes);
  }
}

TEST_CASE("train options: a field of the plan is refused without what it needs, by its name") {
  const TextFolders place;
  for (const auto& [field, usual] : described(TrainOptions().request.plan)) {
    if (usual.field.need.holds) continue;
    const std::string option = usual.field.option;
    const auto row =
        std::find_if(train_rows.begin(), train_rows.end(), [&](const auto& r) { return r.option == option; });
    INFO(row->words);
    CHECK_THROWS_WITH(settled(row->base + row->words), "--" + option + " " + usual.field.need.complaint);
  }
}

TEST_CASE("train options: in a file they do the same as on the command line, unless a file may not have them") {
  const TextFolders place;
  for (const TrainRow& row : train_rows) {
    INFO(row.words);
    place.playground.write("file", file_of(row));
    if (!is_configurable(row)) {
      place.playground.write("file", row.option + " = 1\n");
      CHECK_THROWS_WITH(settled("--config file"), contains("belongs on the command line"));
      continue;
    }
    CHECK(fields("--config file") == fields(row.base + row.context + row.words));
    const std::string standard = ask_option(row.option, [](const CLI::Option& o) { return o.get_default_str(); });
    if (standard.empty()) continue;
    const std::string by_hand = "--" + row.option + "=" + standard;  // wins
    CHECK(fields("--config file " + by_hand) == fields(row.base + row.context + by_hand));
  }
}

TEST_CASE("train options: what --dump-config prints asks for the same, down to what nobody gave") {
  const TextFolders place;
  const auto check = [&](const std::string& words) {
    INFO(words);
    std::optional<Settled> asked;
    try {
      asked.emplace("--dump-config " + words);
    } catch (const UsageError&) {
      return false;
    }
    const std::string text = config_text(*asked->train, asked->options);
    place.playground.write("file", text);
    const Settled again("--dump-config --config file");
    CHECK(changes(without_command(asked->options), without_command(again.options)) == std::vector<std::string>());
    CHECK(config_text(*again.train, again.options) == text);
    return true;
  };
  for (const std::string& base : {of_files, of_folder, of_pairs}) CHECK(check(base));
  for (const TrainRow& row : train_rows) {
    if (!is_configurable(row)) continue;
    for (const char* preset : {"", " --preset quick", " --preset umar-jamil", " --init-from model"}) {
      const bool excluded = row.option == "preset" || row.option == "config";
      if (excluded && *preset != '\0') continue;
      const bool accepted = check(row.base + row.context + row.words + preset);
      CHECK((accepted || *preset != '\0'));  // some options and presets exclude each other
    }
  }
}

TEST_CASE("train options: a preset overrules neither the command line nor a file") {
  const TextFolders place;
  for (const TrainRow& row : train_rows) {
    if (!is_configurable(row) || row.option == "preset") continue;
    INFO(row.words);
    place.playground.write("file", file_of(row));
    for (const std::string& way : {row.base + row.context + row.words, std::string("--config file")}) {
      const Fields found = fields(way + " --preset quick");
      for (const std::string& change : row.changes) {
        if (change.find("tokenizer.vocab_size: 10000 -> 0") == 0) continue;  // of words, by default all
        CHECK(found.at(field_of(change)) == value_of(change));
      }
    }
  }
  place.playground.write("file", "preset = quick\nffn = 99\n");
  const Fields quick = fields(of_files + "--preset quick"), found = fields(of_files + "--config file --warmup 7");
  CHECK(changes(quick, found) == std::vector<std::string>{"model.ffn: 256 -> 99", "plan.warmup: 400 -> 7"});
  CHECK(fields(of_files + "--preset base") == fields(of_files));
  CHECK(fields(of_files + "--config file --preset base") == fields(of_files + "--ffn 99"));
}

TEST_CASE("train options: several symbols stand in one value; a warm-up of a model or a file is given, too") {
  const TextFolders place;
  CHECK(settled(of_files + "--symbols ' <url>   <name>,x '").tokenizer.symbols ==
        std::vector<std::string>{"<url>", "<name>,x"});
  CHECK_FALSE(settled(of_files).warmup_is_given);
  place.playground.write("file", "warmup = 1000\naverage-last = 4\n");
  CHECK(settled(of_files + "--config file").warmup_is_given);
  CHECK(settled(of_files + "--config file").average_is_given);
  CHECK_FALSE(settled(of_files + "--preset quick").plan.schedule.warmup == 1000);
}

TEST_CASE("train options: of a file's text, the command line's takes the place") {
  const TextFolders place;
  place.playground.write("file", "train = f.tsv\nvalid = g.tsv\noutput = run\n");
  const auto text_of = [](const std::string& words) {
    const TrainingRequest r = settled("--config file " + words);
    return r.train_source + " " + r.train_target + " " + r.train_pairs + " | " + r.valid_source + " " +
           r.valid_target + " " + r.valid_pairs + " " + std::to_string(r.valid_split);
  };
  CHECK(text_of("") == "  f.tsv |   g.tsv 0");
  CHECK(text_of("--train a --valid-split 7") == "  a |    7");
  CHECK(text_of("--valid-source b --valid-target c") == "  f.tsv | b c  0");
  CHECK(text_of("--train-source a --train-target b") == "a b  |   g.tsv 0");
  CHECK(text_of("--data one") == "one/train.en one/train.de  | one/val.en one/val.de  0");
  CHECK(text_of("--data one --valid-split 3") == "one/train.en one/train.de  |    3");
  place.playground.write("file",
                         "train-source = f\ntrain-target = g\nvalid-source = h\nvalid-target = i\noutput = run\n");
  CHECK(text_of("--train a") == "  a | h i  0");
  CHECK(text_of("--valid a") == "f g  |   a 0");
  CHECK(text_of("--valid-split 9") == "f g  |    9");
  place.playground.write("file", "data = two\nvalid-split = 5\noutput = run\n");
  CHECK(text_of("") == "two/train.en two/train.de  |    5");
  CHECK(text_of("--train a --valid b") == "  a |   b 0");
}

TEST_CASE("train options: the report's command has the words that decide, and no others") {
  const TextFolders place;
  const auto command = [](const std::string& words) { return fields_of(settled(words)).at("command"); };
  CHECK(command(of_files) ==
        "gradus train --train-source a.en --train-target a.de --valid-source b.en --valid-target b.de --output "
        "DIR");
  CHECK(command(of_folder + "--source-lang de --target-lang fr") ==
        "gradus train --data one --source-lang de --target-lang fr --output DIR");
  for (const TrainRow& row : train_rows) {
    if (row.option == "dump-config" || row.option == "preset") continue;
    INFO(row.words);
    const std::string words = command(row.base + row.context + row.words);
    const bool is_length = row.option == "max-steps" || row.option == "max-minutes" || row.option == "save-every";
    const bool shown = is_configurable(row) && row.option != "output" && !is_length;
    const std::string name = row.setting.empty() ? row.words : "--" + row.option;
    CHECK((words.find(" " + name) != std::string::npos) == shown);
    // The same words again give the same training.
    const std::string again = words.substr(std::string("gradus train ").size());
    Fields first = fields(row.base + row.context + row.words), second = fields(again);
    for (const char* name_of_none :
         {"output", "device", "threads", "max_steps", "max_minutes", "save_every", "ids", "overwrite"})
      first.erase(name_of_none), second.erase(name_of_none);
    CHECK(changes(first, second).empty());
  }
}

TEST_CASE("train options: the defaults are the bundled model's recipe") {
  const ModelFiles bundled = load_model(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de");
  TrainingRequest r = settled(of_files);
  r.model.source_vocab = r.model.target_vocab = static_cast<std::size_t>(r.tokenizer.vocab_size);
  const TrainingData data{{}, {}, bundled.tokenizers, {}, {}};
  Fields expected, found;
  add_leaves(expected, "", nlohmann::json::parse(bundled.metadata).at("recipe"));
  add_leaves(found, "", nlohmann::json::parse(recipe_of(r, data)));
  for (Fields* one : {&expected, &found}) {
    REQUIRE(one->erase("training data") == 1);  // no text is bundled
    REQUIRE(one->erase("validation data") == 1);
    REQUIRE(one->size() > 40);
  }
  CHECK(changes(expected, found).empty());  // a new field belongs in add_unusual
  // What no recipe holds
  CHECK((r.joint_vocabulary && r.tokenizer.min_frequency == 1 && !r.overwrite));
  CHECK((r.device == DeviceChoice::automatic && r.threads == own_threads()));
  CHECK((r.max_steps == 0 && r.max_minutes == 0 && r.save_every == 500));
  CHECK(r.title == "A translator");
}
