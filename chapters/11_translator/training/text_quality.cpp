#include "11_translator/training/text_quality.hpp"

#include <cstdio>
#include <map>
#include <utility>

#include "11_translator/training/training_ids.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"

namespace gradus {
namespace {

using Counts = TokenCounts;
using Scripts = std::map<char32_t, std::uint64_t>;  // letters of each script

/// How often each id occurs; `side` is a member of IdPairs or a row of PairsView.
Counts counts_of(const std::vector<std::vector<std::int32_t>>& sentences, std::size_t words) {
  Counts counts(words);
  for (const auto& sentence : sentences) {
    for (const std::int32_t id : sentence) ++counts[static_cast<std::size_t>(id)];
  }
  return counts;
}

/// The same of rows, without their `marks`: one of each kind for each sentence.
Counts counts_of(const HostSentences& rows, const std::vector<std::int32_t>& marks, std::size_t words) {
  Counts counts(words);
  for (std::size_t i = 0; i < rows.ids.extent[0]; ++i) ++counts[static_cast<std::size_t>(rows.ids[i])];
  for (const std::int32_t mark : marks) counts[static_cast<std::size_t>(mark)] -= rows.begin.extent[0] - 1;
  return counts;
}

/// Of the training pairs.
SideCounts training_counts(const TrainingData& data, const SentenceMarks& m) {
  const std::size_t source = data.tokenizers.source.size(), target = data.tokenizers.target.size();
  if (!data.mapped) return {counts_of(data.pairs.source, source), counts_of(data.pairs.target, target)};
  const StoredIds& ids = data.mapped->ids;
  SideCounts counts{counts_of(ids.source, {m.source_eos}, source),
                    counts_of(ids.target, {m.bos, m.target_eos}, target)};
  data.mapped->file.forget();
  return counts;
}

/// Of the pairs that are mixed in.
SideCounts mixed_counts(const TrainingData& data, const LinePairs& lines) {
  Workers alone(1);
  std::size_t dropped = 0;
  const Tokenizer &source = data.tokenizers.source, &target = data.tokenizers.target;
  const IdPairs ids = without_too_long({encoded(source, lines.source, alone), encoded(target, lines.target, alone)},
                                       data.longest, dropped);
  return {counts_of(ids.source, source.size()), counts_of(ids.target, target.size())};
}

Counts without(Counts all, const Counts& some) {
  for (std::size_t id = 0; id < some.size(); ++id) all[id] -= some[id];
  return all;
}

TokenCount without(const TokenCount& all, const TokenCount& some) {
  return {all.unknown - some.unknown, all.tokens - some.tokens};
}

TokenCount unknown_in(const Counts& counts) {
  TokenCount count;
  if (counts.empty()) return count;
  for (const std::uint64_t n : counts) count.tokens += n;
  count.unknown = counts[static_cast<std::size_t>(Tokenizer::specials.unk)];
  return count;
}

/// A number for the script of a letter. Unicode gives each script blocks of 128 code points of its own; Han and Hangul have
/// thousands of letters, and a text has only some of their blocks.
char32_t script_of(char32_t letter) {
  constexpr char32_t han = 0x3400, last_han = 0x9fff, more_han = 0x20000, hangul = 0xac00, last_hangul = 0xd7ff;
  if ((letter >= han && letter <= last_han) || letter >= more_han) return han;
  if (letter >= hangul && letter <= last_hangul) return hangul;
  return letter / 128 * 128;
}

void add_letters(Scripts& scripts, const std::string& text, std::uint64_t times) {
  for (const char32_t c : code_points(text)) {
    if (is_unicode_letter(c)) scripts[script_of(c)] += times;
  }
}

/// The share of the letters of `lines` whose script has less than a hundredth of the letters of the training text.
double share_of_others(const Tokenizer& words, const Counts& counts, const std::vector<std::string>& lines) {
  if (unknown_in(counts).share() > usual_share_of_unknown(words.kind())) return 0;
  Scripts known, found;
  for (std::size_t id = Specials::count; id < counts.size(); ++id) {
    if (counts[id] != 0) add_letters(known, words.piece(static_cast<int>(id)), counts[id]);
  }
  for (const std::string& line : lines) add_letters(found, apply_rules(words.rules(), line), 1);
  std::uint64_t of_training = 0, all = 0, others = 0;
  for (const auto& [script, letters] : known) of_training += letters;
  for (const auto& [script, letters] : found) {
    all += letters;
    if (100 * known[script] < of_training) others += letters;
  }
  return all == 0 ? 0 : static_cast<double>(others) / static_cast<double>(all);
}

std::string percent(double share) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f %%", 100 * share);
  return text;
}

/// What to do about them.
std::string advice_of(const TrainingRequest& r, bool is_training) {
  if (!r.init_from.empty()) return "the vocabulary is that of " + r.init_from + ", of another language or script";
  const bool words = r.tokenizer.kind == TokenizerKind::word;
  if (!is_training)
    return words ? "the training text does not have their words, or too seldom for --vocab-size and --min-frequency"
                 : "the training text does not have their characters";
  return words ? "a larger --vocab-size or a smaller --min-frequency has more words"
               : "sentences of more than 4,192 bytes are not learnt from";
}

std::string line_of(const TrainingRequest& r, const char* part, const TokenCount& source,
                    const TokenCount& target) {
  const double limit = usual_share_of_unknown(r.tokenizer.kind);
  if (source.share() <= limit && target.share() <= limit) return "";
  return std::string("unknown to the vocabulary: ") + percent(source.share()) + " of the tokens of the " + part +
         " sources and " + percent(target.share()) + " of the targets; the model reads and writes them as " +
         (r.tokenizer.kind == TokenizerKind::word ? unk_word : "\u2047") + "; " +
         advice_of(r, part != std::string("validation"));
}

std::string line_of(const std::string& part, const char* side, double share) {
  constexpr double few = 0.2;  // names and quotations in another script are fewer
  if (share <= few) return "";
  return percent(share) + " of the letters of the " + part + " " + side +
         " are in another script than the training " + side + "; take " + part + " pairs of the same languages";
}

}  // namespace

double usual_share_of_unknown(TokenizerKind kind) { return kind == TokenizerKind::word ? 0.1 : 0.01; }

SideCounts TextQuality::own() const {
  return {without(train.source, mixed.counts.source), without(train.target, mixed.counts.target)};
}

LinePairs mixed_lines(const TrainingData& data) {
  const auto last = [&](const std::vector<std::string>& side) {
    return std::vector<std::string>(side.end() - static_cast<std::ptrdiff_t>(data.mixed), side.end());
  };
  return {last(data.train_lines.source), last(data.train_lines.target)};
}

TextQuality text_quality(const TrainingData& data, const SentenceMarks& marks) {
  const Tokenizer &source = data.tokenizers.source, &target = data.tokenizers.target;
  TextQuality q;
  q.train = training_counts(data, marks);
  q.unknown = {unknown_in(q.train.source), unknown_in(q.train.target),
               unknown_in(counts_of(data.valid.source, source.size())),
               unknown_in(counts_of(data.valid.target, target.size()))};
  const LinePairs mixed = mixed_lines(data);
  if (data.mixed != 0) q.mixed.counts = mixed_counts(data, mixed);
  const SideCounts own = q.own();
  q.other_script_source = share_of_others(source, own.source, data.valid_lines.source);
  q.other_script_target = share_of_others(target, own.target, data.valid_lines.target);
  q.mixed.other_script_source = share_of_others(source, own.source, mixed.source);
  q.mixed.other_script_target = share_of_others(target, own.target, mixed.target);
  return q;
}

std::vector<std::string> faults_of_text(const TrainingRequest& r, const TextQuality& q) {
  const UnknownTokens& u = q.unknown;
  const TokenCount mixed_source = unknown_in(q.mixed.counts.source),
                   mixed_target = unknown_in(q.mixed.counts.target);
  std::vector<std::string> lines;
  for (std::string line :
       {line_of(r, "training", without(u.train_source, mixed_source), without(u.train_target, mixed_target)),
        line_of(r, "validation", u.valid_source, u.valid_target),
        line_of(r, "mixed-in", mixed_source, mixed_target), line_of("validation", "sources", q.other_script_source),
        line_of("validation", "targets", q.other_script_target),
        line_of("mixed-in", "sources", q.mixed.other_script_source),
        line_of("mixed-in", "targets", q.mixed.other_script_target)}) {
    if (!line.empty()) lines.push_back(std::move(line));
  }
  return lines;
}

}  // namespace gradus
