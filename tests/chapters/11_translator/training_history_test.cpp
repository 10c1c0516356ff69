#include "11_translator/training/record/training_history.hpp"

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "11_translator/training/record/history_csv.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

TrainingHistory example() {
  TrainingHistory h;
  h.steps = {{10, 1, 7.25, 4e-6, 1.0 / 3}, {20, 1, 6.5, 8e-6, std::nan("")}, {4294967295U, 2, 0.1, 1e-300, 0}};
  h.validations = {{20, 1, 5.5, 0, {{"a \"dog\"", "ein Hund", "Hund\n"}}}, {40, 2, 1e-9, 100, {}}};
  h.command = {"gradus", "train", "--output", "größe \\ \t 'x'", ""};
  h.unknown = UnknownTokens{{2, 101}, {3, 103}, {5, 107}, {7, 9000000000}};
  return h;
}

}  // namespace

TEST_CASE("history: reading its text gives the same bits") {
  const TrainingHistory h = example(), back = training_history(to_json(h), "x");
  REQUIRE(back.steps.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(back.steps[i].step == h.steps[i].step);
    CHECK(back.steps[i].epoch == h.steps[i].epoch);
    CHECK(back.steps[i].loss == h.steps[i].loss);
    CHECK(back.steps[i].learning_rate == h.steps[i].learning_rate);
  }
  CHECK(back.steps[0].gradient_norm == h.steps[0].gradient_norm);
  CHECK(std::isnan(back.steps[1].gradient_norm));
  REQUIRE(back.validations.size() == 2);
  CHECK(back.validations[1].loss == 1e-9);
  CHECK(back.validations[1].bleu == 100);
  REQUIRE(back.validations[0].samples.size() == 1);
  CHECK(back.validations[0].samples[0].source == "a \"dog\"");
  CHECK(back.validations[0].samples[0].reference == "ein Hund");
  CHECK(back.validations[0].samples[0].translation == "Hund\n");
  CHECK(back.command == h.command);
  CHECK(to_json(back) == to_json(h));
}

namespace {

/// All fields as text. Each struct is unpacked by its number of fields: a new field compiles only after it has a
/// name here; give it a row in `edits` too.
std::vector<std::string> fields_of(const TrainingHistory& h) {
  std::vector<std::string> all;
  const auto number = [&](double value) {
    std::ostringstream text;
    text.precision(17);
    text << value;
    all.push_back(text.str());
  };
  const auto& [steps, validations, command, unknown] = h;
  for (const StepRecord& s : steps) {
    const auto& [step, epoch, loss, learning_rate, gradient_norm] = s;
    number(step), number(epoch), number(loss), number(learning_rate), number(gradient_norm);
  }
  for (const ValidationRecord& v : validations) {
    const auto& [step, epoch, loss, bleu, samples] = v;
    number(step), number(epoch), number(loss), number(bleu);
    for (const SampleTranslation& sample : samples) {
      const auto& [source, reference, translation] = sample;
      all.insert(all.end(), {source, reference, translation});
    }
  }
  all.insert(all.end(), command.begin(), command.end());
  if (!unknown) return all;
  const auto& [train_source, train_target, valid_source, valid_target] = *unknown;
  for (const TokenCount& count : {train_source, train_target, valid_source, valid_target}) {
    const auto& [unknown_ones, tokens] = count;
    all.push_back(std::to_string(unknown_ones) + " of " + std::to_string(tokens));
  }
  return all;
}

const std::vector<std::function<void(TrainingHistory&)>> edits = {
    [](auto& h) { h.steps[1].step = 21; },
    [](auto& h) { h.steps[1].epoch = 3; },
    [](auto& h) { h.steps[1].loss = 6.25; },
    [](auto& h) { h.steps[1].learning_rate = 1e-7; },
    [](auto& h) { h.steps[1].gradient_norm = 3; },
    [](auto& h) { h.validations[0].step = 19; },
    [](auto& h) { h.validations[0].epoch = 3; },
    [](auto& h) { h.validations[0].loss = 5.25; },
    [](auto& h) { h.validations[0].bleu = 1.0 / 3; },
    [](auto& h) { h.validations[0].samples[0].source = "x"; },
    [](auto& h) { h.validations[0].samples[0].reference = "x"; },
    [](auto& h) { h.validations[0].samples[0].translation = "x"; },
    [](auto& h) { h.command[1] = "x"; },
    [](auto& h) { h.unknown.reset(); },  // of an earlier version
    [](auto& h) { h.unknown->train_source.unknown = 11; },
    [](auto& h) { h.unknown->train_target.tokens = 11; },
    [](auto& h) { h.unknown->valid_source.unknown = 11; },
    [](auto& h) { h.unknown->valid_target.tokens = 11; },
};

}  // namespace

TEST_CASE("history: every field is in its text, and is read back") {
  CHECK(edits.size() == 5 + 4 + 3 + 1 + 5);
  for (std::size_t i = 0; i < edits.size(); ++i) {
    INFO("edit " << i);
    TrainingHistory h = example();
    edits[i](h);
    CHECK(fields_of(h) != fields_of(example()));
    CHECK(to_json(h) != to_json(example()));
    CHECK(fields_of(training_history(to_json(h), "x")) == fields_of(h));
  }
}

TEST_CASE("history: each number of a step stands under its name") {
  const auto json = nlohmann::json::parse(to_json(example()));
  const std::vector<std::pair<std::string, double>> expected = {
      {"step", 10}, {"epoch", 1}, {"loss", 7.25}, {"learning_rate", 4e-6}, {"gradient_norm", 1.0 / 3}};
  REQUIRE(json.at("step_columns").size() == expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    CHECK(json.at("step_columns")[i] == expected[i].first);
    CHECK(json.at("steps")[0][i] == expected[i].second);
  }
}

TEST_CASE("history: the unknown tokens stand under their part and side") {
  const auto unknown = nlohmann::json::parse(to_json(example())).at("unknown_tokens");
  CHECK(unknown.at("training").at("source") == nlohmann::json{{"unknown", 2}, {"tokens", 101}});
  CHECK(unknown.at("training").at("target") == nlohmann::json{{"unknown", 3}, {"tokens", 103}});
  CHECK(unknown.at("validation").at("source") == nlohmann::json{{"unknown", 5}, {"tokens", 107}});
  CHECK(unknown.at("validation").at("target") == nlohmann::json{{"unknown", 7}, {"tokens", 9000000000}});
  CHECK(example().unknown->train_target.share() == Approx(3.0 / 103));
  CHECK(TokenCount{}.share() == 0);
}

TEST_CASE("history: as a table, steps and validations have their rows in the order of the steps") {
  TrainingHistory h;
  CHECK(to_csv(h) == "step,epoch,loss,learning_rate,gradient_norm,validation_loss,bleu\n");
  h.steps = {{10, 1, 7.25, 0.004, 1.0 / 3}, {20, 2, 6.5, 0.003, std::nan("")}, {30, 3, 0.125, 1e-300, 2}};
  h.validations = {
      {7, 1, 5.5, 0, {}}, {20, 4, 4.75, 12.5, {}}, {27, 3, std::nan(""), 13, {}}, {41, 5, 3.5, 14, {}}};
  CHECK(to_csv(h) ==
        "step,epoch,loss,learning_rate,gradient_norm,validation_loss,bleu\n"
        "7,1,,,,5.5,0.0\n"
        "10,1,7.25,0.004,0.3333333333333333,,\n"
        "20,2,6.5,0.003,nan,4.75,12.5\n"
        "27,3,,,,nan,13.0\n"
        "30,3,0.125,1e-300,2.0,,\n"
        "41,5,,,,3.5,14.0\n");
}

TEST_CASE("history: an empty one is valid, and a file name that is not UTF-8 does not end a training") {
  CHECK(training_history(to_json({}), "x").steps.empty());
  TrainingHistory h;
  h.command = {"train-\xff"};
  CHECK(training_history(to_json(h), "x").command[0] == "train-\uFFFD");
}

TEST_CASE("history: text that no training has written is refused in one line that names it") {
  const std::string good = to_json(example());
  const auto with = [&](const std::string& what, const std::string& other) {
    std::string text = good;
    const auto at = text.find(what);
    REQUIRE(at != std::string::npos);
    return text.replace(at, what.size(), other);
  };
  std::vector<std::string> bad{"",
                               "{",
                               "[]",
                               "null",
                               "{}",
                               "\xff",
                               std::string(100000, '['),
                               with("history 1", "history 2"),
                               with("\"loss\"", "\"less\""),
                               with("[10,1,", "[10.5,1,"),
                               with("[10,1,", "[-10,1,"),
                               with("[10,1,", "[4294967296,1,"),
                               with("[10,1,", "[\"10\",1,"),
                               with("[10,1,", "[1,10,1,"),
                               with("[10,1,", "[30,1,"),
                               with("7.25", "\"7.25\""),
                               with("\"bleu\":100.0", "\"bleu\":100.5"),
                               with("\"bleu\":100.0", "\"bleu\":-1.0"),
                               with("\"samples\"", "\"simples\""),
                               with("\"Hund\\n\"", "17"),
                               with("\"train\"", "7")};
  for (std::size_t cut = 1; cut + 2 < good.size(); cut += 7) bad.push_back(good.substr(0, cut));
  for (const std::string& text : bad) {
    INFO(text.substr(0, 60));
    try {
      training_history(text, "run/history.json");
      FAIL("accepted");
    } catch (const Error& error) {
      const std::string message = error.what();
      CHECK(message.rfind("run/history.json: this is not the history of a training", 0) == 0);
      CHECK(message.find('\n') == std::string::npos);
      CHECK(message.size() < 200);
    }
  }
}
