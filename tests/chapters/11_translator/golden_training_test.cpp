// Whole trainings from a command line, compared with an implementation in PyTorch: make_11_training.py.

#include <CLI/CLI.hpp>
#include <cmath>
#include <nlohmann/json.hpp>

#include "11_translator/training/run_in_progress.hpp"
#include "11_translator/training/train_on.hpp"
#include "11_translator/translator/engine_on.hpp"
#include "app/commands/commands.hpp"
#include "app/terminal/console.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/safetensors.hpp"
#include "support/catch.hpp"

namespace gradus {

// The program's devices in double. The linker takes these three functions instead of the program's; all other code
// is the program's.
DeviceChoice device_taken(DeviceChoice) { return DeviceChoice::cpu; }

std::shared_ptr<const TranslatorEngine> make_engine(DeviceChoice, const ModelFiles& files, SearchWeights) {
  return std::make_shared<const EngineOn<Cpu<float>>>(files);
}

TrainingEnd train_on(DeviceChoice, const TrainingRequest& request, const TrainingData& data,
                     const TrainingListener& listener, const std::optional<RunFolder>& folder,
                     const std::string& recipe, Ranks& ranks) {
  return RunInProgress<Cpu<double>>(request, data, listener, folder, recipe, ranks).run();
}

}  // namespace gradus

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr double bound = 1e-9;

/// The first lines of a file of the toy corpus, and `more`.
std::string toy_lines(const std::string& name, std::size_t count, const std::string& more = "") {
  std::string text;
  const auto lines = read_lines(std::string(GRADUS_CHAPTERS) + "/11_translator/toy/" + name);
  for (std::size_t i = 0; i < count; ++i) text += lines.at(i) + "\n";
  return text + more;
}

/// A training by the program's own command, in this process. The last pair has no translation and is left out.
void train_words(const Playground& place, const std::string& words) {
  const std::string files = " --train-source " + place.write("train.en", toy_lines("train.en", 40, "A dog.\n")) +
                            " --train-target " + place.write("train.de", toy_lines("train.de", 40, "\n")) +
                            " --valid-source " + place.write("val.en", toy_lines("valid.en", 9)) +
                            " --valid-target " + place.write("val.de", toy_lines("valid.de", 9)) + " --output " +
                            place.file("run") + " --log-json " + place.file("log") +
                            " --quiet --dropout 0 --tokenizer word ";
  CLI::App app;
  const std::vector<Command> commands = add_commands(app);
  app.parse("train" + files + words);
  for (const Command& command : commands) {
    if (command.options->parsed()) REQUIRE(command.run() == 0);
  }
}

/// The largest difference between the slices of a file, their names behind `prefix`, and the golden ones behind `other`,
/// relative to the larger of 1 and the value.
double largest_difference(const SafetensorsFile& file, const SafetensorsFile& golden, const std::string& other) {
  double most = 0;
  std::size_t values = 0;
  for (const std::string& name : golden.names()) {
    if (name.find(other) != 0 || golden.type(name) != StoredType::F64 || !file.has(name.substr(other.size())))
      continue;
    const auto expected = golden.values<double>(name), found = file.values<double>(name.substr(other.size()));
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i)
      most = std::max(most, std::abs(found[i] - expected[i]) / std::max(1.0, std::abs(expected[i])));
    values += found.size();
  }
  REQUIRE(values > 1000);
  return most;
}

/// The numbers of every step and every validation, in the log and in the history.
void check_reports(const Playground& place, const SafetensorsFile& golden) {
  const auto reports = golden.values<double>("reports"), validations = golden.values<double>("validations");
  const auto history = training_history(read_file(place.file("run/history.json")), "history");
  std::size_t step = 0, validation = 0;
  for (const std::string& line : read_lines(place.file("log"))) {
    const auto json = nlohmann::json::parse(line);
    if (json.at("event") == "step") {
      const double* expected = reports.data() + 5 * step++;
      INFO("step " << step);
      REQUIRE(json.at("step") == step);
      CHECK(json.at("loss").get<double>() == Approx(expected[0]).epsilon(bound));
      CHECK(json.at("gradient_norm").get<double>() == Approx(expected[1]).epsilon(bound));
      CHECK(json.at("learning_rate").get<double>() == Approx(expected[2]).epsilon(bound).margin(1e-15));
      CHECK(json.at("source_tokens") == expected[3]);
      CHECK(json.at("target_tokens") == expected[4]);
    } else if (json.at("event") == "validation") {
      const double* expected = validations.data() + 2 * validation;
      INFO("validation " << validation);
      CHECK(json.at("step") == expected[0]);
      CHECK(json.at("loss").get<double>() == Approx(expected[1]).epsilon(bound));
      CHECK(history.validations.at(validation).step == expected[0]);
      CHECK(history.validations.at(validation++).loss == Approx(expected[1]).epsilon(bound));
    }
  }
  CHECK(5 * step == reports.size());
  CHECK(2 * validation == validations.size());
  CHECK(2 * history.validations.size() == validations.size());
}

/// The translations of each validation, as text of the model's own vocabulary.
void check_translations(const Playground& place, const SafetensorsFile& golden) {
  const auto history = training_history(read_file(place.file("run/history.json")), "history");
  const Tokenizers words = load_model(place.file("run")).tokenizers;
  const auto output = golden.integers("said");
  const std::size_t samples = golden.shape("said")[1], longest = golden.shape("said")[2];
  REQUIRE(history.validations.size() == golden.shape("said")[0]);
  for (std::size_t v = 0; v < history.validations.size(); ++v) {
    REQUIRE(history.validations[v].samples.size() == samples);
    for (std::size_t i = 0; i < samples; ++i) {
      const auto begin = output.begin() + static_cast<std::ptrdiff_t>((v * samples + i) * longest);
      const auto end = std::find(begin, begin + static_cast<std::ptrdiff_t>(longest), -1);
      CHECK(history.validations[v].samples[i].translation == words.target.decode({begin, end}));
    }
  }
}

/// `weights`: the model's note about its weights.
void check_golden(const Playground& place, const std::string& name, const std::string& weights) {
  const auto golden = SafetensorsFile::load(std::string(GRADUS_GOLDEN) + "/" + name + ".safetensors");
  check_reports(place, golden);
  check_translations(place, golden);
  const auto checkpoint = SafetensorsFile::load(place.file("run/checkpoint.safetensors")),
             model = SafetensorsFile::load(place.file("run/weights.safetensors"));
  CHECK(largest_difference(checkpoint, golden, "") <= bound);
  const auto metadata = nlohmann::json::parse(load_model(place.file("run")).metadata);
  CHECK(metadata.at("steps") == golden.shape("reports")[0]);
  CHECK(metadata.at("weights").get<std::string>().rfind(weights, 0) == 0);
  CHECK(metadata.at("validation loss").get<double>() ==
        Approx(golden.values<double>("model_loss")[0]).epsilon(bound));
  CHECK(largest_difference(model, golden, "model.") <= 0x1p-11);  // it is stored in F16
}

}  // namespace

TEST_CASE(
    "golden training: adam, warm-up, smoothing, clipping, decay, one table for all, the mean of two validations") {
  const Playground place("golden-averaged");
  train_words(
      place,
      "--vocab joint --min-frequency 2 --layers 1 --d-model 8 --heads 2 --ffn 12 --label-smoothing 0.1 --clip "
      "0.45 --weight-decay 0.05 --schedule linear --learning-rate 0.15 --warmup 6 --seed 5 --batch-tokens 60 "
      "--epochs 4 --valid-every 7 --average-last 2");
  check_golden(place, "trained_averaged", "mean of the last 2 validations");
}

TEST_CASE(
    "golden training: sgd, cosine, coupled decay, three tables, post-norm, GELU, biases, the best validation") {
  const Playground place("golden-best");
  train_words(place,
              "--vocab separate --lowercase --layers 2 --d-model 6 --heads 1 --ffn 5 --norm post --activation gelu "
              "--untied --attention-bias --no-scale-embedding --init kaiming --label-smoothing 0.2 --optimizer sgd "
              "--momentum 0.8 --clip 0.8 --weight-decay 0.01 --decay coupled --schedule cosine --learning-rate 3 "
              "--warmup 4 --decay-steps 40 --seed 1099511627779 --batch-sentences 7 --epochs 4 --keep-best");
  check_golden(place, "trained_best", "of the best validation");
}
