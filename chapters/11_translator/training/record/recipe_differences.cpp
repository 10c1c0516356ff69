#include "11_translator/training/record/recipe_differences.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "09_transformer/config.hpp"
#include "09_transformer/initialise.hpp"
#include "10_training/plan.hpp"
#include "11_translator/data/tokenizer.hpp"
#include "gradus/util/ends_with.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;
using Pointer = Json::json_pointer;

/// Fields of ModelConfig and of a recipe, by the last part of their path.
const std::map<std::string, std::string> options = {{"d_model", "--d-model"},
                                                    {"heads", "--heads"},
                                                    {"ffn", "--ffn"},
                                                    {"encoder_layers", "--encoder-layers"},
                                                    {"decoder_layers", "--decoder-layers"},
                                                    {"the number of encoder layers", "--encoder-layers"},
                                                    {"the number of decoder layers", "--decoder-layers"},
                                                    {"max_length", "--max-length"},
                                                    {"norm", "--norm"},
                                                    {"activation", "--activation"},
                                                    {"tying", "--tied"},
                                                    {"attention_bias", "--attention-bias"},
                                                    {"attention_output_bias", "--attention-output-bias"},
                                                    {"output_bias", "--output-bias"},
                                                    {"scale_embedding", "--scale-embedding"},
                                                    {"positions", "--positions"},
                                                    {"embedding_rate", "--embedding-dropout"},
                                                    {"attention_rate", "--attention-dropout"},
                                                    {"activation_rate", "--activation-dropout"},
                                                    {"residual_rate", "--residual-dropout"},
                                                    {"source_vocab", "--vocab-size"},
                                                    {"target_vocab", "--vocab-size"},
                                                    {"tokenizer", "--tokenizer"},
                                                    {"lower case", "--lowercase"},
                                                    {"punctuation", "--punctuation"},
                                                    {"normalisation", "--normalise"},
                                                    {"batch tokens", "--batch-tokens"},
                                                    {"batch sentences", "--batch-sentences"},
                                                    {"batches", "--batches"},
                                                    {"validation split", "--valid-split"},
                                                    {"symbols", "--symbols"},
                                                    {"seed", "--seed"},
                                                    {"initialisation", "--init"},
                                                    {"sigma", "--init-sigma"},
                                                    {"tables", "--init-tables"},
                                                    {"random biases", "--init-biases"},
                                                    {"decay of all", "--decay-all"},
                                                    {"initial weights", "--init-from"},
                                                    {"epochs", "--epochs"},
                                                    {"schedule", "--schedule"},
                                                    {"learning rate", "--learning-rate"},
                                                    {"warmup", "--warmup"},
                                                    {"decay steps", "--decay-steps"},
                                                    {"plateau/factor", "--plateau-factor"},
                                                    {"plateau/patience", "--plateau-patience"},
                                                    {"plateau/threshold", "--plateau-threshold"},
                                                    {"plateau/delay", "--plateau-delay"},
                                                    {"label smoothing", "--label-smoothing"},
                                                    {"optimizer/kind", "--optimizer"},
                                                    {"optimizer/momentum", "--momentum"},
                                                    {"optimizer/beta1", "--adam-beta1"},
                                                    {"optimizer/beta2", "--adam-beta2"},
                                                    {"optimizer/epsilon", "--adam-epsilon"},
                                                    {"clip", "--clip"},
                                                    {"weight decay", "--weight-decay"},
                                                    {"decay", "--decay"},
                                                    {"validate every", "--valid-every"},
                                                    {"patience", "--patience"},
                                                    {"average last", "--average-last"},
                                                    {"keep best", "--keep-best"},
                                                    {"products", "--products"}};

/// What a recipe means that does not name these fields (see add_unusual in training_recipe.cpp).
const Json& unwritten() {
  static const Json values = [] {
    const ModelConfig model;
    const TrainingPlan plan;
    const InitialisationOptions weights;
    const SentenceMarks& marks = plan.marks;
    return Json{{"model",
                 {{"attention_output_bias", model.attention_output_bias},
                  {"output_bias", model.output_bias},
                  {"positions", name_of(model.positions)}}},
                {"punctuation", TextRules().punctuation},
                {"words", name_of(WordRules::bytes)},
                {"normalisation", name_of(TextRules().normalisation)},
                {"products", name_of(Products::exact)},
                {"batches", name_of(plan.batches.order)},
                {"validation split", 0},
                {"symbols", Json::array()},
                {"marks", {marks.bos, marks.source_eos, marks.target_eos}},
                {"sigma", weights.sigma},
                {"tables", name_of(weights.tables)},
                {"random biases", weights.biases},
                {"decay of all", plan.optimiser.decays_all}};
  }();
  return values;
}

/// The value at a path as JSON; "" if a recipe without it says nothing.
std::string text_of(const Json& recipe, const std::string& place) {
  const Pointer pointer(place);
  for (const Json* values : {&recipe, &unwritten()}) {
    if (values->contains(pointer)) return values->at(pointer).dump();
  }
  return "";
}

/// The paths of all values, in their order: "/model/d_model".
void add_places(const Json& json, const std::string& place, std::vector<std::string>& places) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) add_places(value, place + "/" + key, places);
  } else if (std::find(places.begin(), places.end(), place) == places.end()) {
    places.push_back(place);
  }
}

bool has_joint_vocabulary(const Json& recipe) {
  return text_of(recipe, "/source vocabulary") == text_of(recipe, "/target vocabulary");
}

/// Removes differences that follow from others. `joint`: one recipe has a joint vocabulary, the other has two.
void drop_consequences(std::set<std::string>& places, bool joint) {
  const auto has = [&](const char* place) { return places.count(place) != 0; };
  const auto drop = [&](std::initializer_list<const char*> consequences) {
    for (const char* place : consequences) places.erase(place);
  };
  if (has("/validation split")) drop({"/training data", "/validation data"});
  const bool other_text = has("/validation split") || has("/symbols") || has("/training data") ||
                          has("/tokenizer") || has("/lower case") || has("/punctuation") || has("/normalisation") ||
                          joint;
  if (has("/tokenizer")) drop({"/words"});
  if (other_text) drop({"/model/source_vocab", "/model/target_vocab"});
  if (other_text || has("/model/source_vocab") || has("/model/target_vocab"))
    drop({"/source vocabulary", "/target vocabulary"});
  if (joint) drop({"/model/tying"});
  if (has("/initial weights")) drop({"/initialisation", "/tables", "/random biases"});
  if (has("/initialisation") || has("/initial weights")) drop({"/sigma"});
  if (has("/optimizer/kind"))
    drop({"/optimizer/momentum", "/optimizer/beta1", "/optimizer/beta2", "/optimizer/epsilon"});
}

/// Whether a model's rates are those that --dropout alone sets.
bool has_one_dropout(const Json& recipe) {
  const Json model = recipe.value("model", Json::object());
  const double rate = model.value("residual_rate", -1.0);
  return model.value("embedding_rate", -1.0) == rate && model.value("activation_rate", -1.0) == rate &&
         model.value("attention_rate", -1.0) == rate / 2;
}

/// Whether encoder and decoder have equally many layers, as --layers alone sets them.
bool has_one_depth(const Json& recipe) {
  return text_of(recipe, "/model/encoder_layers") == text_of(recipe, "/model/decoder_layers");
}

/// Options that set several fields, if both recipes use them so: --dropout all rates, --layers both depths.
struct Shared {
  bool dropout, layers;
};

/// The difference at a path, named by its option.
RecipeDifference difference(const Json& x, const Json& y, const std::string& place, const Shared& shared) {
  if (shared.dropout && ends_with(place, "_rate")) {
    const std::string rate = "/model/residual_rate";
    return {"--dropout", text_of(x, rate), text_of(y, rate)};
  }
  if (shared.layers && ends_with(place, "coder_layers")) return {"--layers", text_of(x, place), text_of(y, place)};
  const bool is_of_model = place.rfind("/model/", 0) == 0;
  RecipeDifference d{option_of(place.substr(is_of_model ? 7 : 1)), text_of(x, place), text_of(y, place)};
  if (d.name == "--vocab-size" && text_of(x, "/tokenizer") == Json(name_of(TokenizerKind::word)).dump())
    d.name += " or --min-frequency";
  return d;
}

}  // namespace

std::string option_of(const std::string& field) {
  const auto found = options.find(field);
  return found == options.end() ? field : found->second;
}

std::string unquoted(const std::string& json) {
  return json.size() > 1 && json.front() == '"' ? json.substr(1, json.size() - 2) : json;
}

std::vector<RecipeDifference> recipe_differences(const std::string& a, const std::string& b) {
  const Json x = Json::parse(a), y = Json::parse(b);
  std::vector<std::string> all;
  for (const Json* recipe : {&x, &y}) add_places(*recipe, "", all);
  std::set<std::string> differing;
  for (const std::string& place : all) {
    if (text_of(x, place) != text_of(y, place)) differing.insert(place);
  }
  std::vector<RecipeDifference> found;
  if (has_joint_vocabulary(x) != has_joint_vocabulary(y)) {
    const auto word = [](const Json& r) {
      return Json(name_of(has_joint_vocabulary(r) ? VocabularyChoice::joint : VocabularyChoice::separate)).dump();
    };
    found.push_back({"--vocab", word(x), word(y)});
  }
  drop_consequences(differing, !found.empty());
  const Shared shared{has_one_dropout(x) && has_one_dropout(y), has_one_depth(x) && has_one_depth(y)};
  for (const std::string& place : all) {
    if (differing.count(place) == 0) continue;
    const RecipeDifference d = difference(x, y, place, shared);
    const bool is_known = std::any_of(found.begin(), found.end(), [&](const auto& f) { return f.name == d.name; });
    if (!is_known) found.push_back(d);
  }
  return found;
}

std::string differences(const std::string& a, const std::string& b) {
  std::string names;
  for (const RecipeDifference& d : recipe_differences(a, b)) names += (names.empty() ? "" : ", ") + d.name;
  return names.empty() ? "its version" : names;
}

}  // namespace gradus
