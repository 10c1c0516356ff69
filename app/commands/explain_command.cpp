/// \file
/// gradus explain: one translation, step by step.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>

#include "11_translator/translator/translator.hpp"
#include "app/answers/warnings.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/normal_text.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/incoming_lines.hpp"
#include "gradus/text/single_spaces.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct ExplainRequest {
  std::string sentence, model = default_model();
  TranslateOptions options;
  DeviceChoice device = DeviceChoice::automatic;
};

/// printf pads by bytes; this pads by characters. The words come from a model, which need not be trusted.
std::string padded(const std::string& piece, std::size_t width) {
  const std::string text = printable(piece);
  const std::size_t characters = code_points(text).size();
  return text + std::string(characters < width ? width - characters : 0, ' ');
}

void print_pieces(const std::vector<Piece>& pieces) {
  std::printf("the source, in pieces and their ids\n\n ");
  for (const Piece& p : pieces) std::printf(" %s %d  ", printable(p.text).c_str(), p.id);
  std::printf("\n");
}

void print_operations(const std::vector<TracedOperation>& operations) {
  std::printf("\nevery operation of one forward pass, the translation known: what came out of it\n\n");
  std::printf("  %-18s %-40s %11s %9s %9s\n", "operation", "parameter", "shape", "mean", "deviation");
  for (const TracedOperation& o : operations) {
    const std::string shape = std::to_string(o.shape[0]) + " x " + std::to_string(o.shape[1]);
    std::printf("  %-18s %-40s %11s %9.4f %9.4f\n", o.name.c_str(), o.parameter.c_str(), shape.c_str(), o.mean,
                o.deviation);
  }
}

void print_steps(const std::vector<NextWord>& steps) {
  std::printf("\nthe likeliest words at each step, and their probabilities\n\n");
  for (std::size_t t = 0; t < steps.size(); ++t) {
    std::printf("  %3zu  %s", t + 1, padded(steps[t].output.text, 14).c_str());
    for (const auto& [word, probability] : steps[t].candidates) {
      std::printf("  %5.3f %s", probability, padded(word.text, 11).c_str());
    }
    std::printf("\n");
  }
}

int run_explain(const ExplainRequest& request) {
  const std::string line = typed_sentence(request.sentence, "the sentence");
  if (is_name_of_file(request.sentence))
    console().warn(printable(line) +
                   " is the name of a file, and is explained as a sentence; its lines are not read");
  const Explanation e = Translator::load(request.model, request.device).explain(line, request.options);
  const bool is_blank = single_spaces(normal_text(line)).empty();
  if (e.source.empty())
    throw UsageError(std::string("the sentence ") +
                     (is_blank ? "is empty" : "has no letter, and comes back as it is") +
                     ": there is nothing to explain");
  warn_about(translation_warnings("the sentence", line, e.best));
  print_pieces(e.source);
  print_operations(e.operations);
  print_steps(e.steps);
  std::printf("\n%s\n", printable(e.best.text).c_str());
  return 0;
}

}  // namespace

Command add_explain(CLI::App& app) {
  const auto r = std::make_shared<ExplainRequest>();
  CLI::App* const c =
      app.add_subcommand("explain", "one translation taken apart: pieces, operations, likeliest words");
  c->add_option("sentence", r->sentence, "the sentence, in quotes")->required();
  add_model_option(*c, r->model);
  add_search_options(*c, r->options);
  add_device_option(*c, r->device);
  return {c, [r] { return run_explain(*r); }};
}

}  // namespace gradus
