// The numbers in what a training says, compared with the run itself. No two of them are equal, so that none can stand for another.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <utility>

#include "11_translator/training/training_data.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/io/lines.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// What the training of `request` says, line by line, with its warnings; and the steps of the whole run.
struct Said {
  explicit Said(const TrainingRequest& request) {
    TrainingListener listener;
    listener.say = listener.warn = [this](const std::string& line) { text += line + "\n"; };
    listener.on_step = [this](const StepReport&, std::uint32_t all) { all_steps = all; };
    train(request, listener);
  }
  /// The numbers of the line that has this form.
  std::vector<std::size_t> numbers(const std::string& form) const {
    std::smatch found;
    INFO(text << "\n" << form);
    REQUIRE(std::regex_search(text, found, std::regex(form)));
    std::vector<std::size_t> all;
    for (std::size_t i = 1; i < found.size(); ++i) all.push_back(std::stoul(found[i]));
    return all;
  }
  std::string text;
  std::uint32_t all_steps = 0;
};

}  // namespace

TEST_CASE("training's words: pairs and vocabularies are those of the text, and what was left out is the rest") {
  const Playground place("words-text");
  TrainingRequest r = small(place.file("run"));
  r.max_steps = 1;
  r.model.max_length = 11;
  const Said said(r);
  const TrainingData data = training_data(r);
  const std::size_t train = data.training_pairs().size(), valid = data.valid.size();
  REQUIRE(std::set<std::size_t>{train, valid, 400 - train, 40 - valid}.size() == 4);
  REQUIRE((train < 400 && valid < 40));
  CHECK(said.numbers("(\\d+) pairs to train on, (\\d+) to validate on; (\\d+) and (\\d+) words\n") ==
        std::vector<std::size_t>{train, valid, data.tokenizers.source.size(), data.tokenizers.target.size()});
  CHECK(
      said.numbers(
          "left out (\\d+) training and (\\d+) validation pairs: empty on one side or longer than (\\d+) tokens") ==
      std::vector<std::size_t>{400 - train, 40 - valid, data.longest});
  CHECK(said.text.find("no more subwords") == std::string::npos);
}

TEST_CASE("training's words: subwords are said to be too few if one side has fewer than were asked for") {
  const Playground place("words-few");
  TrainingRequest r = small(place.file("run"));
  r.max_steps = 1;
  r.tokenizer.kind = TokenizerKind::sentencepiece;
  std::string same;  // a side of one word gives few subwords, the other one enough
  for (int i = 0; i < 400; ++i) same += "ja\n";
  r.train_target = place.write("same", same);
  r.tokenizer.vocab_size = 120;
  const Said said(r);
  const TrainingData data = training_data(r);
  REQUIRE(data.tokenizers.source.size() == 120);
  REQUIRE(data.tokenizers.target.size() < 120);
  CHECK(said.numbers("the text gives no more subwords, so there are not the (\\d+) of --vocab-size") ==
        std::vector<std::size_t>{120});
}

TEST_CASE("training's words: a warm-up that nobody gave is an eighth of a short run, and both numbers are said") {
  const Playground place("words-warmup");
  TrainingRequest r = small(place.file("run"));
  r.warmup_is_given = false;
  r.plan.schedule.warmup = 997;
  const Said said(r);
  const auto found =
      said.numbers("the warm-up takes (\\d+) steps?, an eighth of this short run, and not (\\d+); --warmup");
  CHECK(found[0] == said.all_steps / 8);
  CHECK(found[1] == 997);
}

TEST_CASE("training's words: a run that goes on with more epochs says how many it has") {
  const Playground place("words-epochs");
  TrainingRequest r = small(place.file("run"));
  r.plan.schedule = {ScheduleKind::constant, 5e-3, 5};
  REQUIRE(train_result(r) == TrainingEnd::finished);
  r.plan.epochs = 5;
  CHECK(Said(r).numbers("the run has (\\d+) epochs from now on") == std::vector<std::size_t>{5});
}

TEST_CASE("training's words: the memory on the screen, in the log and in the folder is that of one process") {
  const Playground place("words-memory");
  const Result r = gradus_program(place, toy_training(place.file("run"), "--log-json " + place.file("log")));
  REQUIRE(r.status == 0);
  const auto end = nlohmann::json::parse(read_lines(place.file("log")).back());
  const auto bytes = end.at("peak_memory_bytes").get<double>();
  const StoredRun run = stored_run(place.file("run"));
  CHECK(bytes >= static_cast<double>(run.timing.back().peak_memory));
  CHECK(bytes < 2 * static_cast<double>(run.timing.back().peak_memory));
  std::smatch screen;
  REQUIRE(std::regex_search(r.err, screen, std::regex("peak memory (\\d+) MB")));
  CHECK(std::abs(std::stod(screen[1]) - bytes / 1e6) < 2);
  REQUIRE(run.results);
  CHECK(std::count(run.results->facts.begin(), run.results->facts.end(),
                   std::pair<std::string, std::string>{"units", "subwords (SentencePiece)"}) == 1);
}

TEST_CASE("training's words: a long sample is cut after 120 characters, not bytes") {
  const Playground place("words-cut");
  std::string word = "äöüß", line = word, all;
  for (int i = 1; i < 25; ++i) line += " " + word;  // 124 characters
  for (int i = 0; i < 40; ++i) all += line + "\n";
  const std::string source = place.write("source", all), toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/";
  const Result r = gradus_program(
      place,
      toy_training(place.file("run"), "--tokenizer word --vocab-size 300 --epochs 1 --valid-source " + source));
  REQUIRE(r.status == 0);
  const std::string cut = line.substr(0, line.rfind(word));  // 24 words and 24 spaces: 120 characters
  CHECK(r.err.find("  source      " + cut + "...\n") != std::string::npos);
}
