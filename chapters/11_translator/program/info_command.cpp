/// \file
/// gradus info: what a model's folder holds.

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "09_transformer/model.hpp"
#include "11_translator/model_files.hpp"
#include "11_translator/program/bundled.hpp"
#include "11_translator/program/commands.hpp"
#include "11_translator/program/shared_options.hpp"
#include "gradus/device/device.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

struct InfoRequest {
  std::string model = default_model();
  bool parameters = false;
};

std::string shape_text(const std::vector<std::size_t>& shape) {
  std::string text;
  for (const std::size_t n : shape) text += (text.empty() ? "" : " x ") + std::to_string(n);
  return text;
}

/// "key  value" lines; what is nested is indented. The model may be anybody's: none of its text reaches a terminal as a
/// command.
void print_json(const nlohmann::ordered_json& json, int indent) {
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

int run_info(const InfoRequest& request) {
  const ModelFiles model = load_model(request.model);
  const Layout layout = transformer_layout<Cpu<float>>(model.config);
  std::printf("%-28s %s\n%-28s %zu\n", "model", request.model.c_str(), "parameters", layout.size());
  print_json(nlohmann::ordered_json::parse(to_json(model.config)), 0);
  const ModelDescription d = description(model);
  std::printf("%-28s %s%s\n", "tokenizer", tokenizer_name(d.kind), d.lower_case ? ", lower case" : "");
  std::printf("%-28s %s\n", "vocabulary",
              (d.source.file == d.target.file ? d.source.file : d.source.file + ", " + d.target.file).c_str());
  std::printf("how it was trained\n");
  auto notes = nlohmann::ordered_json::parse(model.notes);
  if (notes.contains("recipe") && notes["recipe"].is_object()) notes["recipe"].erase("model");  // stands above
  print_json(notes, 2);
  if (!request.parameters) return 0;
  std::printf("\n%-44s %14s %10s\n", "parameter", "shape", "elements");
  for (const Slice& s : layout.slices()) {
    std::printf("%-44s %14s %10zu\n", s.name.c_str(), shape_text(s.shape).c_str(), s.size());
  }
  return 0;
}

}  // namespace

Command add_info(CLI::App& app) {
  const auto r = std::make_shared<InfoRequest>();
  CLI::App* const c = app.add_subcommand("info", "what a model is, and how it was trained");
  add_model_option(*c, r->model, "model");
  c->add_flag("--parameters", r->parameters, "list every parameter with its shape");
  return {c, [r] { return run_info(*r); }};
}

}  // namespace gradus
