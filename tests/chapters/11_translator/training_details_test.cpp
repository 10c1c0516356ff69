// Details of trainings and of their pages that a mistake could change without another sign.

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "11_translator/training/faulty_parameter.hpp"
#include "11_translator/training/training_data.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/training_watch.hpp"
#include "app/report/run_comparison.hpp"
#include "chapters/11_translator/report_text.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/lines.hpp"
#include "lib/io/files.hpp"

using namespace gradus;
using namespace gradus::test;
using Json = nlohmann::json;

namespace {

/// Four parameters whose sizes are different primes.
Layout primes() {
  Layout layout;
  layout.declare({"first", Kind::weight, {1, 5}});
  layout.declare({"second", Kind::bias, {7}});
  layout.declare({"third", Kind::gain, {3}});
  layout.declare({"fourth", Kind::weight, {11, 1}});
  layout.finish();
  return layout;
}

std::string blamed(const std::vector<std::size_t>& faulty, std::size_t begin, std::size_t end) {
  const Layout layout = primes();
  std::vector<double> gradient(layout.size());
  for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] = 0.5 + static_cast<double>(i);
  const double faults[] = {std::nan(""), -std::numeric_limits<double>::infinity(),
                           1e200};  // the square of the last one is infinite
  for (const std::size_t i : faulty) gradient[i] = faults[i % 3];
  Cpu<double> dev;
  const Out<Cpu<double>, 1> part = dev.kept.vector(end - begin);
  write(dev, part,
        std::vector<double>(gradient.begin() + static_cast<std::ptrdiff_t>(begin),
                            gradient.begin() + static_cast<std::ptrdiff_t>(end)));
  return faulty_parameter(dev, layout, In<Cpu<double>, 1>(part), begin);
}

/// The pairs of a sample table: which run, what it said.
StoredRun run_with(const std::string& folder, const std::vector<std::string>& order, const std::string& mark) {
  StoredRun run;
  run.folder = folder;
  TrainingRequest r;
  r.model.source_vocab = r.model.target_vocab = 9;
  const Tokenizer words = Tokenizer::learn({"a b c d e"}, {TokenizerKind::word, 0, 1, {}});
  run.recipe = recipe_of(r, TrainingData{{}, {}, {words, words, true}, {}, {}});
  for (std::uint32_t v = 1; v <= 2; ++v) {
    ValidationRecord record{10 * v, v, 3.0 / v, 5.0 * v, {}};
    for (const std::string& s : order)
      record.samples.push_back({"source " + s, "reference " + s, mark + " " + s + " " + std::to_string(v)});
    run.history.validations.push_back(record);
  }
  return run;
}

TrainingListener listening_to(std::string& said, std::string& warned) {
  TrainingListener listener;
  listener.say = [&](const std::string& line) { said += line + "\n"; };
  listener.warn = [&](const std::string& line) { warned += line + "\n"; };
  return listener;
}

}  // namespace

TEST_CASE("details: the parameter that is blamed is the first one with a gradient that is not finite") {
  const Layout layout = primes();
  REQUIRE(layout.slices().size() == 4);
  const std::size_t all = layout.size();
  CHECK(blamed({}, 0, all).empty());
  for (std::size_t i = 0; i < all; ++i) {
    std::string owner;  // a gap between two parameters belongs to none
    for (const Slice& s : layout.slices()) {
      if (i >= s.offset && i - s.offset < s.size()) owner = s.name;
    }
    CHECK(blamed({i}, 0, all) == owner);
    CHECK(blamed({i, all - 1}, 0, all) == owner);
    CHECK(blamed({i}, i, all) == owner);  // a rank has a part
    CHECK(blamed({i}, i / 2, i + 1) == owner);
    CHECK(blamed({i}, 0, i).empty());
  }
}

TEST_CASE("details: a failing training names the first parameter that is at fault") {
  const Playground place("blamed");
  TrainingRequest r = small(place.file("run"));
  r.plan.optimiser.kind = Optimiser::sgd;
  r.plan.optimiser.sgd.update.clip = 0;
  r.plan.schedule = {ScheduleKind::constant, 1e30, 0};
  r.save_every = 1;
  const std::string complaint = error_of([&] { train(r, {}); });
  // The step that failed, computed here.
  const TrainingData data = training_data(r);
  r.model.source_vocab = data.tokenizers.source.size(), r.model.target_vocab = data.tokenizers.target.size();
  Cpu<float> dev;
  Model<Cpu<float>> model(dev, r.model);
  Workers one(1);
  const RunFolder folder(r.output);
  const auto stored = folder.load<float>(model.layout, folder.recipe());
  write(dev, model.flat(), stored.weights);
  Corpus<Cpu<float>> corpus(dev, data.pairs, {});
  corpus.set_batches(dev, make_batches(data.pairs, r.plan.batches, r.plan.seed, stored.state.epoch));
  TrainingStep<Cpu<float>> step(model, corpus, r.plan.micro_batches, r.plan.smoothing, r.plan.optimiser, one);
  step.run(stored.state.next_batch, {r.plan.seed, stored.state.step + 1, 0});
  std::vector<float> gradient;
  read(dev, gradient, step.gradient());
  std::string first;
  for (const Slice& s : model.layout.slices()) {
    for (std::size_t i = 0; i < s.size() && first.empty(); ++i)
      if (!std::isfinite(gradient[s.offset + i] * gradient[s.offset + i])) first = s.name;
  }
  INFO(complaint);
  REQUIRE_FALSE(first.empty());
  CHECK(complaint.find("step " + std::to_string(stored.state.step + 1) + " (epoch " +
                       std::to_string(stored.state.epoch) + ") is not finite, first in " + first + ";") !=
        std::string::npos);
}

TEST_CASE("details: ids of a text that changed while it was read are not kept") {
  const Playground place("changing");
  TrainingRequest r = small(place.file("run"));
  for (std::string TrainingRequest::*side : {&TrainingRequest::train_source, &TrainingRequest::train_target}) {
    const std::string copy = place.file(side == &TrainingRequest::train_source ? "a.en" : "a.de");
    std::filesystem::copy_file(r.*side, copy);
    r.*side = copy;
  }
  r.ids = place.file("ids"), r.max_steps = 1;
  std::string said, warned;
  TrainingListener listener = listening_to(said, warned);
  listener.say = [&](const std::string& line) {
    said += line + "\n";
    if (line.rfind("reading the text", 0) == 0)  // the checksum is taken, and the lines are not read yet
      place.write("a.en", "another\n" + read_file(r.train_source)),
          place.write("a.de", "andere\n" + read_file(r.train_target));
  };
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  CHECK_FALSE(std::filesystem::exists(r.ids));
  CHECK(said.find("the ids are kept") == std::string::npos);
  r.overwrite = true;
  REQUIRE(train(r, listening_to(said, warned)) == TrainingEnd::stopped);
  CHECK(std::filesystem::exists(r.ids));  // now the text stands still
}

TEST_CASE("details: another --max-length beside --init-from is that of the new model, and limits its pairs") {
  const Playground place("other-length");
  TrainingRequest first = small(place.file("first"));
  first.model.max_length = 41, first.max_steps = 1;
  REQUIRE(train(first, {}) == TrainingEnd::stopped);
  for (const std::size_t length : {7U, 97U}) {
    TrainingRequest next = small(place.file("next" + std::to_string(length)));
    next.model.max_length = length, next.init_from = first.output, next.max_steps = 1;
    std::string said, warned;
    REQUIRE(train(next, listening_to(said, warned)) == TrainingEnd::stopped);
    CHECK(load_model(next.output).config.max_length == length);
    CHECK(Json::parse(RunFolder(next.output).recipe()).at("model").at("max_length") == length);
    const bool limits = length == 7;
    CHECK(((said + warned).find("longer than " + std::to_string(length) + " tokens") != std::string::npos) ==
          limits);
  }
  const Result r = gradus_program(
      place, "train --max-steps 1 --train-source " + first.train_source + " --train-target " + first.train_target +
                 " --valid-source " + first.valid_source + " --valid-target " + first.valid_target +
                 " --init-from " + first.output + " --max-length 53 --output " + place.file("by-options"));
  INFO(r.err);
  REQUIRE(r.status == 0);
  CHECK(load_model(place.file("by-options")).config.max_length == 53);
}

TEST_CASE("details: info shows the model's sizes once, and not again in its recipe") {
  const Playground place("info-once");
  const std::string text = gradus_program(place, "info " + toy_model()).out;
  for (const char* field : {"d_model", "heads", "ffn", "max_length", "encoder_layers", "target_vocab"}) {
    INFO(text);
    CHECK(lines_in(lines_with(text, field)) == 1);
  }
  CHECK(lines_with(text, "how it was trained") == "how it was trained\n");
  CHECK(text.find("d_model") < text.find("how it was trained"));
  CHECK(text.find("learning rate") > text.find("how it was trained"));
}

TEST_CASE("details: the scores of another model are neither in info nor in a report") {
  const Playground place("other-scores");
  namespace fs = std::filesystem;
  for (const std::uint64_t seed : {1, 2}) {
    TrainingRequest r = small(place.file("run" + std::to_string(seed)));
    r.plan.seed = seed;
    REQUIRE(train(r, {}) == TrainingEnd::finished);
  }
  const std::string run = place.file("run1");
  for (const char* file : {"/weights.safetensors", "/model.json"})
    fs::copy_file(place.file("run2") + file, run + file, fs::copy_options::overwrite_existing);
  const Json info = Json::parse(gradus_program(place, "info --json " + run).out);
  CHECK(info.at("scores").is_null());
  CHECK(info.at("languages").is_null());
  REQUIRE(gradus_program(place, "report --output " + place.file("page") + " " + run).status == 0);
  CHECK(scores_of(read_file(place.file("page"))).empty());
  CHECK(read_file(place.file("page")).find("Translated best") == std::string::npos);
  const std::string own = gradus_program(place, "report --output - " + place.file("run2")).out;
  CHECK(scores_of(own).size() == 4);
  const StoredRun a = stored_run(run), b = stored_run(place.file("run2"));
  CHECK_FALSE(a.results);
  REQUIRE(b.results);

  // the same of the scores that a bundled model has in a file of their own
  const std::string bundled = std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de";
  fs::copy(bundled, place.file("bundled"));
  CHECK(Json::parse(gradus_program(place, "info --json " + place.file("bundled")).out)
            .at("scores")
            .at("bleu")
            .is_number());
  Json scores = Json::parse(read_file(bundled + "/scores.json"));
  scores["sha256"] = std::string(64, '0');
  place.write("bundled/scores.json", scores.dump());
  CHECK(Json::parse(gradus_program(place, "info --json " + place.file("bundled")).out).at("scores").is_null());
}

TEST_CASE("details: two runs side by side have their own samples, of the same sentences, at the last validation") {
  StoredRun a = run_with("one", {"x", "y", "z"}, "A says"), b = run_with("two", {"z", "w", "x"}, "B says");
  b.history.validations.back().samples[2].reference = "another reference";  // so x is no common sentence
  const std::string html = run_comparison(a, b);
  CHECK(cells_behind(html, "reference: <bdi>reference z") ==
        std::vector<std::string>{"A", "A says z 2", "B", "B says z 2"});
  for (const char* other : {"A says x", "A says y", "B says w", "B says x", "says z 1"})
    CHECK(html.find(other) == std::string::npos);
}

TEST_CASE("details: the pictures of a comparison name the runs that they show") {
  const StoredRun a = run_with("one", {"x"}, "A says");
  StoredRun b = run_with("two", {"x"}, "B says");
  b.history.validations[0].loss = 7.5, b.history.validations[0].bleu = 33.25;
  const Xml xml = parsed_html(run_comparison(a, b));
  std::vector<std::string> titles;
  for (const Element& title : xml.all("title")) titles.push_back(title.text);
  for (const char* text : {"A, 10: 3", "B, 10: 7.5", "A, 10: 5", "B, 10: 33.25"})
    CHECK(std::count(titles.begin(), titles.end(), text) == 1);
}

TEST_CASE("details: a training that diverges says so, once, and another one does not") {
  StepReport report;
  report.step = 7, report.loss = 12;
  CHECK(sign_of_divergence(report, 6, 100).empty());
  report.loss = 12.1;
  CHECK(sign_of_divergence(report, 6, 100) ==
        "the loss of step 7 is 12.1, and at the beginning it was 6: the training diverges; a lower --learning-rate "
        "or "
        "a longer --warmup may help");
  CHECK(sign_of_divergence(report, 1, 170'000).size() > 0);  // e^12.04
  CHECK(sign_of_divergence(report, 1, 190'000).empty());     // e^12.15
  for (const double rate : {5e-3, 10.0}) {
    const Playground place("diverging");
    TrainingRequest r = small(place.file("run"));
    r.plan.epochs = 6, r.plan.schedule = {ScheduleKind::constant, rate, 2};
    std::string said, warned;
    REQUIRE(train(r, listening_to(said, warned)) == TrainingEnd::finished);
    CHECK(stored_run(r.output).results.has_value());  // also of a perplexity beyond all numbers
    INFO(rate << warned);
    CHECK(lines_in(lines_with(warned, "the training diverges")) == (rate > 1 ? 1 : 0));
  }
}
