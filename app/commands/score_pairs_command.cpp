/// \file
/// gradus score-pairs: the probability of given translations under a model.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "11_translator/translator/translator.hpp"
#include "app/answers/translation_json.hpp"
#include "app/answers/warnings.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "app/terminal/line_progress.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {
namespace {

struct ScorePairsRequest {
  std::string source, target, model = default_model();
  bool json = false;
  std::size_t threads = 1;
  DeviceChoice device = DeviceChoice::automatic;
};

void add_cuts(WarningList& warnings, const PairScore& score, std::size_t line) {
  const std::string where = "line " + std::to_string(line) + ": the ";
  const char* const what = " is longer than the model reads; its end was left out";
  if (score.source_cut) warnings.add({{"source-cut", where + "source" + what}});
  if (score.target_cut)
    warnings.add({{"text-cut", where + "translation" + what + ", and it was scored as if it ended there"}});
}

void print_text(const PairScore& s) {
  std::printf("%.4f\t%.4f\t%.4g\t%zu\n", s.log_prob(), s.mean(), s.perplexity(), s.tokens.size());
}

/// The names are those that `translate --json` uses.
void print_json(const PairScore& s, const LinePairs& pairs, std::size_t line) {
  nlohmann::ordered_json json{{"line", line},
                              {"source", pairs.source[line - 1]},
                              {"text", pairs.target[line - 1]},
                              {"log_prob", s.log_prob()},
                              {"token_log_prob", s.mean()},
                              {"perplexity", s.perplexity()},
                              {"tokens", nlohmann::ordered_json::array()},
                              {"source_cut", s.source_cut},
                              {"text_cut", s.target_cut}};
  for (std::size_t i = 0; i < s.tokens.size(); ++i)
    json["tokens"].push_back({{"text", s.tokens[i]}, {"log_prob", s.log_probs[i]}});
  std::printf("%s\n", json_line(json).c_str());
}

int run_score_pairs(const ScorePairsRequest& r) {
  const auto texts = read_sentences({r.source, r.target});
  warn_of_returns(texts, {r.source, r.target});
  const LinePairs pairs{texts[0], texts[1]};
  const Translator translator = Translator::load(r.model, r.device);
  constexpr std::size_t lines_a_thread = 64;  // of a part: these are scored and printed together
  const std::size_t all = pairs.source.size(), most = lines_a_thread * r.threads;
  LineProgress progress("scored", all);
  WarningList warnings;
  double sum = 0;
  std::size_t tokens = 0;
  for (std::size_t first = 0; first < all; first += most) {
    const auto part = [&](const std::vector<std::string>& lines) {
      const auto begin = lines.begin() + static_cast<std::ptrdiff_t>(first);
      return std::vector<std::string>(begin, begin + static_cast<std::ptrdiff_t>(std::min(most, all - first)));
    };
    std::size_t line = first;
    for (const PairScore& score : translator.score_pairs(part(pairs.source), part(pairs.target), r.threads)) {
      add_cuts(warnings, score, ++line);
      r.json ? print_json(score, pairs, line) : print_text(score);
      sum += score.log_prob();
      tokens += score.tokens.size();
    }
    flush_results();
    progress.show(line);
  }
  warnings.end();
  const double mean = sum / static_cast<double>(tokens);
  char text[200];
  std::snprintf(text, sizeof text, "%s, %s: mean log probability %.4f a token, perplexity %.2f",
                plural(all, "pair").c_str(), plural(tokens, "token").c_str(), mean, std::exp(-mean));
  console().say(text);
  return 0;
}

}  // namespace

Command add_score_pairs(CLI::App& app) {
  const auto r = std::make_shared<ScorePairsRequest>();
  CLI::App* const c = app.add_subcommand("score-pairs", "how probable a model finds given translations");
  c->footer(
      "A line for each pair: log probability, its mean a token, perplexity, tokens; between them tabs.\n"
      "Logarithms are natural ones, and the end mark is a token. With --json, each token too.");
  add_text_option(*c, "--source", r->source, "sentences, one a line")->required();
  add_text_option(*c, "--target", r->target, "their translations")->required();
  add_model_option(*c, r->model);
  c->add_flag("--json", r->json, "a line of JSON for each pair, with the log probability of each token");
  add_threads_option(*c, r->threads);
  add_device_option(*c, r->device);
  return {c, [r] { return run_score_pairs(*r); }};
}

}  // namespace gradus
