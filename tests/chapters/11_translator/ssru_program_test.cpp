// A translator whose decoder has an SSRU, in every command that reads a model.

#include <nlohmann/json.hpp>

#include "chapters/11_translator/program.hpp"
#include "gradus/io/lines.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

/// The folder of all cases, with a model that is trained once.
const Playground& trained() {
  static const Playground place("ssru");
  static const std::string run = [] {
    const Result r = gradus_program(place, toy_training(place.file("run"), "--decoder ssru --epochs 12"));
    INFO(r.err);
    REQUIRE(r.status == 0);
    return place.file("run");
  }();
  return place;
}

std::string of(const std::string& command, const std::string& model = "run") {
  return command + " --model " + trained().file(model);
}

Result good(const std::string& words) {
  const Result r = gradus_program(trained(), words);
  INFO(words << "\n" << r.err);
  CHECK(r.status == 0);
  return r;
}

/// A training that begins with the weights of the first one, and so has its vocabulary.
std::string from_first(const std::string& folder, const std::string& more) {
  std::string words = toy_training(trained().file(folder), "--init-from " + trained().file("run") + " " + more);
  const std::string size = " --vocab-size 300";
  return words.erase(words.find(size), size.size());
}

}  // namespace

TEST_CASE("ssru: its loss falls, and info names it") {
  const auto history = nlohmann::json::parse(read_file(trained().file("run/history.json")));
  const auto& validations = history.at("validations");
  CHECK(validations.back().at("loss").get<double>() < validations.front().at("loss").get<double>() - 0.3);
  CHECK(lines_with(good("info " + trained().file("run")).out, "decoder  ").find("ssru") != std::string::npos);
  const std::string parameters = good("info --parameters " + trained().file("run")).out;
  CHECK(lines_with(parameters, "decoder.0.ssru.forget.w").find("16 x 16") != std::string::npos);
  CHECK(parameters.find("decoder.0.self_attention") == std::string::npos);
  CHECK(read_file(trained().file("run/report.html")).find("SSRU in the decoder") != std::string::npos);
}

TEST_CASE("ssru: translations do not depend on beams beside them, on threads or on other sentences") {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/valid.en";
  for (const char* width : {"1", "4"}) {
    const std::string command = of("translate --beam-size " + std::string(width)) + " --input " + toy;
    const std::string all = good(command + " --threads 1").out;
    CHECK(good(command + " --threads 3").out == all);
    const std::string first = read_lines(toy).front();
    CHECK(good(of("translate --beam-size " + std::string(width)) + " '" + first + "'").out ==
          all.substr(0, all.find('\n') + 1));
  }
  CHECK(lines_in(good(of("translate --int8 'A dog runs.'")).out) == 1);
}

TEST_CASE("ssru: explain shows the operation, attention the two kinds that there are") {
  const std::string explained = good(of("explain 'A dog runs.'")).out;
  CHECK(lines_in(lines_with(explained, "  ssru ")) == 1);
  CHECK(explained.find("attention, causal") == std::string::npos);
  good(of("translate 'A dog runs.' --attention " + trained().file("page.html")));
  const std::string page = read_file(trained().file("page.html"));
  CHECK(page.find("Encoder self-attention") != std::string::npos);
  CHECK(page.find("Decoder self-attention") == std::string::npos);
}

TEST_CASE("ssru: it is evaluated and scored, and the export to CTranslate2 is refused") {
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/valid.";
  CHECK(good(of("evaluate --source " + toy + "en --reference " + toy + "de")).out.find("BLEU") !=
        std::string::npos);
  expect_refusal(gradus_program(trained(), of("export --ctranslate2 " + trained().file("ct2"))),
                 "its decoder has an SSRU in the place of self-attention");
  CHECK_FALSE(std::filesystem::exists(trained().file("ct2")));
}

TEST_CASE("ssru: a run that stops goes on to the same weights, and another training begins with them") {
  const auto run = [](const std::string& folder, const std::string& more) {
    good(toy_training(trained().file(folder), "--decoder ssru " + more));
  };
  run("whole", "");
  run("parts", "--max-steps 3");
  run("parts", "");
  const auto weights = [](const std::string& folder) {
    return read_file(trained().file(folder + "/weights.safetensors"));
  };
  CHECK(weights("parts") == weights("whole"));
  expect_refusal(gradus_program(trained(), toy_training(trained().file("whole"))), "--decoder", 2);
  good(from_first("next", "--max-steps 1"));
  CHECK(lines_with(good("info " + trained().file("next")).out, "decoder  ").find("ssru") != std::string::npos);
  expect_refusal(gradus_program(trained(), from_first("other", "--decoder attention")),
                 "--decoder ssru (not attention)", 2);
}
