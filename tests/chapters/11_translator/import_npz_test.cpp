// gradus import: models in Marian's .npz files. What numpy computed with the same files (tests/golden/make_student.py), and damage.

#include <algorithm>
#include <filesystem>

#include "app/import/marian_binary.hpp"
#include "app/import/marian_npz.hpp"
#include "app/import/npy.hpp"
#include "app/import/student.hpp"
#include "app/import/student_config.hpp"
#include "chapters/11_translator/archives.hpp"
#include "chapters/11_translator/imported_models.hpp"
#include "chapters/11_translator/program.hpp"
#include "gradus/net/archive.hpp"

using namespace gradus;
using namespace gradus::test;

namespace {

MarianFile student_npz(const std::string& name) { return load_marian_npz(student_folder(name) + "/model.npz"); }

ModelConfig config_of(const MarianFile& file) {
  return parse_student_config(file.text(marian_configuration), "yml");
}

/// A folder with an archive and its vocabulary.
struct NpzFolder {
  Playground place;
  std::string hub = place.file("hub"), archive = hub + "/model.npz";
  ArchivedFiles files;

  explicit NpzFolder(const std::string& name) : place("import-npz-" + name) {
    std::filesystem::copy(student_folder(name), hub);
    each_file_in_archive(archive, 1'000'000, [&](const std::string& file, const std::string& bytes) {
      files.emplace_back(file, bytes);
    });
  }

  std::string& bytes(const std::string& name) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const auto& f) { return f.first == name + ".npy"; });
    REQUIRE(found != files.end());
    return found->second;
  }

  void without(const std::string& name) {
    const std::size_t before = files.size();
    files.erase(std::remove_if(files.begin(), files.end(), [&](const auto& f) { return f.first == name + ".npy"; }),
                files.end());
    REQUIRE(files.size() + 1 == before);
  }

  void refuses(const ArchivedFiles& other, const std::string& message) const {
    write_archive(archive, other);
    CHECK_THROWS_WITH(import_student(hub), contains(archive + ": " + message));
  }

  /// A file with another text in it is refused.
  void refuses(const std::string& name, const std::string& before, const std::string& after,
               const std::string& message) {
    const ArchivedFiles whole = files;
    bytes(name) = replaced(bytes(name), before, after);
    refuses(files, message);
    files = whole;
  }
};

/// The header of an array, as numpy's format has it.
std::string npy(const std::string& dictionary, char version = 1) {
  std::string bytes = std::string("\x93NUMPY") + version + '\0';
  for (int k = 0; k < (version == 1 ? 2 : 4); ++k)
    bytes += k < 2 ? static_cast<char>(dictionary.size() >> (8 * k)) : '\0';
  return bytes + dictionary;
}

}  // namespace

TEST_CASE("import npz: the same weights give the same model as Marian's binary") {
  const std::string path = student_folder("self") + "/model.self.bin";
  const MarianFile binary = parse_marian_binary(read_file(path), path), npz = student_npz("npz");
  CHECK(npz.names() == binary.names());
  CHECK(npz.text(marian_configuration) == binary.text(marian_configuration));
  CHECK(student_weights<double>(npz, config_of(npz)) == student_weights<double>(binary, config_of(binary)));
  CHECK(error_of_student(npz, config_of(npz), "self") < 1e-9);
}

TEST_CASE("import npz: both files become the same model, with the same losses and translations") {
  const Playground place("import-npz-same");
  place.write("source", "A dog runs.\n");
  place.write("target", "Ein Hund.\n");
  std::vector<std::string> translations, losses;
  std::vector<std::vector<float>> weights;
  for (const std::string name : {"self", "npz"}) {
    const std::string model = place.file(name);
    const Result r = gradus_program(place, "import " + student_folder(name) + " --output " + model);
    INFO(r.err);
    REQUIRE(r.status == 0);
    weights.push_back(load_model(model).weights);
    translations.push_back(gradus_program(place, "translate --model " + model, "A dog runs.\nTwo men.").out);
    losses.push_back(gradus_program(place, "score-pairs --model " + model + " --source " + place.file("source") +
                                               " --target " + place.file("target"))
                         .out);
  }
  CHECK(weights[0] == weights[1]);
  CHECK(translations[0] == translations[1]);
  CHECK(losses[0] == losses[1]);
  CHECK_FALSE(translations[0].empty());
  CHECK_FALSE(losses[0].empty());
}

TEST_CASE("import npz: the logits are those of Marian's formulas") {
  SECTION("pre-norm, swish, one table under the names of early options, vectors of one axis in F64") {
    const MarianFile file = student_npz("pre");
    const ModelConfig config = config_of(file);
    CHECK((config.norm == Norm::pre && config.activation == Activation::swish && config.tying == Tying::all));
    CHECK(file.type("encoder_l1_self_bq") == MarianFile::Type::wide);
    CHECK(error_of_student(file, config, "pre") < 1e-9);
  }
  SECTION("pre-norm, an SSRU, three tables, F16") {
    const MarianFile file = student_npz("tables");
    const ModelConfig config = config_of(file);
    CHECK((config.decoder_unit == DecoderUnit::ssru && config.tying == Tying::none));
    CHECK(file.type("decoder_Wemb") == MarianFile::Type::half);
    CHECK(error_of_student(file, config, "tables") < 1e-9);
  }
}

TEST_CASE("import npz: which tables are tied") {
  const std::string text(student_npz("tables").text(marian_configuration));
  const auto tying = [&](const char* output, const char* source, const char* all) {
    const std::string fields = std::string("tied-embeddings: ") + output + "\ntied-embeddings-src: " + source +
                               "\ntied-embeddings-all: " + all + "\n";
    return parse_student_config(replaced(text, "tied-embeddings: false\ntied-embeddings-all: false\n", fields),
                                "yml")
        .tying;
  };
  CHECK(tying("false", "false", "true") == Tying::all);
  CHECK(tying("true", "true", "false") == Tying::all);
  CHECK(tying("true", "false", "false") == Tying::output);
  CHECK(tying("false", "true", "false") == Tying::none);
  CHECK(tying("false", "false", "false") == Tying::none);
}

TEST_CASE("import npz: each form of the tables gives the same weights") {
  NpzFolder folder("tables");
  const ModelConfig config = config_of(student_npz("tables"));
  const std::vector<double> three = student_weights<double>(student_npz("tables"), config);
  const auto weights = [&](const ModelConfig& c) {
    write_archive(folder.archive, folder.files);
    return student_weights<double>(load_marian_npz(folder.archive), c);
  };
  const Layout layout = transformer_layout<Cpu<double>>(config);
  const auto part = [&](const std::string& name) {
    const auto first = three.begin() + static_cast<std::ptrdiff_t>(layout.find(name).offset);
    return std::vector<double>(first, first + static_cast<std::ptrdiff_t>(config.target_vocab * config.d_model));
  };
  SECTION("the output by columns, as early versions of Marian have it") {
    std::string& table = folder.bytes("decoder_ff_logit_out_Wt");
    const std::size_t words = config.target_vocab - 2, D = config.d_model, first = table.size() - words * D * 2;
    std::string columns = replaced(table, "(150, 16)", "(16, 150)");
    for (std::size_t k = 0; k < words * D * 2; ++k)
      columns[first + (k / 2 % D * words + k / 2 / D) * 2 + k % 2] = table[first + k];
    table = columns;
    for (auto& [name, bytes] : folder.files) {
      if (name == "decoder_ff_logit_out_Wt.npy") name = "decoder_ff_logit_out_W.npy";
    }
    CHECK(weights(config) == three);
  }
  SECTION("the target's is the output's") {
    ModelConfig tied = config;
    tied.tying = Tying::output;
    CHECK_THROWS_WITH(weights(tied), contains("decoder_ff_logit_out_Wt is no tensor of a model"));
    folder.without("decoder_ff_logit_out_Wt");
    std::vector<double> expected = three;
    const auto output = expected.begin() + static_cast<std::ptrdiff_t>(layout.find("output").offset);
    expected.erase(output, output + static_cast<std::ptrdiff_t>(part("output").size()));
    CHECK(weights(tied) == expected);
  }
  SECTION("the source's is the target's") {
    folder.without("decoder_Wemb");
    for (auto& [name, bytes] : folder.files) {
      if (name == "encoder_Wemb.npy") name = "Wemb.npy";
    }
    std::vector<double> expected = three;
    const std::vector<double> source = part("source_embedding");
    std::copy(source.begin(), source.end(),
              expected.begin() + static_cast<std::ptrdiff_t>(layout.find("target_embedding").offset));
    CHECK(weights(config) == expected);
  }
}

TEST_CASE("import npz: a header that numpy does not write for weights is refused in one line") {
  const auto refused = [](const std::string& bytes, const std::string& message) {
    CHECK_THROWS_WITH(parse_npy_header(bytes, "W"), contains("W " + message));
  };
  const std::string good = "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }  \n";
  for (const char version : {'\1', '\2', '\3'}) {
    const NpyHeader header = parse_npy_header(npy(good, version) + "data", "W");
    CHECK(header.type == "<f4");
    CHECK(header.shape == std::vector<std::size_t>{3, 4});
    CHECK(header.length == npy(good, version).size());
  }
  CHECK(parse_npy_header(npy("{'shape': (), 'descr': '<f8','fortran_order':False}"), "W").shape.empty());
  refused("", "is no array of numpy");
  refused("NUMPY" + npy(good), "is no array of numpy");
  refused(npy(good).substr(0, 9), "is no array of numpy");
  refused(npy(good, '\4'), "has version 4 of numpy's format");
  refused(npy(good, '\0'), "has version 0");
  refused(npy(good).substr(0, 40), "is cut");
  refused(npy(good, '\2').substr(0, 11), "is cut");
  refused(npy(replaced(good, "False", "True")), "is stored by columns (fortran_order)");
  refused(npy(replaced(good, "3, 4", "3, 0")), "has the size 0");
  const auto other = [&](const std::string& before, const std::string& after) {
    refused(npy(replaced(good, before, after)), "has another header than numpy writes");
  };
  other("3, 4", "3, -4"), other("3, 4", "3, 18446744073709551616"), other("3, 4", "3 4"), other("3, 4", "x");
  other("(3, 4)", "3"), other("'<f4'", "[('a', '<f4')]"), other("'<f4'", "''"), other("'<f4'", "'<f4");
  other("False", "0"), other("'shape'", "'shapes'"), other("'shape'", "'descr'"), other("{", ""), other("}", "");
  other("}", "} x"), other("'shape': (3, 4), ", ""), other("'fortran_order': False, ", "");
}

TEST_CASE("import npz: arrays that are no weights, or not those of the model, are refused in one line") {
  NpzFolder folder("npz");
  folder.refuses("Wemb", "'<f4'", "'>f4'", "Wemb has values of the type \">f4\"; only floats");
  folder.refuses("Wemb", "'<f4'", "'|O' ", "Wemb has values of the type \"|O\"");
  folder.refuses("Wemb", "'<f4'", "'|i1'", "Wemb is text, and no weights");
  folder.refuses("Wemb", "(150, 16)", "(151, 16)", "Wemb has less data than its shape says");
  folder.refuses("Wemb", "(150, 16)", "(16, 150)", "Wemb has the shape 16 150, not the shape 150 16");
  folder.refuses("Wemb", "(150, 16), }         ", "(150, 4294967296, 99),}",
                 "Wemb has less data than its shape says");
  folder.refuses("Wemb", "False", "True ", "Wemb is stored by columns");
  folder.refuses("Wemb", "NUMPY", "NUMPX", "Wemb is no array of numpy");
  folder.refuses(marian_configuration, "dec-depth: 2", "dec-depth: 1", "decoder_l2_");
  folder.refuses(marian_configuration, "'|i1'", "'<f2'", "special:model.yml has less data than its shape says");

  const ArchivedFiles whole = folder.files;
  for (const std::string name : {"encoder_l1_ffn_b2", "Wemb", "decoder_l2_self_Wo_ln_bias", "special:model.yml"}) {
    folder.without(name);
    folder.refuses(folder.files, name + " is missing");
    folder.files = whole;
  }
  folder.files.emplace_back("more.npy", folder.bytes("Wemb"));
  folder.refuses(folder.files, "more is no tensor of a model of this configuration");
  folder.files.back().first = "Wemb.npy";
  folder.refuses(folder.files, "Wemb comes twice");
}

TEST_CASE("import npz: an archive that is damaged is refused in one line") {
  NpzFolder folder("npz");
  const std::string whole = read_file(folder.archive);
  const auto refused = [&](const std::string& bytes, const std::string& message) {
    folder.place.write("hub/model.npz", bytes);
    CHECK_THROWS_WITH(import_student(folder.hub), contains(folder.archive + message));
  };
  refused("", " is no zip archive, or it is damaged");
  refused("no archive", " is no zip archive, or it is damaged");
  refused(whole.substr(0, whole.size() / 2), " is no zip archive, or it is damaged");
  refused(whole.substr(whole.size() / 2), "");  // what stays has no files at its places
  std::string other = whole;
  for (std::size_t k = 0; k < 100; ++k) other[200 + k] = static_cast<char>(~other[200 + k]);
  refused(other, ": Wemb.npy is damaged");
  const std::size_t record = whole.find("PK\1\2");
  other = whole.substr(0, record + 24) + "\xff\xff\xff\x70" + whole.substr(record + 28);  // its size
  refused(other, ": Wemb.npy is damaged");
  other[record + 27] = '\x7f';
  refused(other, ": Wemb.npy has more than 2000000000 bytes");

  const NpzFolder stored("pre");  // not deflated, so only the checksum shows it
  other = read_file(stored.archive);
  other[300] = static_cast<char>(~other[300]);
  stored.place.write("hub/model.npz", other);
  CHECK_THROWS_WITH(import_student(stored.hub), contains(stored.archive + ": Wemb.npy is damaged"));

  write_archive(folder.archive, {{"README", "text"}});
  CHECK_THROWS_WITH(import_student(folder.hub),
                    contains(folder.archive + " has a file \"README\", which is no array NAME.npy"));
  write_archive(folder.archive, {{"one.npy", std::string(600, 'x')}, {"two.npy", std::string(600, 'x')}});
  const auto nothing = [](const std::string&, const std::string&) {};
  each_file_in_archive(folder.archive, 1200, nothing);
  CHECK_THROWS_WITH(each_file_in_archive(folder.archive, 1199, nothing),
                    contains("two.npy has more than 599 bytes"));
}

TEST_CASE("import npz: a folder has one file of weights, in either form") {
  const NpzFolder folder("npz");
  std::filesystem::copy_file(student_folder("self") + "/model.self.bin", folder.hub + "/model.self.bin");
  CHECK_THROWS_WITH(import_student(folder.hub), contains("has model.self.bin and model.npz"));
}
