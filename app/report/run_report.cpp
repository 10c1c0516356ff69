#include "app/report/run_report.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "09_transformer/fill_positions.hpp"
#include "11_translator/storage/model_description.hpp"
#include "11_translator/translator/translator.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_positions = 64;
constexpr std::uint64_t longest_report = 256'000'000;  // bytes of a page

/// The first rows of the model's table, (P, D); none if it adds no positions.
std::vector<float> position_rows(const ModelConfig& model) {
  if (model.positions == Positions::none) return {};
  Cpu<float> dev;
  const auto table = dev.kept.matrix(std::min(most_positions, model.max_length), model.d_model);
  fill_positions(dev, table, model.positions);
  std::vector<float> rows;
  read(dev, rows, In<Cpu<float>, 1>(as_vector(table)));
  return rows;
}

}  // namespace

std::string folder_name(const std::string& folder) {
  return (std::filesystem::absolute(folder) / "").lexically_normal().parent_path().filename().string();
}

std::string recipe_hash(const std::string& recipe) { return sha256(recipe).substr(0, 16); }

ReportData report_data(const StoredRun& run, DeviceChoice device) {
  const Json recipe = Json::parse(run.recipe);
  ReportData d;
  d.history = run.history;
  d.model = config_from_json(recipe.at("model").dump(), run.folder);
  d.positions = position_rows(d.model);
  d.timing = run.timing;
  if (run.results) {
    const RunResults& r = *run.results;
    d.title = r.title, d.facts = r.facts, d.scores = r.scores, d.score_name = r.score_name;
    d.best = r.best, d.worst = r.worst, d.lengths = r.lengths;
    const Translator translator = Translator::load(run.folder, device);
    for (const std::string& sentence : r.attention) d.attention.push_back(translator.attention(sentence));
  } else {
    d.title = folder_name(run.folder);
    d.note = run.finished ? "Scores, best and worst translations and attention are missing. Run the command of the "
                            "training again to measure them."
                          : "This run has not finished. Scores, best and worst translations and attention come at "
                            "its end.";
  }
  d.facts.emplace_back("seed", recipe.at("seed").dump());
  d.facts.emplace_back("recipe", recipe_hash(run.recipe));
  return d;
}

std::string write_report(const StoredRun& run, DeviceChoice device) {
  std::string path = run.folder + "/report.html";
  const std::string page = training_report(report_data(run, device));
  if (is_there(path) && read_regular_file(path, longest_report) == page) return "";
  write_own_file(path, page);
  return path;
}

}  // namespace gradus
