#include <algorithm>
#include <cmath>
#include <set>

#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/program.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("average: the mean of one model and itself is that model; other shapes are refused") {
  const Playground place("average");
  REQUIRE(gradus_program(place, "average " + toy_model() + " " + toy_model() + " --output " + place.file("mean"))
              .status == 0);
  CHECK(read_file(place.file("mean/weights.safetensors")) == read_file(toy_model() + "/weights.safetensors"));
  CHECK(gradus_program(place, "translate --model " + place.file("mean") + " 'A dog.'").status == 0);
  REQUIRE(gradus_program(place, toy_training(place.file("wide"), "--d-model 18 --max-steps 1")).status == 0);
  const Result r = gradus_program(
      place, "average " + toy_model() + " " + place.file("wide") + " --output " + place.file("none"));
  CHECK(r.status == 1);
  CHECK(r.err.find("wide") != std::string::npos);
  CHECK_FALSE(std::filesystem::exists(place.file("none")));
  CHECK(gradus_program(place, "average " + toy_model() + " --output " + place.file("none")).status == 2);
  CHECK(gradus_program(place, "average en-de en-de --output " + place.file("bundled")).status == 0);
}

TEST_CASE("average: two trainings of one shape have a mean, element by element") {
  const Playground place("average-two");
  REQUIRE(gradus_program(place, toy_training(place.file("other"), "--seed 2 --epochs 3")).status == 0);
  const std::string other = place.file("other"), mean = place.file("mean");
  const Result r = gradus_program(place, "average " + toy_model() + " " + other + " --output " + mean);
  INFO(r.err);
  REQUIRE(r.status == 0);
  const ModelFiles a = load_model(toy_model()), b = load_model(other), found = load_model(mean);
  double largest = 0;
  for (std::size_t i = 0; i < found.weights.size(); ++i) {
    largest = std::max<double>(largest, std::abs(found.weights[i] - (a.weights[i] + b.weights[i]) / 2));
  }
  CHECK(largest < 1e-3);  // stored as F16
  REQUIRE(a.unusual_below.value() != b.unusual_below.value());
  CHECK(found.unusual_below == std::min(a.unusual_below, b.unusual_below));
  CHECK(found.limits.hesitant_below == std::min(a.limits.hesitant_below, b.limits.hesitant_below));
  CHECK(found.limits.source_pieces == a.limits.source_pieces);  // the same text
}

TEST_CASE("average: a mean has seen what one of its models has seen, and is silent where one of them is") {
  const Playground place("average-limits");
  ModelFiles one = load_model(toy_model()), other = one;
  const std::size_t pieces = one.limits.source_pieces.size();
  REQUIRE(pieces == one.config.source_vocab);
  one.limits = {-0.5, {"numbers"}, SeenPieces(pieces)},
  other.limits = {-0.75, {"repetition", "numbers"}, SeenPieces(pieces)};
  one.limits.source_pieces[4] = other.limits.source_pieces[7] = true;
  const auto mean = [&] {
    save_model(place.file("one"), one), save_model(place.file("other"), other);
    const std::string command =
        "average --overwrite " + place.file("one") + " " + place.file("other") + " --output ";
    REQUIRE(gradus_program(place, command + place.file("mean")).status == 0);
    return load_model(place.file("mean")).limits;
  };
  SeenPieces both(pieces);
  both[4] = both[7] = true;
  CHECK(mean().hesitant_below == -0.75);
  CHECK(mean().muted == std::vector<std::string>{"numbers", "repetition"});
  CHECK(mean().source_pieces == both);
  other.limits = {};  // of an earlier version
  CHECK_FALSE(mean().hesitant_below.has_value());
  CHECK(mean().muted == std::vector<std::string>{"numbers"});
  CHECK(mean().source_pieces.empty());
}

TEST_CASE("average: a mean of three has the weights of all, and says of how many and of which it is") {
  const Playground place("average-three");
  ModelFiles model = load_model(toy_model());
  std::string models;
  for (const int value : {1, 2, 6}) {  // no two of them have the same mean as all
    std::fill(model.weights.begin(), model.weights.end(), static_cast<float>(value));
    model.metadata = "{\"weights\": \"number " + std::to_string(value) + "\"}";
    save_model(place.file(std::to_string(value)), model);
    models += place.file(std::to_string(value)) + " ";
  }
  const std::string mean = place.file("mean");
  const Result r = gradus_program(place, "average " + models + "--output " + mean);
  REQUIRE(r.status == 0);
  CHECK(r.err == "the mean of 3 models is in " + mean + "\n");
  const ModelFiles found = load_model(mean);
  CHECK(std::count(found.weights.begin(), found.weights.end(), 3.0F) ==
        static_cast<std::ptrdiff_t>(found.weights.size()));
  CHECK(found.metadata == R"({"average of":3,"first of them":{"weights":"number 1"}})");
  const std::string again = place.file("again");
  REQUIRE(gradus_program(place, "average " + mean + " " + place.file("6") + " --output " + again).status == 0);
  CHECK(load_model(again).metadata == R"({"average of":2,"first of them":{"weights":"number 1"}})");
}

TEST_CASE("average: a model or a run in the folder is kept without --overwrite") {
  const Playground place("average-over");
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 1")).status == 0);
  const std::string command = "average " + toy_model() + " " + toy_model() + " --output " + place.file("run");
  const auto weights = [&] { return read_file(place.file("run/weights.safetensors")); };
  const std::string before = weights();
  const Result refused = gradus_program(place, command);
  CHECK(refused.status == 2);
  CHECK(lines_in(refused.err) == 1);
  CHECK(refused.err.find(" holds a ") != std::string::npos);
  CHECK(weights() == before);
  place.write("run/notes", "mine");
  CHECK(gradus_program(place, command + " --overwrite").status == 0);
  CHECK(weights() == read_file(toy_model() + "/weights.safetensors"));
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(place.file("run")))
    names.insert(entry.path().filename().string());
  const std::set<std::string> model_and_notes = {"model.json", "notes", "subwords.model", "weights.safetensors"};
  CHECK(names == model_and_notes);  // files that do not belong to the run stay
}
