/// \file
/// gradus score: BLEU, chrF2, chrF2++ and TER of existing translations, and a test whether two systems differ.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "11_translator/metrics/bootstrap.hpp"
#include "app/answers/score_answer.hpp"
#include "app/answers/warnings.hpp"
#include "app/commands/commands.hpp"
#include "app/options/score_options.hpp"
#include "app/options/shared_options.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

struct ScoreRequest {
  std::vector<std::string> hypotheses, references;
  std::string baseline;
  ScoreChoices choices;
};

/// The system's name, in a column as wide as the widest name.
std::string padded(const std::string& name, std::size_t width) {
  return name + std::string(width - std::min(width, display_width(name)), ' ');
}

/// One metric of all systems: its signature, then one line for each system.
void print_metric(const MetricResults& metric, const std::vector<std::string>& names) {
  std::size_t width = 0;
  for (const std::string& name : names) width = std::max(width, display_width(name));
  std::printf("\n%s|%s\n", metric.name.c_str(), metric.signature.c_str());
  std::printf("  %s  %6s  %14s  %6s\n", padded("", width).c_str(), "score", "mean ± 95 % CI", "p");
  for (std::size_t s = 0; s < names.size(); ++s) {
    const BootstrapResult& r = metric.systems[s];
    std::printf("  %s  %6.2f  %6.2f ± %5.2f", padded(names[s], width).c_str(), r.score, r.mean, r.half_width);
    if (equals_baseline(metric, s)) {
      std::printf("  no difference");
    } else if (r.p_value) {
      std::printf("  %6.4f%s", *r.p_value, *r.p_value < 0.05 ? " *" : "");
    }
    std::printf("\n");
  }
}

void print_comparison(const std::vector<TextLines>& systems, const std::vector<TextLines>& references,
                      const ScoreRequest& r, const BootstrapOptions& options) {
  const std::vector<MetricResults> metrics = paired_bootstrap(systems, references, options);
  if (r.choices.form == ScoreForm::json) {
    std::vector<std::string> names{r.baseline};
    names.insert(names.end(), r.hypotheses.begin(), r.hypotheses.end());
    std::printf("%s", printed(comparison_json(metrics, names)).c_str());
    return;
  }
  std::vector<std::string> names{visible("baseline " + r.baseline)};
  for (const std::string& path : r.hypotheses) names.push_back(visible(path));
  std::printf("paired bootstrap, %s of %s\n", plural(options.resamples, "resample").c_str(),
              plural(systems[0].size(), "line").c_str());
  for (const MetricResults& metric : metrics) print_metric(metric, names);
  std::printf(
      "\nscore: of the test set as it is. mean ± CI: of the resamples, 95 %% of which lie in that interval.\n"
      "p: how often two equally good systems differ by as much as this one and the baseline.\n"
      "* p < 0.05: the difference is hardly chance. It may still be too small to matter.\n");
}

void print_scores(const std::vector<TextLines>& systems, const std::vector<TextLines>& references,
                  const ScoreRequest& r, const BootstrapOptions& options) {
  nlohmann::ordered_json all{{"systems", nlohmann::ordered_json::array()}};
  for (std::size_t s = 0; s < systems.size(); ++s) {
    Scores scores = score_several(systems[s], references, options.scoring, options.metrics);
    if (r.choices.confidence) add_intervals(scores, systems[s], references, options);
    if (r.choices.form == ScoreForm::json) {
      nlohmann::ordered_json one{{"name", r.hypotheses[s]}};
      one.update(score_json(scores, r.choices));
      all["systems"].push_back(one);
      continue;
    }
    const bool has_names = systems.size() > 1 && r.choices.form == ScoreForm::lines;
    if (has_names) std::printf("%s%s\n", s == 0 ? "" : "\n", visible(r.hypotheses[s]).c_str());
    std::printf("%s", score_text(scores, r.choices).c_str());
  }
  if (r.choices.form == ScoreForm::json) std::printf("%s", printed(all).c_str());
}

int run_score(const ScoreRequest& r) {
  check(r.choices, !r.baseline.empty());
  std::vector<std::string> paths = r.hypotheses;
  if (!r.baseline.empty()) paths.insert(paths.begin(), r.baseline);
  const auto systems_end = static_cast<std::ptrdiff_t>(paths.size());
  paths.insert(paths.end(), r.references.begin(), r.references.end());
  const std::vector<TextLines> texts = read_parallel(paths, read_packed_file);
  warn_of_returns(texts, paths);
  const std::vector<TextLines> systems(texts.begin(), texts.begin() + systems_end),
      references(texts.begin() + systems_end, texts.end());
  warn_of_references(systems, references);
  const BootstrapOptions options = scoring_of(r.choices, references);
  if (r.baseline.empty()) {
    print_scores(systems, references, r, options);
  } else {
    print_comparison(systems, references, r, options);
  }
  return 0;
}

}  // namespace

Command add_score(CLI::App& app) {
  const auto r = std::make_shared<ScoreRequest>();
  CLI::App* const c =
      app.add_subcommand("score", "BLEU, chrF2, chrF2++ and TER of translations against references");
  add_text_options(*c, "--hypotheses", r->hypotheses, "translations, one a line; several files: several systems")
      ->required();
  add_text_options(*c, "--references", r->references,
                   "references, one a line; several files: several of each line, where a line without text is none")
      ->required();
  add_score_options(*c, r->choices);
  add_text_option(*c, "--baseline", r->baseline,
                  "translations to compare with: is the difference more than chance?");
  return {c, [r] { return run_score(*r); }};
}

}  // namespace gradus
