#include "app/report/run_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "11_translator/storage/model_description.hpp"
#include "11_translator/training/record/recipe_differences.hpp"
#include "app/report/report_pictures.hpp"
#include "app/report/report_tables.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/plot/page.hpp"
#include "gradus/plot/ticks.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// A row of two values; "" is shown as a dash.
std::string row(const std::string& name, const std::string& a, const std::string& b) {
  const auto cell = [](const std::string& text) {
    return "<td><bdi>" + (text.empty() ? "–" : escaped(text)) + "</bdi></td>";
  };
  return a.empty() && b.empty() ? "" : "<tr><td>" + escaped(name) + "</td>" + cell(a) + cell(b) + "</tr>\n";
}

std::string table(const std::string& rows) {
  return "<table class=\"two\"><tr><th></th><th>A</th><th>B</th></tr>\n" + rows + "</table>\n";
}

const ValidationRecord* best_of(const StoredRun& run) {
  const auto place = best_validation(run.history.validations);
  return place ? &run.history.validations[*place] : nullptr;
}

std::string score_of(const StoredRun& run, const std::string& name) {
  if (!run.results) return "";
  for (const Score& s : run.results->scores) {
    if (s.name == name) return fixed(s.value, s.decimals);
  }
  return "";
}

/// Scores of the finished models, in the order of the first run that has them.
std::string score_rows(const StoredRun& a, const StoredRun& b) {
  std::vector<std::string> names;
  for (const StoredRun* run : {&a, &b}) {
    if (!run->results) continue;
    for (const Score& s : run->results->scores) {
      if (std::find(names.begin(), names.end(), s.name) == names.end()) names.push_back(s.name);
    }
  }
  std::string rows;
  for (const std::string& name : names) rows += row(name, score_of(a, name), score_of(b, name));
  return rows;
}

std::string fact_of(const std::vector<std::pair<std::string, std::string>>& facts, const std::string& name) {
  for (const auto& [known, value] : facts) {
    if (known == name) return value;
  }
  return "";
}

std::string parameters(const StoredRun& run) {
  const Json recipe = Json::parse(run.recipe);
  const ModelConfig config = config_from_json(recipe.at("model").dump(), run.folder);
  return tick_text(static_cast<double>(parameter_count(config)));
}

std::string fact_rows(const StoredRun& a, const StoredRun& b) {
  using Text = std::function<std::string(const StoredRun&)>;
  const auto both = [&](const std::string& name, const Text& text) { return row(name, text(a), text(b)); };
  const auto best = [&](const std::string& name, const auto& text) {
    return both(name, [&](const StoredRun& run) { return best_of(run) != nullptr ? text(*best_of(run)) : ""; });
  };
  std::string rows =
      both("folder", [](const StoredRun& run) { return run.folder; }) +
      both("state", [](const StoredRun& run) { return run.finished ? "finished" : "not finished"; }) +
      both("steps",
           [](const StoredRun& run) {
             return run.history.steps.empty() ? "0" : tick_text(run.history.steps.back().step);
           }) +
      both("parameters", parameters);
  rows += best("best validation loss",
               [](const ValidationRecord& v) { return fixed(v.loss, 4) + " at step " + tick_text(v.step); }) +
          best("its perplexity", [](const ValidationRecord& v) { return fixed(std::exp(v.loss), 2); }) +
          best("its BLEU, greedy", [](const ValidationRecord& v) { return fixed(v.bleu, 2); });
  for (const char* name : {"weights", "training pairs", "validation pairs"}) {
    rows += both(name, [&](const StoredRun& run) { return run.results ? fact_of(run.results->facts, name) : ""; });
  }
  for (const char* name : {"unknown tokens, training text", "unknown tokens, validation text"})
    rows += both(name, [&](const StoredRun& run) { return fact_of(unknown_facts(run.history), name); });
  for (const char* name : {"time", "speed", "processor", "threads", "BLAS kernels", "device", "peak memory"}) {
    rows += both(name, [&](const StoredRun& run) {
      return run.timing.empty() ? "" : fact_of(timing_facts(run.timing), name);
    });
  }
  return rows + both("recipe", [](const StoredRun& run) { return recipe_hash(run.recipe); });
}

/// One column of the histories of both runs.
template <class Record>
std::string picture(const std::string& title, const StoredRun& a, const StoredRun& b,
                    std::vector<Record> TrainingHistory::*records, double Record::*value) {
  LineChart chart;
  chart.title = title, chart.x_title = "step";
  chart.series = {series("A", a.history.*records, value), series("B", b.history.*records, value)};
  if constexpr (std::is_same_v<Record, ValidationRecord>) {
    chart.series[0].marked = best_validation(a.history.validations);
    chart.series[1].marked = best_validation(b.history.validations);
  }
  return "<figure>" + inline_svg(line_chart_svg(chart)) + "</figure>\n";
}

std::string curves_of_both(const StoredRun& a, const StoredRun& b) {
  return "<h2>Curves</h2>\n<div class=\"pair\">\n" +
         picture("Validation loss", a, b, &TrainingHistory::validations, &ValidationRecord::loss) +
         picture("BLEU on the validation sentences, greedy", a, b, &TrainingHistory::validations,
                 &ValidationRecord::bleu) +
         picture("Training loss", a, b, &TrainingHistory::steps, &StepRecord::loss) +
         picture("Learning rate", a, b, &TrainingHistory::steps, &StepRecord::learning_rate) +
         "</div>\n<p class=\"note\">The rings: the best validations, by their loss.</p>\n";
}

std::string difference_table(const StoredRun& a, const StoredRun& b) {
  std::string rows;
  for (const RecipeDifference& d : recipe_differences(a.recipe, b.recipe))
    rows += row(d.name, unquoted(d.first), unquoted(d.second));
  const std::string heading = "<h2>What differs</h2>\n";
  return heading + (rows.empty() ? "<p>Nothing: both runs have the same recipe.</p>\n" : table(rows));
}

/// Warnings where the numbers of the two runs do not mean the same.
std::string warnings(const StoredRun& a, const StoredRun& b) {
  const Json x = Json::parse(a.recipe), y = Json::parse(b.recipe);
  const auto differs = [&](const char* key) { return x.value(key, Json()) != y.value(key, Json()); };
  if (differs("validation data"))
    return "<p class=\"note\">They were validated on different text, so neither losses nor scores can be "
           "compared.</p>\n";
  if (differs("target vocabulary"))
    return "<p class=\"note\">Their vocabularies differ. A loss and a perplexity are those of a token, so only "
           "BLEU and chrF2 can be compared.</p>\n";
  return "";
}

/// The last translations of the sentences that both runs translated at their validations.
std::string samples_of_both(const StoredRun& a, const StoredRun& b) {
  if (a.history.validations.empty() || b.history.validations.empty()) return "";
  std::string html;
  for (const SampleTranslation& x : a.history.validations.back().samples) {
    for (const SampleTranslation& y : b.history.validations.back().samples) {
      if (x.source != y.source || x.reference != y.reference) continue;
      html +=
          "<div class=\"sample\"><p><bdi>" + escaped(x.source) + "</bdi></p>\n<p class=\"note\">reference: <bdi>" +
          escaped(x.reference) + "</bdi></p>\n<table><tr><td>A</td><td><bdi>" + escaped(x.translation) +
          "</bdi></td></tr>\n<tr><td>B</td><td><bdi>" + escaped(y.translation) + "</bdi></td></tr></table></div>\n";
    }
  }
  return html.empty() ? "" : "<h2>The same sentences at the last validation</h2>\n" + html;
}

}  // namespace

std::string run_comparison(const StoredRun& a, const StoredRun& b) {
  Page page;
  page.title = "Two trainings: " + folder_name(a.folder) + " and " + folder_name(b.folder);
  page.style =
      ".two td:first-child{width:30%;color:var(--soft)}.two{table-layout:fixed}\n"
      ".sample{margin:1.6rem 0 2.2rem}.sample p{margin:0;max-width:none}.sample td:first-child{width:2rem}\n";
  page.body = "<p class=\"eyebrow\">gradus · two trainings</p>\n<h1>A: " + escaped(folder_name(a.folder)) +
              ", B: " + escaped(folder_name(b.folder)) + "</h1>\n" + warnings(a, b) +
              table(score_rows(a, b) + fact_rows(a, b)) + difference_table(a, b) + curves_of_both(a, b) +
              samples_of_both(a, b);
  return html_page(page);
}

}  // namespace gradus
