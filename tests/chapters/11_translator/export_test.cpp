// gradus export: the files in the folder, the options, and what is refused.

#include <nlohmann/json.hpp>

#include "app/export/ctranslate2.hpp"
#include "chapters/11_translator/export_models.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

TEST_CASE("export: the vocabularies, in the order of the ids, and the special words") {
  const Playground place("export-words");
  const auto json = [&](const std::string& name) { return nlohmann::json::parse(read_file(place.file(name))); };
  using Words = std::vector<std::string>;
  export_ctranslate2(place.file("two"), tiny_files(small_config(Norm::pre), false));
  CHECK(json("two/source_vocabulary.json") == Words{"<pad>", "<unk>", "<bos>", "<eos>", "a", "b"});
  CHECK(json("two/target_vocabulary.json") == Words{"<pad>", "<unk>", "<bos>", "<eos>", "c", "d"});
  CHECK_FALSE(std::filesystem::exists(place.file("two/shared_vocabulary.json")));
  CHECK(std::filesystem::exists(place.file("two/source.words.txt")));
  const auto config = json("two/config.json");
  CHECK(config.at("decoder_start_token") == "<bos>");
  CHECK(config.at("eos_token") == "<eos>");
  CHECK(config.at("unk_token") == "<unk>");
  CHECK(config.at("add_source_eos") == true);
  CHECK(config.at("add_source_bos") == false);
  CHECK(config.at("layer_norm_epsilon") == 1e-5);
  ModelConfig tied = small_config(Norm::pre);
  tied.tying = Tying::all, tied.norm_epsilon = 1e-6;
  export_ctranslate2(place.file("two"), tiny_files(tied, true));  // the old vocabularies are removed
  CHECK(json("two/shared_vocabulary.json") == Words{"<pad>", "<unk>", "<bos>", "<eos>", "a", "b"});
  CHECK_FALSE(std::filesystem::exists(place.file("two/source_vocabulary.json")));
  CHECK(json("two/config.json").at("layer_norm_epsilon") == 1e-6);
}

TEST_CASE("options: export") {
  const Playground place("export");
  const std::string folder = place.file("ct2");
  const auto run = [&](const std::string& words) { return gradus_program(place, "export " + words); };
  const auto weights = [&] { return read_file(folder + "/model.bin"); };
  judge_options(
      "export",
      {{"ctranslate2",
        [&] {
          expect_refusal(run(""), "--ctranslate2 is required", 2);
          expect_refusal(run("--ctranslate2 ''"), "--ctranslate2 is empty; give the name of a folder", 2);
          expect_refusal(run("--ctranslate2 " + place.write("file", "mine") + "/x"), "cannot make this folder");
          const Result r = run("--ctranslate2 " + folder);
          INFO(r.err);
          REQUIRE(r.status == 0);
          CHECK(r.out.empty());
          CHECK(lines_in(r.err) == 1);
          const std::string source = std::string(GRADUS_CHAPTERS) + "/11_translator/models/en-de";
          CHECK(read_file(folder + "/subwords.model") == read_file(source + "/subwords.model"));
          CHECK(weights() == ctranslate2_tensors(load_model(source)).bytes());
        }},
       {"overwrite",
        [&] {
          place.write("ct2/mine", "mine");
          const std::string before = weights();
          expect_refusal(run("--model de-en --ctranslate2 " + folder), "holds a model.bin already", 2);
          CHECK(weights() == before);
          CHECK(run("--overwrite --model de-en --ctranslate2 " + folder).status == 0);
          CHECK(weights() != before);
          CHECK(read_file(folder + "/mine") == "mine");
        }},
       {"model",
        [&] {
          const std::string source = std::string(GRADUS_CHAPTERS) + "/11_translator/models/de-en";
          CHECK(weights() == ctranslate2_tensors(load_model(source)).bytes());  // the row above has written it
          expect_refusal(run("--ctranslate2 " + place.file("x") + " --model " + place.file("none")), "none");
          CHECK_FALSE(std::filesystem::exists(place.file("x")));
        }}},
      "tests/chapters/11_translator/export_test.cpp");
}

TEST_CASE("export: files of a tokenizer are replaced only with --overwrite, and none of another kind stays") {
  const Playground place("export-tokenizers");
  const std::string folder = place.file("ct2"), command = "export --ctranslate2 " + folder;
  for (const std::string& name : vocabulary_file_names()) {
    INFO(name);
    std::filesystem::remove_all(folder);
    std::filesystem::create_directory(folder);
    place.write("ct2/" + name, "mine");
    expect_refusal(gradus_program(place, command), "holds a " + name + " already", 2);
    CHECK(read_file(folder + "/" + name) == "mine");
    CHECK_FALSE(std::filesystem::exists(folder + "/model.bin"));
    export_ctranslate2(folder, tiny_files(small_config(Norm::pre), false));
    CHECK(std::filesystem::exists(folder + "/" + name) ==
          (name == "source.words.txt" || name == "target.words.txt"));
    if (std::filesystem::exists(folder + "/" + name)) CHECK(read_file(folder + "/" + name) != "mine");
    CHECK_FALSE(std::filesystem::exists(folder + "/model.bin.next"));
  }
  place.write("ct2/subwords.model", "mine");
  CHECK(gradus_program(place, command + " --overwrite").status == 0);
  CHECK(read_file(folder + "/subwords.model") != "mine");
  CHECK_FALSE(std::filesystem::exists(folder + "/source.words.txt"));
}

TEST_CASE("export: it says what CTranslate2 must get, with every rule of the model for its text") {
  const Playground place("export-note");
  const auto note = [&](const TextRules& rules) {
    save_model(place.file("model"), tiny_files(small_config(Norm::pre), false, rules));
    const Result r = gradus_program(
        place, "export --overwrite --ctranslate2 " + place.file("ct2") + " --model " + place.file("model"));
    INFO(r.err);
    CHECK(r.status == 0);
    return r.err.substr(r.err.find("reads "));
  };
  CHECK(note({}) == "reads whole words\n");
  CHECK(note({true, true}) == "reads whole words, of text in lower case\n");
  CHECK(note({false, false}) == "reads whole words, without punctuation\n");
  CHECK(note({true, false}) == "reads whole words, of text in lower case, without punctuation\n");
}

TEST_CASE("export: a folder with a model of gradus is never written to") {
  const Playground place("export-model");
  REQUIRE(gradus_program(place, "average en-de en-de --output " + place.file("model")).status == 0);
  expect_refusal(gradus_program(place, "export --overwrite --ctranslate2 " + place.file("model")),
                 "holds a model of gradus", 2);
  CHECK_FALSE(std::filesystem::exists(place.file("model/model.bin")));
}

TEST_CASE("export: a model whose norms are no layer norms is refused") {
  ModelConfig c = small_config(Norm::pre);
  c.norm_form = NormForm(99);
  CHECK_THROWS_WITH(check_ctranslate2(c),
                    "the export to CTranslate2 writes layer norms only, and this model has other ones");
}

TEST_CASE("export: a model whose decoder has no self-attention is refused") {
  ModelConfig c = small_config(Norm::pre);
  c.decoder_unit = DecoderUnit::ssru;
  CHECK_THROWS_WITH(
      check_ctranslate2(c),
      "CTranslate2 cannot express this model: its decoder has an SSRU in the place of self-attention");
}

TEST_CASE("export: a model with a tensor of 4 GiB is refused, in a line that names the tensor") {
  ModelConfig c = small_config(Norm::pre);
  c.source_vocab = c.target_vocab = 1'000'000;
  c.d_model = 1072;
  CHECK_NOTHROW(check_ctranslate2(c));
  c.d_model = 1074;
  CHECK_THROWS_WITH(check_ctranslate2(c),
                    "CTranslate2 cannot express this model: it stores less than 4 GiB in a tensor, and "
                    "source_embedding has 1074000000 numbers of 4 bytes");
}
