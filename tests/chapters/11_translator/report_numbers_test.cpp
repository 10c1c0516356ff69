// The numbers in a report's pictures and tables, compared with their sources.

#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "11_translator/metrics/bleu.hpp"
#include "11_translator/metrics/chrf.hpp"
#include "11_translator/storage/model_files.hpp"
#include "11_translator/training/training_recipe.hpp"
#include "11_translator/training/training_run.hpp"
#include "11_translator/translator/translator.hpp"
#include "app/report/report_pictures.hpp"
#include "app/report/run_report.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/report_text.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/plot/ticks.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// Five steps and three validations; all numbers differ.
TrainingHistory history() {
  TrainingHistory h;
  for (std::uint32_t i = 1; i <= 5; ++i) h.steps.push_back({100 * i, i, 8.0 / i, 0.001 * i, 2.5 + i});
  for (std::uint32_t i = 1; i <= 3; ++i) {
    h.validations.push_back({150 * i, i, 6.5 / i, 7.25 * i, {{"source", "reference", "try " + std::to_string(i)}}});
  }
  return h;
}

std::vector<double> map_values(const Xml& xml, std::size_t first, std::size_t count) {
  std::vector<double> all;
  const auto cells = xml.all("rect", "cell");
  for (std::size_t i = first; i < first + count; ++i) all.push_back(std::stod(cells.at(i)["fill-opacity"]));
  return all;
}

}  // namespace

TEST_CASE("report numbers: each chart shows its own column of the history, step by step") {
  const TrainingHistory h = history();
  const Xml xml = parsed_html(curves(h));
  const auto charts = xml.all("svg");
  REQUIRE(charts.size() == 4);
  CHECK(charts[0]["aria-label"] == "Loss over step");
  CHECK(charts[1]["aria-label"] == "BLEU on the validation sentences, greedy over step");
  CHECK(charts[2]["aria-label"] == "Learning rate over step");
  CHECK(charts[3]["aria-label"] == "Norm of the gradient over step");
  std::vector<std::string> expected, found;
  const auto add = [&](const std::string& name, std::uint32_t step, double y) {
    expected.push_back(name + ", " + tick_text(step) + ": " + number(y, 4));
  };
  for (const StepRecord& s : h.steps) add("training", s.step, s.loss);  // the first series is drawn last, on top
  add("validation", 450, 6.5 / 3);                                      // the ring around the best one
  for (const ValidationRecord& v : h.validations) add("validation", v.step, v.loss);
  add("BLEU", 450, 7.25 * 3);  // of the same validation
  for (const ValidationRecord& v : h.validations) add("BLEU", v.step, v.bleu);
  for (const StepRecord& s : h.steps) add("rate", s.step, s.learning_rate);
  for (const StepRecord& s : h.steps) add("norm", s.step, s.gradient_norm);
  for (const Element& title : xml.all("title")) found.push_back(title.text);
  CHECK(found == expected);
  CHECK(found[9 + 4] == "rate, 100: 0.001");
  CHECK(xml.all("path", "ring").size() == 2);
}

TEST_CASE("report numbers: the norm has an axis of powers of ten, the other curves have not") {
  TrainingHistory h;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const double power = std::pow(10.0, i);
    h.steps.push_back({i + 1, 1, power, 0.001 * power, 0.1 * power});
  }
  const auto circles = parsed_html(curves(h)).all("circle");
  REQUIRE(circles.size() == 9);  // loss, rate, norm
  for (std::size_t first = 0; first < 9; first += 3) {
    const auto y = [&](std::size_t i) { return std::stod(circles[first + i]["cy"]); };
    CHECK((y(1) - y(2)) / (y(0) - y(1)) == Approx(first == 6 ? 1 : 10).epsilon(0.02));
  }
}

TEST_CASE("report numbers: in the picture of positions row p is position p, from above, column d is dimension d") {
  const std::size_t D = 12, P = 20, row = 3, column = 4;
  std::vector<float> table(P * D, -1);
  table[row * D + column] = 1;
  const Xml xml = parsed_html(positions_picture(table, D));
  std::vector<std::string> dark;
  for (const Element& path : xml.all("path")) {
    if (path["opacity"] == "1") dark.push_back(path["d"]);
  }
  CHECK(dark == std::vector<std::string>{"M4 3h1"});
  std::map<std::string, double> height;  // of the labels of the rows
  for (const Element& text : xml.all("text", "end")) height[text.text] = std::stod(text["y"]);
  REQUIRE(height.count("0") * height.count("8") * height.count("16") == 1);
  CHECK(height["0"] < height["8"]);
  CHECK(height["16"] - height["8"] == Approx(height["8"] - height["0"]));
}

TEST_CASE("report numbers: of a wide table every other pair of dimensions is shown, sine beside cosine") {
  const std::size_t D = 256;
  std::vector<float> table(D, -1);
  table[8] = table[9] = 1;
  table[10] = 1;  // of a pair that is left out
  const Xml xml = parsed_html(positions_picture(table, D));
  for (const Element& path : xml.all("path")) {
    if (path["opacity"] == "1") CHECK(path["d"] == "M4 0h2");
  }
  std::set<std::string> labels;
  for (const Element& text : xml.all("text")) labels.insert(text.text);
  CHECK(labels.count("32") == 1);  // column 16 is dimension 32
}

TEST_CASE("report numbers: the masks of padding, of the future, and of both") {
  const Xml xml = parsed_html(masks_picture());
  CHECK(map_values(xml, 0, 16) == std::vector<double>{1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  CHECK(map_values(xml, 16, 16) == std::vector<double>{1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 1});
  CHECK(map_values(xml, 32, 16) == std::vector<double>{1, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0});
  const auto maps = xml.all("svg");
  REQUIRE(maps.size() == 3);
  CHECK(maps[0]["aria-label"] == "padding");
  CHECK(maps[1]["aria-label"] == "causal");
  CHECK(maps[2]["aria-label"] == "both");
  CHECK(xml.all("title")[3].text == "a · <pad>: 0");
}

TEST_CASE("report numbers: the tables list the model, the facts, the samples, the best and the worst") {
  ReportData d;
  d.title = "x";
  d.history = history();
  d.model.source_vocab = 4321, d.model.target_vocab = 1234;
  d.model.d_model = 24, d.model.heads = 3, d.model.ffn = 50;
  d.model.encoder_layers = 5, d.model.decoder_layers = 2;
  d.model.norm = Norm::post, d.model.activation = Activation::swish, d.model.tying = Tying::output;
  d.model.embedding_rate = 0.11, d.model.attention_rate = 0.12;
  d.model.activation_rate = 0.13, d.model.residual_rate = 0.14;
  d.facts = {{"pairs", "77"}, {"seed", "12"}};
  d.scores = {{"BLEU", 12.345}, {"chrF2", 45.678}};
  d.best = {{"s1", "r1", "t1", 91.26}, {"s2", "r2", "t2", 80.04}};
  d.worst = {{"s3", "r3", "t3", 1.26}, {"s4", "r4", "t4", 2.5}};
  const std::string html = training_report(d);
  const Xml xml = parsed_html(html);
  const std::vector<std::pair<std::string, std::string>> expected = {
      {"parameters", tick_text(static_cast<double>(parameter_count(d.model)))},
      {"layers", "5 + 2, post-norm"},
      {"width D", "24"},
      {"heads H", "3"},
      {"inner width F", "50, swish"},
      {"vocabulary", "4,321 source, 1,234 target, output = target embedding"},
      {"dropout", "embedding 0.11, attention 0.12, activation 0.13, residual 0.14"},
      {"pairs", "77"},
      {"seed", "12"}};
  CHECK(facts_of(xml) == expected);
  CHECK(scores_of(html) == std::vector<std::pair<std::string, std::string>>{{"BLEU", "12.35"}, {"chrF2", "45.68"}});
  CHECK(cells_behind(html, "Translated best") ==
        std::vector<std::string>{"91.3", "s1", "r1", "t1", "80.0", "s2", "r2", "t2"});
  CHECK(cells_behind(html, "Translated worst") ==
        std::vector<std::string>{"1.3", "s3", "r3", "t3", "2.5", "s4", "r4", "t4"});
  CHECK(cells_behind(html, "reference: <bdi>reference") ==
        std::vector<std::string>{"150", "try 1", "300", "try 2", "450", "try 3"});
  CHECK(html.find("500 steps in 5 epochs, " + expected[0].second + " parameters.") != std::string::npos);
}

TEST_CASE("report numbers: a run's report has its history, its model and that model's translations") {
  const Playground place("report-run");
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  TrainingRequest r;
  r.train_source = toy + "train.en", r.train_target = toy + "train.de";
  r.valid_source = toy + "valid.en", r.valid_target = toy + "valid.de";
  r.output = place.file("run");
  r.tokenizer = {TokenizerKind::word, 0, 1, {}};
  r.model.d_model = 16, r.model.heads = 2, r.model.ffn = 16, r.model.encoder_layers = r.model.decoder_layers = 1;
  r.model.tying = Tying::all;
  r.plan.epochs = 6, r.plan.batches.tokens = 300, r.plan.seed = 31;
  r.plan.schedule = {ScheduleKind::linear, 0.02, 5};
  r.title = "Toy";
  REQUIRE(train(r, {}) == TrainingEnd::finished);

  const TrainingData data = training_data(r);
  const auto stored = training_history(read_file(place.file("run/history.json")), "history");
  r.model.source_vocab = r.model.target_vocab = data.tokenizers.source.size();
  const ReportData found = report_data(stored_run(r.output), DeviceChoice::automatic);
  std::vector<std::string> said;
  std::vector<double> scores;
  for (const auto& best : Translator::load(r.output).translate(data.valid_lines.source, {})) {
    said.push_back(best.front().text);
    scores.push_back(chrf_score(chrf_statistics(said.back(), data.valid_lines.target[scores.size()])));
  }
  std::vector<double> sorted = scores;
  std::sort(sorted.begin(), sorted.end());
  REQUIRE(std::set<double>(scores.begin(), scores.end()).size() > 20);
  REQUIRE(found.best.size() == 5);
  REQUIRE(found.worst.size() == 5);
  for (std::size_t i = 0; i < 5; ++i) {
    CHECK(found.best[i].score == sorted[39 - i]);
    CHECK(found.worst[i].score == sorted[i]);
    for (const ScoredTranslation& t : {found.best[i], found.worst[i]}) {
      const auto at = std::find(data.valid_lines.source.begin(), data.valid_lines.source.end(), t.source) -
                      data.valid_lines.source.begin();
      REQUIRE(at < 40);
      CHECK(t.reference == data.valid_lines.target[static_cast<std::size_t>(at)]);
      CHECK(t.translation == said[static_cast<std::size_t>(at)]);
      CHECK(t.score == scores[static_cast<std::size_t>(at)]);
    }
  }
  CHECK(found.scores[0].value == corpus_bleu(said, data.valid_lines.target).score);
  CHECK(found.scores[1].value == corpus_chrf(said, data.valid_lines.target));
  REQUIRE(found.scores.size() == 4);
  const auto metadata = nlohmann::json::parse(load_model(r.output).metadata);
  CHECK(found.scores[2].value == metadata.at("validation loss"));
  CHECK(found.scores[3].value == Approx(std::exp(found.scores[2].value)));
  CHECK(found.facts ==
        std::vector<std::pair<std::string, std::string>>{{"training pairs", "400"},
                                                         {"validation pairs", "40"},
                                                         {"units", "words"},
                                                         {"weights", metadata.at("weights")},
                                                         {"seed", "31"},
                                                         {"recipe", recipe_hash(recipe_of(r, data))}});
  for (std::size_t p = 0; p < 64; ++p) {
    for (std::size_t i = 0; i < 8; ++i) {
      const double angle = static_cast<double>(p) / std::pow(10000.0, 2.0 * static_cast<double>(i) / 16);
      CHECK(found.positions.at(16 * p + 2 * i) == Approx(std::sin(angle)).margin(1e-5));
      CHECK(found.positions.at(16 * p + 2 * i + 1) == Approx(std::cos(angle)).margin(1e-5));
    }
  }
  CHECK(found.attention.size() == 4);
  for (const AttentionRecord& record : found.attention) {
    const std::size_t tokens = record.cross.columns.size() - 1;
    CHECK((tokens >= 4 && tokens <= 14));
  }
  CHECK(write_report(stored_run(r.output), DeviceChoice::automatic) == place.file("run/report.html"));
  CHECK(write_report(stored_run(r.output), DeviceChoice::automatic).empty());  // the same page
  const std::string page = read_file(place.file("run/report.html"));
  CHECK(page == training_report(found));
  std::size_t shown = 0;
  for (const Element& title : parsed_html(page).all("title")) {
    for (const ValidationRecord& v : stored.validations) {
      shown += title.text == "validation, " + tick_text(v.step) + ": " + number(v.loss, 4);
      shown += title.text == "BLEU, " + tick_text(v.step) + ": " + number(v.bleu, 4);
    }
    for (const StepRecord& s : stored.steps) {
      shown += title.text == "training, " + tick_text(s.step) + ": " + number(s.loss, 4);
      shown += title.text == "rate, " + tick_text(s.step) + ": " + number(s.learning_rate, 4);
      shown += title.text == "norm, " + tick_text(s.step) + ": " + number(s.gradient_norm, 4);
    }
  }
  CHECK(shown == 2 * stored.validations.size() + 2 + 3 * stored.steps.size());  // and two rings
}
