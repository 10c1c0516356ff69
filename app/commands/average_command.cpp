/// \file
/// gradus average: makes one model from the mean of several.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/record/run_files.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/terminal/console.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

constexpr const char* first_key = "first of them";

struct AverageRequest {
  std::vector<std::string> models;
  std::string output;
  bool overwrite = false;
};

/// The part of model.json that must be equal in all models: everything except the results of their trainings.
std::string shape_of(const ModelFiles& model) {
  ModelDescription d = description(model);
  d.metadata = "{}";
  d.unusual_below.reset();
  d.limits = {};
  return to_json(d);
}

/// The threshold of the mean: the smallest of its models', so that no translation that is usual to one of them is
/// unusual to the mean; none if a model has none.
std::optional<double> lower(std::optional<double> a, std::optional<double> b) {
  return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
}

void add_once(std::vector<std::string>& codes, const std::string& code) {
  if (std::find(codes.begin(), codes.end(), code) == codes.end()) codes.push_back(code);
}

/// Pieces that one of the models has seen. If they are not known of one, they are not known of the mean.
void add_seen(SeenPieces& pieces, const SeenPieces& others) {
  if (pieces.size() != others.size()) pieces.clear();
  for (std::size_t id = 0; id < pieces.size(); ++id) pieces[id] = pieces[id] || others[id];
}

void check_output(const AverageRequest& request) {
  const std::vector<std::string> present = run_files(request.output);
  if (present.empty() || request.overwrite) return;
  throw UsageError(request.output + " holds a " + present.front() +
                   " already; give another --output, or --overwrite to replace it with the mean");
}

int run_average(const AverageRequest& request) {
  if (request.models.size() < 2) throw UsageError("a mean needs two models at least");
  check_links(request.output + "/", request.models);
  check_output(request);
  ModelFiles mean = load_model(request.models.front());
  std::vector<double> sum(mean.weights.begin(), mean.weights.end());
  for (std::size_t i = 1; i < request.models.size(); ++i) {
    const ModelFiles other = load_model(request.models[i]);
    if (shape_of(other) != shape_of(mean)) {
      fail(request.models[i] + " is not of the same shape and vocabulary as " + request.models.front());
    }
    for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += other.weights[k];
    mean.unusual_below = lower(mean.unusual_below, other.unusual_below);
    mean.limits.hesitant_below = lower(mean.limits.hesitant_below, other.limits.hesitant_below);
    for (const std::string& code : other.limits.muted) add_once(mean.limits.muted, code);
    add_seen(mean.limits.source_pieces, other.limits.source_pieces);
  }
  const double count = static_cast<double>(request.models.size());
  for (std::size_t k = 0; k < sum.size(); ++k) mean.weights[k] = static_cast<float>(sum[k] / count);
  nlohmann::ordered_json metadata = nlohmann::ordered_json::parse(mean.metadata);
  // metadata of a mean does not contain that of another mean
  while (metadata.contains(first_key)) metadata = nlohmann::ordered_json(metadata[first_key]);
  mean.metadata = nlohmann::ordered_json{{"average of", request.models.size()}, {first_key, metadata}}.dump();
  const FolderLock lock(request.output);
  check_output(request);  // again, because another process may have written there
  remove_run(request.output);
  save_model(request.output, mean);
  console().say("the mean of " + std::to_string(request.models.size()) + " models is in " +
                printable(request.output));
  return 0;
}

}  // namespace

Command add_average(CLI::App& app) {
  const auto r = std::make_shared<AverageRequest>();
  CLI::App* const c = app.add_subcommand("average", "the mean of several models' weights, as a model");
  c->add_option("model", r->models, "folders of models of one shape and vocabulary, two at least")
      ->type_name("MODEL")
      ->transform(model_folder, "", "")
      ->required()
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  c->add_option("--output", r->output, "folder for the mean")->type_name("DIR")->required();
  c->add_flag("--overwrite", r->overwrite, "replace the model or the run that is in the folder");
  return {c, [r] { return run_average(*r); }};
}

}  // namespace gradus
