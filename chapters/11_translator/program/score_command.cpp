/// \file
/// gradus score: BLEU and chrF2 of two files.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "11_translator/program/commands.hpp"
#include "11_translator/program/shared_options.hpp"
#include "11_translator/score.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/text/packed_file.hpp"

namespace gradus {
namespace {

struct ScoreRequest {
  std::string hypotheses, references;
  BleuOptions options;
};

int run_score(const ScoreRequest& request) {
  const LinePairs pairs = read_pairs(request.hypotheses, request.references, read_packed_file);
  std::printf("%s\n", to_string(score(pairs.source, pairs.target, request.options)).c_str());
  return 0;
}

}  // namespace

Command add_score(CLI::App& app) {
  const auto r = std::make_shared<ScoreRequest>();
  CLI::App* const c = app.add_subcommand("score", "BLEU and chrF2 of translations against references");
  add_text_option(*c, "--hypotheses", r->hypotheses, "translations, one a line")->required();
  add_text_option(*c, "--references", r->references, "references, one a line")->required();
  c->add_flag("--lowercase", r->options.lowercase, "ignore case in BLEU");
  return {c, [r] { return run_score(*r); }};
}

}  // namespace gradus
