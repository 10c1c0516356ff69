// Trainings on texts whose characters are equal but not the same.

#include <nlohmann/json.hpp>

#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/training_run.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/normal_text.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The toy text with every umlaut in two parts and a soft hyphen in every "Hund".
std::string in_parts(std::string text) {
  const std::vector<std::pair<std::string, std::string>> changes = {
      {"\u00e4", "a\u0308"}, {"\u00f6", "o\u0308"}, {"\u00fc", "u\u0308"}, {"Hund", "Hu\u00adnd"}};
  for (const auto& [from, to] : changes) {
    for (auto at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
  }
  return text;
}

/// A training whose German side is in parts.
TrainingRequest in_parts(const Playground& place, TrainingRequest r) {
  r.train_target = place.write("train.de", in_parts(read_file(r.train_target)));
  r.valid_target = place.write("valid.de", in_parts(read_file(r.valid_target)));
  return r;
}

std::string bytes(const std::string& folder, const char* file) { return read_file(folder + "/" + file); }

}  // namespace

TEST_CASE("training: with normalisation, equal texts give equal weights and vocabularies") {
  const Playground place("normal-training");
  TrainingRequest plain = small(place.file("plain"));
  REQUIRE(train(plain, {}) == TrainingEnd::finished);
  REQUIRE(in_parts(read_file(plain.train_target)) != read_file(plain.train_target));
  TrainingRequest parted = in_parts(place, small(place.file("parted")));
  parted.tokenizer.rules.normalisation = Normalisation::always;
  REQUIRE(train(parted, {}) == TrainingEnd::finished);
  for (const char* file : {"weights.safetensors", "source.words.txt", "target.words.txt"})
    CHECK(bytes(parted.output, file) == bytes(plain.output, file));
  TrainingRequest literal = in_parts(place, small(place.file("literal")));
  REQUIRE(train(literal, {}) == TrainingEnd::finished);
  CHECK(bytes(literal.output, "target.words.txt") != bytes(plain.output, "target.words.txt"));
  CHECK(bytes(literal.output, "target.words.txt").find("Hu\u00adnd") != std::string::npos);
  CHECK(bytes(literal.output, "model.json").find("normalisation") ==
        std::string::npos);  // as earlier versions wrote it
}

TEST_CASE("training: a run keeps its normalisation if none is asked for, and refuses another one") {
  const Playground place("normal-runs");
  const std::string command = toy_training(place.file("run"), "--quiet ");
  REQUIRE(gradus_program(place, command + "--normalise at-use --max-steps 3").status == 0);
  const std::string begun = stored_metadata(place.file("run/model.json"));
  CHECK(begun.find("normalisation") == std::string::npos);  // the recipe of an earlier version
  const Result other = gradus_program(place, command + "--normalise always");
  CHECK(other.status == 2);
  CHECK(other.err.find("(--normalise ") != std::string::npos);
  REQUIRE(gradus_program(place, command).status == 0);
  const auto recipe = nlohmann::json::parse(stored_metadata(place.file("run/model.json"))).at("recipe");
  CHECK_FALSE(recipe.contains("normalisation"));
  CHECK(bytes(place.file("run"), "history.json").find("\"--normalise\",\"at-use\"") != std::string::npos);
  REQUIRE(gradus_program(place, toy_training(place.file("new"), "--quiet --max-steps 3")).status == 0);
  CHECK(nlohmann::json::parse(stored_metadata(place.file("new/model.json"))).at("recipe").at("normalisation") ==
        "always");
  CHECK(normalisation_of(nlohmann::json{{"normalisation", "never"}}.dump()) == Normalisation::never);
}

TEST_CASE("training: --normalise never is a model that sees every character") {
  const Playground place("normal-never");
  REQUIRE(
      gradus_program(place, toy_training(place.file("run"), "--quiet --max-steps 3 --normalise never")).status ==
      0);
  const ModelFiles model = load_model(place.file("run"));
  CHECK(model.tokenizers.source.rules().normalisation == Normalisation::never);
  const Translator t = Translator::of(model);
  CHECK_FALSE(t.translate(std::vector<std::string>{"A dog\u200b runs."}, {})[0][0].unknown.empty());
  const Result said = gradus_program(place, "info " + place.file("run"));
  CHECK(said.out.find(", not normalised") != std::string::npos);
}
