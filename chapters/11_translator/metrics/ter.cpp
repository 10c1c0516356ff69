#include "11_translator/metrics/ter.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "11_translator/metrics/edit_distance.hpp"
#include "11_translator/metrics/ngrams.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

// Tercom's limits, and sacreBLEU's own of candidates.
constexpr std::size_t longest_shift = 10, farthest_shift = 50, most_candidates = 1000;

/// The numbers of words: equal words of the translation and of its references have one number.
class Numbers {
 public:
  WordIds of(const std::string& sentence) {
    const std::string text = join_words(lower_case(sentence), " ");
    WordIds ids;
    for (const std::string_view word : split_words(text)) {
      ids.push_back(known_.emplace(std::string(word), static_cast<int>(known_.size())).first->second);
    }
    return ids;
  }

 private:
  std::map<std::string, int> known_;
};

/// `count` neighbouring words of the translation that also stand in the reference.
struct Match {
  std::size_t from, at, count;  // their places in the translation and in the reference
};

std::vector<Match> matches(const WordIds& words, const WordIds& reference) {
  std::vector<Match> found;
  for (std::size_t from = 0; from < words.size(); ++from) {
    const std::size_t end = std::min(reference.size(), from + farthest_shift + 1);
    for (std::size_t at = from - std::min(from, farthest_shift); at < end; ++at) {
      for (std::size_t n = 0; n < longest_shift && from + n < words.size() && at + n < reference.size() &&
                              words[from + n] == reference[at + n];
           ++n) {
        found.push_back({from, at, n + 1});
      }
    }
  }
  return found;
}

/// What is wrong on both sides, and which word of the translation stands at each place of the reference.
struct Alignment {
  std::vector<bool> wrong_word, wrong_place;
  std::vector<long> word_at;

  explicit Alignment(const std::vector<Edit>& edits) {
    for (const Edit edit : edits) {
      const bool wrong = edit != Edit::keep;
      if (edit != Edit::insert) wrong_word.push_back(wrong);
      if (edit == Edit::remove) continue;
      wrong_place.push_back(wrong);
      word_at.push_back(static_cast<long>(wrong_word.size()) - 1);
    }
  }

  /// Whether a shift of these words can repair something.
  bool helps(const Match& m) const {
    const auto any = [&](const std::vector<bool>& all, std::size_t first) {
      const auto begin = all.begin() + static_cast<std::ptrdiff_t>(first);
      return std::find(begin, begin + static_cast<std::ptrdiff_t>(m.count), true) !=
             begin + static_cast<std::ptrdiff_t>(m.count);
    };
    const long at = word_at[m.at], from = static_cast<long>(m.from);
    return any(wrong_word, m.from) && any(wrong_place, m.at) &&
           !(from <= at && at < from + static_cast<long>(m.count));
  }
};

/// The words with `count` of them moved from `from` to before the word that stands at `to` now.
WordIds shifted(WordIds words, std::size_t from, std::size_t count, std::size_t to) {
  const auto at = [&](std::size_t i) { return words.begin() + static_cast<std::ptrdiff_t>(i); };
  if (to < from) {
    std::rotate(at(to), at(from), at(from + count));
  } else if (to > from + count) {
    std::rotate(at(from), at(from + count), at(to));
  } else {  // into itself: Tercom moves it by as many words as `to` lies behind its first
    std::rotate(at(from), at(from + count), at(std::min(count + to, words.size())));
  }
  return words;
}

struct Shift {
  long gain = 0;
  std::size_t count = 0, from = 0, to = 0;
  WordIds words = {};

  bool operator<(
      const Shift& other) const {  // of equal ones, the longest, then the first, then the nearest to the start
    return std::tuple(gain, count, other.from, other.to) < std::tuple(other.gain, other.count, from, to);
  }
};

/// Looks for the shift that saves most edits, among at most as many candidates as are left.
class ShiftSearch {
 public:
  explicit ShiftSearch(const WordIds& reference) : reference_(reference), distance_(reference) {}

  long edits(WordIds words) {
    long shifts = 0;
    for (;; ++shifts) {
      const Shift best = best_shift(words);
      if (tried_ >= most_candidates || best.gain <= 0) break;
      words = best.words;
    }
    return shifts + distance_.distance(words);
  }

 private:
  Shift best_shift(const WordIds& words) {
    const long now = distance_.distance(words);
    const Alignment alignment(distance_.edits());
    Shift best;
    bool found = false;
    for (const Match& m : matches(words, reference_)) {
      if (!alignment.helps(m)) continue;
      for (const std::size_t to : places(alignment, m)) {
        WordIds changed = shifted(words, m.from, m.count, to);
        Shift one{now - distance_.distance_of_changed(changed, std::min(m.from, to)), m.count, m.from, to, {}};
        ++tried_;
        if (found && !(best < one)) continue;
        best = one;
        best.words = std::move(changed);
        found = true;
      }
      if (tried_ >= most_candidates) break;
    }
    return best;
  }

  /// Where the words could go: before the first word, or behind the words that stand at their places in the reference.
  static std::vector<std::size_t> places(const Alignment& alignment, const Match& m) {
    std::vector<std::size_t> to;
    for (std::size_t k = 0; k <= m.count; ++k) {  // the place before theirs, then each of theirs but the last
      const std::size_t at = m.at + k;
      const std::size_t place = at == 0 ? 0 : static_cast<std::size_t>(alignment.word_at[at - 1] + 1);
      if (to.empty() || to.back() != place) to.push_back(place);
    }
    return to;
  }

  const WordIds& reference_;
  EditDistance distance_;
  std::size_t tried_ = 0;
};

}  // namespace

TerStatistics& TerStatistics::operator+=(const TerStatistics& more) {
  edits += more.edits;
  reference_length += more.reference_length;
  return *this;
}

TerSums& TerSums::operator+=(const TerStatistics& more) {
  edits += static_cast<float>(more.edits);
  reference_length += static_cast<float>(more.reference_length);
  return *this;
}

TerStatistics ter_statistics(const std::string& hypothesis, const std::vector<std::string>& references) {
  Numbers numbers;
  const WordIds words = numbers.of(hypothesis);
  TerStatistics best;
  std::size_t length = 0;
  for (std::size_t r = 0; r < references.size(); ++r) {
    const WordIds reference = numbers.of(references[r]);
    const long edits = reference.empty() ? static_cast<long>(words.size()) : ShiftSearch(reference).edits(words);
    if (r == 0 || edits < best.edits) best.edits = edits;
    length += reference.size();
  }
  best.reference_length = static_cast<double>(length) / static_cast<double>(references.size());
  return best;
}

double ter_score(const TerStatistics& s) {
  if (s.reference_length > 0) return 100 * (static_cast<double>(s.edits) / s.reference_length);
  return s.edits > 0 ? 100 : 0;
}

float ter_score_in_single(const TerSums& s) {
  if (s.reference_length > 0) return 100 * (s.edits / s.reference_length);
  return s.edits > 0 ? 100 : 0;
}

double corpus_ter(const std::vector<std::string>& hypotheses, const std::vector<std::string>& references) {
  require_pairs("TER", hypotheses.size(), references.size());
  TerStatistics sums;
  for (std::size_t i = 0; i < hypotheses.size(); ++i) sums += ter_statistics(hypotheses[i], {references[i]});
  return ter_score(sums);
}

std::string ter_signature(std::size_t references) {
  return number_of_references(references) +
         "|case:lc|tok:tercom|norm:no|punct:yes|asian:no|version:gradus-" GRADUS_VERSION;
}

}  // namespace gradus
