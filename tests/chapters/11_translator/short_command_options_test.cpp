// The options of the commands that do not translate: score, info, average, models, data. A new option gets a row.

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "09_transformer/model.hpp"
#include "11_translator/data/multi30k.hpp"
#include "11_translator/data/multi30k_ids.hpp"
#include "11_translator/metrics/score.hpp"
#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/multi30k.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/device/device.hpp"
#include "gradus/io/lines.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

const std::string rows_file = "tests/chapters/11_translator/short_command_options_test.cpp";

std::string model_folder(const std::string& name) {
  return std::string(GRADUS_CHAPTERS) + "/11_translator/models/" + name;
}

}  // namespace

TEST_CASE("options: score") {
  const Playground place("score-options");
  const std::vector<std::string> hypotheses{"The cat sat on the mat today.", "A dog RUNS through snow here."},
      references{"the CAT sat on the mat today.", "a dog runs through deep snow here."};
  const auto file = [&](const std::string& name, const std::vector<std::string>& text) {
    return place.write(name, text[0] + "\n" + text[1] + "\n");
  };
  const std::string h = file("h", hypotheses), r = file("r", references);
  const auto output = [&](const std::string& words) {
    const Result result = gradus_program(place, "score " + words);
    CHECK(result.status == 0);
    return result.out;
  };
  const std::string both = "--hypotheses " + h + " --references " + r;
  BleuOptions lower;
  lower.lowercase = true;
  judge_options(
      "score",
      {{"hypotheses",
        [&] {
          CHECK(output(both) == to_string(score(hypotheses, references)) + "\n");
          CHECK(output("--hypotheses " + r + " --references " + h) ==
                to_string(score(references, hypotheses)) + "\n");
          CHECK(to_string(score(references, hypotheses)) != to_string(score(hypotheses, references)));
        }},
       {"references",
        [&] {
          CHECK(output("--hypotheses " + h + " --references " + h) ==
                to_string(score(hypotheses, hypotheses)) + "\n");
        }},
       {"lowercase",
        [&] {
          CHECK(output(both + " --lowercase") == to_string(score(hypotheses, references, lower)) + "\n");
          const double cased = score(hypotheses, references).bleu.score,
                       small = score(hypotheses, references, lower).bleu.score;
          CHECK(cased < 50);
          CHECK(small > 70);
          CHECK(score(hypotheses, references, lower).chrf > score(hypotheses, references).chrf + 5);
        }},
       {"metrics",
        [&] {
          const Metrics some{Metric::ter, Metric::chrf_words};
          CHECK(output(both + " --metrics ter chrf++ ter") ==
                to_string(score(hypotheses, references, {}, some)) + "\n");
          CHECK(output(both + " --metrics bleu chrf chrf++") == output(both));
          CHECK_THAT(gradus_program(place, "score " + both + " --metrics rouge").err,
                     contains("'rouge' is none of: bleu, chrf, chrf++, ter"));
        }},
       {"tokenize",
        [&] {
          for (const auto& [tokenizer, name] :
               std::map<BleuTokenizer, std::string>{{BleuTokenizer::v13a, "13a"},
                                                    {BleuTokenizer::intl, "intl"},
                                                    {BleuTokenizer::characters, "char"},
                                                    {BleuTokenizer::none, "none"},
                                                    {BleuTokenizer::zh, "zh"}}) {
            BleuOptions o;
            o.tokenizer = tokenizer;
            CHECK(output(both + " --tokenize " + name) == to_string(score(hypotheses, references, o)) + "\n");
          }
        }},
       {"sentence-level", judged_in("score_forms_test.cpp", "--sentence-level")},
       {"confidence", judged_in("score_forms_test.cpp", "--confidence")},
       {"score-only", judged_in("score_forms_test.cpp", "--score-only")},
       {"json", judged_in("score_forms_test.cpp", "--json")},
       {"baseline", judged_in("evaluate_test.cpp", "--baseline")},
       {"resamples", judged_in("evaluate_test.cpp", "--resamples 99")}},
      rows_file);
}

TEST_CASE("options: score-pairs") {
  judge_options("score-pairs",
                {{"source", judged_in("score_pairs_test.cpp", "--source")},
                 {"target", judged_in("score_pairs_test.cpp", "--target")},
                 {"json", judged_in("score_pairs_test.cpp", "--json")},
                 {"threads", judged_in("score_pairs_test.cpp", "--threads 3")},
                 {"model", judged_in("score_pairs_test.cpp", "--model de-en")},
                 {"device", judged_in("score_pairs_test.cpp", "--device cpu")}},
                rows_file);
}

TEST_CASE("options: info") {
  const Playground place("info-options");
  const auto output = [&](const std::string& words) { return gradus_program(place, "info " + words).out; };
  const auto check = [&](const std::string& out, const std::string& folder) {
    const ModelFiles model = load_model(folder);
    const auto recipe = nlohmann::json::parse(model.metadata).at("recipe");
    const auto line = [&](const std::string& key, const std::string& value, int indent = 0) {
      std::string text = std::string(indent, ' ') + key;
      text.resize(28, ' ');
      INFO(text << " " << value);
      CHECK(("\n" + out).find("\n" + text + " " + value + "\n") != std::string::npos);
    };
    const ModelConfig& c = model.config;
    line("parameters", std::to_string(transformer_layout<Cpu<float>>(c).size()));
    line("d_model", std::to_string(c.d_model));
    line("ffn", std::to_string(c.ffn));
    line("heads", std::to_string(c.heads));
    line("encoder_layers", std::to_string(c.encoder_layers));
    line("attention_rate", nlohmann::json(c.attention_rate).dump());
    line("tokenizer", name_of(model.tokenizers.source.kind()));
    line("learning rate", recipe.at("learning rate").dump(), 4);
    line("training data", recipe.at("training data").get<std::string>(), 4);
  };
  judge_options(
      "info",
      {{"model",
        [&] {
          check(output(""), model_folder("en-de"));
          check(output("de-en"), model_folder("de-en"));
          CHECK(output("de-en") != output(""));
        }},
       {"parameters",
        [&] {
          const std::string plain = output(""), all = output("--parameters");
          CHECK(all.rfind(plain, 0) == 0);
          const auto rows = split_lines(all.substr(plain.size()), "out");
          const Layout layout = transformer_layout<Cpu<float>>(load_model(model_folder("en-de")).config);
          REQUIRE(rows.size() == 2 + layout.slices().size());
          for (std::size_t i = 0; i < layout.slices().size(); ++i) {
            const Slice& slice = layout.slices()[i];
            std::smatch found;
            REQUIRE(std::regex_match(rows[i + 2], found, std::regex("(\\S+) +(\\d+)(?: x (\\d+))? +(\\d+)")));
            CHECK(found[1] == slice.name);
            CHECK(std::stoul(found[2]) == slice.shape[0]);
            if (slice.shape.size() == 2) CHECK(std::stoul(found[3]) == slice.shape[1]);
            CHECK(std::stoul(found[4]) == slice.size());
          }
        }},
       {"json", judged_in("info_test.cpp", "info --json")}},
      rows_file);
}

TEST_CASE("options: average") {
  judge_options("average",
                {{"model", judged_in("average_test.cpp", "element by element")},
                 {"output", judged_in("average_test.cpp", "--output")},
                 {"overwrite", judged_in("average_test.cpp", "--overwrite")}},
                rows_file);
}

TEST_CASE("options: completion and man") {
  judge_options("completion", {{"shell", judged_in("completion_test.cpp", "completion bash")}}, rows_file);
  judge_options("man", {}, rows_file);
}

TEST_CASE("options: presets") {
  judge_options("presets", {{"preset", judged_in("presets_test.cpp", "presets hyunwoongko")}}, rows_file);
}

TEST_CASE("options: models") {
  const std::string file = "models_command_test.cpp";
  judge_options("models",
                {{"action", judged_in(file, "models fetch")},
                 {"names", judged_in(file, "models fetch pt-en")},
                 {"mirror", judged_in(file, "--mirror")},
                 {"from", judged_in(file, "--from")}},
                rows_file);
}

TEST_CASE("options: data") {
  const Playground place("data-options");
  const auto message = [&](const std::string& words) { return gradus_program(place, "data " + words).err; };
  const std::string out = " --output " + place.file("out") + " ";
  std::filesystem::create_directories(place.file("from"));
  judge_options(
      "data",
      {{"output",
        [&] {
          place.write("file", "mine");
          const std::string all = "--mirror file://" + place.file("nowhere") + " --output " + place.file("file");
          CHECK_THAT(message(all),
                     contains(place.file("file") + ": cannot make this folder: the path exists and is no folder"));
        }},
       {"mirror",
        [&] {
          CHECK_THAT(message("--mirror file://" + place.file("nowhere") + out), contains(place.file("nowhere")));
        }},
       {"target-lang",
        [&] {
          CHECK_THAT(message("--target-lang it" + out), contains("'it' is none of: de, fr, cs"));
          CHECK_THAT(message("--target-lang fr --ids ids" + out), contains("excludes"));
          if (!multi30k_is_here()) return;
          const std::string data = std::getenv("GRADUS_DATA");
          CHECK_THAT(message("--target-lang fr --from " + data + out), contains("train.fr.gz is missing"));
          CHECK_THAT(message("--target-lang cs --from " + data + out), contains("train.cs.gz is missing"));
        }},
       {"from", [&] { CHECK_THAT(message("--from " + place.file("from") + out), contains(place.file("from/"))); }},
       {"ids", judged_in("short_command_options_test.cpp", "multi30k_ids")},
       {"model",
        [&] { CHECK_THAT(message("--model de-en --from " + place.file("from") + out), contains("--ids")); }}},
      rows_file);
}

TEST_CASE(
    "data: the note behind it names the terms, the paper, and a command that works with this folder and language") {
  CHECK(about_multi30k("de", "multi30k") ==
        "multi30k holds Multi30k, for non-commercial research and education.\nPlease cite Elliott, Frank, Sima'an, "
        "Specia (2016), Multi30K: Multilingual English-German Image Descriptions.\nNext: gradus train --data "
        "multi30k --output my-model");
  for (const char* language : {"fr", "cs"}) {
    const std::string note = about_multi30k(language, "my data"), words = language;
    CHECK(note.find("\nPlease cite " + gradus::multi30k(language).citation + ".\n") != note.npos);
    CHECK(note.find("--data 'my data' --target-lang " + words + " --output my-model") != note.npos);
  }
}

TEST_CASE("data: the ids of a model, each side with its own vocabulary, part by part") {
  const Playground place("ids");
  place.write("train.en.gz", "b a a\na\n"), place.write("train.de.gz", "c a\nd\n");
  place.write("val.en.gz", "a b\n"), place.write("val.de.gz", "d c\n");
  place.write("test_2016_flickr.en.gz", "x\n"), place.write("test_2016_flickr.de.gz", "a\n");
  const Tokenizers words =
      learn_tokenizers({"a a b"}, {"c c d d d a"}, {TokenizerKind::word, 0, 1, {}}, false);  // a b; d c a
  CHECK(to_text(multi30k_ids(place.path, words)) ==
        "gradus ids 1\nvocabulary 6 7\n[test]\n1\t6\n[train]\n5 4 4\t5 6\n4\t4\n[val]\n4 5\t4 5\n");
  int asked = 0;
  CHECK(multi30k_ids(place.path, words, [&] { return ++asked == 4; }).parts.empty());
  CHECK(asked == 4);
}
