#include "11_translator/training/text_sides.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "11_translator/training/table_text.hpp"
#include "11_translator/warnings/number_languages.hpp"
#include "11_translator/warnings/scripts.hpp"
#include "11_translator/warnings/text_languages.hpp"
#include "gradus/io/lines.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

/// The probabilities of a side's tokens, each counted once more than it occurs. The unknown token counts as never seen: it stands for
/// words of any language.
class Unigrams {
 public:
  Unigrams(const Tokenizer& words, const TokenCounts& counts) : words_(words), counts_(counts) {
    counts_[static_cast<std::size_t>(Tokenizer::specials.unk)] = 0;
    for (const std::uint64_t n : counts_) all_ += static_cast<double>(n + 1);
  }

  /// The nats of a token of the first lines, on average; 0 without tokens.
  double cost(const std::vector<std::string>& lines) const {
    constexpr std::size_t most = 1000;
    const auto encode = words_.encoder();
    double nats = 0, tokens = 0;
    for (std::size_t i = 0; i < std::min(most, lines.size()); ++i) {
      for (const int id : encode(lines[i])) {
        nats -= std::log(static_cast<double>(counts_[static_cast<std::size_t>(id)] + 1) / all_);
        ++tokens;
      }
    }
    return tokens == 0 ? 0 : nats / tokens;
  }

  /// How many times as much `own` costs as `other`.
  double ratio(const std::vector<std::string>& own, const std::vector<std::string>& other) const {
    const double cost_of_other = cost(other);
    return cost_of_other > 0 ? cost(own) / cost_of_other : 1;
  }

 private:
  const Tokenizer& words_;
  TokenCounts counts_;
  double all_ = 0;
};

/// cost_of_order of any lines.
double cost_of_lines(const Tokenizers& t, const SideCounts& train, const LinePairs& lines) {
  const Unigrams source(t.source, train.source), target(t.target, train.target);
  return std::min(source.ratio(lines.source, lines.target), target.ratio(lines.target, lines.source));
}

/// `part`: "validation"; `exchanged`: what has the wrong order.
std::string fault_of_order(double cost, const std::string& part, const std::string& exchanged) {
  constexpr double clear = 1.1;
  if (cost < clear) return "";
  return "the " + part +
         " sources look like the training targets, and its targets like the training sources; "
         "exchange the two sides of " +
         exchanged;
}

/// The share of the tokens that the source side of the first model's training text never had.
double unseen_share(const TokenCounts& counts, const SeenPieces& seen) {
  double all = 0, unseen = 0;
  for (std::size_t id = Specials::count; id < counts.size(); ++id) {
    all += static_cast<double>(counts[id]);
    unseen += seen[id] ? 0 : static_cast<double>(counts[id]);
  }
  return all == 0 ? 0 : unseen / all;
}

/// The share of the words of the first lines that are frequent in a language of number_languages(); 0 for another language.
double frequent_share(const std::string& code, const std::vector<std::string>& lines) {
  constexpr std::size_t most = 1000;
  std::set<std::u32string> frequent;
  for (const NumberLanguage& language : number_languages())
    if (language.code == code) frequent.insert(language.frequent.begin(), language.frequent.end());
  std::size_t count = 0, all = 0;
  for (std::size_t i = 0; i < std::min(most, lines.size()); ++i)
    for (const std::u32string& word : folded_words(lines[i])) count += frequent.count(word), ++all;
  return all == 0 ? 0 : static_cast<double>(count) / static_cast<double>(all);
}

bool is_rather(const std::string& code, const std::string& other, const std::vector<std::string>& lines) {
  constexpr double few = 0.1;  // words of other languages are among them: German has "um" and "das", as Portuguese
  const double share = frequent_share(code, lines);
  return share > few && share > 2 * frequent_share(other, lines);
}

/// Whether the text's languages are those of the first model, as far as they are known, in the other direction. A joint vocabulary reads both,
/// so such a text may have no unknown tokens.
bool has_other_direction(const TrainingRequest& r, const TrainingData& data, const SideCounts& train) {
  constexpr double many = 0.2, few = 0.05;
  const SeenPieces& seen = data.initial_pieces;
  if (data.tokenizers.joint && seen.size() == train.source.size())
    return unseen_share(train.source, seen) >= many && unseen_share(train.target, seen) <= few;
  const TextLanguages& known = r.init_languages;
  const TextLanguages l = known.source.empty() ? languages_of(data.tokenizers, seen) : known;
  return is_rather(l.target, l.source, data.train_lines.source) &&
         is_rather(l.source, l.target, data.train_lines.target);
}

std::string fault_of_direction(const TrainingRequest& r, const TrainingData& data, const SideCounts& train) {
  if (r.init_from.empty() || !has_other_direction(r, data, train)) return "";
  return "the training sources look like the targets of " + r.init_from +
         ", and its targets like the sources there; exchange them, or take a model of this direction";
}

/// Letters of scripts without spaces, for each part between white space: many if each sentence is one word to a vocabulary of words.
double unspaced_letters(const std::vector<std::string>& lines) {
  std::size_t letters = 0, words = 0;
  for (const std::string& line : lines) {
    bool inside = false;
    for (const char32_t c : code_points(line)) {
      const bool space = is_white_space(c);
      words += !space && !inside ? 1 : 0;
      letters += is_unspaced_letter(c) ? 1 : 0;
      inside = !space;
    }
  }
  return words == 0 ? 0 : static_cast<double>(letters) / static_cast<double>(words);
}

std::string fault_of_words(const TrainingRequest& r, const char* side, const std::vector<std::string>& lines) {
  constexpr double longest_words = 8;
  if (r.tokenizer.kind != TokenizerKind::word || !r.init_from.empty() || unspaced_letters(lines) < longest_words)
    return "";
  return std::string("the training ") + side +
         " have no spaces between words, and --tokenizer word learns whole sentences; --tokenizer " +
         name_of(TokenizerKind::sentencepiece) + " cuts them";
}

/// How many lines with a space between words are their own translation; names and numbers alone often are.
std::size_t copies_in(const LinePairs& lines) {
  std::size_t same = 0;
  for (std::size_t i = 0; i < lines.source.size(); ++i)
    same += lines.source[i] == lines.target[i] && lines.source[i].find(' ') != std::string::npos ? 1 : 0;
  return same;
}

std::string share_text(std::size_t some, const LinePairs& all, const std::string& part) {
  return std::to_string(some) + " of " + std::to_string(all.source.size()) + " " + part;
}

std::string fault_of_copies(const TrainingData& data) {
  constexpr std::size_t usual = 10;                // one line in so many may be a copy
  if (data.train_lines.source.empty()) return "";  // of stored ids, which were judged when they were made
  for (const auto& [lines, part] :
       {std::pair{&data.train_lines, "training"}, std::pair{&data.valid_lines, "validation"}}) {
    const std::size_t copies = copies_in(*lines);
    if (usual * copies <= lines->source.size()) continue;
    return share_text(copies, *lines, part) + " sources are the same as their targets" +
           (lines == &data.train_lines ? ", so the model learns to copy" : "") + "; give their translations";
  }
  return "";
}

/// Pairs that stood before: an epoch takes them again and again.
std::string fault_of_repeats(const LinePairs& lines) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  std::size_t repeats = 0;
  for (std::size_t i = 0; i < lines.source.size(); ++i)
    repeats += seen.emplace(lines.source[i], lines.target[i]).second ? 0 : 1;
  if (2 * repeats <= lines.source.size()) return "";
  return share_text(repeats, lines, "training") +
         " pairs stand earlier in the text, too; each pair is needed once only";
}

/// Nothing is learnt of a symbol that the training text does not have.
std::string fault_of_symbols(const TrainingRequest& r, const TrainingData& data, const SideCounts& train) {
  std::set<std::string> unseen(r.tokenizer.symbols.begin(), r.tokenizer.symbols.end());
  const auto remove_seen = [&](const Tokenizer& words, const TokenCounts& counts) {
    for (std::size_t id = Specials::count; !unseen.empty() && id < counts.size(); ++id) {
      if (counts[id] != 0) unseen.erase(words.piece(static_cast<int>(id)));
    }
  };
  remove_seen(data.tokenizers.source, train.source), remove_seen(data.tokenizers.target, train.target);
  std::string names;
  for (const std::string& symbol : unseen) names += " " + quoted(symbol);
  return names.empty() ? ""
                       : "the training text has none of these --symbols, so nothing is learnt of them:" + names;
}

/// One side of a part of the text, for messages.
struct FileOfSide {
  const std::string &part, &path;
  const std::vector<std::string>& lines;
};

std::string fault_of_tabs(const FileOfSide& side, const std::vector<std::string>& others) {
  const auto has_tab = [](const std::string& line) { return line.find('\t') != line.npos; };
  const auto tabs = static_cast<std::size_t>(std::count_if(side.lines.begin(), side.lines.end(), has_tab));
  if (2 * tabs <= side.lines.size() || std::all_of(others.begin(), others.end(), has_tab)) return "";
  return "most lines of " + side.path + " have a tab: if it holds pairs, give it alone, as --" + side.part + " " +
         side.path;
}

void add_faults(std::vector<std::string>& faults, const std::string& part, const LinePairs& lines,
                const std::string& pairs, const std::string& source, const std::string& target) {
  const auto add = [&](const std::string& fault) {
    if (!fault.empty()) faults.push_back(fault);
  };
  const std::string origin = pairs.empty() ? source + " and " + target : pairs;
  add(fault_of_names(lines, origin));
  add(fault_of_numbers(lines, part == "train" ? "training" : "validation"));
  add(fault_of_quotes(lines, origin));
  if (!pairs.empty()) {
    const std::string hint = hint_at_returns(lines.source, pairs);
    return add(hint.empty() ? hint_at_returns(lines.target, pairs) : hint);
  }
  add(fault_of_tabs({part, source, lines.source}, lines.target));
  add(fault_of_tabs({part, target, lines.target}, lines.source));
  add(hint_at_returns(lines.source, source));
  add(hint_at_returns(lines.target, target));
}

LinePairs own_lines(const TrainingData& data) {
  const auto first = [&](const std::vector<std::string>& side) {
    return std::vector<std::string>(side.begin(), side.end() - static_cast<std::ptrdiff_t>(data.mixed));
  };
  return {first(data.train_lines.source), first(data.train_lines.target)};
}

/// The faults of the training's own text, and of the older text that is mixed in.
void add_training_faults(std::vector<std::string>& faults, const TrainingRequest& r, const TrainingData& data,
                         const SideCounts& own) {
  if (data.mixed == 0)
    return add_faults(faults, "train", data.train_lines, r.train_pairs, r.train_source, r.train_target);
  add_faults(faults, "train", own_lines(data), r.train_pairs, r.train_source, r.train_target);
  const LinePairs older = mixed_lines(data);
  for (const std::string& fault :
       {fault_of_order(cost_of_lines(data.tokenizers, own, older), "mixed-in", "--mix-source and --mix-target"),
        fault_of_quotes(older, r.mix_source + " and " + r.mix_target), hint_at_returns(older.source, r.mix_source),
        hint_at_returns(older.target, r.mix_target)})
    if (!fault.empty()) faults.push_back(fault);
}

}  // namespace

double cost_of_order(const TrainingData& data, const SideCounts& train) {
  return cost_of_lines(data.tokenizers, train, data.valid_lines);
}

std::vector<std::string> faults_of_sides(const TrainingRequest& r, const TrainingData& data, const TextQuality& q) {
  std::vector<std::string> faults;
  const SideCounts &train = q.train, own = q.own();
  std::string order = fault_of_order(cost_of_order(data, own), "validation", "the validation text");
  if (!order.empty() && r.valid_split == 0) faults.push_back(std::move(order));
  if (std::string fault = fault_of_direction(r, data, train); !fault.empty()) faults.push_back(std::move(fault));
  if (std::string fault = fault_of_copies(data); !fault.empty()) faults.push_back(std::move(fault));
  if (std::string fault = fault_of_repeats(data.train_lines); !fault.empty()) faults.push_back(std::move(fault));
  if (std::string fault = fault_of_symbols(r, data, train); !fault.empty()) faults.push_back(std::move(fault));
  for (const auto& [side, lines] :
       {std::pair{"sources", &data.train_lines.source}, std::pair{"targets", &data.train_lines.target}}) {
    if (std::string fault = fault_of_words(r, side, *lines); !fault.empty()) faults.push_back(std::move(fault));
  }
  add_training_faults(faults, r, data, own);
  if (r.valid_split == 0) {
    add_faults(faults, "valid", data.valid_lines, r.valid_pairs, r.valid_source, r.valid_target);
  } else {  // a part of the same text: its first line may be here, and its quotes are said once
    const std::string origin = "the part for validation";
    const std::string names = fault_of_names(data.valid_lines, origin);
    if (!names.empty()) faults.push_back(names);
    const std::string quotes = fault_of_quotes(data.valid_lines, origin);
    if (!quotes.empty() && fault_of_quotes(data.train_lines, "").empty()) faults.push_back(quotes);
  }
  return faults;
}

}  // namespace gradus
