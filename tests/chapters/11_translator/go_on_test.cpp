// Continuing finished runs: more epochs of a run, and a training that starts from a model's weights.
#include <nlohmann/json.hpp>
#include <set>

#include "11_translator/training/record/training_history.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/safetensors.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"
#include "lib/io/files.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

TrainingRequest endless(const std::string& output, std::uint32_t epochs) {
  TrainingRequest r = small(output);
  r.plan.schedule = {ScheduleKind::inverse_sqrt, 5e-3, 5};
  r.plan.average_last = 3;
  r.plan.epochs = epochs;
  r.command = {"gradus", "train", "--epochs", std::to_string(epochs)};
  return r;
}

void expect_same_files(const std::string& a, const std::string& b) {
  std::set<std::string> names;
  for (const std::string& folder : {a, b}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder))
      names.insert(entry.path().filename().string());
  }
  names.erase("checkpoint-before.safetensors");  // what was newest before the last save
  CHECK(names.size() > 10);
  for (const std::string& name : names) {
    INFO(name);
    REQUIRE(std::filesystem::exists(a + "/" + name));
    REQUIRE(std::filesystem::exists(b + "/" + name));
    if (name == "timing.json") continue;  // the one file that may differ
    const bool is_report = name == "report.html";
    const std::string one = read_file(a + "/" + name), other = read_file(b + "/" + name);
    CHECK((is_report ? without_machine(one) : one) == (is_report ? without_machine(other) : other));
  }
}

std::uint32_t steps_in(const std::string& folder) {
  return training_history(read_file(folder + "/history.json"), "history").steps.back().step;
}

nlohmann::json recipe_in(const std::string& folder) {
  return nlohmann::json::parse(load_model(folder).metadata).at("recipe");
}

/// A model to start from, and the text of another training: half of the sentences, so that its own vocabulary would
/// differ.
struct Beginning {
  explicit Beginning(const std::string& name) : place(name) {
    TrainingRequest first = small(place.file("first"));
    REQUIRE(train(first, with_report()) == TrainingEnd::finished);
    next = small(place.file("next"));
    next.init_from = first.output;
    next.plan.seed = 5;
    next.plan.schedule = {ScheduleKind::constant, 1e-30, 0};
    next.train_source = half(first.train_source, "half.en"),
    next.train_target = half(first.train_target, "half.de");
  }
  std::string half(const std::string& file, const std::string& name) const {
    const auto lines = read_lines(file);
    std::string text;
    for (std::size_t i = 0; i < lines.size() / 2; ++i) text += lines[i] + "\n";
    return place.write(name, text);
  }
  Playground place;
  TrainingRequest next;
};

}  // namespace

TEST_CASE("more epochs: a run that was extended ends in the bits of one that was longer from its beginning") {
  const Playground place("epochs");
  for (const ScheduleKind kind : {ScheduleKind::inverse_sqrt, ScheduleKind::plateau}) {
    TrainingRequest whole = endless(place.file("whole"), 4), grown = endless(place.file("grown"), 2);
    whole.overwrite = grown.overwrite = true;
    whole.plan.schedule.kind = grown.plan.schedule.kind = kind;
    whole.plan.schedule.patience = grown.plan.schedule.patience = 1;
    REQUIRE(train(whole, with_report()) == TrainingEnd::finished);
    REQUIRE(train(grown, with_report()) == TrainingEnd::finished);
    const std::string short_report = read_file(grown.output + "/report.html");
    grown = whole;
    grown.output = place.file("grown"), grown.overwrite = false;
    grown.max_steps = steps_in(whole.output) - 9;  // and stops once in between
    REQUIRE(train(grown, with_report()) == TrainingEnd::stopped);
    CHECK_FALSE(std::filesystem::exists(grown.output + "/report.html"));
    grown.max_steps = 0;
    REQUIRE(train(grown, with_report()) == TrainingEnd::finished);
    CHECK(read_file(grown.output + "/report.html") != short_report);
    expect_same_files(whole.output, grown.output);
    const auto history = training_history(read_file(grown.output + "/history.json"), "history");
    CHECK(history.validations.size() == 4);
    CHECK(recipe_in(grown.output).at("epochs") == 4);
  }
}

TEST_CASE("going on with other kernels of BLAS is said: the last bits of the weights change with them") {
  const Playground place("kernels");
  TrainingRequest r = small(place.file("run"));
  r.max_steps = 2;
  REQUIRE(train(r, with_report()) == TrainingEnd::stopped);
  std::string warned;
  TrainingListener listener;
  listener.warn = [&](const std::string& line) { warned += line + "\n"; };
  r.max_steps = 3;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK(warned.empty());
  auto timing = nlohmann::ordered_json::parse(read_file(r.output + "/timing.json"));
  timing["sessions"].back()["blas"] = "Other";
  write_atomically(r.output + "/timing.json", timing.dump());
  r.max_steps = 4;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK_THAT(warned, contains("BLAS kernels were Other, and now they are " + blas_core()));
}

TEST_CASE("more epochs: a damaged checkpoint right after the change goes back to the run as it was, and on") {
  const Playground place("epochs-damage");
  TrainingRequest whole = endless(place.file("whole"), 3), grown = endless(place.file("grown"), 2);
  REQUIRE(train(whole, with_report()) == TrainingEnd::finished);
  REQUIRE(train(grown, with_report()) == TrainingEnd::finished);
  TrainingListener at_once;
  at_once.interrupted = [] { return true; };
  grown.plan.epochs = 3, grown.command = whole.command;
  REQUIRE(train(grown, at_once) == TrainingEnd::interrupted);
  const std::string checkpoint = grown.output + "/checkpoint.safetensors";
  std::filesystem::resize_file(checkpoint, std::filesystem::file_size(checkpoint) - 100);
  REQUIRE(train(grown, with_report()) == TrainingEnd::finished);
  expect_same_files(whole.output, grown.output);
}

TEST_CASE("more epochs: fewer are possible as long as they have not begun") {
  const Playground place("epochs-fewer");
  TrainingRequest r = endless(place.file("run"), 4);
  r.max_steps = 20;  // in the second epoch
  REQUIRE(train(r, with_report()) == TrainingEnd::stopped);
  r.max_steps = 0;
  r.plan.epochs = 1;
  CHECK(error_of([&] { train(r, {}); }) ==
        "the run in " + r.output + " is in epoch 2 already; --epochs must be at least that");
  r.plan.epochs = 2, r.command = endless("", 2).command;
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  TrainingRequest two = endless(place.file("two"), 2);
  REQUIRE(train(two, with_report()) == TrainingEnd::finished);
  expect_same_files(two.output, r.output);
}

TEST_CASE("more epochs: a run whose patience is spent stays finished, with another number of epochs") {
  const Playground place("epochs-patience");
  TrainingRequest r = endless(place.file("run"), 6);
  r.plan.schedule = {ScheduleKind::constant, 1e-30, 0};  // the weights do not change
  r.plan.patience = 2;
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  const std::string weights = read_file(r.output + "/weights.safetensors");
  r.plan.epochs = 9;
  CHECK(train(r, with_report()) == TrainingEnd::already_finished);
  CHECK(recipe_in(r.output).at("epochs") == 9);
  CHECK(read_file(r.output + "/weights.safetensors") == weights);
  CHECK(training_history(read_file(r.output + "/history.json"), "history").validations.size() == 3);
}

TEST_CASE("more epochs: a schedule that spans them cannot be extended, one of fixed length can") {
  const Playground place("epochs-span");
  TrainingRequest r = endless(place.file("run"), 2);
  for (const ScheduleKind kind : {ScheduleKind::linear, ScheduleKind::cosine}) {
    r.overwrite = true;
    r.plan.epochs = 2;
    r.plan.schedule.kind = kind;
    REQUIRE(train(r, with_report()) == TrainingEnd::finished);
    const std::string checkpoint = read_file(r.output + "/checkpoint.safetensors");
    r.overwrite = false;
    r.plan.epochs = 3;
    CHECK(error_of([&] { train(r, {}); }) ==
          std::string("the ") + name_of(kind) + " schedule of the run in " + r.output +
              " ends with its 2 epochs, so no more and no fewer are possible there; --init-from " + r.output +
              " starts another run from its weights, in another --output");
    CHECK(read_file(r.output + "/checkpoint.safetensors") == checkpoint);
  }
  r.overwrite = true, r.plan.epochs = 2, r.plan.schedule.decay_steps = 200;
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  r.overwrite = false, r.plan.epochs = 3;
  CHECK(train(r, with_report()) == TrainingEnd::finished);
  r.plan.epochs = 4, r.plan.seed = 9;
  CHECK(error_of([&] { train(r, {}); }).find("(--seed 9 here, 1 in the run; --epochs 4 here, 3 in the run)") !=
        std::string::npos);
}

TEST_CASE("init-from: the first weights and the vocabulary are the model's") {
  const Beginning b("init");
  const std::string first = b.next.init_from, next = b.next.output;
  std::string said;
  TrainingListener listener;
  listener.say = [&](const std::string& line) { said += line + "\n"; };
  std::vector<double> losses;
  listener.on_validation = [&](const ValidationRecord& record, bool) { losses.push_back(record.loss); };
  REQUIRE(train(b.next, listener) == TrainingEnd::finished);
  for (const char* name : {"/weights.safetensors", "/source.words.txt", "/target.words.txt"})
    CHECK(read_file(first + name) == read_file(next + name));  // at such a rate no weight changes
  CHECK(recipe_in(next).at("initial weights") == sha256(read_file(first + "/weights.safetensors")));
  CHECK(recipe_in(next).at("initialisation") == "from a model");
  CHECK_FALSE(recipe_in(first).contains("initial weights"));
  CHECK(recipe_in(first).at("initialisation") == "xavier");
  CHECK(said.find("reading the text in the vocabulary of " + first) != std::string::npos);
  CHECK(said.find("beginning with those of " + first) != std::string::npos);
  const auto before = training_history(read_file(first + "/history.json"), "history");
  REQUIRE(losses.size() == 2);
  CHECK(std::abs(losses[0] - before.validations.back().loss) < 1e-3);  // because of half precision
  CHECK(losses[0] == losses[1]);
}

TEST_CASE("init-from: is resumed to the bit, and is another run with another model") {
  Beginning b("init-resume");
  b.next.plan.schedule = {ScheduleKind::linear, 5e-3, 5};
  REQUIRE(train(b.next, with_report()) == TrainingEnd::finished);
  TrainingRequest again = b.next;
  again.output = b.place.file("again");
  again.max_steps = 7;
  REQUIRE(train(again, with_report()) == TrainingEnd::stopped);
  again.max_steps = 0;
  REQUIRE(train(again, with_report()) == TrainingEnd::finished);
  expect_same_files(b.next.output, again.output);
  CHECK(read_file(b.next.output + "/weights.safetensors") != read_file(b.next.init_from + "/weights.safetensors"));
  again.init_from = b.next.output;
  CHECK(error_of([&] { train(again, with_report()); }).find("(--init-from)") != std::string::npos);
  again.init_from.clear();
  CHECK(error_of([&] { train(again, with_report()); }).find("--init-from") != std::string::npos);
}

TEST_CASE("init-from: another shape, another vocabulary, a missing folder and the run's own folder are refused") {
  const Beginning b("init-refused");
  TrainingRequest r = b.next;
  r.model.d_model = 16, r.model.encoder_layers = r.model.decoder_layers = 2;
  r.model.residual_rate = 0.1;  // may differ
  CHECK(error_of([&] { train(r, {}); }) == "the model in " + r.init_from +
                                               " has --d-model 8 (not 16), --layers 1 (not 2); a training that "
                                               "starts from its weights must have the same");
  r = b.next;
  r.tokenizer.kind = TokenizerKind::sentencepiece;
  CHECK(error_of([&] { train(r, {}); }).find("--tokenizer word (not sentencepiece)") != std::string::npos);
  r = b.next;
  r.joint_vocabulary = true;
  CHECK(error_of([&] { train(r, {}); }).find("--vocab separate (not joint)") != std::string::npos);
  r = b.next;
  r.output = r.init_from + "/.";
  CHECK(error_of([&] { train(r, {}); }).find("--init-from and --output name the same folder") != std::string::npos);
  r.output = b.place.file("next"), r.init_from = b.place.file("nowhere");
  CHECK(error_of([&] { train(r, {}); }).find("there is no such folder") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(r.output));
}

TEST_CASE("init-from: on the command line sizes come from the model, a bundled one by its name") {
  const Playground place("init-program");
  REQUIRE(gradus_program(place, toy_training(place.file("first"), "--norm post --max-steps 3")).status == 0);
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  const std::string text = "train --train-source " + toy + "train.en --train-target " + toy +
                           "train.de --valid-source " + toy + "valid.en --valid-target " + toy +
                           "valid.de --output " + place.file("next") +
                           " --max-steps 1 --batch-tokens 200 --init-from ";
  const Result next = gradus_program(place, text + place.file("first") + " --preset quick --dropout 0.2");
  INFO(next.err);
  REQUIRE(next.status == 0);
  const auto model = nlohmann::json::parse(read_file(place.file("next/model.json"))).at("model");
  CHECK(model.at("d_model") == 16);
  CHECK(model.at("norm") == "post");
  CHECK(model.at("residual_rate") == 0.2);
  for (const auto& [choice, complaint] :
       {std::pair{"--ffn 64", "--ffn 32 (not 64)"},
        std::pair{"--vocab-size 300", "--vocab-size and --init-from exclude"},
        std::pair{"--init normal", "--init and --init-from exclude"},
        std::pair{"--lowercase", "--lowercase false (not true)"}, std::pair{"--untied", "--tied true (not false)"},
        std::pair{"--no-punctuation", "--punctuation true (not false)"},
        std::pair{"--output-bias", "--output-bias false (not true)"}}) {
    const Result r = gradus_program(place, text + place.file("first") + " " + choice + " --overwrite");
    INFO(r.err);
    CHECK(r.status == 2);
    CHECK(lines_in(r.err) <= 2);
    CHECK(r.err.find(complaint) != std::string::npos);
  }
  CHECK(gradus_program(place, text + place.file("nowhere")).status == 1);
  const Result bundled = gradus_program(place, text + "en-de --overwrite --quiet");
  INFO(bundled.err);
  CHECK(bundled.status == 0);
  const std::string model_folder = std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de";
  CHECK(recipe_in(place.file("next")).at("initial weights") ==
        sha256(read_file(model_folder + "/weights.safetensors")));
  CHECK(read_file(place.file("next/subwords.model")) == read_file(model_folder + "/subwords.model"));
  const std::string history = read_file(place.file("next/history.json"));
  CHECK(history.find("\"--init-from\",\"en-de\"") != std::string::npos);
}
