#include "app/import/marian.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>

#include "11_translator/data/imported_pieces.hpp"
#include "app/import/marian_weights.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

// Limits that no such file exceeds.
constexpr std::uint64_t longest_settings = 1'000'000, longest_vocabulary = 64'000'000, longest_pieces = 64'000'000;

void check_weights_file(const std::string& path) {
  if (is_there(path)) return;
  fail(path +
       " is missing; a pytorch_model.bin is not read, because it may hold code: let transformers save the model "
       "with safetensors");
}

/// The pieces of the file in our order.
std::vector<std::string> our_pieces(const std::vector<std::string>& pieces, const std::vector<std::size_t>& rows) {
  std::vector<std::string> ours(std::begin(imported_specials), std::end(imported_specials));
  for (std::size_t id = Specials::count; id < rows.size(); ++id) ours.push_back(pieces[rows[id]]);
  return ours;
}

}  // namespace

ModelFiles import_marian(const std::string& folder) {
  const auto path = [&](const char* name) { return folder + "/" + name; };
  const auto text = [&](const char* name, std::uint64_t longest) { return read_regular_file(path(name), longest); };
  const MarianConfig config = parse_marian_config(text("config.json", longest_settings), path("config.json"));
  const std::vector<std::string> pieces =
      parse_marian_vocabulary(text("vocab.json", longest_vocabulary), path("vocab.json"), config);
  const std::vector<std::size_t> rows = marian_rows(pieces, config);
  const std::string source = text("source.spm", longest_pieces), target = text("target.spm", longest_pieces);
  check_weights_file(path("model.safetensors"));
  const SafetensorsFile file = SafetensorsFile::load(path("model.safetensors"));

  TextRules rules;
  rules.normalisation = Normalisation::never;  // the vocabulary has rules of its own
  const std::string vocabulary = imported_bytes({our_pieces(pieces, rows), source, target});
  Tokenizers tokenizers = joint_tokenizers(TokenizerKind::imported, rules, vocabulary, folder);
  const nlohmann::ordered_json metadata{{"imported", {{"format", "MarianMT"}, {"weights", sha256(file.bytes())}}}};
  return {config.model, marian_weights<float>(file, config, rows), std::move(tokenizers), metadata.dump()};
}

}  // namespace gradus
