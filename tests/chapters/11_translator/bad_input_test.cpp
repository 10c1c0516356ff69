/// \file
/// Ordinary unclean text, and impossible input: the first gives the same results as clean text; the second gives
/// one clear line and writes no incomplete file.

#include <filesystem>

#include "11_translator/storage/model_description.hpp"
#include "chapters/11_translator/program.hpp"
#include "chapters/11_translator/toy.hpp"
#include "gradus/util/error.hpp"
#include "support/catch.hpp"

using namespace gradus;
using namespace gradus::test;
namespace fs = std::filesystem;

namespace {

std::string toy_text(const std::string& name) { return read_file(toy(name)); }

/// A training of a second on the test's own text files.
Result train_on(const Playground& place, const std::string& source, const std::string& target,
                const std::string& output, const std::string& more = "") {
  return gradus_program(
      place, toy_training(output, "--train-source " + source + " --train-target " + target + " " + more));
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

/// A folder with a model that was trained for a step.
struct Trained : Playground {
  explicit Trained(const std::string& name) : Playground(name) {
    REQUIRE(gradus_program(*this, toy_training(file("run"), "--max-steps 1")).status == 0);
  }
};

}  // namespace

TEST_CASE("text: line ends of Windows, a byte order mark and a missing last line end change no bit of a training") {
  const Playground place("windows");
  const auto windows = [&](const std::string& name) {
    const std::string text = "\xEF\xBB\xBF" + replaced(toy_text(name), "\n", "\r\n");
    return place.write(name, text.substr(0, text.size() - 2));
  };
  REQUIRE(gradus_program(place, toy_training(place.file("plain"), "--max-steps 2")).status == 0);
  const Result r =
      train_on(place, windows("train.en"), windows("train.de"), place.file("windows"), "--max-steps 2");
  INFO(r.err);
  REQUIRE(r.status == 0);
  for (const char* name : {"weights.safetensors", "subwords.model"}) {
    CHECK(read_file(place.file(std::string("windows/") + name)) ==
          read_file(place.file(std::string("plain/") + name)));
  }
}

TEST_CASE("text: tabs and spaces of any kind count as spaces, and a line of them is an empty line") {
  const Trained place("spaces");
  const Result plain = translate_with_run(place, "", "A dog runs.\nA cat.\n\n");
  CHECK(plain.status == 0);
  const Result odd =
      translate_with_run(place, "", "\tA\u00a0dog\u2009 runs.\u3000\n\u200aA\u202fcat.  \n \t\u3000\u00a0\n");
  CHECK(odd.out == plain.out);
  CHECK(lines_in(plain.out) == 3);
}

TEST_CASE("text: characters that no training sentence had are unknown words, not an error") {
  const Trained place("unknown");
  const Result r = translate_with_run(place, "", "A \u72d7 runs.\n\U0001F415\n\u0e2b\u0e21\u0e32\n");
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(lines_in(r.out) == 3);
}

TEST_CASE("text: empty and endless training pairs are left out and counted") {
  const Playground place("left-out");
  std::string endless;
  for (int i = 0; i < 10000; ++i) endless += "dog ";
  const std::string source = place.write("source", toy_text("train.en") + "\n" + endless + "\nA dog.\n");
  const std::string target = place.write("target", toy_text("train.de") + "Ein Hund.\n" + "Ein Hund.\n" + "\n");
  const Result r = train_on(place, source, target, place.file("run"), "--max-steps 1");
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(r.err.find("left out 3 training") != std::string::npos);
}

TEST_CASE("text: one training pair is enough to train on") {
  const Playground place("one-pair");
  const std::string source = place.write("source", "A dog.\n"), target = place.write("target", "Ein Hund.\n");
  const Result r = train_on(place, source, target, place.file("run"), "--vocab-size 17");
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(translate_with_run(place, "'A dog.'").status == 0);
}

TEST_CASE("bad input: a run's path must be a possible folder, and a file there is kept") {
  const Playground place("bad-run");
  expect_refusal(gradus_program(place, toy_training("/proc/run")), "/proc/run");
  place.write("file", "mine");
  expect_refusal(gradus_program(place, toy_training(place.file("file"))), place.file("file"));
  CHECK(read_file(place.file("file")) == "mine");
}

TEST_CASE("bad input: a model whose files do not belong together is refused, file by file") {
  const Trained place("mixed");
  REQUIRE(gradus_program(place, toy_training(place.file("wide"), "--max-steps 1 --d-model 32 --vocab-size 250"))
              .status == 0);
  const auto with = [&](const std::string& name, const std::string& bytes) {
    const std::string kept = read_file(place.file("run/" + name));
    place.write("run/" + name, bytes);
    expect_refusal(translate_with_run(place, "'A dog.'"), name);
    place.write("run/" + name, kept);
  };
  for (const char* name : {"weights.safetensors", "subwords.model"}) {
    with(name, read_file(place.file(std::string("wide/") + name)));
  }
  const std::string weights = read_file(place.file("run/weights.safetensors"));
  for (const std::size_t size : {std::size_t{7}, std::size_t{100}, weights.size() - 1}) {
    with("weights.safetensors", weights.substr(0, size));
  }
  with("weights.safetensors", weights + "x");
  with("model.json", read_file(place.file("wide/model.json")).substr(0, 300));
}

TEST_CASE("bad input: a description that says what this program does not know, or says it wrongly, is refused") {
  const Trained place("unknown");
  const std::string json = read_file(place.file("run/model.json"));
  const auto translate_as = [&](const std::string& what, const std::string& by) {
    const std::string changed = replaced(json, what, by);
    REQUIRE(changed != json);
    place.write("run/model.json", changed);
    return translate_with_run(place, "'A dog.'");
  };
  const std::string scale = "\"scale_embedding\": ", lower = "\"lower_case\": ";
  CHECK(translate_as(scale, "\"output_bias\": false, " + scale).status == 0);
  expect_refusal(translate_as(scale, "\"output_bais\": true, " + scale), "the field \"output_bais\" is unknown");
  expect_refusal(translate_as(scale, "\"output_bias\": true, " + scale), "there is no tensor");
  expect_refusal(translate_as(lower, "\"punctuaton\": false, " + lower), "the field \"punctuaton\" is unknown");
  expect_refusal(translate_as("translator 1", "translator 3"), "an unknown format");
}

TEST_CASE("bad input: a model of which the first programs know nothing has the second format") {
  const Playground place("second");
  const auto description = [&](const std::string& options) {
    const std::string command = toy_training(place.file("run"), "--max-steps 1 --overwrite " + options);
    REQUIRE(gradus_program(place, command).status == 0);
    CHECK(translate_with_run(place, "'A dog.'").status == 0);
    return read_file(place.file("run/model.json"));
  };
  const auto has = [](const std::string& json, const char* format) { return json.find(format) != json.npos; };
  CHECK(has(description("--attention-bias"), "gradus translator 1"));
  CHECK(has(description("--attention-output-bias"), "gradus translator 2"));  // after W_O alone
  CHECK(has(description("--no-punctuation"), "gradus translator 2"));
  CHECK(has(description("--positions none"), "gradus translator 2"));
  CHECK(has(description("--decoder ssru"), "gradus translator 2"));
  const std::string biased = description("--output-bias");
  CHECK(has(biased, "gradus translator 2"));
  place.write("run/model.json", replaced(biased, "\"output_bias\": true,", ""));
  expect_refusal(translate_with_run(place, "'A dog.'"), "is a tensor of another model");
}

TEST_CASE("bad input: weights of another training with the same shape are refused, and a run replaces them") {
  const Trained place("other-weights");
  const std::string again = toy_training(place.file("run"), "--max-steps 1"), weights = "run/weights.safetensors";
  REQUIRE(gradus_program(place, toy_training(place.file("other"), "--max-steps 1 --seed 7")).status == 0);
  const std::string right = read_file(place.file(weights)), json = read_file(place.file("run/model.json"));
  place.write(weights, read_file(place.file("other/weights.safetensors")));
  expect_refusal(translate_with_run(place, "'A dog.'"),
                 "weights.safetensors: not the file that belongs to this model");

  const std::size_t begin = json.find(" \"weights\": {"), end = json.find(" \"notes\": {");
  REQUIRE((begin < end && end != json.npos));
  place.write("run/model.json", json.substr(0, begin) + json.substr(end));  // as older programs wrote it
  CHECK(translate_with_run(place, "'A dog.'").status == 0);

  place.write("run/model.json", json);
  CHECK(gradus_program(place, again).status == 0);
  CHECK(read_file(place.file(weights)) == right);
  CHECK(read_file(place.file("run/model.json")) == json);
  CHECK(translate_with_run(place, "'A dog.'").status == 0);
}

TEST_CASE("bad input: a run that was killed between writing weights and description writes both again") {
  const Trained place("between");
  const std::string json = read_file(place.file("run/model.json"));
  const std::string two_steps = toy_training(place.file("run"), "--max-steps 2");
  REQUIRE(gradus_program(place, two_steps).status == 0);
  const std::string later = read_file(place.file("run/model.json"));
  place.write("run/model.json", json);
  expect_refusal(translate_with_run(place, "'A dog.'"), "cut off");
  CHECK(gradus_program(place, two_steps).status == 0);
  CHECK(read_file(place.file("run/model.json")) == later);
  CHECK(translate_with_run(place, "'A dog.'").status == 0);
}

TEST_CASE("bad input: every model that can be trained can be loaded; others are refused before the training") {
  ModelConfig largest;
  largest.source_vocab = largest.target_vocab = ModelConfig::most_words;
  largest.d_model = largest.heads = ModelConfig::widest;
  largest.ffn = ModelConfig::widest_ffn;
  largest.encoder_layers = largest.decoder_layers = ModelConfig::most_layers;
  largest.max_length = ModelConfig::longest;
  CHECK_NOTHROW(largest.check());
  CHECK(to_json(config_from_json(to_json(largest), "largest")) == to_json(largest));
  const auto refused = [&](std::size_t ModelConfig::*size) {
    ModelConfig larger = largest;
    larger.*size += 2;
    CHECK_THROWS_AS(larger.check(), UsageError);
    CHECK_THROWS_AS(config_from_json(to_json(larger), "larger"), Error);
  };
  for (const auto size :
       {&ModelConfig::source_vocab, &ModelConfig::target_vocab, &ModelConfig::d_model, &ModelConfig::heads,
        &ModelConfig::ffn, &ModelConfig::encoder_layers, &ModelConfig::decoder_layers, &ModelConfig::max_length})
    refused(size);
  const Playground place("too-large");
  expect_refusal(gradus_program(place, toy_training(place.file("run"), "--layers 257")), "layers is 257", 2);
  CHECK_FALSE(fs::exists(place.file("run")));
}

TEST_CASE("bad input: a mean of means can be read, after any number of averages") {
  const Trained place("means");
  std::string last = place.file("run");
  for (int i = 0; i < 14; ++i) {
    const std::string mean = place.file("mean-" + std::to_string(i));
    REQUIRE(gradus_program(place, "average " + last + " " + place.file("run") + " --output " + mean).status == 0);
    last = mean;
  }
  CHECK(gradus_program(place, "info " + last).status == 0);
  const std::string json = read_file(last + "/model.json"), note = "first of them";
  CHECK(json.find(note) == json.rfind(note));
}

TEST_CASE("bad input: sizes in a model's description take no memory before its files are checked", "[memory]") {
  const Trained place("claims");
  const std::string json = read_file(place.file("run/model.json"));
  const std::string limited = "ulimit -v 1500000; " + program_file();  // KiB
  const auto refuses = [&](const std::string& what, const std::string& by, const std::string& about) {
    const std::string claim = replaced(json, what, by);
    REQUIRE(claim != json);
    place.write("run/model.json", claim);
    const std::string command =
        limited + " translate --model " + place.file("run") + " a 2> " + place.file("errors");
    const int status = std::system(command.c_str());
    expect_refusal({WEXITSTATUS(status), "", read_file(place.file("errors"))}, about);
  };
  refuses("\"encoder_layers\": 1", "\"encoder_layers\": 256", "encoder");
  refuses("\"source_vocab\": 300", "\"source_vocab\": 1000000", "vocab");
  refuses("\"d_model\": 16", "\"d_model\": 16384", "weights.safetensors");
  refuses("\"ffn\": 32", "\"ffn\": 65536", "weights.safetensors");
  refuses("\"max_length\": 256", "\"max_length\": 1000000000", "max_length");
  refuses("\"heads\": 2", "\"heads\": 3", "heads");
  refuses("\"notes\": {", "\"notes\": " + std::string(20000, '['), "model.json");
}

TEST_CASE(
    "bad input: after a damaged checkpoint the one before is used; two damaged ones are an error of one line") {
  const Playground place("damaged");
  REQUIRE(gradus_program(place, toy_training(place.file("whole"))).status == 0);
  REQUIRE(gradus_program(place, toy_training(place.file("run"), "--max-steps 3")).status == 0);
  const auto cut = [&](const std::string& name) {
    fs::resize_file(place.file("run/" + name), fs::file_size(place.file("run/" + name)) / 2);
  };
  cut("checkpoint.safetensors");
  const Result r = gradus_program(place, toy_training(place.file("run"), "--quiet"));
  INFO(r.err);
  CHECK(r.status == 0);
  CHECK(read_file(place.file("run/weights.safetensors")) == read_file(place.file("whole/weights.safetensors")));
  CHECK(r.err.find("warning: " + place.file("run/checkpoint.safetensors")) != std::string::npos);

  cut("checkpoint.safetensors");
  cut("checkpoint-before.safetensors");
  const Result both = gradus_program(place, toy_training(place.file("run")));
  expect_refusal(both, "checkpoint.safetensors");
  CHECK(both.err.find("checkpoint-before.safetensors") != std::string::npos);
  CHECK(both.err.find("--overwrite") != std::string::npos);
}

TEST_CASE(
    "a gradient that is no number stops the training, names the step, and the last checkpoint can be loaded") {
  const Playground place("not-finite");
  const std::string command = toy_training(place.file("run"), "--learning-rate 1e6 --valid-every 1");
  const Result r = gradus_program(place, command);
  expect_refusal(r, "the gradient of step 2");
  CHECK(r.err.find("not finite") != std::string::npos);
  CHECK(r.err.find("--learning-rate") != std::string::npos);  // what to do
  CHECK_FALSE(fs::exists(place.file("run/model.json")));
  const Result again = gradus_program(place, command);
  CHECK(again.err.find("going on after step 1") != std::string::npos);
  expect_refusal(again, "the gradient of step 2");
}
