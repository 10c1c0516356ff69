// The differences between two recipes are named by the options of the command line.
#include "11_translator/training/record/recipe_differences.hpp"

#include <nlohmann/json.hpp>
#include <set>

#include "11_translator/training/training_recipe.hpp"
#include "chapters/11_translator/names_of_differences.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Json = nlohmann::ordered_json;

/// A recipe as a training writes it, then changed.
template <class Change>
std::string recipe(const Change& change) {
  TrainingRequest r = small("nowhere");
  ModelConfig& m = r.model;
  r.plan.optimiser.sgd.update = r.plan.optimiser.adam.update;
  m.embedding_rate = m.activation_rate = m.residual_rate = 0.3, m.attention_rate = 0.15;
  change(r);
  const TrainingData data = training_data(r);
  m.source_vocab = data.tokenizers.source.size(), m.target_vocab = data.tokenizers.target.size();
  return recipe_of(r, data);
}

const auto as_it_is = [](TrainingRequest&) {};

template <class Change>
std::string named(const Change& change) {
  return names_of_differences(recipe(as_it_is), recipe(change));
}

/// What a run says that has other choices than the one in the folder.
template <class Change>
std::string said(const Change& change) {
  return differences(recipe(as_it_is), recipe(change));
}

void set_dropout(TrainingRequest& r, double rate) {
  r.model.embedding_rate = r.model.activation_rate = r.model.residual_rate = rate;
  r.model.attention_rate = rate / 2;
}

}  // namespace

TEST_CASE("differences: values are the words that their options take") {
  CHECK(said([](auto& r) { r.model.tying = Tying::none; }) == "--tied true here, false in the run");
  CHECK(differences(recipe([](auto& r) { r.model.tying = Tying::none; }), recipe(as_it_is)) ==
        "--tied false here, true in the run");
  CHECK(unquoted("[]") == "''");
  CHECK(unquoted(R"(["<url>","<name>"])") == "'<url> <name>'");
  CHECK(unquoted("\"cosine\"") == "cosine");
}

TEST_CASE("differences: one option changed is one option named") {
  CHECK(named([](auto& r) { set_dropout(r, 0.2); }) == "--dropout");
  CHECK(named([](auto& r) { r.model.embedding_rate = 0.2; }) == "--embedding-dropout");
  CHECK(named([](auto& r) { r.model.attention_rate = 0.2; }) == "--attention-dropout");
  CHECK(named([](auto& r) { set_dropout(r, 0.2), r.model.attention_rate = 0.4; }) ==
        "--embedding-dropout, --attention-dropout, --activation-dropout, --residual-dropout");
  CHECK(named([](auto& r) { r.model.encoder_layers = r.model.decoder_layers = 2; }) == "--layers");
  CHECK(named([](auto& r) { r.model.tying = Tying::none; }) == "--tied");
  CHECK(named([](auto& r) { r.plan.optimiser.kind = Optimiser::sgd; }) == "--optimizer");
  CHECK(named([](auto& r) { r.plan.optimiser.adam.beta1 = 0.8; }) == "--adam-beta1");
  CHECK(named([](auto& r) { r.plan.schedule.kind = ScheduleKind::plateau; }) == "--schedule");
  CHECK(named([](auto& r) { r.tokenizer.min_frequency = 2; }) == "--vocab-size or --min-frequency");
  CHECK(named([](auto& r) { r.joint_vocabulary = true, r.model.tying = Tying::all; }) == "--vocab");
  CHECK(named([](auto& r) { r.tokenizer.rules.lower_case = true; }) == "--lowercase");
  CHECK(named([](auto& r) { r.tokenizer.rules.punctuation = false; }) == "--punctuation");
  CHECK(named([](auto& r) { r.tokenizer.rules.normalisation = Normalisation::always; }) == "--normalise");
  CHECK(named([](auto& r) {
          std::swap(r.train_source, r.valid_source), std::swap(r.train_target, r.valid_target);
        }) == "training data, validation data");
  CHECK(named([](auto& r) { r.plan.products = Products::tf32; }) == "--products");
  CHECK(named([](auto& r) { r.plan.seed = 7, r.plan.epochs = 9; }) == "--seed, --epochs");
}

TEST_CASE("differences: the text has both values, but no checksums") {
  CHECK(said([](auto& r) { set_dropout(r, 0.2); }) == "--dropout 0.3 here, 0.2 in the run");
  CHECK(said([](auto& r) { r.plan.seed = 7, r.plan.epochs = 9; }) ==
        "--seed 1 here, 7 in the run; --epochs 2 here, 9 in the run");
  CHECK(said([](auto& r) { r.plan.schedule.kind = ScheduleKind::cosine, r.plan.optimiser.decays_all = true; }) ==
        "--schedule linear here, cosine in the run; --decay-all false here, true in the run");
  CHECK(said([](auto& r) {
          std::swap(r.train_source, r.valid_source), std::swap(r.train_target, r.valid_target);
        }) == "training data; validation data");
  CHECK(said(as_it_is) == "its version");
  CHECK(differences(recipe(as_it_is), recipe([](auto& r) { r.plan.seed = 7; }), "on rank 0", "on rank 3") ==
        "--seed 1 on rank 0, 7 on rank 3");
}

TEST_CASE("differences: each has the values of both recipes") {
  const auto found = recipe_differences(recipe(as_it_is), recipe([](auto& r) {
                                          set_dropout(r, 0.5);
                                          r.plan.schedule.kind = ScheduleKind::cosine;
                                          r.plan.products = Products::bf16;
                                        }));
  REQUIRE(found.size() == 3);
  CHECK((found[0].name == "--dropout" && found[0].first == "0.3" && found[0].second == "0.5"));
  CHECK((found[1].name == "--schedule" && found[1].first == "\"linear\"" && found[1].second == "\"cosine\""));
  CHECK((found[2].name == "--products" && found[2].first == "\"exact\"" && found[2].second == "\"bf16\""));
}

TEST_CASE("differences: a setting that a recipe does not name has its default") {
  const auto values = [](const auto& change) {
    std::string text;
    for (const RecipeDifference& d : recipe_differences(recipe(as_it_is), recipe(change)))
      text += d.name + " " + d.first + " " + d.second + "; ";
    return text;
  };
  CHECK(values([](auto& r) {
          r.model.output_bias = r.model.attention_output_bias = true, r.model.positions = Positions::none;
          r.model.decoder_unit = DecoderUnit::ssru;
        }) ==
        "--attention-output-bias false true; --output-bias false true; --positions \"sinusoids\" \"none\"; "
        "--decoder \"attention\" \"ssru\"; ");
  CHECK(values([](auto& r) {
          r.plan.batches.order = BatchOrder::length, r.plan.optimiser.decays_all = true;
          r.initialisation.tables = TableInitialisation::like_weights, r.initialisation.biases = true;
        }) ==
        "--batches \"chance\" \"length\"; --init-tables \"scaled\" \"like-weights\"; "
        "--init-biases false true; --decay-all false true; ");
  CHECK(values([](auto& r) { r.tokenizer.rules.punctuation = false; }) == "--punctuation true false; ");
  CHECK(values([](auto& r) { r.tokenizer.rules.normalisation = Normalisation::never; }) ==
        "--normalise \"at-use\" \"never\"; ");
  const auto normal = recipe([](auto& r) { r.initialisation.weights = Initialisation::normal; });
  const auto narrow =
      recipe([](auto& r) { r.initialisation.weights = Initialisation::normal, r.initialisation.sigma = 0.01; });
  const auto found = recipe_differences(normal, narrow);
  REQUIRE(found.size() == 1);
  CHECK((found[0].name == "--init-sigma" && found[0].first == "0.02" && found[0].second == "0.01"));
  CHECK(names_of_differences(recipe(as_it_is), narrow) == "--init");
}

TEST_CASE("differences: every field of a recipe has an option, except those listed") {
  std::set<std::string> without;
  const Json flat = Json::parse(recipe(as_it_is)).flatten();
  for (const auto& [place, value] : flat.items()) {
    const std::string field = place.rfind("/model/", 0) == 0 ? place.substr(7) : place.substr(1);
    if (option_of(field) == field) without.insert(field);
  }
  CHECK(without == std::set<std::string>{"micro-batches", "source vocabulary", "target vocabulary", "training data",
                                         "validation data", "words"});
}

TEST_CASE("train: a size that no model can have is complained of by its option") {
  const Playground place("sizes");
  for (const auto& [choice, complaint] :
       {std::pair{"--d-model 7", "--d-model is 7, but must be even"},
        std::pair{"--d-model 7 --positions none", "--d-model is 7, which 2 heads cannot share equally"},
        std::pair{"--d-model 0", "--d-model is 0, but must be between 2 and 16384"},
        std::pair{"--heads 3", "--d-model is 16, which 3 heads cannot share equally"},
        std::pair{"--ffn 0", "--ffn is 0"}, std::pair{"--layers 0", "--layers: 0 is not between 1 and"},
        std::pair{"--encoder-layers 300", "--encoder-layers is 300"},
        std::pair{"--decoder-layers 300", "--decoder-layers is 300"},
        std::pair{"--max-length 5000", "--max-length is 5000"}}) {
    const Result r = gradus_program(place, toy_training(place.file("run"), choice));
    INFO(r.err);
    CHECK(r.status == 2);
    const std::string twice = lines_with(r.err, "is given more than once");  // the sizes of the toy, and the choice
    CHECK(r.err.rfind(std::string("gradus: ") + complaint, twice.size()) == twice.size());
    CHECK(lines_in(r.err) == lines_in(twice) + 1);
  }
}
