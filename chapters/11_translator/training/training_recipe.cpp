#include "11_translator/training/training_recipe.hpp"

#include <nlohmann/json.hpp>

#include "11_translator/model_description.hpp"
#include "gradus/util/sha256.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

std::string checksum(const LinePairs& lines) {
  std::string text;
  for (const auto* side : {&lines.source, &lines.target}) {
    for (const std::string& line : *side) text += line + "\n";
  }
  return sha256(text);
}

Json optimiser_json(const Optimiser& o) {
  if (!o.is_adam) return {{"kind", "sgd"}, {"momentum", o.sgd.momentum}};
  return {{"kind", "adam"}, {"beta1", o.adam.beta1}, {"beta2", o.adam.beta2}, {"epsilon", o.adam.epsilon}};
}

/// What one recipe has in `key` and the other has not, or not so.
bool differs(const Json& x, const Json& y, const std::string& key) {
  return !x.contains(key) || !y.contains(key) || x.at(key) != y.at(key);
}

}  // namespace

std::string recipe_of(const TrainingRequest& r, const TrainingData& data) {
  const TrainingPlan& p = r.plan;
  const Schedule& s = p.schedule;
  const UpdateOptions& u = p.optimiser.is_adam ? p.optimiser.adam.update : p.optimiser.sgd.update;
  const Tokenizers& t = data.tokenizers;
  Json recipe{{"model", Json::parse(to_json(r.model))},
              {"training data", checksum(data.train_lines)},
              {"validation data", checksum(data.valid_lines)},
              {"tokenizer", tokenizer_name(t.source.kind())},
              {"lower case", t.source.lower_case()},
              {"source vocabulary", sha256(t.source.bytes())},
              {"target vocabulary", sha256(t.target.bytes())},
              {"batch tokens", p.batches.tokens},
              {"batch sentences", p.batches.sentences},
              {"micro-batches", p.micro_batches},
              {"seed", p.seed},
              {"initialisation", initialisation_names[static_cast<int>(r.initialisation.weights)]},
              {"epochs", p.epochs},
              {"schedule", schedule_name(s.kind)},
              {"learning rate", s.peak},
              {"warmup", s.warmup},
              {"decay steps", s.decay_steps},
              {"plateau", {{"factor", s.factor}, {"patience", s.patience}}},
              {"label smoothing", p.smoothing},
              {"optimizer", optimiser_json(p.optimiser)},
              {"clip", u.clip},
              {"weight decay", u.weight_decay},
              {"decay", u.decoupled ? "decoupled" : "coupled"},
              {"validate every", p.valid_every},
              {"patience", p.patience},
              {"average last", p.average_last},
              {"keep best", r.keep_best}};
  if (p.products != Products::exact) recipe["products"] = products_name(p.products);
  return recipe.dump();
}

std::size_t micro_batches_of(const std::string& recipe) {
  return Json::parse(recipe).at("micro-batches").get<std::size_t>();
}

std::string training_notes(std::uint32_t steps, const std::string& weights, const std::string& recipe) {
  return Json{{"steps", steps}, {"weights", weights}, {"recipe", Json::parse(recipe)}}.dump();
}

std::string differences(const std::string& a, const std::string& b) {
  const Json x = Json::parse(a), y = Json::parse(b);
  std::string names;
  const auto name = [&](const std::string& key) { names += (names.empty() ? "" : ", ") + key; };
  for (const auto& [key, value] : x.items()) {
    if (!differs(x, y, key)) continue;
    if (key != "model" || !y.contains(key)) {
      name(key);
      continue;
    }
    for (const auto& [part, choice] : value.items()) {
      if (differs(value, y.at(key), part)) name(part);
    }
  }
  return names.empty() ? "its version" : names;
}

}  // namespace gradus
