// Every choice that decides the weights is in the recipe, which distinguishes runs.

#include "11_translator/training/training_recipe.hpp"

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "chapters/11_translator/names_of_differences.hpp"
#include "chapters/11_translator/request_fields.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Edit = std::function<void(TrainingRequest&)>;

/// A field of the request, its name in `differences`, and another value.
struct Change {
  std::string field, name;
  Edit make;
  Edit before = [](TrainingRequest&) {};  ///< without this the field has no effect
};

void take_normal(TrainingRequest& r) { r.initialisation.weights = Initialisation::normal; }

/// A new field that decides the weights gets a row here, and an entry in training_recipe.cpp, unless it is one of the plan.
const std::vector<Change> other_changes = {
    {"model.source_vocab", "--vocab-size or --min-frequency", [](auto& r) { r.model.source_vocab = 9; }},
    {"model.target_vocab", "--vocab-size or --min-frequency", [](auto& r) { r.model.target_vocab = 9; }},
    {"model.d_model", "--d-model", [](auto& r) { r.model.d_model = 64; }},
    {"model.heads", "--heads", [](auto& r) { r.model.heads = 2; }},
    {"model.ffn", "--ffn", [](auto& r) { r.model.ffn = 17; }},
    {"model.encoder_layers", "--encoder-layers", [](auto& r) { r.model.encoder_layers = 3; }},
    {"model.decoder_layers", "--decoder-layers", [](auto& r) { r.model.decoder_layers = 3; }},
    {"model.norm", "--norm", [](auto& r) { r.model.norm = Norm::post; }},
    {"model.norm_epsilon", "norm_epsilon", [](auto& r) { r.model.norm_epsilon = 1e-6; }},
    {"model.activation", "--activation", [](auto& r) { r.model.activation = Activation::gelu; }},
    {"model.tying", "--tied", [](auto& r) { r.model.tying = Tying::all; }},
    {"model.attention_bias", "--attention-bias", [](auto& r) { r.model.attention_bias = true; }},
    {"model.attention_output_bias", "--attention-output-bias",
     [](auto& r) { r.model.attention_output_bias = true; }},
    {"model.output_bias", "--output-bias", [](auto& r) { r.model.output_bias = true; }},
    {"model.positions", "--positions", [](auto& r) { r.model.positions = Positions::none; }},
    {"model.decoder_unit", "--decoder", [](auto& r) { r.model.decoder_unit = DecoderUnit::ssru; }},
    {"model.scale_embedding", "--scale-embedding", [](auto& r) { r.model.scale_embedding = false; }},
    {"model.max_length", "--max-length", [](auto& r) { r.model.max_length = 255; }},
    {"model.embedding_rate", "--embedding-dropout", [](auto& r) { r.model.embedding_rate = 0.1; }},
    {"model.attention_rate", "--attention-dropout", [](auto& r) { r.model.attention_rate = 0.1; }},
    {"model.activation_rate", "--activation-dropout", [](auto& r) { r.model.activation_rate = 0.1; }},
    {"model.residual_rate", "--residual-dropout", [](auto& r) { r.model.residual_rate = 0.1; }},
    {"initialisation.weights", "--init", take_normal},
    {"initialisation.sigma", "--init-sigma", [](auto& r) { r.initialisation.sigma = 0.03; }, take_normal},
    {"initialisation.tables", "--init-tables",
     [](auto& r) { r.initialisation.tables = TableInitialisation::like_weights; }},
    {"initialisation.biases", "--init-biases", [](auto& r) { r.initialisation.biases = true; }},
    {"valid_split", "--valid-split", [](auto& r) { r.valid_split = 50; }},
    {"tokenizer.symbols", "--symbols", [](auto& r) { r.tokenizer.symbols = {"<url>"}; }},
    {"keep_best", "--keep-best", [](auto& r) { r.keep_best = true; }},
};

/// The same for the plan.
Change of_plan(const PlanChange& change) {
  const PlanField field = described({}).at(change.field).field;
  return {"plan." + change.field, field.has_option() ? std::string("--") + field.option : change.field,
          [change](TrainingRequest& r) { change.make(r.plan); },
          [change](TrainingRequest& r) { change.before(r.plan); }};
}

const std::vector<Change> all_changes = [] {
  std::vector<Change> all = other_changes;
  for (const PlanChange& change : plan_changes) all.push_back(of_plan(change));
  return all;
}();

/// Fields that decide no weight, each with its reason.
const std::map<std::string, std::string> deciding_nothing = {
    {"train_source", "the text decides, not its place"},
    {"train_target", "the text decides, not its place"},
    {"valid_source", "the text decides, not its place"},
    {"valid_target", "the text decides, not its place"},
    {"train_pairs", "the text decides, not its place"},
    {"valid_pairs", "the text decides, not its place"},
    {"mix_source", "the text decides, not its place"},
    {"mix_target", "the text decides, not its place"},
    {"mix_share", "the checksum of the training text counts the pairs that were chosen"},
    {"output", "where, not what"},
    {"init_from", "the checksum of its weights is in the recipe"},
    {"init_languages.source", "for a warning"},
    {"init_languages.target", "for a warning"},
    {"model.norm_form", "there is only one form"},
    {"joint_vocabulary", "both vocabularies are in the recipe"},
    {"tokenizer.kind", "read from the vocabulary"},
    {"tokenizer.vocab_size", "both vocabularies are in the recipe"},
    {"tokenizer.min_frequency", "both vocabularies are in the recipe"},
    {"tokenizer.lower_case", "read from the vocabulary"},
    {"tokenizer.punctuation", "read from the vocabulary"},
    {"tokenizer.words", "read from the vocabulary"},
    {"tokenizer.normalisation", "read from the vocabulary"},
    {"normalises_like_run", "it is decided before the recipe is made"},
    {"initialisation.seed", "it is the plan's"},
    {"warmup_is_given", "the warm-up that it decides is the plan's"},
    {"average_is_given", "for messages"},
    {"device", "on what, not what"},
    {"threads", "on what, not what"},
    {"max_steps", "how long, not what"},
    {"max_minutes", "how long, not what"},
    {"save_every", "how long, not what"},
    {"ids", "where, not what"},
    {"overwrite", "where, not what"},
    {"title", "of the report"},
    {"command", "of the report"},
};

Tokenizer words(const std::vector<std::string>& lines, const TextRules& rules = {}) {
  return Tokenizer::from_bytes(TokenizerKind::word, rules,
                               Tokenizer::learn(lines, {TokenizerKind::word, 0, 1, {}}).bytes(), "words");
}

TrainingData example_data() {
  const Tokenizer source = words({"a b c"}), target = words({"x y"});
  return {{{"a b", "c"}, {"x", "y y"}}, {{"c c"}, {"x y"}}, {source, target, false}, {}, {}};
}

/// The recipe's values by name: "optimizer.beta1".
void add_leaves(Fields& leaves, const std::string& name, const nlohmann::json& json) {
  if (!json.is_object()) {
    leaves[name] = json.dump();
    return;
  }
  for (const auto& [key, value] : json.items()) add_leaves(leaves, name.empty() ? key : name + "." + key, value);
}

std::set<std::string> different_leaves(const std::string& a, const std::string& b) {
  Fields x, y;
  add_leaves(x, "", nlohmann::json::parse(a));
  add_leaves(y, "", nlohmann::json::parse(b));
  std::set<std::string> names;
  for (const auto& [name, value] : x) {
    if (y.count(name) == 0 || y.at(name) != value) names.insert(name);
  }
  return names;
}

/// Another text or vocabulary, and its name in `differences`.
const std::vector<std::pair<std::string, std::function<void(TrainingData&)>>> data_changes = {
    {"training data", [](auto& d) { d.train_lines.source[1] = "C"; }},
    {"training data", [](auto& d) { d.train_lines.target[0] = "x "; }},
    {"training data", [](auto& d) { std::swap(d.train_lines.source[0], d.train_lines.source[1]); }},
    {"training data", [](auto& d) { std::swap(d.train_lines.source, d.train_lines.target); }},
    {"validation data", [](auto& d) { d.valid_lines.source[0] = "c"; }},
    {"validation data", [](auto& d) { d.valid_lines.target[0] = "y x"; }},
    {"source vocabulary", [](auto& d) { d.tokenizers.source = words({"a b d"}); }},
    {"target vocabulary", [](auto& d) { d.tokenizers.target = words({"x z"}); }},
    {"--init-from", [](auto& d) { d.initial_weights = "a checksum"; }},
    {"--lowercase",
     [](auto& d) {
       d.tokenizers.source = words({"a b c"}, {true, true}), d.tokenizers.target = words({"x y"}, {true, true});
     }},
    {"--punctuation",
     [](auto& d) {
       d.tokenizers.source = words({"a b c"}, {false, false}), d.tokenizers.target = words({"x y"}, {false, false});
     }},
    {"--normalise",
     [](auto& d) {
       const TextRules always{false, true, Normalisation::always};
       d.tokenizers.source = words({"a b c"}, always), d.tokenizers.target = words({"x y"}, always);
     }},
    {"--vocab, --tokenizer",
     [](auto& d) {
       const Tokenizer one = Tokenizer::learn({"a b c d", "e f g h"}, {TokenizerKind::sentencepiece, 16, 1, {}});
       d.tokenizers = {one, one, true};
     }},
};

}  // namespace

TEST_CASE("recipe: every field that decides the weights is in it, and a difference is called by its name") {
  const TrainingData data = example_data();
  for (const Change& change : all_changes) {
    INFO(change.field << ": its option stands in plan_fields.hpp, or in `other_options` of recipe_differences.cpp");
    TrainingRequest one;
    change.before(one);
    TrainingRequest other = one;
    change.make(other);
    const std::vector<std::string> fields = changes(fields_of(one), fields_of(other));
    REQUIRE(fields.size() == 1);
    CHECK(fields.front().rfind(change.field + ": ", 0) == 0);
    const std::string a = recipe_of(one, data), b = recipe_of(other, data);
    CHECK(names_of_differences(a, b) == change.name);
    CHECK(names_of_differences(b, a) == change.name);
    for (const RecipeDifference& d : recipe_differences(a, b)) {
      INFO(d.name << ": a field of add_unusual needs its default in `unwritten` of recipe_differences.cpp");
      CHECK((!d.first.empty() && !d.second.empty()));
    }
  }
}

TEST_CASE("recipe: a field of the request either has a row or a reason why it decides nothing") {
  for (const auto& [field, value] : fields_of({})) {
    INFO(field << ": add a row to all_changes in training_recipe_test.cpp, or a reason to deciding_nothing");
    const bool decides = std::any_of(all_changes.begin(), all_changes.end(),
                                     [name = field](const Change& c) { return c.field == name; });
    CHECK(decides != (deciding_nothing.count(field) != 0));
  }
  std::set<std::string> deciding;
  for (const Change& change : all_changes) deciding.insert(change.field);
  CHECK(fields_of({}).size() == deciding.size() + deciding_nothing.size());
}

TEST_CASE("recipe: text and vocabularies are in it by their checksums") {
  const TrainingRequest request;
  const std::string recipe = recipe_of(request, example_data());
  CHECK(differences(recipe, recipe_of(request, example_data())) == "its version");  // there is none
  for (const auto& [name, make] : data_changes) {
    TrainingData other = example_data();
    make(other);
    CHECK(names_of_differences(recipe, recipe_of(request, other)) == name);
  }
}

TEST_CASE("recipe: every entry is changed by some choice") {
  std::set<std::string> changed;
  Fields leaves;
  const auto compare = [&](const TrainingRequest& one, const TrainingRequest& other, const TrainingData& data) {
    const std::string a = recipe_of(one, example_data()), b = recipe_of(other, data);
    changed.merge(different_leaves(a, b));
    add_leaves(leaves, "", nlohmann::json::parse(a));
  };
  for (const Change& change : all_changes) {
    TrainingRequest one;
    change.before(one);
    TrainingRequest other = one;
    change.make(other);
    compare(one, other, example_data());
  }
  for (const auto& [name, make] : data_changes) {
    TrainingData other = example_data();
    make(other);
    compare({}, {}, other);
  }
  for (const auto& [name, value] : leaves) {
    INFO(name << " = " << value);
    CHECK(changed.count(name) == 1);
  }
}
