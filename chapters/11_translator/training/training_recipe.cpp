#include "11_translator/training/training_recipe.hpp"

#include <cmath>
#include <nlohmann/json.hpp>

#include "11_translator/storage/model_description.hpp"
#include "11_translator/training/final_weights.hpp"
#include "gradus/util/digest.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

Json optimiser_json(const OptimiserOptions& o) {
  Json json{{"kind", name_of(o.kind)}};
  if (o.kind == Optimiser::sgd) {
    json["momentum"] = o.sgd.momentum;
  } else {
    json["beta1"] = o.adam.beta1, json["beta2"] = o.adam.beta2, json["epsilon"] = o.adam.epsilon;
  }
  return json;
}

/// Settings that came later are in a recipe only if they differ from the default, so that the recipes of earlier runs
/// stay the same.
void add_unusual(Json& recipe, const TrainingRequest& r) {
  const TrainingPlan& p = r.plan;
  const InitialisationOptions& i = r.initialisation;
  const SentenceMarks& m = p.marks;
  if (p.products.value_or(Products::exact) != Products::exact) recipe["products"] = name_of(*p.products);
  if (p.schedule.kind == ScheduleKind::plateau)  // the rule was another one before these two
    recipe["plateau"].update({{"threshold", p.schedule.threshold}, {"delay", p.schedule.delay}});
  if (!r.tokenizer.symbols.empty()) recipe["symbols"] = r.tokenizer.symbols;
  if (r.valid_split != 0) recipe["validation split"] = r.valid_split;
  if (p.batches.order != BatchOrder::chance) recipe["batches"] = name_of(p.batches.order);
  const bool is_random = !recipe.contains("initial weights");
  if (is_random && i.weights == Initialisation::normal && i.sigma != InitialisationOptions{}.sigma)
    recipe["sigma"] = i.sigma;
  if (is_random && i.tables != TableInitialisation::scaled) recipe["tables"] = name_of(i.tables);
  if (is_random && i.biases) recipe["random biases"] = true;
  if (p.optimiser.decays_all) recipe["decay of all"] = true;
  const SentenceMarks usual;
  if (m.bos != usual.bos || m.source_eos != usual.source_eos || m.target_eos != usual.target_eos)
    recipe["marks"] = {m.bos, m.source_eos, m.target_eos};
}

}  // namespace

std::string recipe_of(const TrainingRequest& r, const TrainingData& data) {
  const TrainingPlan& p = r.plan;
  const Schedule& s = p.schedule;
  const UpdateOptions& u = p.optimiser.kind == Optimiser::adam ? p.optimiser.adam.update : p.optimiser.sgd.update;
  const Tokenizers& t = data.tokenizers;
  Json recipe{{"model", Json::parse(to_json(r.model))},
              {"training data", training_checksum(data)},
              {"validation data", checksum(data.valid_lines)},
              {"tokenizer", name_of(t.source.kind())},
              {"lower case", t.source.rules().lower_case},
              {"source vocabulary", sha256(t.source.bytes())},
              {"target vocabulary", sha256(t.target.bytes())},
              {"batch tokens", p.batches.tokens},
              {"batch sentences", p.batches.sentences},
              {"micro-batches", p.micro_batches},
              {"seed", p.seed},
              {"initialisation", data.initial_weights.empty() ? name_of(r.initialisation.weights) : "from a model"},
              {"epochs", p.epochs},
              {"schedule", name_of(s.kind)},
              {"learning rate", s.peak},
              {"warmup", s.warmup},
              {"decay steps", s.decay_steps},
              {"plateau", {{"factor", s.factor}, {"patience", s.patience}}},
              {"label smoothing", p.smoothing},
              {"optimizer", optimiser_json(p.optimiser)},
              {"clip", u.clip},
              {"weight decay", u.weight_decay},
              {"decay", name_of(u.decay)},
              {"validate every", p.valid_every},
              {"patience", p.patience},
              {"average last", p.average_last},
              {"keep best", r.keep_best}};
  if (!data.initial_weights.empty()) recipe["initial weights"] = data.initial_weights;
  if (!t.source.rules().punctuation) recipe["punctuation"] = false;
  if (t.source.kind() == TokenizerKind::word && t.source.rules().words != WordRules::bytes)
    recipe["words"] = name_of(t.source.rules().words);
  if (t.source.rules().normalisation != Normalisation::at_use)
    recipe["normalisation"] = name_of(t.source.rules().normalisation);
  add_unusual(recipe, r);
  return recipe.dump();
}

std::size_t micro_batches_of(const std::string& recipe) {
  return Json::parse(recipe).at("micro-batches").get<std::size_t>();
}

Products products_of(const std::string& recipe) {
  return parse<Products>(Json::parse(recipe).value("products", name_of(Products::exact)));
}

WordRules word_rules_of(const std::string& recipe) {
  return parse<WordRules>(Json::parse(recipe).value("words", name_of(WordRules::bytes)));
}

Normalisation normalisation_of(const std::string& recipe) {
  return parse<Normalisation>(Json::parse(recipe).value("normalisation", name_of(Normalisation::at_use)));
}

std::uint32_t epochs_of(const std::string& recipe) { return Json::parse(recipe).at("epochs").get<std::uint32_t>(); }

std::uint32_t warmup_of(const std::string& recipe) { return Json::parse(recipe).at("warmup").get<std::uint32_t>(); }

bool differ_in_epochs_alone(const std::string& a, const std::string& b) {
  Json x = Json::parse(a), y = Json::parse(b);
  if (x == y) return false;
  x.erase("epochs"), y.erase("epochs");
  return x == y;
}

bool has_open_end(const std::string& recipe) {
  const Json json = Json::parse(recipe);
  return !has_an_end(parse<ScheduleKind>(json.at("schedule"))) || json.at("decay steps") != 0;
}

std::string training_metadata(std::uint32_t steps, const std::string& weights, double loss,
                              const std::string& recipe) {
  Json metadata{{"steps", steps}, {"weights", weights}};
  if (std::isfinite(loss)) metadata["validation loss"] = loss;
  metadata["recipe"] = Json::parse(recipe);
  return metadata.dump();
}

bool is_metadata_of(const std::string& metadata, std::uint32_t steps, const std::string& recipe, bool was_chosen) {
  const Json json = Json::parse(metadata, nullptr, false);
  if (!json.is_object() || !json.contains("weights")) return false;
  return json.value("steps", Json()) == steps && json.value("recipe", Json()) == Json::parse(recipe) &&
         (json["weights"] != FinalWeights().text) == was_chosen;
}

}  // namespace gradus
