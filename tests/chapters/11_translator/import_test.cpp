// gradus import: what transformers computed with the same files (tests/golden/make_import.py), and the program.

#include <algorithm>
#include <cmath>
#include <map>

#include "10_training/loss/output_loss.hpp"
#include "11_translator/search/search.hpp"
#include "11_translator/translator/translator.hpp"
#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/option_names.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/text/single_spaces.hpp"
#include "support/judges.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

using Dev = ImportedModel::Dev;
constexpr double exact = 1e-9;

/// The tensors of a file for which name_of gives a name, under that name.
template <class NameOf>
SafetensorsFile renamed(const SafetensorsFile& file, const NameOf& name_of) {
  std::map<std::string, std::vector<double>> values;
  std::vector<TensorToStore> tensors;
  for (const std::string& name : file.names()) {
    const std::string other = name_of(name);
    if (other.empty()) continue;
    const std::vector<double>& value = values[other] = file.values<double>(name);
    tensors.push_back({other, file.shape(name), StoredType::F64, value.data()});
  }
  return SafetensorsFile::parse(safetensors_bytes(tensors), "renamed");
}

/// transformers' gradients in our layout: weights and gradients are renamed and turned in the same way.
std::vector<double> stored_gradients(const ImportedModel& m, const SafetensorsFile& file) {
  const SafetensorsFile turned =
      renamed(file, [](const std::string& name) { return name.rfind("d ", 0) == 0 ? name.substr(2) : ""; });
  std::vector<double> gradients = marian_weights<double>(turned, m.config, m.rows);
  gradients[m.model.layout.find("output_bias").offset + Specials{}.pad] = 0;  // no gradient, but a constant
  return gradients;
}

void check_step(const std::string& name) {
  ImportedModel m(name);
  const auto file = SafetensorsFile::load(m.folder + "/expected.safetensors");
  const StoredBatch stored(m.ours, file);
  StepState state;
  state.inverse_tokens = 1 / static_cast<double>(stored.target.size());
  m.dev.set(state);
  const Batch<Dev> batch = stored.on(m.dev);
  const auto& [p, config] = std::tie(m.model.params, m.model.config);
  TransformerCache<Dev> c;
  transformer_forward(m.dev, c, batch, p, config);

  const std::size_t N = stored.target.size(), D = config.d_model;
  CHECK(error_of_logits(m.dev, m.model, c, stored, m.ours, file) < exact);

  FlatVector<Dev> gradient(m.model.layout);
  fill(m.dev, gradient.flat(), 0);
  Binder<Dev> bind(m.model.layout, gradient.flat());
  const auto dp = transformer_params(bind, config);
  std::vector<double> loss{0};
  const Out<Dev, 2> dx = m.dev.kept.matrix(N, D);
  output_loss(m.dev, Acc<Dev, 1>{loss.data(), {1}, 1}, dx, dp.output, c.output(), p.output, batch.target, 0);
  CHECK(relative_error(loss, file.values<double>("loss")) < exact);
  transformer_backward(m.dev, dx, dp, batch, c, p, config);
  std::vector<double> gradients;
  read(m.dev, gradients, In<Dev, 1>(gradient.flat()));
  const std::vector<double> wanted = stored_gradients(m, file);
  for (const Slice& s : m.model.layout.slices()) {
    INFO(s.name);
    const auto part = [&](const std::vector<double>& all) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(s.offset);
      return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(s.size()));
    };
    CHECK(relative_error(part(gradients), part(wanted)) < exact);
  }
}

/// The translations of the stored texts by our search, in the file's ids with their end mark.
void check_search(const std::string& name, std::size_t beams, const char* key) {
  ImportedModel m(name);
  SearchOptions options;
  options.beam_size = beams, options.length_penalty = 0;
  options.decoding.length_factor = 0, options.decoding.length_extra = options.decoding.max_length = 40;
  std::vector<Sentence> sources;
  const nlohmann::json rows = m.translations();
  for (const auto& row : rows) sources.push_back(m.our_ids(row.at("ids")));
  const auto found = Searcher<Dev>(m.model.params, m.model.config, options).search(m.dev, sources);
  REQUIRE(found.size() == 200);
  for (std::size_t i = 0; i < found.size(); ++i) {
    INFO(rows[i].at("text"));
    Sentence words = found[i].front().words;
    if (found[i].front().ended) words.push_back(Specials{}.eos);
    CHECK(words == m.our_ids(rows[i].at(key)));
  }
}

}  // namespace

TEST_CASE("import: logits, loss and every gradient are those of transformers") {
  SECTION("swish, unigram, tied tables, scaled embeddings") { check_step("swish"); }
  SECTION("relu, bpe, an output table of its own") { check_step("relu"); }
}

TEST_CASE("import: an embedding without a tensor of its own is the shared one, and tied tables must be equal") {
  const ImportedModel m("relu");
  const auto file = SafetensorsFile::load(m.folder + "/model.safetensors");
  const SafetensorsFile shared =
      renamed(file, [](const std::string& name) { return name.find("embed_tokens") == name.npos ? name : ""; });
  const std::vector<double> weights = marian_weights<double>(shared, m.config, m.rows);
  const std::vector<double> table = shared.values<double>("model.shared.weight");
  const std::size_t D = m.config.model.d_model;
  for (const char* const name : {"source_embedding", "target_embedding"}) {
    const std::size_t first = m.model.layout.find(name).offset;
    for (std::size_t id = 1; id < m.rows.size(); ++id) CHECK(weights[first + id * D] == table[m.rows[id] * D]);
    CHECK(weights[first] == 0);  // our <pad>
  }
  MarianConfig tied = m.config;
  tied.model.tying = Tying::all;
  CHECK_THROWS_WITH(marian_weights<double>(file, tied, m.rows), contains("but config.json ties them"));
}

TEST_CASE("import: a search finds what generate finds, on 200 texts") {
  for (const std::string name : {"swish", "relu"}) {
    check_search(name, 1, "greedy");
    check_search(name, 4, "beam");
  }
}

TEST_CASE("import: the ids of a text are those of MarianTokenizer, and so is the text of ids, with single spaces") {
  for (const std::string name : {"swish", "relu"}) {
    const ImportedModel m(name);
    const Tokenizers words = import_marian(m.folder).tokenizers;
    std::size_t unknown = 0;
    for (const auto& row : m.translations()) {
      INFO(row.at("text"));
      std::vector<int> ids = words.source.encode(row.at("text"));
      unknown += static_cast<std::size_t>(std::count(ids.begin(), ids.end(), Specials{}.unk));
      const std::vector<std::int32_t> greedy = m.our_ids(row.at("greedy"));
      if (std::count(greedy.begin(), greedy.end(), Specials{}.unk) == 0)  // transformers leaves <unk> out
        CHECK(words.target.decode(greedy) == single_spaces(row.at("decoded").get<std::string>()));
      ids.push_back(Specials{}.eos);
      CHECK(ids == m.our_ids(row.at("ids")));
    }
    CHECK(unknown > 0);
  }
}

TEST_CASE("import: the program makes a model that the other commands read") {
  const Playground place("import");
  const std::string model = place.file("model"), one = " --model " + model + " 'A dog runs.'";
  const Result r = gradus_program(place, "import " + imported_folder("swish") + " --output " + model);
  INFO(r.err);
  REQUIRE(r.status == 0);
  const ModelFiles stored = load_model(model), direct = import_marian(imported_folder("swish"));
  CHECK(to_json(stored.config) == to_json(direct.config));
  CHECK(relative_error({stored.weights.begin(), stored.weights.end()},
                       {direct.weights.begin(), direct.weights.end()}) < 1e-3);  // stored as F16
  const std::string toy = std::string(GRADUS_CHAPTERS) + "/11_translator/toy/",
                    source = " --source " + toy + "valid.en";
  for (const std::string& command :
       {"translate" + one, "translate --json" + one, "translate --int8" + one, "explain" + one, "info " + model,
        "evaluate --model " + model + source + " --reference " + toy + "valid.de",
        "score-pairs --model " + model + source + " --target " + toy + "valid.de",
        "bench --rounds 1 --alone 2 --model " + model + " --input " + toy + "valid.en"}) {
    INFO(command);
    const Result done = gradus_program(place, command);
    INFO(done.err);
    CHECK(done.status == 0);
  }
  const Result trained = gradus_program(
      place, "train --init-from " + model + toy_corpus() + "--max-steps 2 --quiet --output " + place.file("more"));
  INFO(trained.err);
  CHECK(trained.status == 0);
  CHECK(load_model(place.file("more")).tokenizers.source.bytes() == stored.tokenizers.source.bytes());
  CHECK(gradus_program(place, "translate --model " + place.file("more") + " 'A dog runs.'").status == 0);
  expect_refusal(gradus_program(place, "export --ctranslate2 " + place.file("ct2") + " --model " + model),
                 "an imported model cannot be exported");
}

TEST_CASE("options: import") {
  const Playground place("import-options");
  const std::string folder = imported_folder("relu"), model = place.file("model");
  const auto run = [&](const std::string& words) { return gradus_program(place, "import " + words); };
  judge_options(
      "import",
      {{"folder",
        [&] {
          expect_refusal(run("--output " + model), "folder is required", 2);
          expect_refusal(run(place.file("none") + " --output " + model), "there is no such folder");
          const std::string file = place.write("file", "");
          expect_refusal(run(file + " --output " + model), "is a file; give the folder that it is in");
          std::filesystem::create_directory(place.file("empty"));
          expect_refusal(
              run(place.file("empty") + " --output " + model),
              "has neither the config.json of a MarianMT model nor the model.NAME.bin or NAME.npz of Marian");
          CHECK_FALSE(std::filesystem::exists(model));
        }},
       {"output",
        [&] {
          expect_refusal(run(folder), "--output is required", 2);
          CHECK(run(folder + " --output " + model).status == 0);
          CHECK(load_model(model).config.activation == Activation::relu);
        }},
       {"overwrite",
        [&] {
          const std::string other = imported_folder("swish") + " --output " + model;
          expect_refusal(run(other), "holds a ", 2);
          CHECK(load_model(model).config.activation == Activation::relu);
          CHECK(run(other + " --overwrite").status == 0);
          CHECK(load_model(model).config.activation == Activation::swish);
        }}},
      "tests/chapters/11_translator/import_test.cpp");
}
