#include "gradus/text/subwords.hpp"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/subword_model.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// White space, and two characters that Unicode does not count as such: the byte order mark, and U+2581,
/// SentencePiece's mark for a space.
bool is_space(char32_t c) { return is_white_space(c) || c == 0xfeff || c == 0x2581; }

/// `text` with each run of white space replaced by one space, and without white space at either end.
std::string single_spaces(std::string_view text) {
  std::string result;
  bool space = false;
  while (!text.empty()) {
    const CodePoint point = decode_utf8(text);
    const std::size_t length = std::max<std::size_t>(point.length, 1);  // an invalid byte passes unchanged
    const bool here = point.length > 0 && is_space(point.value);
    if (!here) {
      if (space && !result.empty()) result += ' ';
      result += text.substr(0, length);
    }
    space = here;
    text.remove_prefix(length);
  }
  return result;
}

/// Passes the sentences to SentencePiece from memory, without a file.
class Sentences : public sentencepiece::SentenceIterator {
 public:
  explicit Sentences(const std::vector<std::string>& sentences) : sentences_(sentences) {}
  bool done() const override { return next_ == sentences_.size(); }
  void Next() override { ++next_; }
  const std::string& value() const override { return sentences_[next_]; }
  sentencepiece::util::Status status() const override { return {}; }

 private:
  const std::vector<std::string>& sentences_;
  std::size_t next_ = 0;
};

/// Writes the subwords of `text`: their ids, or SentencePiece's record of them.
template <class Subwords>
void cut(Subwords* to, const sentencepiece::SentencePieceProcessor& processor, const std::string& text) {
  const auto status = processor.Encode(single_spaces(text), to);
  if (!status.ok()) fail("text cannot be cut into subwords: " + status.ToString());
}

std::vector<int> ids_of(const sentencepiece::SentencePieceProcessor& processor, const std::string& text) {
  std::vector<int> ids;
  cut(&ids, processor, text);
  return ids;
}

/// Whether a sentence has the subwords of its words, one word after the other. So it is if no piece goes on after a
/// space, and if scores are whole numbers, as the ranks of BPE are: then no sum of scores is rounded, and the words
/// before do not change what is likelier. A space must be a piece, because unknown characters side by side are one.
bool words_are_independent(const sentencepiece::SentencePieceProcessor& processor) {
  const std::string space = "\u2581";
  for (int id = 0; id < processor.GetPieceSize(); ++id) {
    const float score = processor.GetScore(id);
    if (processor.IdToPiece(id).find(space, 1) != std::string::npos || score != std::floor(score)) return false;
  }
  const auto one = ids_of(processor, "a"), two = ids_of(processor, "a a");
  return !processor.IsUnknown(processor.PieceToId(space)) && two.size() == 2 * one.size() &&
         std::equal(one.begin(), one.end(), two.begin()) && std::equal(one.rbegin(), one.rend(), two.rbegin());
}

/// The number after `mark` in a message, or 0.
int number_after(const std::string& message, const std::string& mark) {
  const std::size_t at = message.find(mark);
  return at == std::string::npos ? 0 : std::atoi(message.c_str() + at + mark.size());
}

/// Translates SentencePiece's reason for failing into a message of ours.
[[noreturn]] void explain(const std::string& message, int vocab_size) {
  const std::string asked = "no vocabulary of " + std::to_string(vocab_size) + " pieces: ";
  if (const int largest = number_after(message, "to a value <= ")) {
    const std::string most = std::to_string(largest);
    fail(asked + "the training sentences give at most " + most + "; ask for " + most + " or fewer");
  }
  if (const int smallest = number_after(message, " vs ")) {
    const std::string least = std::to_string(smallest);
    fail(asked + "each character and each special piece needs one; ask for " + least + " or more");
  }
  if (message.find("sentences_.empty()") != std::string::npos) {
    fail(asked +
         "every training sentence is longer than 4,192 bytes, or holds U+2585, which SentencePiece reserves");
  }
  fail(asked + "SentencePiece says: " + message);
}

/// Symbols as SentencePiece reads a list: in quotes, with commas between them.
std::string list_of(const std::vector<std::string>& symbols) {
  std::string list;
  for (const std::string& symbol : symbols) {
    list += list.empty() ? "\"" : ",\"";
    for (const char c : symbol) list += c == '"' ? std::string("\"\"") : std::string(1, c);
    list += '"';
  }
  return list;
}

/// What SentencePiece learns with.
std::unordered_map<std::string, std::string> settings(int size, const SubwordOptions& options) {
  constexpr Specials specials = Subwords::specials;
  std::unordered_map<std::string, std::string> all{
      {"vocab_size", std::to_string(size)},
      {"model_type", name_of(options.model)},
      {"character_coverage", "1.0"},
      {"normalization_rule_name", "identity"},
      {"pad_id", std::to_string(specials.pad)},
      {"unk_id", std::to_string(specials.unk)},
      {"bos_id", std::to_string(specials.bos)},
      {"eos_id", std::to_string(specials.eos)},
      {"num_threads", "1"},
      {"minloglevel", "3"}};  // no output: errors are returned as a status
  if (!options.symbols.empty()) all["user_defined_symbols"] = list_of(options.symbols);
  return all;
}

void check_symbols(const std::vector<std::string>& symbols) {
  // as SentencePiece calls them, and as ours are shown (Tokenizer::token)
  std::set<std::string> known{"<pad>", "<unk>", "<s>", "</s>", bos_word, eos_word};
  for (const std::string& symbol : symbols) {
    const std::string what = "the symbol " + quoted(symbol);
    if (symbol.empty()) throw UsageError("a symbol is empty");
    if (!is_utf8(symbol) || symbol.find('\0') != symbol.npos) throw UsageError(what + " is no text in UTF-8");
    const std::u32string points = code_points(symbol);
    if (std::any_of(points.begin(), points.end(), is_space))
      throw UsageError(what + " has white space in it, which no piece has");
    if (!known.insert(symbol).second)
      throw UsageError(what + " comes twice, or is a special piece of every vocabulary");
  }
}

}  // namespace

struct Subwords::Impl {
  sentencepiece::SentencePieceProcessor processor;
};

Subwords::Subwords(std::shared_ptr<const Impl> impl) : impl_(std::move(impl)) {}

std::string Subwords::train(const std::vector<std::string>& sentences, const SubwordOptions& options) {
  check_symbols(options.symbols);
  std::vector<std::string> clean;
  for (const std::string& sentence : sentences) {
    std::string text = single_spaces(sentence);
    if (!text.empty()) clean.push_back(std::move(text));
  }
  if (clean.empty()) fail("no vocabulary can be learnt: the training sentences are empty");

  std::string model;
  const auto learn = [&](int size) {
    Sentences iterator(clean);
    return sentencepiece::SentencePieceTrainer::Train(settings(size, options), &iterator, &model);
  };
  // for a smaller size SentencePiece does not report the size that it needs
  auto status = learn(std::max(options.vocab_size, Specials::count));
  const int largest = status.ok() || !options.at_most ? 0 : number_after(status.ToString(), "to a value <= ");
  if (largest > 0) status = learn(largest);
  if (!status.ok()) explain(status.ToString(), options.vocab_size);
  return model;
}

Subwords Subwords::from_bytes(const std::string& bytes, const std::string& name) {
  if (!whole_model(bytes)) fail(name + ": not a whole SentencePiece model; make it again or copy it again");
  if (!as_learnt_here(bytes)) {
    fail(name + ": its pieces or its rules to rewrite characters are foreign; learn it with this program");
  }
  auto impl = std::make_shared<Impl>();
  auto& processor = impl->processor;
  const auto status = processor.LoadFromSerializedProto(bytes);
  if (!status.ok()) fail(name + ": not a SentencePiece model that can be read: " + quoted(status.ToString()));
  if (processor.pad_id() != specials.pad || processor.unk_id() != specials.unk ||
      processor.bos_id() != specials.bos || processor.eos_id() != specials.eos) {
    fail(name + ": its special pieces are not pad 0, unk 1, bos 2, eos 3; learn it with this program");
  }
  return Subwords(std::move(impl));
}

Subwords Subwords::load(const std::string& path) {
  constexpr std::uint64_t longest = 256'000'000;  // bytes
  return from_bytes(read_regular_file(path, longest), path);
}

std::vector<int> Subwords::encode(const std::string& text) const { return ids_of(impl_->processor, text); }

std::function<std::vector<int>(const std::string&)> Subwords::encoder() const {
  const auto whole = [impl = impl_](const std::string& text) { return ids_of(impl->processor, text); };
  if (!words_are_independent(impl_->processor)) return whole;
  return [whole, known = std::unordered_map<std::string, std::vector<int>>()](const std::string& text) mutable {
    constexpr std::size_t most_words = 200'000, longest = 64;  // more words, and longer ones, are not remembered
    std::vector<int> ids;
    std::istringstream words(single_spaces(text));
    for (std::string word; std::getline(words, word, ' ');) {
      const auto found = known.find(word);
      const bool is_new = found == known.end();
      const std::vector<int> own = is_new ? whole(word) : std::vector<int>();
      const std::vector<int>& of_word = is_new ? own : found->second;
      ids.insert(ids.end(), of_word.begin(), of_word.end());
      if (is_new && known.size() < most_words && word.size() <= longest) known.emplace(word, own);
    }
    return ids;
  };
}

std::vector<Subwords::Piece> Subwords::pieces(const std::string& text) const {
  sentencepiece::ImmutableSentencePieceText found;
  cut(found.mutable_proto(), impl_->processor, text);
  std::vector<Piece> pieces;
  for (const auto& piece : found.pieces()) pieces.push_back({piece.piece(), static_cast<int>(piece.id())});
  return pieces;
}

std::string Subwords::decode(const std::vector<int>& ids) const {
  for (const int id : ids) check_id(id);
  std::string text;
  const auto status = impl_->processor.Decode(ids, &text);
  if (!status.ok()) fail("subwords cannot be put together: " + status.ToString());
  return single_spaces(text);
}

int Subwords::size() const { return impl_->processor.GetPieceSize(); }

std::string Subwords::piece(int id) const {
  check_id(id);
  return impl_->processor.IdToPiece(id);
}

void Subwords::check_id(int id) const {
  if (id < 0 || id >= size()) {
    fail("subword id " + std::to_string(id) + " does not exist: the vocabulary has ids 0 to " +
         std::to_string(size() - 1));
  }
}

std::string subword_library() {
  // any function of each of the two libraries
  const auto cutting = sentencepiece::io::LoadModelProto;
  const auto learning = sentencepiece::SentencePieceTrainer::GetPretokenizerForTraining;
  std::string sums;
  for (const void* part : {reinterpret_cast<const void*>(cutting), reinterpret_cast<const void*>(learning)})
    sums += " " + sha256_of_file(file_of_function(part));
  return sums;
}

}  // namespace gradus
