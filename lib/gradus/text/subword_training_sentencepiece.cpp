// Learning subwords, by SentencePiece.

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "gradus/io/atomic_file.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/single_spaces.hpp"
#include "gradus/text/subwords.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/process.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

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
    if (std::any_of(points.begin(), points.end(), is_subword_space))
      throw UsageError(what + " has white space in it, which no piece has");
    if (!known.insert(symbol).second)
      throw UsageError(what + " comes twice, or is a special piece of every vocabulary");
  }
}

}  // namespace

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
