/// \file
/// gradus bench: the speed of a model on this machine.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <sstream>

#include "11_translator/translator/translator_engine.hpp"
#include "app/answers/warnings.hpp"
#include "app/bench/bench_report.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/interrupt.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"

namespace gradus {

/// The text of an embedded file, a part of the toy corpus.
const char* built_in_captions(const std::string& name);

namespace {

struct BenchCommand {
  BenchRequest bench;
  std::string input;
  bool json = false;
};

/// Lines without text are left out: a translation of nothing takes no time.
std::vector<std::string> sentences_of(const std::vector<std::string>& lines, const std::string& origin) {
  std::vector<std::string> sentences;
  for (const std::string& line : lines) {
    if (!trimmed(line).empty()) sentences.push_back(line);
  }
  if (sentences.empty()) fail(origin + " has no sentence");
  return sentences;
}

/// The captions that the model can read. English ones for a model without a known name.
std::string built_in_file(const std::string& model) {
  const TextLanguages l = known_languages(model);
  if (!l.source.empty() && l.source != "en" && l.source != "de")
    throw UsageError("the built-in captions are English or German, and the model translates " + l.source + " to " +
                     l.target + "; give --input");
  return l.source == "de" ? "train.de" : "train.en";
}

void read_text(BenchCommand& c, BenchConditions& conditions) {
  if (c.input.empty()) {
    const std::string file = built_in_file(c.bench.model);
    conditions.text = file == "train.de" ? "built-in German captions" : "built-in English captions";
    c.bench.sentences = sentences_of(split_lines(built_in_captions(file), file), file);
  } else {
    conditions.text = c.input == "/dev/stdin" ? "the standard input" : c.input;
    const std::vector<std::string> lines = read_lines(c.input, read_packed_file);
    require_text(lines, conditions.text + ", line", line_fault);
    warn_of_returns({lines}, {conditions.text});
    c.bench.sentences = sentences_of(lines, conditions.text);
  }
  for (const std::string& sentence : c.bench.sentences) {
    std::istringstream words(sentence);
    for (std::string word; words >> word;) ++conditions.source_words;
  }
}

void show_round(std::size_t round, std::size_t rounds) {
  if (!console().is_terminal()) return;
  const std::string text =
      round == 0 ? "warming up" : "round " + std::to_string(round) + " of " + std::to_string(rounds);
  console().renew(text.substr(0, console().columns() - 1));
}

int run_bench(BenchCommand c) {
  BenchConditions conditions;
  read_text(c, conditions);
  conditions.model = known_model(c.bench.model).name;
  conditions.device = name_of(device_taken(c.bench.device));
  conditions.processor = processor_name();
  conditions.blas_core = blas_core();
  catch_interrupts("\nstopping after this measurement; Ctrl-C again stops at once\n");
  const BenchFigures figures =
      bench(c.bench, was_interrupted, [&](std::size_t round) { show_round(round, c.bench.rounds); });
  console().renew("");
  if (figures.rounds == 0) {
    console().say("interrupted before the first round ended, so there is no result");
    return 130;
  }
  std::printf(
      "%s", (c.json ? bench_json(c.bench, conditions, figures) : bench_text(c.bench, conditions, figures)).c_str());
  return was_interrupted() ? 130 : 0;
}

}  // namespace

Command add_bench(CLI::App& app) {
  const auto r = std::make_shared<BenchCommand>();
  r->bench.model = default_model();
  CLI::App* const c = app.add_subcommand("bench", "the speed of a model on this machine");
  c->footer(
      "Measures loading, translation in batches by all threads, and one sentence at a time by one thread; greedy "
      "and with a beam. Every round has all of them, in turn.\n"
      "Example: gradus bench --model en-de --input captions.en\n");
  add_model_option(*c, r->bench.model);
  add_text_option(*c, "--input", r->input, "sentences, one a line; without it, 400 built-in captions");
  c->add_option("--beam-size", r->bench.beam_size, "width of the search beside the greedy one; 1: only that one")
      ->check(between(1, 100))
      ->capture_default_str();
  add_threads_option(*c, r->bench.threads);
  c->add_option("--rounds", r->bench.rounds, "number of repetitions, beside the first to warm up")
      ->check(between(1, 1000))
      ->capture_default_str();
  c->add_option("--alone", r->bench.singles, "number of sentences that are also translated one at a time")
      ->check(between(1, 100000))
      ->capture_default_str();
  add_device_option(*c, r->bench.device);
  add_int8_option(*c, r->bench.weights);
  c->add_flag("--json", r->json, "as JSON: median, least and most of each figure, and the conditions");
  return {c, [r] { return run_bench(*r); }};
}

}  // namespace gradus
