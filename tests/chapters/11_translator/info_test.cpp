#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("info: a model's sizes and its recipe, and every parameter if asked") {
  const Playground place("info");
  const Result r = gradus_program(place, "info " + toy_model());
  CHECK(r.status == 0);
  CHECK(r.out.find("d_model                      16") != std::string::npos);
  CHECK(r.out.find("seed") != std::string::npos);
  const Result all = gradus_program(place, "info --parameters " + toy_model());
  CHECK(all.out.find("encoder.0.self_attention.wqkv") != std::string::npos);
  CHECK(all.out.find("16 x 48") != std::string::npos);
  CHECK(gradus_program(place, "info " + place.file("nowhere")).status == 1);
  CHECK(gradus_program(place, "info " + place.file("nowhere")).err ==
        "gradus: " + place.file("nowhere") + ": there is no such folder, so no model in it\n");
  const std::string file = toy_model() + "/model.json";
  CHECK(gradus_program(place, "info " + file).err ==
        "gradus: " + file + ": a file; a model is the folder that holds its files\n");
}

TEST_CASE("info --json: each side has its own vocabulary, and the rules of the text are not exchanged") {
  const Playground place("info-sides");
  REQUIRE(
      gradus_program(place, toy_training(place.file("run"), "--vocab separate --lowercase --max-steps 1")).status ==
      0);
  const auto tokenizer =
      nlohmann::json::parse(gradus_program(place, "info --json " + place.file("run")).out).at("tokenizer");
  CHECK(tokenizer.at("source").get<std::string>().rfind("source", 0) == 0);
  CHECK(tokenizer.at("target").get<std::string>().rfind("target", 0) == 0);
  for (const char* side : {"source", "target"})
    CHECK(std::filesystem::exists(place.file("run/" + tokenizer.at(side).get<std::string>())));
  CHECK(tokenizer.at("lower_case") == true);
  CHECK(tokenizer.at("punctuation") == true);
}

TEST_CASE("info: the limits of the warnings and the rules of the text are the model's own") {
  const Playground place("info-limits");
  REQUIRE(gradus_program(
              place, toy_training(place.file("run"), "--vocab separate --lowercase --no-punctuation --max-steps 1"))
              .status == 0);
  ModelFiles model = load_model(place.file("run"));
  model.unusual_below = -1.25, model.limits.hesitant_below = -2.5, model.limits.muted = {"numbers", "unsure"};
  save_model(place.file("run"), model);
  const auto info = nlohmann::json::parse(gradus_program(place, "info --json " + place.file("run")).out);
  CHECK(info.at("unusual_below") == -1.25);
  CHECK(info.at("hesitant_below") == -2.5);
  CHECK(info.at("muted_warnings") == std::vector<std::string>{"numbers", "unsure"});
  CHECK(info.at("tokenizer").at("lower_case") == true);
  CHECK(info.at("tokenizer").at("punctuation") == false);
  const std::string text = gradus_program(place, "info " + place.file("run")).out;
  CHECK_THAT(
      text,
      gradus::test::contains("\ntokenizer                    sentencepiece, lower case, without punctuation\n") &&
          gradus::test::contains("\nvocabulary                   source.subwords.model, target.subwords.model\n"));
  const std::string usual = gradus_program(place, "info " + toy_model()).out;
  CHECK_THAT(usual, gradus::test::contains("\ntokenizer                    sentencepiece\n"));
}

TEST_CASE("info --json: languages, sizes, scores and training of the model that is asked for") {
  const Playground place("info-json");
  const auto info = [&](const std::string& words) {
    return nlohmann::json::parse(gradus_program(place, "info --json " + words).out);
  };
  const auto en_de = info(""), de_en = info("de-en"), toy = info(toy_model());
  CHECK(en_de.at("languages") == "en to de");
  CHECK(de_en.at("languages") == "de to en");
  CHECK(toy.at("languages").is_null());  // nobody named them
  CHECK(en_de.at("scores").at("bleu") == 39.93);
  CHECK(de_en.at("scores").at("sha256") == de_en.at("weights"));
  CHECK(toy.at("scores").at("BLEU of the validation text, beam 5").is_number());
  CHECK(toy.at("configuration").at("d_model") == 16);
  CHECK(toy.at("tokenizer").at("kind") == "sentencepiece");
  CHECK(toy.at("training").at("recipe").at("epochs") == 40);
  CHECK(toy.at("unusual_below") < 0);
  CHECK(toy.at("hesitant_below") < 0);
  CHECK(toy.at("muted_warnings").is_array());
  CHECK(toy.at("tokenizer").at("normalisation") == "always");
  CHECK(en_de.at("tokenizer").at("normalisation") == "at-use");
  CHECK_FALSE(toy.contains("layout"));
  std::size_t elements = 0;
  const auto layout = info("--parameters " + toy_model()).at("layout");
  for (const auto& slice : layout) {
    std::size_t size = 1;
    for (const std::size_t n : slice.at("shape")) size *= n;
    elements += size;
  }
  CHECK(toy.at("parameters") == elements);

  // The scores of other weights are not these weights' scores.
  std::filesystem::copy(toy_model(), place.file("other"));
  auto results = nlohmann::json::parse(read_file(place.file("other/results.json")));
  results["weights"] = std::string(64, '0');
  place.write("other/results.json", results.dump());
  CHECK(info(place.file("other")).at("scores").is_null());
  CHECK(info(place.file("other")).at("languages").is_null());
  place.write("other/results.json", "{\"broken");  // says nothing of the model, which is whole
  CHECK(info(place.file("other")).at("scores").is_null());
  const std::string text = gradus_program(place, "info").out;
  CHECK(text.find("languages                    en to de\n") != std::string::npos);
  CHECK(text.find("  bleu                       39.93\n") != std::string::npos);
}

TEST_CASE("info: damaged, huge and odd files beside a model are left out, in one line, and never crash it") {
  const Playground place("info-odd");
  std::filesystem::copy(std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de", place.file("model"));
  const std::string scores = place.file("model/scores.json"), good = read_file(scores);
  const auto check = [&](const std::string& reason) {
    for (const char* options : {"info ", "info --json "}) {
      const Result r = gradus_program(place, options + place.file("model"));
      INFO(reason << ": " << r.err);
      CHECK(r.status == 0);
      CHECK(lines_in(r.err) == 1);
      CHECK(r.err.rfind("warning: ", 0) == 0);
      CHECK_THAT(r.err, gradus::test::contains("scores.json") && gradus::test::contains(reason) &&
                            gradus::test::contains("; info leaves it out"));
      CHECK(r.out.find("3125760") != std::string::npos);
    }
    std::filesystem::remove_all(scores);
  };
  const std::string nested =
      good.substr(0, good.rfind('}')) + ",\"deep\":" + std::string(200000, '[') + std::string(200000, ']') + "}";
  place.write("model/scores.json", nested), check("nested too deeply");
  place.write("model/scores.json", "{\"broken"), check("scores.json: ");
  place.write("model/scores.json", ""), std::filesystem::resize_file(scores, std::uintmax_t{1} << 40);
  check("1099511627776 bytes");
  std::filesystem::create_directory(scores), check("Is a directory");
  std::filesystem::create_symlink("/dev/zero", scores), check("device");
  place.write("model/scores.json", good);
  CHECK(gradus_program(place, "info " + place.file("model")).err.empty());
  place.write("model/results.json", "[");
  CHECK_THAT(gradus_program(place, "info " + place.file("model")).err,
             gradus::test::contains("results.json: these are not the results of a training; info leaves it out"));
}
