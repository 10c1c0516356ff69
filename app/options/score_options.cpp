#include "app/options/score_options.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>

#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

Metrics metrics_of(const ScoreChoices& c) {
  if (!c.metrics.empty()) return c.metrics;
  return c.form == ScoreForm::numbers ? Metrics{Metric::bleu} : usual_metrics;
}

void tell_about(const UnspacedScript& script, const ScoreChoices& c, const BootstrapOptions& o) {
  const auto is_asked = [&](Metric metric) { return std::count(o.metrics.begin(), o.metrics.end(), metric) != 0; };
  const std::string text =
      std::string("the references are ") + script.name + ", which has no spaces between words: ";
  const std::string fitting = name_of(script.tokenizer);
  if (is_asked(Metric::bleu)) {
    const bool fits = o.scoring.tokenizer == BleuTokenizer::zh || o.scoring.tokenizer == BleuTokenizer::characters;
    if (!c.tokenizer) console().say(text + "BLEU counts characters (--tokenize " + fitting + ")");
    if (!fits)
      console().say(text + "--tokenize " + name_of(o.scoring.tokenizer) +
                    " counts whole lines as words; --tokenize " + fitting + " counts characters");
  }
  if (is_asked(Metric::ter))
    console().say(text + "TER counts whole lines as words, so it says little; chrF2 counts characters");
}

}  // namespace

void add_score_options(CLI::App& command, ScoreChoices& c) {
  const auto take_metrics = [&c](const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto metric = parse<Metric>(word);
      if (std::count(c.metrics.begin(), c.metrics.end(), metric) == 0) c.metrics.push_back(metric);
    }
  };
  command
      .add_option_function<std::vector<std::string>>("--metrics", take_metrics,
                                                     "one or several of " + names_phrase<Metric>())
      ->check(one_of(all_names<Metric>()))
      ->type_name("WORD")
      ->default_str("bleu chrf chrf++")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  const auto take_tokenizer = [&c](const std::string& word) { c.tokenizer = parse<BleuTokenizer>(word); };
  command
      .add_option_function<std::string>("--tokenize", take_tokenizer,
                                        "BLEU's words: " + names_phrase<BleuTokenizer>())
      ->check(one_of(all_names<BleuTokenizer>()))
      ->type_name("WORD")
      ->default_str("by the script of the references");
  command.add_flag("--lowercase", c.lowercase, "ignore case");
  command.add_flag("--sentence-level", c.sentences, "the scores of each line alone, separated by tabs");
  command.add_flag("--confidence", c.confidence, "each score with its mean and 95 % interval by the bootstrap");
  command.add_option("--resamples", c.resamples, "of the bootstrap")
      ->check(between(1, 1000000))
      ->default_str(std::to_string(BootstrapOptions{}.resamples));
  CLI::Option* const numbers = command.add_flag_callback(
      "--score-only", [&c] { c.form = ScoreForm::numbers; }, "the number alone: of BLEU, or of --metrics");
  command
      .add_flag_callback(
          "--json", [&c] { c.form = ScoreForm::json; }, "as JSON, with signatures and all parts of the scores")
      ->excludes(numbers);
}

void check(const ScoreChoices& c, bool compares) {
  if (c.resamples != 0 && !c.confidence && !compares)
    throw UsageError(
        "--resamples is of the bootstrap, which --confidence or, of gradus score, --baseline asks for");
  const Metrics metrics = metrics_of(c);
  if (c.tokenizer && std::count(metrics.begin(), metrics.end(), Metric::bleu) == 0)
    throw UsageError("--tokenize is of BLEU, which --metrics leaves out");
  if (c.sentences && c.confidence)
    throw UsageError("--confidence is of a whole text; leave it or --sentence-level out");
  if (!compares) return;
  if (c.confidence) throw UsageError("--baseline shows the intervals already; leave --confidence out");
  if (c.sentences) throw UsageError("--baseline compares whole texts; leave --sentence-level out");
  if (c.form == ScoreForm::numbers)
    throw UsageError("--baseline has several numbers for each score; leave --score-only out");
}

BootstrapOptions scoring_of(const ScoreChoices& c, const std::vector<TextLines>& references) {
  const std::optional<UnspacedScript> script = unspaced_script(references);
  BootstrapOptions o;
  o.metrics = metrics_of(c);
  if (c.resamples != 0) o.resamples = c.resamples;
  o.scoring.lowercase = c.lowercase;
  o.scoring.tokenizer = c.tokenizer ? *c.tokenizer : script ? script->tokenizer : BleuTokenizer::v13a;
  if (script) tell_about(*script, c, o);
  return o;
}

}  // namespace gradus
