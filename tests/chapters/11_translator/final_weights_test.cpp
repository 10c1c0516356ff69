// The weights that a run chooses for its model, compared with losses that are computed here.
#include "11_translator/training/final_weights.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

struct Candidates {
  std::vector<float> mean, best;
  double mean_loss = 0, best_loss = 0;
};

double validation_loss(const TrainingRequest& r, const std::vector<float>& weights) {
  Cpu<float> dev;
  const Model<Cpu<float>> model(dev, load_model(r.output).config);
  write(dev, model.flat(), weights);
  Workers workers(1);
  return mean_loss(model, training_data(r).valid, r.plan.marks, workers);
}

Candidates candidates(const TrainingRequest& r) {
  Candidates c;
  std::vector<double> sum;
  for (std::uint32_t k = 0; k < r.plan.average_last; ++k) {
    const auto one = stored_weights(r.output, "recent-" + std::to_string(k) + ".safetensors");
    sum.resize(one.size());
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
  }
  for (const double s : sum) c.mean.push_back(static_cast<float>(s / r.plan.average_last));
  c.best = stored_weights(r.output, "best.safetensors");
  c.mean_loss = validation_loss(r, c.mean), c.best_loss = validation_loss(r, c.best);
  return c;
}

/// Trains and returns the message about the weights.
std::string said_of_weights(const TrainingRequest& r) {
  std::string said;
  TrainingListener listener = with_report();
  listener.say = [&](const std::string& line) {
    if (line.rfind("kept", 0) == 0) said += line;
  };
  REQUIRE(train(r, listener) == TrainingEnd::finished);
  return said;
}

std::string four_digits(double loss) {
  char text[20];
  std::snprintf(text, sizeof text, "%.4f", loss);
  return text;
}

/// Requires: the model is `weights` as F16, its metadata and its report have `text` and its loss, and the report's
/// BLEU is the model's.
void expect_kept(const TrainingRequest& r, const std::vector<float>& weights, double loss,
                 const std::string& text) {
  const ModelFiles model = load_model(r.output);
  double largest = 0, size = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    largest = std::max<double>(largest, std::abs(model.weights[i] - weights[i]));
    size = std::max<double>(size, std::abs(weights[i]));
  }
  CHECK(largest < size / 1024);
  const auto metadata = nlohmann::json::parse(model.metadata);
  CHECK(metadata.at("weights") == text);
  CHECK(metadata.at("validation loss") == loss);
  const std::string report = read_file(r.output + "/report.html");
  const LinePairs valid = training_data(r).valid_lines;
  std::vector<std::string> translations;
  for (const auto& best : Translator::load(r.output).translate(valid.source, TranslateOptions{}))
    translations.push_back(best.front().text);
  char bleu[20];
  std::snprintf(bleu, sizeof bleu, "%.2f", corpus_bleu(translations, valid.target).score);
  for (const std::string& shown :
       {"<b>" + std::string(bleu) + "</b><span>BLEU of the validation text",
        "<b>" + four_digits(loss) + "</b><span>validation loss", "<dd>" + text + "</dd>"}) {
    INFO(shown);
    CHECK(report.find(shown) != std::string::npos);
  }
}

/// A run that was killed between its last checkpoint and its model makes the same choice when it is started again.
void expect_same_after_a_kill(const TrainingRequest& r) {
  std::vector<std::string> before;
  for (const char* name : {"model.json", "weights.safetensors", "report.html"}) {
    before.push_back(read_file(r.output + "/" + name));
    std::filesystem::remove(r.output + "/" + name);
  }
  REQUIRE(train(r, with_report()) == TrainingEnd::already_finished);
  CHECK(read_file(r.output + "/model.json") == before[0]);
  CHECK(read_file(r.output + "/weights.safetensors") == before[1]);
  CHECK(read_file(r.output + "/report.html") == before[2]);
}

}  // namespace

TEST_CASE("final weights: a mean that validates worse than the best validation is not kept") {
  const Playground place("weights-hurt");
  TrainingRequest r = small(place.file("run"));
  r.plan.epochs = 3;
  r.plan.average_last = 3;
  r.plan.schedule = {ScheduleKind::constant, 0.02, 0};
  const std::string said = said_of_weights(r);
  const Candidates c = candidates(r);
  INFO("mean " << c.mean_loss << ", best " << c.best_loss);
  REQUIRE(c.mean_loss > c.best_loss + 0.1);
  const std::string text = "of the best validation: loss " + four_digits(c.best_loss) +
                           ", the mean of the last 3 validations " + four_digits(c.mean_loss);
  CHECK(said == "kept the weights " + text);
  expect_kept(r, c.best, c.best_loss, text);
  expect_same_after_a_kill(r);
}

TEST_CASE("final weights: a mean that validates better than the best validation is kept") {
  const Playground place("weights-help");
  TrainingRequest start = small(place.file("run"));
  start.plan.average_last = 3;
  std::string said;
  TrainingListener listener = with_report();
  listener.say = [&](const std::string& line) {
    if (line.rfind("kept", 0) == 0) said = line;
  };
  const TrainingRequest r = trained_until_the_mean_is_kept(start, listener);
  const Candidates c = candidates(r);
  INFO("mean " << c.mean_loss << ", best " << c.best_loss);
  REQUIRE(c.mean_loss < c.best_loss);
  const std::string text = "mean of the last 3 validations: loss " + four_digits(c.mean_loss) +
                           ", the best single one " + four_digits(c.best_loss);
  CHECK(said == "kept the " + text);
  expect_kept(r, c.mean, c.mean_loss, text);
  expect_same_after_a_kill(r);
}

TEST_CASE("final weights: a run that was interrupted after its last step chooses them when it continues") {
  const Playground place("weights-late");
  TrainingRequest r = small(place.file("run"));
  r.plan.average_last = 2;
  TrainingListener listener;
  bool last = false;
  listener.on_step = [&](const StepReport& report, std::uint32_t all) { last = report.step == all; };
  listener.interrupted = [&] { return last; };
  REQUIRE(train(r, listener) == TrainingEnd::interrupted);
  const auto metadata = [&] { return nlohmann::json::parse(load_model(r.output).metadata); };
  CHECK(metadata().at("weights") == "after the last step");
  CHECK_FALSE(metadata().contains("validation loss"));
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  const Candidates c = candidates(r);
  CHECK(metadata().at("validation loss") == std::min(c.mean_loss, c.best_loss));
}

TEST_CASE("final weights: with --keep-best, or a single validation, there is no comparison") {
  const Playground place("weights-alone");
  TrainingRequest r = small(place.file("run"));
  r.keep_best = true;
  r.plan.average_last = 2;
  CHECK(said_of_weights(r) == "kept the weights of the best validation");
  expect_kept(r, candidates(r).best, candidates(r).best_loss, "of the best validation");
  r.keep_best = false, r.overwrite = true;
  r.plan.epochs = 1, r.plan.average_last = 4;
  CHECK(said_of_weights(r) == "kept the weights of the best validation");
}

TEST_CASE("final weights: a loss that is NaN or infinite is never the better one") {
  const double none = std::nan("");
  CHECK(better_weights(4, none, 2.5).text ==
        "of the best validation: loss 2.5000, the mean of the last 4 validations nan");
  CHECK_FALSE(better_weights(4, none, 2.5).is_mean);
  CHECK_FALSE(better_weights(4, 2.5, 2.5).is_mean);  // an equal loss is not better
  CHECK(better_weights(4, 2.5, INFINITY).is_mean);   // there is no best one
  CHECK(better_weights(4, 2.5, INFINITY).text == "mean of the last 4 validations");
}
