/// \file
/// Checks, times and trains the kernels on the platform that they were built for, a GPU or the host layer. It links
/// only the kernels and CUDA, so it can be built on a machine that has nothing else (see build, beside this file).
///
///     gpu_check CASES [RESULT.json]        every case in double and in float; exit 1 if one is off
///         --section NAME                   of the result [kernels]
///     gpu_check step [RESULT.json]         one step of 4,096 tokens: float beside double, with each kind of products, and replays; then
///                                          the same with kernels that may start early
///         --replays N   --tiny             how many [20]; sizes for the host layer
///     gpu_check time [RESULT.json]         ceilings, kernels, training steps, translation
///         --ids FILE                       with the sentences of a file of ids (gradus data --ids), else with made ones
///         --repetitions N   --tiny         of each measurement [11]; sizes for the host layer
///         --only TEXT                      the rows whose name contains TEXT
///     gpu_check train IDS OUTPUT           the base model on a file of ids; translations, as ids, go to OUTPUT
///         --epochs N  --batch-tokens N  --average-last N  --learning-rate X  --seed N
///         --products exact|tf32|bf16       of the training [tf32, the default of `gradus train` on a GPU]
///         --beam-size N  --length-penalty X
///         --result FILE  --tiny            how long it took; a model for the host layer
///
/// Each result is a file with one section; tests/measure/gpu_check/gpu_result.py --join makes one of several. It is written anew after each row,
/// so a run that is killed leaves those before. A row that fails is named, and the others go on: then the exit status is 3. With
/// --fail TEXT the rows whose name contains TEXT fail, for a trial.

#include <fstream>
#include <iostream>

#include "gradus/gpu/runtime.hpp"
#include "gradus/util/error.hpp"
#include "measure/gpu_check/corpus.hpp"
#include "measure/gpu_check/judge.hpp"
#include "measure/gpu_check/judge_step.hpp"
#include "measure/gpu_check/models.hpp"
#include "measure/gpu_check/options.hpp"
#include "measure/gpu_check/result.hpp"
#include "measure/gpu_check/timing.hpp"
#include "measure/gpu_check/train.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Words = std::vector<std::string>;

void require_places(const CommandLine& given, std::size_t least, std::size_t most) {
  if (given.places().size() < least || given.places().size() > most) {
    throw UsageError(
        "gpu_check CASES [RESULT.json], gpu_check step [RESULT.json], gpu_check time [RESULT.json], or gpu_check "
        "train IDS OUTPUT");
  }
}

PartOptions parts_of(const CommandLine& given) { return {given.text("--only", ""), given.text("--fail", "")}; }

int run_cases(const Words& words) {
  const CommandLine given(words, {"--section", "--fail"});
  require_places(given, 1, 2);
  const std::string result = given.places().size() > 1 ? given.places()[1] : "";
  return static_cast<int>(
      judge_kernels(given.places()[0], result, given.text("--section", "kernels"), parts_of(given), std::cout));
}

int run_step(const Words& words) {
  const CommandLine given(words, {"--replays", "--fail"}, {"--tiny"});
  require_places(given, 0, 1);
  StepJudgeOptions options;
  options.is_tiny = given.has("--tiny");
  options.replays = given.count("--replays", options.replays);
  options.parts = parts_of(given);
  return static_cast<int>(judge_steps(options, given.places().empty() ? "" : given.places()[0], std::cout));
}

int run_time(const Words& words) {
  const CommandLine given(words, {"--ids", "--repetitions", "--only", "--fail"}, {"--tiny"});
  require_places(given, 0, 1);
  TimingOptions options;
  options.is_tiny = given.has("--tiny");
  options.ids = given.text("--ids", "");
  options.repetitions = static_cast<int>(given.count("--repetitions", options.is_tiny ? 1 : 11));
  if (options.is_tiny) options.seconds = 0;
  if (!given.places().empty()) options.result = given.places()[0];
  options.parts = parts_of(given);
  return static_cast<int>(time_all(options, std::cout));
}

std::string section(const TrainOptions& options, const std::string& products, const TrainTimes& times) {
  const auto number = [](std::size_t n) { return json(static_cast<double>(n)); };
  return json(Members{{"products", json(products)},
                      {"batch_tokens", number(options.batch_tokens)},
                      {"epochs", number(options.epochs)},
                      {"seconds_of_epochs", json_line(times.epochs)},
                      {"seconds_of_training", json(times.training())},
                      {"seconds_of_translating", json(times.translating)},
                      {"sentences", number(times.sentences)},
                      {"beam_size", number(options.search.beam_size)},
                      {"length_penalty", json(options.search.length_penalty)},
                      {"last_loss", json(times.last_loss)},
                      {"sums_of_weights", json_line(times.sums)},
                      {"sum_of_translating_weights", json(times.translating_sum)}});
}

int run_train(const Words& words) {
  const CommandLine given(words,
                          {"--epochs", "--batch-tokens", "--average-last", "--learning-rate", "--seed",
                           "--products", "--beam-size", "--length-penalty", "--result", "--fail"},
                          {"--tiny"});
  require_places(given, 2, 2);
  TrainOptions o;
  o.epochs = static_cast<std::uint32_t>(given.count("--epochs", o.epochs));
  o.average_last = static_cast<std::uint32_t>(given.count("--average-last", o.average_last));
  o.batch_tokens = given.count("--batch-tokens", o.batch_tokens);
  o.learning_rate = given.number("--learning-rate", o.learning_rate);
  o.seed = given.count("--seed", o.seed);
  o.is_tiny = given.has("--tiny");
  o.search.beam_size = given.count("--beam-size", o.search.beam_size);
  o.search.length_penalty = given.number("--length-penalty", o.search.length_penalty);
  o.search.check();
  const std::string products = given.text("--products", name_of(o.products)), output = given.places()[1];
  const auto chosen = value_named<Products>(products);  // parse() would need a library for its message
  if (!chosen) throw UsageError("there are no products " + products + ": " + names_phrase<Products>());
  o.products = *chosen;
  o.parts = parts_of(given);
  const IdCorpus corpus = read_ids(given.places()[0]);
  std::ofstream translations(output);
  if (!translations) fail("cannot write " + output);
  train_and_translate(corpus, o, std::cout, translations, [&](const TrainTimes& times) {
    if (!given.has("--result")) return;
    const std::string name = "training, " + products + ", " + std::to_string(o.batch_tokens) + " tokens";
    write_result(given.text("--result", ""), name, section(o, products, times));
  });
  translations.close();
  if (!translations) fail("cannot write " + output);
  return 0;
}

}  // namespace

int main(int argc, char** argv) try {
  Words words(argv + 1, argv + argc);
  const std::string command = words.empty() ? "" : words[0];
  const bool is_named = command == "train" || command == "time" || command == "step";
  if (is_named) words.erase(words.begin());
  const std::string missing = gpu::what_is_missing();
  if (!missing.empty()) fail(missing);
  std::cout << device_name() << std::endl;
  if (command == "train") return run_train(words);
  if (command == "time") return run_time(words);
  return command == "step" ? run_step(words) : run_cases(words);
} catch (const Error& error) {
  std::cerr << "gpu_check: " << error.what() << "\n";
  return 2;
}
