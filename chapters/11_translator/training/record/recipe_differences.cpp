#include "11_translator/training/record/recipe_differences.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "09_transformer/initialise.hpp"
#include "11_translator/data/tokenizer.hpp"
#include "11_translator/storage/model_description.hpp"
#include "11_translator/training/record/json_place.hpp"
#include "11_translator/training/record/plan_values.hpp"
#include "gradus/util/ends_with.hpp"

namespace gradus {
namespace {

using Json = nlohmann::ordered_json;

/// The options of fields of a recipe, except those of the plan and the model.
const std::map<std::string, std::string> other_options = {
    {"tokenizer", "tokenizer"},          {"lower case", "lowercase"},
    {"punctuation", "punctuation"},      {"normalisation", "normalise"},
    {"validation split", "valid-split"}, {"symbols", "symbols"},
    {"initialisation", "init"},          {"sigma", "init-sigma"},
    {"tables", "init-tables"},           {"random biases", "init-biases"},
    {"initial weights", "init-from"},    {"keep best", "keep-best"}};

Json usual_model() { return Json::parse(all_fields(ModelConfig{})); }

/// The option of a field of ModelConfig is its name with hyphens, with few exceptions.
std::string option_of_model(std::string field) {
  if (field == "tying") return "tied";
  if (ends_with(field, "_vocab")) return "vocab-size";
  if (ends_with(field, "_rate")) field.replace(field.size() - 5, 5, "_dropout");
  std::replace(field.begin(), field.end(), '_', '-');
  return field;
}

/// The options by fields: the last part of a model's, the place in the recipe of others.
const std::map<std::string, std::string>& options() {
  static const std::map<std::string, std::string> all = [] {
    std::map<std::string, std::string> found = other_options;
    for (const PlanValue& v : plan_values({})) {
      if (v.field.has_option()) found[v.field.recipe] = v.field.option;
    }
    const Json model = usual_model();
    for (const auto& [name, value] : model.items()) found[name] = option_of_model(name);
    found.erase("norm_epsilon");  // an imported model's, which no option sets
    for (const std::string side : {"encoder", "decoder"})
      found["the number of " + side + " layers"] = side + "-layers";
    return found;
  }();
  return all;
}

/// What a recipe means that does not name these fields.
const Json& unwritten() {
  static const Json values = [] {
    Json usual;
    for (const PlanValue& v : plan_values({})) made_at(usual, v.field.recipe) = Json::parse(v.json);
    for (const char* of_one_kind : {"optimizer", "plateau"})
      usual.erase(of_one_kind);  // if missing, they have no effect
    const InitialisationOptions weights;
    usual.update({{"model", usual_model()},
                  {"punctuation", TextRules().punctuation},
                  {"words", name_of(WordRules::bytes)},
                  {"normalisation", name_of(TextRules().normalisation)},
                  {"validation split", 0},
                  {"symbols", Json::array()},
                  {"sigma", weights.sigma},
                  {"tables", name_of(weights.tables)},
                  {"random biases", weights.biases}});
    return usual;
  }();
  return values;
}

/// The value at a path as JSON; "" if a recipe without it says nothing.
std::string value_of(const Json& recipe, const std::string& place) {
  for (const Json* values : {&recipe, &unwritten()}) {
    if (const Json* const value = found_at(*values, place)) return value->dump();
  }
  return "";
}

bool has_joint_vocabulary(const Json& recipe) {
  return value_of(recipe, "/source vocabulary") == value_of(recipe, "/target vocabulary");
}

/// The same in the words of its option: `--tied` ties what the vocabularies allow.
std::string text_of(const Json& recipe, const std::string& place) {
  std::string value = value_of(recipe, place);
  if (place != "/model/tying") return value;
  const auto is = [&](Tying tying) { return value == Json(name_of(tying)).dump(); };
  if (is(Tying::none)) return "false";
  return is(has_joint_vocabulary(recipe) ? Tying::all : Tying::output) ? "true" : value;
}

/// The paths of all values, in their order: "/model/d_model".
void add_places(const Json& json, const std::string& place, std::vector<std::string>& places) {
  if (json.is_object()) {
    for (const auto& [key, value] : json.items()) add_places(value, place + "/" + key, places);
  } else if (std::find(places.begin(), places.end(), place) == places.end()) {
    places.push_back(place);
  }
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
  if (has("/schedule")) drop({"/plateau/factor", "/plateau/patience", "/plateau/threshold", "/plateau/delay"});
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

/// Whether a value says something to a reader, as a checksum does not.
bool is_telling(const std::string& json) {
  constexpr std::size_t checksum = 64;  // digits
  return !json.empty() && json.size() < checksum;
}

}  // namespace

std::string option_of(const std::string& field) {
  const auto found = options().find(field);
  return found == options().end() ? field : "--" + found->second;
}

std::string unquoted(const std::string& json) {
  if (!json.empty() && json.front() == '[') {  // symbols
    std::string words;
    for (const Json& word : Json::parse(json)) words += (words.empty() ? "" : " ") + word.get<std::string>();
    return "'" + words + "'";
  }
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

std::string differences(const std::string& a, const std::string& b, const std::string& of_a,
                        const std::string& of_b) {
  std::string text;
  for (const RecipeDifference& d : recipe_differences(a, b)) {
    text += (text.empty() ? "" : "; ") + d.name;
    if (is_telling(d.first) && is_telling(d.second))
      text += " " + unquoted(d.first) + " " + of_a + ", " + unquoted(d.second) + " " + of_b;
  }
  return text.empty() ? "its version" : text;
}

}  // namespace gradus
