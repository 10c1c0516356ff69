#include "app/import/student.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "11_translator/data/imported_pieces.hpp"
#include "app/import/marian_binary.hpp"
#include "app/import/marian_npz.hpp"
#include "app/import/student_config.hpp"
#include "app/import/student_weights.hpp"
#include "app/import/vocabulary_yaml.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/ends_with.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

// Limits that no such file exceeds.
constexpr std::uint64_t longest_student = 2'000'000'000, longest_vocabulary_of_student = 64'000'000;

/// The files of a folder with such names, sorted.
std::vector<std::string> files_named(const std::string& folder, const std::string& begin, const std::string& end) {
  std::error_code error;
  std::vector<std::string> found;
  for (std::filesystem::directory_iterator at(folder, error), none; !error && at != none; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name.size() >= begin.size() + end.size() && name.rfind(begin, 0) == 0 && ends_with(name, end))
      found.push_back(name);
  }
  if (error) fail(folder + " cannot be read: " + error.message());
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<std::string> weights_in(const std::string& folder) {
  std::vector<std::string> found = files_named(folder, "model.", ".bin");
  for (const std::string& name : files_named(folder, "", ".npz")) found.push_back(name);
  return found;
}

std::string only_file(const std::string& folder, const std::vector<std::string>& found, const std::string& kind) {
  if (found.empty()) fail(folder + " has no " + kind);
  if (found.size() > 1) fail(folder + " has " + found[0] + " and " + found[1] + "; a model has one of them");
  return folder + "/" + found.front();
}

MarianFile load_marian(const std::string& path) {
  if (ends_with(path, ".npz")) return load_marian_npz(path);
  return parse_marian_binary(read_regular_file(path, longest_student), path);
}

/// What cuts and numbers the text of a model.
struct StudentPieces {
  std::string path;               ///< of the file that decides the ids
  std::vector<std::string> list;  ///< by the file's ids: </s>, <unk> and so on
  std::string source, target;     ///< SentencePiece's models; without the second, the first cuts both sides
};

std::string read_pieces(const std::string& path) { return read_regular_file(path, longest_vocabulary_of_student); }

/// One model for both sides, whose ids are the list.
StudentPieces one_vocabulary(const std::string& path) {
  StudentPieces p{path, {}, read_pieces(path), {}};
  const PieceModel model = read_piece_model(p.source, path);
  for (const auto& piece : model.pieces) p.list.push_back(piece.text);
  if (p.list.empty() || p.list.front() != "</s>" || model.unk_id != 1)
    fail(path + ": the first two pieces are not </s> and the unknown one");
  return p;
}

/// A model for each side and one list, as opus-mt has them.
StudentPieces one_list(const std::string& folder) {
  const std::string path = only_file(folder, files_named(folder, "", "vocab.yml"), "NAME.vocab.yml");
  return {path, parse_vocabulary_yaml(read_pieces(path), path), read_pieces(folder + "/source.spm"),
          read_pieces(folder + "/target.spm")};
}

StudentPieces pieces_in(const std::string& folder) {
  if (!files_named(folder, "srcvocab.", ".spm").empty())
    fail(folder + " has a vocabulary for each side; only models with one for both can be imported");
  if (is_there(folder + "/source.spm")) return one_list(folder);
  return one_vocabulary(only_file(folder, files_named(folder, "vocab", ".spm"), "vocab.NAME.spm or vocab.spm"));
}

Tokenizers tokenizers_of(const StudentPieces& p, const ModelConfig& config) {
  const std::size_t words = config.target_vocab - 2;  // without <pad> and <bos>
  if (p.list.size() != words)
    fail(p.path + ": " + std::to_string(p.list.size()) + " pieces, but the weights are for " +
         std::to_string(words));
  const std::vector<std::size_t> rows = student_rows(words);
  std::vector<std::string> ours(std::begin(imported_specials), std::end(imported_specials));
  for (std::size_t id = Specials::count; id < rows.size(); ++id) ours.push_back(p.list[rows[id]]);
  TextRules rules;
  rules.normalisation = Normalisation::never;  // the vocabulary has rules of its own
  return joint_tokenizers(TokenizerKind::imported, rules, imported_bytes({ours, p.source, p.target}), p.path);
}

}  // namespace

bool holds_student(const std::string& folder) { return !weights_in(folder).empty(); }

ModelFiles import_student(const std::string& folder) {
  const std::string weights = only_file(folder, weights_in(folder), "model.NAME.bin or NAME.npz");
  const StudentPieces pieces = pieces_in(folder);
  const MarianFile file = load_marian(weights);
  const ModelConfig config =
      parse_student_config(file.text(marian_configuration), weights + ": " + marian_configuration);
  Tokenizers tokenizers = tokenizers_of(pieces, config);
  const nlohmann::ordered_json metadata{{"imported", {{"format", "Marian"}, {"weights", sha256_of_file(weights)}}}};
  return {config, student_weights<float>(file, config), std::move(tokenizers), metadata.dump()};
}

}  // namespace gradus
