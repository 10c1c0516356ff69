/// \file
/// gradus evaluate: a model's scores on a test set, and examples.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <system_error>
#include <utility>

#include "11_translator/search/search_host.hpp"
#include "11_translator/training/record/run_files.hpp"
#include "11_translator/translator/translator.hpp"
#include "app/answers/score_answer.hpp"
#include "app/answers/warnings.hpp"
#include "app/commands/commands.hpp"
#include "app/commands/help_of_ranks.hpp"
#include "app/models/known_models.hpp"
#include "app/options/score_options.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/line_progress.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/ranks/world.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct EvaluateRequest {
  std::string source, output, model = default_model();
  std::vector<std::string> references;
  ScoreChoices choices;
  std::size_t show = 0;
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
  SearchWeights weights = SearchWeights::exact;
};

/// A sentence pair, its translation, and the score of that translation alone.
struct Example {
  std::size_t line;
  double bleu;
};

/// A test set: sentences, and one or several lists of human translations.
struct TestSet {
  TextLines source;
  std::vector<TextLines> references;
};

TestSet read_test_set(const EvaluateRequest& r) {
  std::vector<std::string> paths{r.source};
  paths.insert(paths.end(), r.references.begin(), r.references.end());
  std::vector<TextLines> texts = read_sentences(paths);
  warn_of_returns(texts, paths);
  TestSet test{std::move(texts.front()), {}};
  test.references.assign(std::make_move_iterator(texts.begin() + 1), std::make_move_iterator(texts.end()));
  warn_of_references({}, test.references);
  return test;
}

void print_examples(const char* title, const std::vector<Example>& examples, const TestSet& test,
                    const TextLines& outputs) {
  std::printf("\n%s\n", title);
  for (const Example& e : examples) {
    std::printf("\n  line %zu, BLEU %.2f\n", e.line + 1, e.bleu);
    std::printf("    source     %s\n", printable(test.source[e.line]).c_str());
    for (const std::string& reference : references_of(test.references, e.line))
      std::printf("    reference  %s\n", printable(reference).c_str());
    std::printf("    output     %s\n", printable(outputs[e.line]).c_str());
  }
}

/// The best, the worst, and some drawn at random; the draws are the same each time.
void show_examples(std::size_t count, const TestSet& test, const TextLines& outputs, const BleuOptions& options) {
  std::vector<Example> all;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    all.push_back(
        {i, bleu_score(bleu_statistics(outputs[i], references_of(test.references, i), options), true).score});
  }
  count = std::min(count, all.size());
  const auto some = [&](auto from) {
    return std::vector<Example>(from, from + static_cast<std::ptrdiff_t>(count));
  };
  std::stable_sort(all.begin(), all.end(), [](const Example& a, const Example& b) { return a.bleu > b.bleu; });
  print_examples("best", some(all.begin()), test, outputs);
  print_examples("worst", some(all.rbegin()), test, outputs);
  std::mt19937 draw(1);
  for (std::size_t i = 0; i < count; ++i) std::swap(all[i], all[i + draw() % (all.size() - i)]);
  print_examples("at random", some(all.begin()), test, outputs);
}

/// The best translation of each line.
TextLines translate_all(const Translator& translator, const TextLines& source, const TranslateOptions& options,
                        bool warns) {
  LineProgress progress("beam " + std::to_string(options.beam_size) + ":", source.size());
  // enough lines to sort them by length
  const std::size_t most = 4 * SearchOptions{}.batch_sentences * options.threads * translator.ranks().size();
  TextLines outputs;
  WarningList warnings;
  while (outputs.size() < source.size()) {
    const auto begin = source.begin() + static_cast<std::ptrdiff_t>(outputs.size());
    const std::size_t count = std::min(most, source.size() - outputs.size());
    for (const auto& n_best : translator.translate({begin, begin + static_cast<std::ptrdiff_t>(count)}, options)) {
      outputs.push_back(n_best.front().text);
      if (warns)
        warnings.add(
            warnings_of_cuts("line " + std::to_string(outputs.size()), n_best.front()));  // the score says the rest
    }
    progress.show(outputs.size());
  }
  warnings.end("");
  return outputs;
}

/// Two ways to predict each next word: teacher forcing, after the reference's words, and greedy translation, after the model's own.
struct Guesses {
  double perplexity, accuracy;      // of the tokens after the first reference's own
  double forced_bleu, greedy_bleu;  // of those guesses as a text, and of translations
};

Guesses guesses_of(const Translator& translator, const TestSet& test, TranslateOptions greedy,
                   const BleuOptions& options) {
  greedy.beam_size = 1;
  greedy.n_best = 1;
  const TeacherForced forced = translator.teacher_forced(test.source, test.references.front(), greedy.threads);
  const auto bleu = [&](const TextLines& texts) {
    return score_several(texts, test.references, options, {Metric::bleu}).bleu.score;
  };
  return {std::exp(forced.loss), forced.accuracy, bleu(forced.texts),
          bleu(translate_all(translator, test.source, greedy, false))};
}

void print_guesses(const Guesses& n, bool has_several) {
  std::printf("perplexity %.2f; %.1f %% of the next tokens guessed after the%s reference's own words\n",
              n.perplexity, 100 * n.accuracy, has_several ? " first" : "");
  std::printf(
      "BLEU %.2f of those guesses (teacher-forced, so no score), %.2f of greedy translations (beam size 1)\n",
      n.forced_bleu, n.greedy_bleu);
}

/// The output file must differ from the files that are read.
void check(const EvaluateRequest& r) {
  check(r.choices);
  if (r.show != 0 && (r.choices.form != ScoreForm::lines || r.choices.sentences))
    throw UsageError("--show prints examples for people; leave it or --json, --score-only, --sentence-level out");
  check_named_file(r.output, {r.model});
  std::vector<std::string> inputs = r.references;
  inputs.push_back(r.source);
  for (const std::string& name : run_files(r.model)) inputs.push_back(r.model + "/" + name);
  check_not_read(r.output, inputs);
}

/// The scores, and unless a program reads bare numbers, what next words and examples tell.
void print_scores(const Translator& translator, const TestSet& test, const TextLines& outputs,
                  const EvaluateRequest& r) {
  std::vector<TextLines> references;
  for (const TextLines& one : test.references) references.push_back(comparable(translator.rules(), one));
  if (!translator.rules().punctuation)
    console().say("the model writes no punctuation, so the references are scored without theirs");
  BootstrapOptions options = scoring_of(r.choices, references);
  options.scoring.lowercase = r.choices.lowercase || translator.rules().lower_case;
  Scores scores = score_several(outputs, references, options.scoring, options.metrics);
  if (r.choices.confidence) add_intervals(scores, outputs, references, options);
  if (r.choices.form == ScoreForm::json) {
    const Guesses n = guesses_of(translator, test, r.options, options.scoring);
    nlohmann::ordered_json json = score_json(scores, r.choices);
    json["perplexity"] = n.perplexity, json["next_tokens_guessed"] = n.accuracy;
    json["teacher_forced_bleu"] = n.forced_bleu, json["greedy_bleu"] = n.greedy_bleu;
    std::printf("%s", printed(json).c_str());
    return;
  }
  std::printf("%s", score_text(scores, r.choices).c_str());
  flush_results();
  if (r.choices.form == ScoreForm::numbers || r.choices.sentences) return;
  print_guesses(guesses_of(translator, test, r.options, options.scoring), test.references.size() > 1);
  if (r.show != 0) show_examples(r.show, test, outputs, options.scoring);
}

int evaluate(const Translator& translator, const TestSet& test, const EvaluateRequest& r) {
  const TextLines outputs = translate_all(translator, test.source, r.options, true);
  if (!r.output.empty()) {
    std::string text;
    for (const std::string& line : outputs) text += line + '\n';
    write_parts_atomically(r.output, {text}, links_at(r.output, {r.model}));
  }
  print_scores(translator, test, outputs, r);
  return 0;
}

/// Rank 0 reads, scores and prints; the ranks share the translations.
int run_evaluate(EvaluateRequest& r) {
  Ranks& ranks = world();
  TestSet test;
  on_first(ranks, [&] {
    check(r);
    test = read_test_set(r);
  });
  const Translator translator = load_on_all(ranks, r.model, r.device, r.weights, r.options);
  return with_help(ranks, translator, r.options.threads,
                   [&](const Translator& shared) { return evaluate(shared, test, r); });
}

}  // namespace

Command add_evaluate(CLI::App& app) {
  const auto r = std::make_shared<EvaluateRequest>();
  CLI::App* const c = app.add_subcommand("evaluate", "translate a test set and score it");
  add_text_option(*c, "--source", r->source, "sentences, one a line")->required();
  add_text_options(*c, "--reference", r->references,
                   "their translations by people; several files: several of each line")
      ->required();
  add_model_option(*c, r->model);
  add_search_options(*c, r->options);
  add_device_option(*c, r->device);
  add_int8_option(*c, r->weights);
  const auto standard_output = [](const std::string& given) { return given == "-" ? "/dev/stdout" : given; };
  c->add_option("--output", r->output, "file for the translations, one a line (-: standard output)")
      ->type_name("FILE")
      ->transform(standard_output, "", "");
  add_score_options(*c, r->choices);
  c->add_option("--show", r->show, "number of the best, of the worst and of random sentences to show")
      ->check(between(0, 100000))
      ->capture_default_str();
  return {c, [r] { return run_evaluate(*r); }, true};
}

}  // namespace gradus
