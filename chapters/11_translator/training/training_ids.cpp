#include "11_translator/training/training_ids.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "11_translator/training/training_text.hpp"
#include "gradus/io/atomic_file.hpp"
#include "gradus/io/folder.hpp"
#include "gradus/io/own_file.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t large_texts = 16'000'000;  // bytes of both files; below, a start takes seconds anyway

bool are_files(const TrainingRequest& r) {
  std::error_code none;  // reading reports a missing file
  const auto files = training_files(r);
  return std::all_of(files.begin(), files.end(), [&](const auto& path) { return fs::is_regular_file(path, none); });
}

std::uintmax_t size_of_texts(const TrainingRequest& r) {
  std::error_code none;
  std::uintmax_t bytes = 0;
  for (const std::string& path : training_files(r)) bytes += fs::file_size(path, none);
  return bytes;
}

/// The training makes its output folder before it writes there; another folder must exist.
void check_place_of_ids(const TrainingRequest& r) {
  const auto folder = [](const fs::path& path) { return (fs::absolute(path) / "").lexically_normal(); };
  if (folder(fs::absolute(r.ids).parent_path()) != folder(r.output)) check_place(r.ids);
  check_links(r.ids, {r.output, r.init_from});
}

std::string path_of_ids(const TrainingRequest& r) {
  if (r.ids.empty()) return are_files(r) && size_of_texts(r) >= large_texts ? r.output + "/training.ids" : "";
  check_place_of_ids(r);
  std::error_code none;
  const auto files = training_files(r);
  const auto exists = [&](const std::string& path) { return fs::exists(path, none); };
  if (!std::all_of(files.begin(), files.end(), exists)) return r.ids;
  if (!are_files(r)) throw UsageError("--ids needs training texts in files; a pipe cannot be read a second time");
  return r.ids;
}

/// A file of another kind belongs to the user, and is not replaced.
void check_replaceable(const std::string& path) {
  std::error_code none;
  if (!fs::exists(path, none)) return;
  const MappedFile file(path);
  if (!file.bytes().empty() && !is_stored_ids(file.bytes()))
    throw UsageError(path + " is no file of ids, and is left as it is; give another --ids");
}

/// The libraries that decide the ids: Unicode's tables, and the one that learns subwords. Another version may give other ids.
std::string libraries(TokenizerKind kind, bool is_learnt) {
  return unicode_version() + (kind == TokenizerKind::sentencepiece && is_learnt ? subword_library() : "");
}

/// What decides the ids, besides the texts.
std::string choices(const TrainingRequest& r, const ModelFiles* initial) {
  const TokenizerOptions& t = r.tokenizer;
  std::string text = std::string(name_of(t.kind)) + (t.rules.lower_case ? " lower" : "") +
                     (t.rules.punctuation ? " punctuation" : "") + (r.joint_vocabulary ? " joint" : "") +
                     (t.rules.normalisation == Normalisation::always ? " normal" : "");
  if (t.kind == TokenizerKind::word && t.rules.words != WordRules::bytes)
    text += std::string(" ") + name_of(t.rules.words);
  if (initial != nullptr) {
    text += " " + sha256(initial->tokenizers.source.bytes()) + " " + sha256(initial->tokenizers.target.bytes());
  } else {
    text += " " + std::to_string(t.vocab_size) + " " + std::to_string(t.min_frequency);
    for (const std::string& symbol : t.symbols) text += " " + symbol;
  }
  const SentenceMarks& m = r.plan.marks;
  if (r.valid_split != 0)
    text += " without " + std::to_string(r.valid_split) + " whole pairs by " + std::to_string(r.plan.seed);
  if (!r.mix_source.empty()) text += " mixed " + std::to_string(r.mix_share) + " by " + std::to_string(r.plan.seed);
  return text + " " + std::to_string(longest_tokens(r)) + " " + std::to_string(m.bos) + " " +
         std::to_string(m.source_eos) + " " + std::to_string(m.target_eos) + " " +
         libraries(t.kind, initial == nullptr);
}

Tokenizers stored_tokenizers(const StoredIds& ids, const std::string& made_from, const TrainingRequest& r) {
  if (ids.made_from != made_from) fail("made from another text, with other choices or by other libraries");
  const TokenizerOptions& t = r.tokenizer;
  const auto read = [&](std::string_view bytes) {
    return Tokenizer::from_bytes(t.kind, t.rules, std::string(bytes), "its vocabulary");
  };
  Tokenizers both = r.joint_vocabulary
                        ? joint_tokenizers(t.kind, t.rules, std::string(ids.source_vocabulary), "its vocabulary")
                        : Tokenizers{read(ids.source_vocabulary), read(ids.target_vocabulary), false};
  if (both.source.size() != ids.counts.source_words || both.target.size() != ids.counts.target_words)
    fail("damaged");
  return both;
}

}  // namespace

MappedIds::MappedIds(const std::string& path, const std::string& made_from, const TrainingRequest& r)
    : file(path),
      ids(stored_ids(file.bytes(), [this] { file.forget(); })),
      tokenizers(stored_tokenizers(ids, made_from, r)) {
  file.forget();
}

std::string text_digests(const TrainingRequest& r) {
  std::string digests;
  for (const std::string& path : training_files(r)) digests += (digests.empty() ? "" : " ") + sha256_of_file(path);
  return digests;
}

IdsPlace ids_place(const TrainingRequest& r, const ModelFiles* initial) {
  IdsPlace place{path_of_ids(r), {}, {}};
  if (place.path.empty()) return place;
  check_replaceable(place.path);
  place.texts = text_digests(r);
  place.made_from = sha256(place.texts + " " + choices(r, initial));
  return place;
}

std::shared_ptr<const MappedIds> find_ids(const IdsPlace& place, const TrainingRequest& r,
                                          const std::function<void(const std::string&)>& say) {
  std::error_code none;
  if (place.path.empty() || !fs::exists(place.path, none)) return nullptr;
  try {
    return std::make_shared<const MappedIds>(place.path, place.made_from, r);
  } catch (const Error& error) {
    say(place.path + ": " + error.what() + "; it is made again");
    return nullptr;
  }
}

void keep_ids(const IdsPlace& place, const TrainingRequest& r, TrainingData& data) {
  IdsToStore ids;
  ids.made_from = place.made_from;
  ids.text_checksum = checksum(data.train_lines);
  for (std::size_t i = 0; i < data.train_lines.source.size(); ++i)
    ids.line_marks.push_back(mark_of(data.train_lines.source[i], data.train_lines.target[i]));
  data.train_lines = {};
  const SentenceMarks& marks = r.plan.marks;
  ids.source = concatenate(data.pairs.source, {}, marks.source_eos);
  ids.target = concatenate(data.pairs.target, {marks.bos}, marks.target_eos);
  data.pairs = {};
  ids.longest = data.longest;
  const Tokenizers& t = data.tokenizers;
  ids.source_words = t.source.size(), ids.target_words = t.target.size();
  ids.source_vocabulary = t.source.bytes();
  if (!t.joint) ids.target_vocabulary = t.target.bytes();
  remove_old_leftovers(place.path);
  store_ids(place.path, ids, links_at(place.path, {r.output, r.init_from}));
  take_ids(std::make_shared<const MappedIds>(place.path, place.made_from, r), data);
}

void take_ids(std::shared_ptr<const MappedIds> ids, TrainingData& data) {
  data.mapped = std::move(ids);
  data.train_lines = {};
  data.pairs = {};
}

}  // namespace gradus
