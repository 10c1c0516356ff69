// Time, machine, lengths: the report's data besides the history.
#include "11_translator/training/record/run_timing.hpp"

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "11_translator/training/training_data.hpp"
#include "app/report/report_tables.hpp"
#include "app/report/run_report.hpp"
#include "chapters/11_translator/report_text.hpp"
#include "chapters/11_translator/small_training.hpp"
#include "gradus/ops/blas/blas_core.hpp"
#include "gradus/plot/markup.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "lib/io/files.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

RunTiming two_sessions() {
  return {{3700.5, 100.5, 1000, 300000, 420000, "a processor", "Haswell", "cpu", 2, 513000000},
          {60, 0, 10, 3000, 4200, "another", "Haswell", "cpu", 4, 400000000}};
}

std::string fact(const RunTiming& timing, const std::string& name) {
  for (const auto& [known, value] : timing_facts(timing)) {
    if (known == name) return value;
  }
  return "none";
}

}  // namespace

TEST_CASE("timing: is read back from its text; other text is refused, and a damaged file counts as no session") {
  const RunTiming timing = two_sessions();
  CHECK(to_json(run_timing(to_json(timing), "x")) == to_json(timing));
  CHECK(run_timing(to_json(timing), "x")[1].target_tokens == 4200);
  CHECK(run_timing(to_json(timing), "x")[0].peak_memory == 513000000);
  for (const std::string text : {"", "{}", "[]", "{\"format\":\"gradus timing 1\",\"sessions\":[{}]}"}) {
    CHECK(error_of([&] { run_timing(text, "run/timing.json"); }) ==
          "run/timing.json: these are not the times of a training");
  }
  const Playground place("timing");
  CHECK(stored_timing(place.file("nothing")).empty());
  CHECK(stored_timing(place.write("broken", to_json(timing).substr(0, 200))).empty());
  CHECK(stored_timing(place.write("whole", to_json(timing))).size() == 2);
}

TEST_CASE("timing: the facts add up all sessions and name every machine") {
  CHECK(tokens_per_second(two_sessions()) == Approx(727200 / 3660.0));
  CHECK(tokens_per_second({}) == 0);
  CHECK(fact(two_sessions(), "time") == "1:02:41 in 2 sessions, 0:01:41 of it for validation");
  CHECK(fact({two_sessions()[1]}, "time") == "0:01:00, 0:00:00 of it for validation");
  CHECK(fact(two_sessions(), "speed") == "199 tokens/s, source and target, without validation");
  CHECK(fact(two_sessions(), "processor") == "a processor; another");
  CHECK(fact(two_sessions(), "threads") == "2; 4");
  CHECK(fact(two_sessions(), "BLAS kernels") == "Haswell");
  CHECK(fact(two_sessions(), "peak memory") == "513 MB");
  const std::string html = machine_section(two_sessions());
  CHECK(facts_of(parsed_html(html)) == timing_facts(two_sessions()));
  CHECK(machine_section({}).empty());
}

TEST_CASE("timing: a run's sessions count its steps and tokens, and nothing else depends on them") {
  const Playground place("timing-run");
  TrainingRequest r = small(place.file("run"));
  std::size_t source = 0, target = 0, steps = 0;
  TrainingListener listener = with_report();
  listener.on_step = [&](const StepReport& report, std::uint32_t) {
    ++steps, source += report.source_tokens, target += report.target_tokens;
  };
  r.max_steps = 15, r.threads = 1;
  REQUIRE(train(r, listener) == TrainingEnd::stopped);
  r.max_steps = 0, r.threads = 2;
  REQUIRE(train(r, listener) == TrainingEnd::finished);
  REQUIRE(train(r, listener) == TrainingEnd::already_finished);  // takes no step, so it adds no session
  const RunTiming timing = run_timing(read_file(r.output + "/timing.json"), "timing");
  REQUIRE(timing.size() == 2);
  CHECK(timing[0].steps == 15);
  CHECK(timing[0].steps + timing[1].steps == steps);
  CHECK(timing[0].source_tokens + timing[1].source_tokens == source);
  CHECK(timing[0].target_tokens + timing[1].target_tokens == target);
  CHECK(timing[0].threads == 1);
  CHECK(timing[1].threads == 2);
  for (const TimedSession& s : timing) {
    CHECK(s.seconds > s.validation_seconds);
    CHECK(s.seconds < 600);
    CHECK(s.processor == processor_name());
    CHECK(s.blas == blas_core());
    CHECK(s.device == "cpu");
    CHECK(s.peak_memory > 1000000);
  }
  CHECK(timing[0].validation_seconds == 0);  // it stopped before the first one
  CHECK(timing[1].validation_seconds > 0);
  const std::string page = read_file(r.output + "/report.html");
  CHECK(page.find("<dd>" + fact(timing, "time") + "</dd>") != std::string::npos);
  CHECK(page.find("<dd>" + escaped(fact(timing, "processor")) + "</dd>") != std::string::npos);
}

TEST_CASE("report: unknown tokens of each part and side stand in their own place") {
  TrainingHistory h;
  CHECK(unknown_facts(h).empty());
  h.unknown = UnknownTokens{{1, 40}, {3, 50}, {5, 100}, {7, 1000}};
  CHECK(unknown_facts(h) ==
        std::vector<std::pair<std::string, std::string>>{
            {"unknown tokens, training text", "2.50 % of the sources, 6.00 % of the targets"},
            {"unknown tokens, validation text", "5.00 % of the sources, 0.70 % of the targets"}});
}

TEST_CASE("lengths: the table and the pictures count the tokens of text and translations") {
  const Playground place("lengths");
  TrainingRequest r = small(place.file("run"));
  REQUIRE(train(r, with_report()) == TrainingEnd::finished);
  const TrainingData data = training_data(r);
  const StoredRun run = stored_run(r.output);
  REQUIRE(run.results->lengths.size() == 4);
  const auto mean_of = [](const std::vector<std::vector<int>>& sentences) {
    double sum = 0;
    for (const auto& s : sentences) sum += static_cast<double>(s.size());
    return fixed(sum / static_cast<double>(sentences.size()), 2);
  };
  std::vector<std::vector<int>> references;
  for (const std::string& line : data.valid_lines.target) references.push_back(data.tokenizers.target.encode(line));
  const std::string html = lengths_section(run.results->lengths);
  const auto cells = cells_behind(html, "Lengths");
  REQUIRE(cells.size() == 16);
  CHECK(std::vector<std::string>(cells.begin(), cells.begin() + 3) ==
        std::vector<std::string>{"training source", "400", mean_of(data.pairs.source)});
  CHECK(std::vector<std::string>(cells.begin() + 4, cells.begin() + 7) ==
        std::vector<std::string>{"training target", "400", mean_of(data.pairs.target)});
  CHECK(std::vector<std::string>(cells.begin() + 8, cells.begin() + 11) ==
        std::vector<std::string>{"references", "40", mean_of(references)});
  CHECK(cells[12] == "translations");
  const auto longest_of = [](const std::vector<std::vector<int>>& sentences) {
    std::size_t most = 0;
    for (const auto& s : sentences) most = std::max(most, s.size());
    return std::to_string(most);
  };
  CHECK(cells[3] == longest_of(data.pairs.source));
  CHECK(cells[7] == longest_of(data.pairs.target));
  CHECK(cells[11] == longest_of(references));
  CHECK(read_file(r.output + "/report.html").find(html) != std::string::npos);
  const std::vector<Lengths> small_ones = {{"one", {0, 1, 3}}, {"other", {0, 0, 0, 0, 4}}};
  const Xml xml = parsed_html(lengths_section(small_ones));
  const auto small_cells = cells_behind(lengths_section(small_ones), "Lengths");
  CHECK(small_cells == std::vector<std::string>{"one", "4", "1.75", "2", "other", "4", "4.00", "4"});
  const std::string four = lengths_section({small_ones[0], small_ones[1], {"three", {0, 5}}, {"four", {0, 0, 6}}});
  CHECK(four.find("Training sentences, %") < four.find("one, 1: 25"));
  CHECK(four.find("one, 1: 25") < four.find("Validation sentences, %"));
  CHECK(four.find("Validation sentences, %") < four.find("three, 1: 100"));
  std::set<std::string> titles;
  for (const Element& title : xml.all("title")) titles.insert(title.text);
  for (const char* point : {"one, 1: 25", "one, 2: 75", "one, 4: 0", "other, 4: 100", "other, 3: 0"}) {
    INFO(point);
    CHECK(titles.count(point) == 1);
  }
}

TEST_CASE(
    "report: the table of validations has loss, perplexity and BLEU, the best and the last among twelve rows") {
  std::vector<ValidationRecord> all;
  for (std::uint32_t i = 1; i <= 40; ++i) all.push_back({1000 * i, i, i == 22 ? 1.5 : 2 + 0.01 * i, 0.5 * i, {}});
  const std::string html = validations_table(all);
  const auto cells = cells_behind(html, "");
  REQUIRE(cells.size() % 6 == 0);
  CHECK(cells.size() / 6 <= 12);
  CHECK(cells.size() / 6 >= 11);
  std::vector<std::string> best, last(cells.end() - 6, cells.end()), first(cells.begin(), cells.begin() + 6);
  for (std::size_t i = 0; i < cells.size(); i += 6) {
    if (cells[i] == "22")
      best.assign(cells.begin() + static_cast<std::ptrdiff_t>(i),
                  cells.begin() + static_cast<std::ptrdiff_t>(i) + 6);
  }
  CHECK(first == std::vector<std::string>{"1", "1,000", "2.0100", fixed(std::exp(2.01), 2), "0.50", ""});
  CHECK(best == std::vector<std::string>{"22", "22,000", "1.5000", "4.48", "11.00", "best"});
  CHECK(last == std::vector<std::string>{"40", "40,000", "2.4000", "11.02", "20.00", ""});
  CHECK(validations_table({}).empty());
}

TEST_CASE("results: reading their text gives the same bits, and other text is refused") {
  RunResults r;
  r.title = "a \"b\"", r.weights = "00ff";
  r.facts = {{"pairs", "29,000"}};
  r.scores = {{"BLEU", 1.0 / 3, 2}, {"loss", 2.5, 4}};
  r.best = {{"s", "r", "t\n", 99.5}}, r.worst = {{"x", "y", "z", 0}};
  r.attention = {"one", "zwei"};
  r.lengths = {{"source", {0, 4, 2}}};
  const RunResults back = run_results(to_json(r), "x");
  CHECK(to_json(back) == to_json(r));
  CHECK(back.scores[0].value == 1.0 / 3);
  CHECK(back.scores[1].decimals == 4);
  CHECK(back.worst[0].translation == "z");
  CHECK(back.lengths[0].counts == std::vector<std::uint32_t>{0, 4, 2});
  std::string later = to_json(r);
  later.insert(later.find("gradus "), "a later ");
  for (const std::string& text : {std::string("{}"), std::string("["), to_json(r).substr(0, 90), later}) {
    CHECK(error_of([&] { run_results(text, "run/results.json"); }) ==
          "run/results.json: these are not the results of a training");
  }
}
