// gradus import: students in Marian's own binary. What numpy computed with the same files (tests/golden/make_student.py), and the program.

#include <algorithm>
#include <filesystem>

#include "app/import/marian_binary.hpp"
#include "app/import/student.hpp"
#include "app/import/student_config.hpp"
#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/program.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

constexpr const char* configuration = marian_configuration;

std::string student_bytes(const std::string& name) {
  return read_regular_file(student_folder(name) + "/model." + name + ".bin", 1'000'000);
}

MarianFile student_binary(const std::string& name) { return parse_marian_binary(student_bytes(name), name); }

/// The place of the shapes, which follow the names, and that of the first data, which are those of Wemb.
std::size_t first_shape(const std::string& name) {
  return student_bytes(name).find(configuration) + std::string(configuration).size() + 1;
}
std::size_t first_data(const std::string& name) {
  const std::size_t axes = 2 * student_binary(name).names().size() - 1;  // the text has one
  return (first_shape(name) + 4 * axes + 8 + 255) / 256 * 256;
}

void check_logits(const std::string& name, DecoderUnit unit) {
  const MarianFile binary = student_binary(name);
  const ModelConfig config = parse_student_config(binary.text(configuration), name);
  CHECK(config.decoder_unit == unit);
  CHECK(error_of_student(binary, config, name) < 1e-9);
}

}  // namespace

TEST_CASE("import: the logits of a student are those of Marian's formulas") {
  SECTION("int8 matrices, an SSRU in the decoder") { check_logits("ssru", DecoderUnit::ssru); }
  SECTION("float matrices, self-attention in the decoder") { check_logits("self", DecoderUnit::attention); }
}

TEST_CASE("import: a student's words that its file does not have are impossible, and the decoder begins with 0") {
  const ModelFiles model = import_student(student_folder("ssru"));
  const Layout layout = transformer_layout<Cpu<float>>(model.config);
  const std::size_t table = layout.find("source_embedding").offset, bias = layout.find("output_bias").offset,
                    D = model.config.d_model;
  for (const int id : {Specials{}.pad, Specials{}.bos}) {
    const auto row = model.weights.begin() + static_cast<std::ptrdiff_t>(table + static_cast<std::size_t>(id) * D);
    CHECK(std::count(row, row + static_cast<std::ptrdiff_t>(D), 0.0F) == static_cast<std::ptrdiff_t>(D));
    CHECK(model.weights[bias + static_cast<std::size_t>(id)] == -1000);
  }
}

TEST_CASE(
    "import: the text of a student is cut by its one vocabulary, in which no language code is a piece of its own") {
  const ModelFiles model = import_student(student_folder("ssru"));
  const Tokenizer &source = model.tokenizers.source, &target = model.tokenizers.target;
  const std::string text = "A dog runs.", code = ">>deu<< " + text;
  CHECK(source.encode(text) == target.encode(text));
  CHECK(target.decode(source.encode(text)) == text);
  std::vector<int> end = source.encode(text);
  const std::vector<int> all = source.encode(code);
  CHECK(all.size() > end.size() + 1);  // the code has no piece, so it is cut into characters
}

TEST_CASE("import: the program makes a model of a student that the other commands read") {
  const Playground place("import-student");
  const std::string model = place.file("model");
  for (const std::string name : {"ssru", "self"}) {
    const Result r = gradus_program(place, "import " + student_folder(name) + " --overwrite --output " + model);
    INFO(r.err);
    REQUIRE(r.status == 0);
    CHECK(load_model(model).config.norm_epsilon == 1e-6);
    for (const std::string& command : {"translate --model " + model + " 'A dog runs.'", "info " + model,
                                       "explain --model " + model + " 'A dog runs.'"}) {
      INFO(command);
      CHECK(gradus_program(place, command).status == 0);
    }
  }
  const Result trained = gradus_program(
      place, "train --init-from " + model + toy_corpus() + "--max-steps 2 --quiet --output " + place.file("more"));
  INFO(trained.err);
  REQUIRE(trained.status == 0);
  CHECK(load_model(place.file("more")).config.norm_epsilon == 1e-6);
}

TEST_CASE("import: signs that a student reads as <unk> get a warning only if it hesitates, letters always") {
  const Playground place("import-signs");
  const std::string file = place.file("model/model.json");
  REQUIRE(gradus_program(place, "import " + student_folder("ssru") + " --output " + place.file("model")).status ==
          0);
  const auto warning = [&](double hesitant_below, const std::string& text) {
    auto json = nlohmann::ordered_json::parse(read_file(file));
    json["hesitant_below"] = hesitant_below;
    place.write("model/model.json", json.dump());
    return lines_with(gradus_program(place, "translate --model " + place.file("model"), text).err, "never read");
  };
  const std::string signs = "A dog \u2019 \u201c\u201d \u20ac \u00a3.";
  CHECK_THAT(warning(0, signs), contains("\"\u2019\""));
  CHECK(warning(-1e6, signs).empty());
  for (const std::string other : {"A \u72d7.", "A \u2019\u72d7.", "A \U0001F600."})
    CHECK_FALSE(warning(-1e6, other).empty());
}

TEST_CASE("import: a field of a student that gradus has not is refused in one line that names it") {
  const std::string text(student_binary("ssru").text(configuration));
  const auto refused = [&](const std::string& before, const std::string& after, const std::string& message) {
    CHECK_THROWS_WITH(parse_student_config(replaced(text, before, after), "yml"), contains("yml: " + message));
  };
  refused("type: transformer", "type: s2s", "type is \"s2s\", but must be \"transformer\"");
  refused("preprocess: \"\"", "preprocess: d", "transformer-preprocess is \"d\", but must be \"\" or \"n\"");
  refused("preprocess: \"\"", "preprocess: n", "transformer-postprocess is \"dan\", but must be \"da\"");
  refused("postprocess: dan", "postprocess: da", "transformer-postprocess is \"da\"");
  refused("postprocess-top: \"\"", "postprocess-top: n", "transformer-postprocess-top is \"n\"");
  refused("activation: relu", "activation: gelu", "transformer-ffn-activation is \"gelu\"");
  refused("ffn-depth: 2", "ffn-depth: 3", "transformer-ffn-depth is \"3\"");
  refused("autoreg: rnn", "autoreg: average-attention",
          "transformer-decoder-autoreg is \"average-attention\", but must be \"rnn\" or \"self-attention\"");
  refused("dec-cell: ssru", "dec-cell: gru", "dec-cell is \"gru\", but must be \"ssru\"");
  refused("tied-embeddings-all: true", "tied-embeddings-all: yes", "tied-embeddings-all is \"yes\"");
  refused("tied-layers: []", "tied-layers:\n  - 1", "transformer-tied-layers is [1], but must be []");
  refused("position-embeddings: false", "position-embeddings: true", "transformer-train-position-embeddings");
  refused("  - 150\n", "  - 151\n", "dim-vocabs is [151, 150]");
  refused("heads: 2", "heads: 3", "d_model is 16, which 3 heads cannot share");
  refused("heads: 2", "heads: -2", "transformer-heads is \"-2\", which is no size");
  refused("enc-depth: 2\n", "", "enc-depth is missing");
  refused("dim-rnn", "dim-new", "dim-new is not known");
  refused("dim-emb: 16", "dim-emb: [16]", "line 6 has another form");
  refused("dim-emb: 16", "dim-emb: 16\ndim-emb: 16", "line 7 has a key that comes twice");
  refused("dim-emb: 16", " dim-emb: 16", "line 6 has another form");
  refused("  - 150", "  - a: b", "dim-vocabs is [a: b, 150], but must be a list of two equal sizes");
}

TEST_CASE("import: a student's file that is damaged is refused in one line") {
  const std::string bytes = student_bytes("ssru");
  const auto refused = [&](const std::string& other, const std::string& message) {
    CHECK_THROWS_WITH(parse_marian_binary(other, "file"), contains(message));
  };
  const auto with_number = [&](std::size_t at, std::uint64_t value) {
    std::string other = bytes;
    for (std::size_t k = 0; k < 8; ++k) other[at + k] = static_cast<char>(value >> (8 * k));
    return other;
  };
  refused("", "file is cut");
  refused(bytes.substr(0, bytes.size() - 1), "is cut");
  refused(bytes + " ", "is longer than its tensors");
  refused(with_number(0, 2), "is no file of Marian's weights of version 1");
  refused(with_number(8, std::uint64_t{1} << 60), "but is too short for them");
  refused(with_number(16, ~std::uint64_t{0}), "is cut");  // the length of a name
  refused(with_number(16, 1), "the name of a tensor is empty");
  refused(with_number(24, 0x104), "Wemb has values of the type 260");
  refused(with_number(32, 9), "Wemb has 9 axes");
  refused(with_number(40, 100), "Wemb has less data than its shape says");
  refused(with_number(40, ~std::uint64_t{0} - 7), "is cut");
  refused(replaced(bytes, "decoder_l1_rnn_Wf", std::string("decoder_l1_rnn\0Wf", 17)), "does not end with its NUL");
  refused(replaced(bytes, "decoder_l1_context_Wk", "decoder_l1_context_Wq"), "decoder_l1_context_Wq comes twice");
  for (const std::uint64_t size : {std::uint64_t{0}, std::uint64_t{0xffffffff}})
    refused(with_number(first_shape("ssru"), size), "Wemb has the size ");
  refused(with_number(first_shape("ssru"), 0x7fffffff7fffffff), "Wemb has less data");
}

TEST_CASE("import: weights of a student that do not belong to its configuration are refused") {
  const MarianFile binary = student_binary("ssru");
  const std::string text(binary.text(configuration));
  const auto refused = [&](const MarianFile& file, const std::string& other, const std::string& message) {
    CHECK_THROWS_WITH(student_weights<float>(file, parse_student_config(other, "yml")), contains(message));
  };
  refused(binary, replaced(text, "dim-ffn: 24", "dim-ffn: 25"),
          "encoder_l1_ffn_W1 has the shape 16 24, not the shape 16 25");
  refused(binary, replaced(text, "dec-depth: 2", "dec-depth: 3"), "decoder_l3_rnn_W is missing");
  refused(binary, replaced(text, "dec-depth: 2", "dec-depth: 1"), "is no tensor of a model of this configuration");
  refused(binary, replaced(text, "autoreg: rnn", "autoreg: self-attention"), "decoder_l1_self_Wq is missing");
  refused(binary, replaced(text, "dim-ffn: 24", "dim-ffn: 60000"), "but its configuration describes");
  CHECK_THROWS_WITH(binary.values<float>(configuration), contains("is text, and no weights"));
  CHECK_THROWS_WITH(binary.text("Wemb"), contains("is no text"));
  std::string other = student_bytes("ssru");
  other.replace(first_data("ssru") + binary.count("Wemb"), 4, std::string(4, '\0'));  // the float behind the values
  CHECK_THROWS_WITH(parse_marian_binary(other, "file").values<float>("Wemb"),
                    contains("a divisor that is not positive"));
  std::string floats = student_bytes("self");
  floats.replace(first_data("self"), 4, std::string("\0\0\x80\x7f", 4));
  CHECK_THROWS_WITH(parse_marian_binary(floats, "file").values<float>("Wemb"),
                    contains("a weight that is not finite"));
}

TEST_CASE("import: a student's folder has one file of each kind") {
  const Playground place("import-student-folder");
  const std::string hub = place.file("hub");
  std::filesystem::copy(student_folder("ssru"), hub);
  const auto copy = [&](const char* from, const char* to) {
    std::filesystem::copy_file(hub + "/" + from, hub + "/" + to);
  };
  copy("model.ssru.bin", "model.z.bin");
  CHECK_THROWS_WITH(import_student(hub), contains("has model.ssru.bin and model.z.bin"));
  std::filesystem::remove(hub + "/model.z.bin");
  copy("vocab.ssru.spm", "srcvocab.ssru.spm");
  CHECK_THROWS_WITH(import_student(hub), contains("has a vocabulary for each side"));
  std::filesystem::remove(hub + "/srcvocab.ssru.spm");
  std::filesystem::rename(hub + "/vocab.ssru.spm", hub + "/pieces.spm");
  CHECK_THROWS_WITH(import_student(hub), contains("has no vocab.NAME.spm"));
  std::filesystem::copy_file(imported_folder("swish") + "/source.spm", hub + "/vocab.ssru.spm");
  CHECK_THROWS_AS(import_student(hub), Error);
}
