/// \file
/// gradus evaluate: a model's scores on a test pair, and what lies behind them.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numeric>
#include <random>

#include "11_translator/program/bundled.hpp"
#include "11_translator/program/commands.hpp"
#include "11_translator/program/shared_options.hpp"
#include "11_translator/program/warnings.hpp"
#include "11_translator/score.hpp"
#include "11_translator/translator.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"

namespace gradus {
namespace {

struct EvaluateRequest {
  std::string source, reference, model = default_model();
  bool lowercase = false;
  std::size_t show = 0;
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
};

/// A sentence pair, what became of it, and the score of that alone.
struct Example {
  std::size_t line;
  double bleu;
};

void print_examples(const char* title, const std::vector<Example>& examples, const LinePairs& pairs,
                    const std::vector<std::string>& outputs) {
  std::printf("\n%s\n", title);
  for (const Example& e : examples) {
    std::printf("\n  line %zu, BLEU %.2f\n", e.line + 1, e.bleu);
    std::printf("    source     %s\n", pairs.source[e.line].c_str());
    std::printf("    reference  %s\n", pairs.target[e.line].c_str());
    std::printf("    output     %s\n", outputs[e.line].c_str());
  }
}

/// The best, the worst, and some drawn at random, the same ones each time.
void show_examples(std::size_t count, const LinePairs& pairs, const std::vector<std::string>& outputs,
                   const BleuOptions& options) {
  std::vector<Example> all;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    all.push_back({i, sentence_bleu(outputs[i], pairs.target[i], options).score});
  }
  count = std::min(count, all.size());
  const auto some = [&](auto from) {
    return std::vector<Example>(from, from + static_cast<std::ptrdiff_t>(count));
  };
  std::stable_sort(all.begin(), all.end(), [](const Example& a, const Example& b) { return a.bleu > b.bleu; });
  print_examples("best", some(all.begin()), pairs, outputs);
  print_examples("worst", some(all.rbegin()), pairs, outputs);
  std::mt19937 draw(1);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + draw() % (all.size() - i)]);
  print_examples("at random", some(all.begin()), pairs, outputs);
}

/// The cheat beside what it cheats about: both say the likeliest word at each step, one after the right words, the other
/// after its own.
void print_teacher_forced(const Translator& translator, const LinePairs& pairs, TranslateOptions greedy,
                          const BleuOptions& options) {
  greedy.beam_size = 1;
  greedy.n_best = 1;
  const TeacherForced forced = translator.teacher_forced(pairs.source, pairs.target, greedy.threads);
  std::vector<std::string> own;
  for (const auto& best : translator.translate(pairs.source, greedy)) own.push_back(best.front().text);
  std::printf("perplexity %.2f; %.1f %% of the next tokens guessed after the reference's own words\n",
              std::exp(forced.loss), 100 * forced.accuracy);
  std::printf(
      "BLEU %.2f of those guesses (teacher-forced), %.2f of greedy translations: only the second is a score\n",
      corpus_bleu(forced.texts, pairs.target, options).score, corpus_bleu(own, pairs.target, options).score);
}

int run_evaluate(const EvaluateRequest& r) {
  const LinePairs pairs = read_pairs(r.source, r.reference, read_packed_file);
  const Translator translator = Translator::load(r.model, r.device);
  std::vector<std::string> outputs;
  for (const auto& n_best : translator.translate(pairs.source, r.options)) {
    outputs.push_back(n_best.front().text);
    warn_about("line " + std::to_string(outputs.size()), n_best.front().cut, false);  // the score says the rest
  }
  BleuOptions options;
  options.lowercase = r.lowercase;
  std::printf("%s\n", to_string(score(outputs, pairs.target, options)).c_str());

  print_teacher_forced(translator, pairs, r.options, options);
  if (r.show != 0) show_examples(r.show, pairs, outputs, options);
  return 0;
}

}  // namespace

Command add_evaluate(CLI::App& app) {
  const auto r = std::make_shared<EvaluateRequest>();
  CLI::App* const c = app.add_subcommand("evaluate", "translate a test set and score it");
  add_text_option(*c, "--source", r->source, "sentences, one a line")->required();
  add_text_option(*c, "--reference", r->reference, "their translations by people")->required();
  add_model_option(*c, r->model);
  add_search_options(*c, r->options);
  add_device_option(*c, r->device);
  c->add_flag("--lowercase", r->lowercase, "ignore case in BLEU");
  c->add_option("--show", r->show, "so many of the best, of the worst and of random sentences")
      ->check(between(0, 100000))
      ->capture_default_str();
  return {c, [r] { return run_evaluate(*r); }};
}

}  // namespace gradus
