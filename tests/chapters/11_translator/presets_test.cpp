// The presets of `gradus train`: each value reaches the request, and stands in the page of its tutorial.

#include "app/presets/presets.hpp"

#include <regex>
#include <set>

#include "app/options/train_options.hpp"
#include "chapters/10_training/model_case.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/request_fields.hpp"
#include "chapters/11_translator/train_option_rows.hpp"
#include "support/expect.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The request of `gradus train` with these words.
TrainingRequest request(const std::string& words) {
  CLI::App app;
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  TrainOptions options;
  CLI::App* const train = app.add_subcommand("train");
  add_train_options(*train, options);
  app.parse("train " + of_files + words);
  resolve_train_options(*train, options);
  return options.request;
}

Fields fields_without_command(const std::string& words) {
  Fields fields = fields_of(request(words));
  fields.erase("command");
  return fields;
}

std::string page_of(const Preset& p) {
  return std::string(GRADUS_CHAPTERS) + "/../docs/tutorials/" + p.name + ".md";
}

bool is_of_a_tutorial(const Preset& p) { return !p.put_right.empty(); }

/// The table of settings in a tutorial's page.
std::string settings_in(const Preset& p) {
  const std::string page = read_file(page_of(p));
  const auto begin = page.find("## Its settings");
  REQUIRE(begin != std::string::npos);
  return page.substr(begin, page.find("\n## ", begin) - begin);
}

/// What follows `option` where a page has it with a value for the first time: "512" for `--d-model 512`.
std::string first_value(const std::string& option, const std::string& page) {
  std::smatch found;
  return std::regex_search(page, found, std::regex(option + " ([^\\s`]+)")) ? found[1].str() : "";
}

std::string value_in(const std::string& preset, const std::string& option) {
  for (const PresetValue& v : find_preset(preset)->values) {
    if (v.option == option) return v.value;
  }
  return "";
}

/// The preset's full-size model with these vocabularies.
std::size_t parameters(const std::string& preset, std::size_t source, std::size_t target) {
  ModelConfig c = request("--preset " + preset).model;
  c.source_vocab = source, c.target_vocab = target;
  return parameter_count(c);
}

}  // namespace

TEST_CASE("presets: each value does what the same option does on the command line") {
  for (const Preset& p : presets()) {
    INFO(p.name);
    std::string words;
    for (const PresetValue& v : p.values) words += std::string("--") + v.option + "=" + v.value + " ";
    CHECK(fields_without_command(std::string("--preset ") + p.name) == fields_without_command(words));
  }
}

TEST_CASE("presets: no value is there twice, and each has a source") {
  for (const Preset& p : presets()) {
    std::set<std::string> seen;
    const Fields whole = fields_without_command(std::string("--preset ") + p.name);
    for (const PresetValue& v : p.values) {
      INFO(p.name << ", " << v.option);
      CHECK(seen.insert(v.option).second);
      CHECK_FALSE(std::string(v.source).empty());
    }
    if (!p.values.empty()) CHECK(whole != fields_without_command(""));
  }
}

TEST_CASE("presets: a remark is a subject, and then what is said of it") {
  for (const Preset& p : presets()) {
    for (const auto& remarks : {p.put_right, p.different}) {
      for (const PresetRemark& r : remarks) {
        INFO(p.name << ": " << r.what << ": " << r.how);
        CHECK(std::string(r.what).size() <= 22);  // cells that `gradus presets` leaves for it
        CHECK(std::string(r.what).size() < std::string(r.how).size());
      }
    }
  }
}

TEST_CASE("presets: the command line wins, also where two options exclude each other") {
  const TrainingRequest r = request("--preset hyunwoongko --batch-tokens 900 --layers 1 --dropout 0.2");
  CHECK(r.plan.batches.sentences == 0);
  CHECK(r.plan.batches.tokens == 900);
  CHECK((r.model.encoder_layers == 1 && r.model.decoder_layers == 1));
  CHECK(r.model.residual_rate == 0.2);
  CHECK(r.model.attention_rate == 0);
  const TrainingRequest shallow = request("--preset umar-jamil --layers 2");
  CHECK((shallow.model.encoder_layers == 2 && shallow.model.decoder_layers == 2));
}

TEST_CASE("presets: every value stands in the table of its tutorial's page, with its option") {
  for (const Preset& p : presets()) {
    if (!is_of_a_tutorial(p)) continue;
    const std::string table = settings_in(p);
    for (const PresetValue& v : p.values) {
      INFO(p.name << ": " << v.option << " " << v.value);
      if (std::string(v.source).rfind("gradus'", 0) == 0) continue;  // the tutorial has none
      const std::string option = std::string("--") + v.option, value = v.value;
      if (value == "true" || value == "false") {
        const std::string no = v.option == std::string("tied") ? "--untied" : std::string("--no-") + v.option;
        CHECK(table.find(value == "true" ? option : no) != std::string::npos);
        continue;
      }
      CHECK(table.find(option) != std::string::npos);
      if (std::string(v.source).rfind("not shown", 0) == 0) {
        CHECK(value == value_in("hyunwoongko", v.option));
      } else {
        CHECK(first_value(option, table) == value);
      }
    }
  }
}

TEST_CASE("presets: parameters of the full-size models, by formula and as published") {
  CHECK(parameters("hyunwoongko", 5893, 7855) == 55207087);  // what the author publishes
  CHECK(parameters("say-hello2y", 5893, 7853) == 55207087 - 2 * (2 * 512 + 1));
  const std::size_t attention = 4 * 512 * 512 + 4 * 512, feed_forward = 2 * 512 * 2048 + 2048 + 512, norm = 2 * 512;
  const std::size_t encoder = attention + feed_forward + 2 * norm,
                    decoder = 2 * attention + feed_forward + 3 * norm;
  const std::size_t tables = 3 * 10000 * 512 + 10000;
  for (const std::string name : {"umar-jamil", "samlynnevans"})
    CHECK(parameters(name, 10000, 10000) == tables + 6 * (encoder + decoder) + 2 * norm);
  const std::size_t quiet = 4 * 512 * 512 + 512, narrow = 2 * 512 * 512 + 512 + 512;  // of from-zero
  CHECK(parameters("from-zero", 10000, 10000) == tables + 3 * (3 * quiet + 2 * narrow + 5 * norm));
}

TEST_CASE("presets: gradients of the whole model with each tutorial's choices, at a small size", "[gradients]") {
  Bounds bounds;  // of a whole model: rounding adds up through its layers
  bounds.finite_differences = 1e-6;
  bounds.dual = 1e-10;
  for (const Preset& p : presets()) {
    if (!is_of_a_tutorial(p)) continue;
    INFO(p.name);
    const TrainingRequest r = request(std::string("--preset ") + p.name);
    ModelCase the_case{{r.model}, r.plan.smoothing, p.name};
    ModelConfig& c = the_case.model.config;
    c.source_vocab = 9, c.target_vocab = 7, c.d_model = 4, c.heads = 2, c.ffn = 5;
    c.encoder_layers = 1, c.decoder_layers = 2, c.max_length = 40;
    const Component judged = component(the_case);
    expect(gradients(judged, bounds));
    for (const Runner& runner : judged.devices) {
      if (runner.is_double) expect(dual_numbers(judged, runner, bounds));
    }
  }
}

TEST_CASE("presets: the command lists all of them, prints one, and helps with a wrong name") {
  const Playground place("presets");
  const Result list = gradus_program(place, "presets");
  REQUIRE(list.status == 0);
  for (const std::string& name : preset_names())
    CHECK(("\n" + list.out).find("\n" + name + " ") != std::string::npos);
  const Result one = gradus_program(place, "presets hyunwoongko");
  REQUIRE(one.status == 0);
  for (const char* part : {"--weight-decay", "5e-4", "settings", "--tied=false ", "--scale-embedding=false ",
                           "--output-bias ", "PUT RIGHT", "DIFFERENT", "docs/tutorials/hyunwoongko.md"})
    CHECK(one.out.find(part) != std::string::npos);
  const Result wrong = gradus_program(place, "presets hyunwongko");
  CHECK(wrong.status == 2);
  CHECK(wrong.out.empty());
  CHECK(wrong.err.find("did you mean hyunwoongko?") != std::string::npos);
  const Result train = gradus_program(place, "train --preset hyunwongko");
  CHECK(train.status == 2);
  for (const std::string& name : preset_names()) CHECK(train.err.find(name) != std::string::npos);
}

TEST_CASE("presets: the languages of a known first model are known, and of another folder are not") {
  const TextLanguages english = request("--init-from en-de").init_languages,
                      german = request("--init-from de-en").init_languages;
  CHECK((english.source == "en" && english.target == "de"));
  CHECK((german.source == "de" && german.target == "en"));
  CHECK(request("").init_languages.source.empty());
}
