// gradus bench: its figures, and the options.

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/bench/bench_report.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Json = nlohmann::json;

/// Whether the program has begun and has a handler for the signal; on a system without /proc, after some seconds. Before, the
/// process is this test or the shell, which have handlers of their own.
bool program_catches(pid_t process, int number) {
  std::ifstream file("/proc/" + std::to_string(process) + "/status");
  if (!file) std::this_thread::sleep_for(std::chrono::seconds(2));
  const std::string program = std::filesystem::path(program_file()).filename().string().substr(0, 15);
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("Name:", 0) == 0 && line != "Name:\t" + program) return false;
    if (line.rfind("SigCgt:", 0) == 0) return (std::stoull(line.substr(7), nullptr, 16) >> (number - 1) & 1) != 0;
  }
  return true;
}

/// Figures with known times: 100 sentences with 1,100 tokens in 2, 1 and 4 seconds.
BenchFigures figures(double processor) {
  BenchFigures f;
  f.rounds = 3;
  f.sentences = 100;
  f.singles = 10;
  f.loading = {{0.02, 0.03, 0.01}, {0.02, 0.03, 0.01}};
  f.products = {{0.01}, {0.01}};
  f.searches.resize(2);
  f.searches[1].beam_size = 4;
  for (SearchFigures& s : f.searches) {
    s.batch_tokens = 1100;
    s.batch = {{2, 1, 4}, {4, 2, 8}};
    s.single = {{0.1, 0.2, 0.3}, {0.1 * processor, 0.2 * processor, 0.3 * processor}};
  }
  return f;
}

Result bench_of(const Playground& place, const std::string& options, const std::string& input = "") {
  return gradus_program(place, "bench --rounds 1 --alone 2 " + options, input);
}

}  // namespace

TEST_CASE("bench: the middle, the smallest and the largest value") {
  CHECK(spread({3, 1, 2}).median == 2);
  CHECK(spread({4, 1, 2, 3}).median == 2.5);
  CHECK(spread({4, 1, 2, 3}).least == 1);
  CHECK(spread({4, 1, 2, 3}).most == 4);
  CHECK(spread({}).median == 0);
  const Spread rate = Samples{{2, 1, 4}, {}}.rate(8);
  CHECK(rate.median == 4);
  CHECK(rate.least == 2);
  CHECK(rate.most == 8);
}

TEST_CASE("bench: no figure stands in the place of another, and memory is in megabytes") {
  BenchRequest request;
  request.threads = 3, request.model = "folder";
  BenchFigures f;
  f.rounds = 7, f.sentences = 11, f.singles = 5, f.peak_memory = 1'234'567'890;
  f.loading = {{0.013, 0.017, 0.019}, {}};
  f.products = {{0.5}, {0.5}};
  f.searches = {{1, 253, 65, {{2.0}, {2.0}}, {{0.41}, {0.41}}}, {29, 319, 85, {{4.0}, {4.0}}, {{0.93}, {0.93}}}};
  const Json json = Json::parse(bench_json(request, {"mine", "captions", "cpu", "chip", "core", 1234}, f));
  CHECK(json.at("peak_memory_mb") == 1235);
  CHECK(json.at("rounds") == 7);
  CHECK(json.at("threads") == 3);
  CHECK(json.at("alone") == 5);
  CHECK(json.at("text") == Json{{"name", "captions"}, {"sentences", 11}, {"words", 1234}});
  CHECK(json.at("loading_ms") == Json{{"median", 17.0}, {"least", 13.0}, {"most", 19.0}});
  CHECK(json.at("products_gflops").at("median").get<double>() ==
        Approx(2 * 512 * 128 * 8192 / 0.5 / 1e9).margin(1e-4));
  const auto median = [&](std::size_t k, const char* name) {
    return json.at("searches").at(k).at(name).at("median").get<double>();
  };
  f.products = {{0.5}, {0.4}};
  f.searches[0].single.processor_seconds = {0.3};
  const double share = (0.4 + 0.3 + 0.93) / (0.5 + 0.41 + 0.93);  // of what has one thread
  CHECK(f.processor_share() == Approx(share));
  const std::string text = bench_text(request, {"mine", "captions", "cpu", "chip", "core", 1234}, f);
  INFO(text);
  for (const char* part : {"model      mine\n", "captions: 11 sentences, 1234 words\n", "machine    chip\n",
                           "device cpu, weights of float, BLAS kernels core\n", "rounds     7 after one",
                           "17.0 ms             13.0 to 19.0\n", "2.15 GFLOP/s        2.15 to 2.15\n",
                           "in batches, 3 threads\n", "5.50 sentences/s", "126 tokens/s", "2.75 sentences/s",
                           "79.8 tokens/s", "one sentence at a time (5), 1 thread\n", "82.0 ms a sentence",
                           "186 ms a sentence", "  beam 29 ", "only 89 % of the time"})
    CHECK_THAT(text, contains(part));
  for (std::size_t k = 0; k < 2; ++k) {
    const Json& search = json.at("searches").at(k);
    CHECK(search.at("beam_size") == (k == 0 ? 1 : 29));
    CHECK(search.at("tokens_per_sentence") == (k == 0 ? 23 : 29));
    CHECK(search.at("tokens_per_sentence_alone") == (k == 0 ? 13 : 17));
    CHECK(median(k, "sentences_per_second") == (k == 0 ? 5.5 : 2.75));
    CHECK(median(k, "tokens_per_second") == (k == 0 ? 126.5 : 79.75));
    CHECK(median(k, "ms_per_sentence_alone") == (k == 0 ? 82 : 186));
  }
}

TEST_CASE("bench: it translates with the widths that it names, and those alone are spread over all sentences") {
  BenchRequest request;
  request.model = std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de";
  request.sentences = {
      "A dog.",
      "Two men in hard hats are working on a roof while a third man watches them from the street below.",
      "A little girl in a pink dress climbs the wooden stairs of a playhouse.",
      "People.",
      "A man is riding a bicycle down a hill with many rocks on it.",
      "Several cyclists wait at a red traffic light in the rain.",
      "A band plays."};
  request.singles = 3, request.beam_size = 7, request.rounds = 1, request.threads = 2;
  const BenchFigures f = bench(
      request, [] { return false; }, [](std::size_t) {});
  const Translator translator = Translator::load(request.model);
  const auto tokens = [&](std::size_t beam, const std::vector<std::size_t>& places) {
    TranslateOptions o;
    o.beam_size = beam, o.with_tokens = true;
    std::size_t sum = 0;
    for (const std::size_t i : places)
      sum += translator.translate({request.sentences[i]}, o).front().front().tokens.size();
    return sum;
  };
  const std::vector<std::size_t> all{0, 1, 2, 3, 4, 5, 6}, spread_out{0, 2, 4};
  REQUIRE(f.searches.size() == 2);
  CHECK(f.searches[0].batch_tokens == tokens(1, all));
  CHECK(f.searches[1].batch_tokens == tokens(7, all));
  CHECK(f.searches[0].single_tokens == tokens(1, spread_out));
  CHECK(f.searches[1].single_tokens == tokens(7, spread_out));
  // else another width, or other sentences, would not be noticed
  CHECK(tokens(1, all) != tokens(7, all));
  CHECK(tokens(1, spread_out) != tokens(7, spread_out));
  for (const std::size_t beam : {1, 7}) {
    CHECK(tokens(beam, spread_out) != tokens(beam, {0, 1, 2}));
    CHECK(tokens(beam, spread_out) != tokens(beam, {4, 5, 6}));
  }
  CHECK(f.peak_memory > 10'000'000);  // the model alone has more bytes
  CHECK(f.peak_memory < 4'000'000'000);
}

TEST_CASE("bench: the figures as text and as JSON, and other load is noticed") {
  BenchRequest request;
  request.threads = 2;
  const BenchConditions c{"mine", "captions", "cpu", "a processor", "Haswell", 1234};
  const std::string text = bench_text(request, c, figures(1));
  INFO(text);
  for (const char* part : {"captions: 100 sentences, 1234 words", "BLAS kernels Haswell", "in batches, 2 threads",
                           "50.0 sentences/s    25.0 to 100", "550 tokens/s       275 to 1100",
                           "20.0 ms a sentence  10.0 to 30.0", "beam 4", "hardly any other load"})
    CHECK(text.find(part) != text.npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) CHECK(line.size() <= 80);
  CHECK(bench_text(request, c, figures(0.5)).find("only 50 % of the time") != std::string::npos);
  const Json json = Json::parse(bench_json(request, c, figures(1)));
  CHECK(json.at("loading_ms") == Json{{"median", 20.0}, {"least", 10.0}, {"most", 30.0}});
  CHECK(json.at("searches").at(1).at("beam_size") == 4);
  CHECK(json.at("searches").at(1).at("tokens_per_second").at("median") == 550);
  CHECK(json.at("searches").at(0).at("tokens_per_sentence") == 11);
  CHECK(json.at("processor_share") == 1);
}

TEST_CASE("options: bench") {
  const Playground place("bench");
  const std::string text = place.write("text", "A dog runs.\n\nTwo men play.\n");
  const auto json = [&](const std::string& words) {
    const Result r =
        bench_of(place, "--json " + words + (words.find("--input") == words.npos ? " --input " + text : ""));
    INFO(r.err);
    REQUIRE(r.status == 0);
    return Json::parse(r.out);
  };
  judge_options(
      "bench",
      {{"model",
        [&] {
          CHECK(json("--model de-en").at("model").get<std::string>().find("de-en") != std::string::npos);
          expect_refusal(bench_of(place, "--model " + place.file("none")), "none");
        }},
       {"input",
        [&] {
          const Json found = json("");
          CHECK(found.at("text") == Json{{"name", text}, {"sentences", 2}, {"words", 6}});  // no empty line
          CHECK(found.at("searches").at(0).at("tokens_per_sentence") == 5);  // Ein Hund rennt . <eos>; Zwei ...
          const Result piped = bench_of(place, "--input -", "A dog runs.\n");
          CHECK(piped.out.find("the standard input: 1 sentence, 3 words") != std::string::npos);
          expect_refusal(bench_of(place, "--input " + place.write("nothing", "\n \n")), "has no sentence");
          expect_refusal(bench_of(place, "--input " + place.file("none")), "none");
        }},
       {"beam-size",
        [&] {
          CHECK(json("--beam-size 3").at("searches").at(1).at("beam_size") == 3);
          CHECK(json("--beam-size 1").at("searches").size() == 1);
          expect_refusal(bench_of(place, "--beam-size 0"), "0 is not between 1 and 100", 2);
        }},
       {"threads", [&] { CHECK(json("--threads 3").at("threads") == 3); }},
       {"rounds", [&] { CHECK(json("--rounds 2").at("rounds") == 2); }},
       {"alone", [&] { CHECK(json("--alone 1").at("alone") == 1); }},
       {"device", [&] { CHECK(json("--device cpu").at("device") == "cpu"); }},
       {"int8",
        [&] {
          CHECK(json("--int8").at("weights") == "int8");
          CHECK(json("").at("weights") == "float");
          CHECK(bench_of(place, "--int8 --input " + text).out.find("weights of 8 bits") != std::string::npos);
        }},
       {"json", [&] { CHECK(json("").at("loading_ms").at("median") > 0); }}},
      "tests/chapters/11_translator/bench_test.cpp");
}

TEST_CASE("bench: without any option it measures built-in captions") {
  const Playground place("bench-bare");
  const Result r = bench_of(place, "--beam-size 1");
  CHECK(r.status == 0);
  CHECK(r.err.empty());
  CHECK(r.out.find("built-in English captions: 400 sentences") != std::string::npos);
  CHECK(bench_of(place, "--beam-size 1 --model de-en").out.find("built-in German") != std::string::npos);
}

TEST_CASE("bench: a round that was broken off leaves no figures") {
  BenchRequest request;
  request.model = toy_model();
  request.sentences = {"A dog runs.", "Two men play."};
  request.singles = 1, request.beam_size = 2, request.rounds = 3;
  // Each round asks five times whether to stop: before both measurements of both searches, and after the last.
  constexpr int questions = 5;
  for (int stop = 1; stop <= 4 * questions + 1; ++stop) {
    INFO("stops at question " << stop);
    int asked = 0;
    const BenchFigures f = bench(
        request, [&] { return ++asked == stop; }, [](std::size_t) {});
    const auto whole = static_cast<std::size_t>(std::clamp(stop / questions - 1, 0, 3));  // the first one warms up
    CHECK(f.rounds == whole);
    CHECK(f.loading.seconds.size() == 5 * whole);
    CHECK(f.products.seconds.size() == 5 * whole);
    CHECK(f.products.processor_seconds.size() == 5 * whole);
    for (const SearchFigures& s : f.searches) {
      CHECK(s.batch.seconds.size() == whole);
      CHECK(s.single.seconds.size() == whole);
    }
    if (whole > 0) CHECK(f.searches.at(1).batch_tokens > 0);
  }
}

TEST_CASE("bench: an interrupt before the first round ends leaves no result") {
  const Playground place("bench-stop");
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "A dog runs through the snow.\n";
  const Running program(
      place, "bench --rounds 1000 --alone 1000 --input " + place.write("text", text) + " >" + place.file("out"));
  program.wait_until([&] { return program_catches(program.process(), SIGINT); });
  program.signal(SIGINT);
  const int status = program.end();
  CHECK(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK(program.has_output("stopping after this measurement"));
  CHECK(program.has_output("interrupted before the first round ended, so there is no result"));
  CHECK(read_file(place.file("out")).empty());
}
