#include "11_translator/training/training_recipe.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "11_translator/storage/model_description.hpp"
#include "11_translator/training/final_weights.hpp"
#include "11_translator/training/record/json_place.hpp"
#include "11_translator/training/record/plan_values.hpp"
#include "11_translator/training/record/recipe_differences.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

// The order of a recipe's fields. Runs are equal if their recipes have the same bytes, so it never changes. A field that is
// not named here comes last, and only if it is not the default: recipes of earlier runs stay the same.

/// In every recipe.
constexpr const char* always[] = {"model",
                                  "training data",
                                  "validation data",
                                  "tokenizer",
                                  "lower case",
                                  "source vocabulary",
                                  "target vocabulary",
                                  "batch tokens",
                                  "batch sentences",
                                  "micro-batches",
                                  "seed",
                                  "initialisation",
                                  "epochs",
                                  "schedule",
                                  "learning rate",
                                  "warmup",
                                  "decay steps",
                                  "plateau/factor",
                                  "plateau/patience",
                                  "label smoothing",
                                  "optimizer/kind",
                                  "clip",
                                  "weight decay",
                                  "decay",
                                  "validate every",
                                  "patience",
                                  "average last",
                                  "keep best"};
/// If it has an effect.
constexpr const char* in_use[] = {"optimizer/momentum", "optimizer/beta1",   "optimizer/beta2",
                                  "optimizer/epsilon",  "plateau/threshold", "plateau/delay"};
/// If it is not the default.
constexpr const char* unusual[] = {"initial weights", "punctuation",      "words",   "normalisation", "products",
                                   "symbols",         "validation split", "batches", "sigma",         "tables",
                                   "random biases",   "decay of all",     "marks"};

template <std::size_t N>
bool has(const char* const (&names)[N], const PlanField& field) {
  return std::any_of(std::begin(names), std::end(names), [&](const char* name) { return field.is(name); });
}

void add_plan(Json& recipe, const TrainingPlan& plan) {
  const std::vector<PlanValue> values = plan_values(plan), usual = plan_values({});
  for (std::size_t i = 0; i < values.size(); ++i) {
    const PlanField& field = values[i].field;
    // earlier runs wrote --decay-all even if nothing decays
    const bool counts = field.need.holds || field.is("decay of all");
    const bool is_written = has(always, field)   ? true
                            : has(in_use, field) ? field.need.holds
                                                 : counts && values[i].json != usual[i].json;
    if (is_written) made_at(recipe, field.recipe) = Json::parse(values[i].json);
  }
}

/// The choices outside of the plan that are not the default.
void add_unusual(Json& recipe, const TrainingRequest& r) {
  const InitialisationOptions& i = r.initialisation;
  if (!r.tokenizer.symbols.empty()) recipe["symbols"] = r.tokenizer.symbols;
  if (r.valid_split != 0) recipe["validation split"] = r.valid_split;
  const bool is_random = !recipe.contains("initial weights");
  if (is_random && i.weights == Initialisation::normal && i.sigma != InitialisationOptions{}.sigma)
    recipe["sigma"] = i.sigma;
  if (is_random && i.tables != TableInitialisation::scaled) recipe["tables"] = name_of(i.tables);
  if (is_random && i.biases) recipe["random biases"] = true;
}

Json in_order(const Json& recipe) {
  Json ordered;
  const auto take = [&](const char* field) {
    if (const Json* const value = found_at(recipe, field)) made_at(ordered, field) = *value;
  };
  std::for_each(std::begin(always), std::end(always), take);
  std::for_each(std::begin(in_use), std::end(in_use), take);
  std::for_each(std::begin(unusual), std::end(unusual), take);
  ordered.update(recipe, true);  // the others
  return ordered;
}

/// A run cannot go on with other text, but its weights can.
std::string other_way(const TrainingRequest& r, const std::string& recipe, const std::string& stored) {
  const auto all = recipe_differences(recipe, stored);
  const bool has_other_text = std::any_of(all.begin(), all.end(), [](const RecipeDifference& d) {
    return d.name == "training data" || d.name == "validation data";
  });
  if (!has_other_text) return "";
  return "; to go on from its weights with this text, give --init-from " + r.output + " and another --output";
}

}  // namespace

std::string recipe_of(const TrainingRequest& r, const TrainingData& data) {
  const Tokenizers& t = data.tokenizers;
  const TextRules& rules = t.source.rules();
  Json recipe{{"model", Json::parse(to_json(r.model))},
              {"training data", training_checksum(data)},
              {"validation data", checksum(data.valid_lines)},
              {"tokenizer", name_of(t.source.kind())},
              {"lower case", rules.lower_case},
              {"source vocabulary", sha256(t.source.bytes())},
              {"target vocabulary", sha256(t.target.bytes())},
              {"initialisation", data.initial_weights.empty() ? name_of(r.initialisation.weights) : "from a model"},
              {"keep best", r.keep_best}};
  if (!data.initial_weights.empty()) recipe["initial weights"] = data.initial_weights;
  if (!rules.punctuation) recipe["punctuation"] = false;
  if (t.source.kind() == TokenizerKind::word && rules.words != WordRules::bytes)
    recipe["words"] = name_of(rules.words);
  if (rules.normalisation != Normalisation::at_use) recipe["normalisation"] = name_of(rules.normalisation);
  add_plan(recipe, r.plan);
  add_unusual(recipe, r);
  return in_order(recipe).dump();
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

void check_recipe(const TrainingRequest& r, const std::string& recipe, const std::string& stored) {
  if (stored == recipe) return;
  if (!differ_in_epochs_alone(stored, recipe))
    throw UsageError(r.output + " holds a run with other choices (" + differences(recipe, stored) +
                     "); give another --output, or --overwrite to start anew there" + other_way(r, recipe, stored));
  if (!has_open_end(recipe))
    throw UsageError(std::string("the ") + name_of(r.plan.schedule.kind) + " schedule of the run in " + r.output +
                     " ends with its " + std::to_string(epochs_of(stored)) +
                     " epochs, so no more and no fewer are possible there; --init-from " + r.output +
                     " starts another run from its weights, in another --output");
}

}  // namespace gradus
