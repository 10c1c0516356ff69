/// \file
/// gradus info: the content of a model's folder.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "09_transformer/model.hpp"
#include "11_translator/storage/model_files.hpp"
#include "app/answers/model_info.hpp"
#include "app/commands/commands.hpp"
#include "app/models/known_models.hpp"
#include "app/options/shared_options.hpp"
#include "gradus/device/device.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

struct InfoRequest {
  std::string model = default_model();
  bool parameters = false, json = false;
};

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

/// "key  value" lines; nested values are indented. The model need not be trusted: control characters in its texts
/// are spelt out, so that the terminal does not obey them.
void print_json(const Json& json, int indent) {
  for (const auto& [name, value] : json.items()) {
    const std::string key = printable(name);
    if (value.is_object()) {
      std::printf("%*s%s\n", indent, "", key.c_str());
      print_json(value, indent + 2);
    } else {
      const std::string text = printable(value.is_string() ? value.get<std::string>() : value.dump());
      std::printf("%*s%-*s %s\n", indent, "", 28 - indent, key.c_str(), text.c_str());
    }
  }
}

/// The model's configuration is among the first lines, so the recipe does not repeat it.
void print_info(const Json& info) {
  const Json &tokenizer = info["tokenizer"], &source = tokenizer["source"], &target = tokenizer["target"];
  Json first{{"model", info["model"]}};
  for (const char* name : {"languages", "parameters"}) {
    if (!info[name].is_null()) first[name] = info[name];
  }
  first.update(info["configuration"]);
  first["tokenizer"] = tokenizer["kind"].get<std::string>() + (tokenizer["lower_case"] ? ", lower case" : "") +
                       (tokenizer["punctuation"] ? "" : ", without punctuation") +
                       (tokenizer["normalisation"] == name_of(Normalisation::never) ? ", not normalised" : "");
  first["vocabulary"] =
      source == target ? source : Json(source.get<std::string>() + ", " + target.get<std::string>());
  print_json(first, 0);
  Json scores;  // of each seed: only in the JSON output
  for (const auto& [name, value] : info["scores"].items()) {
    if (!value.is_structured()) scores[name] = value;
  }
  if (!scores.is_null()) print_json({{"scores", scores}}, 0);
  Json training = info["training"];
  if (training.contains("recipe") && training["recipe"].is_object()) training["recipe"].erase("model");
  std::printf("how it was trained\n");
  print_json(training, 2);
}

void print_parameters(const Layout& layout) {
  std::printf("\n%-44s %14s %10s\n", "parameter", "shape", "elements");
  for (const Slice& s : layout.slices()) {
    std::printf("%-44s %14s %10zu\n", s.name.c_str(), shape_text(s.shape).c_str(), s.size());
  }
}

/// `layout` as a member of the JSON object.
Json parameters_json(const Layout& layout) {
  Json all = Json::array();
  for (const Slice& s : layout.slices()) all.push_back({{"name", s.name}, {"shape", s.shape}});
  return all;
}

int run_info(const InfoRequest& request) {
  const ModelFiles model = load_model(request.model);
  const Layout layout = transformer_layout<Cpu<float>>(model.config);
  Json info = model_info(request.model, model);
  if (request.json) {
    if (request.parameters) info["layout"] = parameters_json(layout);
    std::printf("%s\n", info.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    return 0;
  }
  print_info(info);
  if (request.parameters) print_parameters(layout);
  return 0;
}

}  // namespace

Command add_info(CLI::App& app) {
  const auto r = std::make_shared<InfoRequest>();
  CLI::App* const c = app.add_subcommand("info", "what a model is, and how it was trained");
  add_model_option(*c, r->model, "model");
  c->add_flag("--parameters", r->parameters, "list every parameter with its shape");
  c->add_flag("--json", r->json, "as JSON: languages, sizes, scores, training");
  return {c, [r] { return run_info(*r); }};
}

}  // namespace gradus
