#include "11_translator/warnings/words_in_parts.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "11_translator/warnings/scripts.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

enum class RunKind { letters, digits, other };

RunKind kind_of(char32_t c) {
  if (c >= U'0' && c <= U'9') return RunKind::digits;
  return is_word_character(c) && has_spaces(c) ? RunKind::letters : RunKind::other;
}

/// Letters or digits in a row; other characters stand alone.
struct LetterRun {
  RunKind kind;
  std::size_t begin, end;  // characters of the word
  std::size_t pieces = 0;
  bool is_new = false;
};

struct CutWord {
  std::string text;
  std::size_t pieces;
};

/// What shows nothing belongs to the run before it: the model does not read it.
std::vector<LetterRun> runs_of(const std::u32string& word) {
  std::vector<LetterRun> runs;
  for (std::size_t i = 0; i < word.size(); ++i) {
    const RunKind kind = kind_of(word[i]);
    const bool goes_on = !runs.empty() && kind != RunKind::other && kind == runs.back().kind;
    if (goes_on || (!runs.empty() && is_ignorable(word[i]))) {
      runs.back().end = i + 1;
    } else if (!is_ignorable(word[i])) {
      runs.push_back({kind, i, i + 1});
    }
  }
  return runs;
}

std::vector<std::u32string> white_space_words(const std::string& text) {
  std::vector<std::u32string> words;
  bool begins = true;
  for (const char32_t c : code_points(text)) {
    if (begins && !is_white_space(c)) words.emplace_back();
    begins = is_white_space(c);
    if (!begins) words.back().push_back(c);
  }
  return words;
}

std::vector<std::string> each_once(const std::vector<std::string>& all) {
  std::vector<std::string> once;
  for (const std::string& one : all)
    if (std::find(once.begin(), once.end(), one) == once.end()) once.push_back(one);
  return once;
}

/// A word between white space, in its own spelling and as the model reads it.
class ReadWord {
 public:
  explicit ReadWord(std::u32string own) : own_(std::move(own)) {}

  void add(const TextPiece& piece, bool is_new) {
    ++pieces_;
    for (const char32_t c : code_points(piece.text)) {
      if (c == U'\u2581') continue;  // SentencePiece's space
      read_.push_back(c);
      piece_of_.push_back(pieces_);
      is_new_.push_back(is_new);
    }
  }

  void tell(std::vector<std::string>& unknown, std::vector<CutWord>& cut) const {
    const std::vector<LetterRun> runs = counted_runs();
    for (std::size_t i = 0, end = 0; i < runs.size(); i = end) {
      bool is_new = runs[i].is_new;
      for (end = i + 1; end < runs.size() && belong_together(runs[end - 1], runs[end]); ++end)
        is_new = is_new || runs[end].is_new;
      if (is_new) unknown.push_back(name(runs, i, end));
      for (std::size_t k = i; !is_new && k < end; ++k) {
        if (runs[k].kind == RunKind::letters && runs[k].pieces > 1)
          cut.push_back({name(runs, i, end), runs[k].pieces});
      }
    }
  }

 private:
  static bool belong_together(const LetterRun& a, const LetterRun& b) {
    return (a.is_new && b.is_new) || (a.kind != RunKind::other && b.kind != RunKind::other);
  }

  std::vector<LetterRun> counted_runs() const {
    std::vector<LetterRun> runs = runs_of(read_);
    for (LetterRun& run : runs) {
      for (std::size_t i = run.begin; i < run.end; ++i) {
        run.pieces += i == run.begin || piece_of_[i] != piece_of_[i - 1] ? 1 : 0;
        run.is_new = run.is_new || is_new_[i];
      }
    }
    return runs;
  }

  /// The runs from `first` to before `end` in the word's own spelling. If that has other runs, all of it but the punctuation around it.
  std::string name(const std::vector<LetterRun>& read, std::size_t first, std::size_t end) const {
    const std::vector<LetterRun> own = runs_of(own_);
    if (own.size() == read.size())
      return to_utf8(own_.substr(own[first].begin, own[end - 1].end - own[first].begin));
    const auto is_kept = [](char32_t c) { return !is_punctuation(c); };
    const auto begin = std::find_if(own_.begin(), own_.end(), is_kept);
    const auto last = std::find_if(own_.rbegin(), own_.rend(), is_kept).base();
    return to_utf8(begin < last ? std::u32string(begin, last) : own_);
  }

  std::u32string own_, read_;
  std::vector<std::size_t> piece_of_;  // of each character that is read
  std::vector<bool> is_new_;
  std::size_t pieces_ = 0;
};

}  // namespace

UnknownWords unknown_words(const std::string& text, const std::vector<TextPiece>& pieces,
                           const std::function<bool(std::int32_t)>& is_new) {
  std::vector<ReadWord> read;
  for (std::u32string& word : white_space_words(text)) read.emplace_back(std::move(word));
  for (const TextPiece& piece : pieces) {
    if (!read.empty()) read[std::min(piece.word, read.size() - 1)].add(piece, is_new(piece.id));
  }
  std::vector<std::string> unknown, in_parts;
  std::vector<CutWord> cut;
  for (const ReadWord& word : read) word.tell(unknown, cut);
  std::stable_sort(cut.begin(), cut.end(), [](const CutWord& a, const CutWord& b) { return a.pieces > b.pieces; });
  for (const CutWord& word : cut) in_parts.push_back(word.text);
  return {each_once(unknown), each_once(in_parts)};
}

std::vector<std::string> without_usual_signs(std::vector<std::string> unknown) {
  const auto is_usual = [](const std::string& text) {
    const std::u32string signs = code_points(text);
    return std::all_of(signs.begin(), signs.end(),
                       [](char32_t c) { return is_punctuation(c) || is_among(U"\u20AC\u00A3\u00A5$", c); });
  };
  unknown.erase(std::remove_if(unknown.begin(), unknown.end(), is_usual), unknown.end());
  return unknown;
}

}  // namespace gradus
