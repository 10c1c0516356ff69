#include "11_translator/training/training_data.hpp"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "11_translator/training/training_ids.hpp"
#include "11_translator/training/training_text.hpp"
#include "gradus/util/digest.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/plural.hpp"

namespace gradus {

std::vector<std::vector<int>> encoded(const Tokenizer& tokenizer, const std::vector<std::string>& lines,
                                      Workers& workers) {
  // the lines that a thread takes at once: enough for an encoder to meet its words again, few enough for all threads
  const std::size_t piece = std::max<std::size_t>(1024, lines.size() / (8 * workers.size()));
  std::vector<std::vector<int>> all(lines.size());
  workers.each((lines.size() + piece - 1) / piece, [&](std::size_t k) {
    const auto encode = tokenizer.encoder();
    const std::size_t end = std::min(lines.size(), (k + 1) * piece);
    for (std::size_t i = k * piece; i < end; ++i) all[i] = encode(lines[i]);
  });
  return all;
}

PairsView TrainingData::training_pairs() const {
  return mapped ? PairsView(mapped->ids.source, mapped->ids.target) : PairsView(pairs);
}

std::size_t longest_tokens(const TrainingRequest& r) {
  const BatchOptions& batches = r.plan.batches;
  return batches.sentences != 0 ? r.model.max_length : std::min(r.model.max_length, batches.tokens);
}

TrainingData training_data(const TrainingRequest& r, const ModelFiles* initial,
                           std::shared_ptr<const MappedIds> mapped) {
  TrainingText text = training_text(r, !mapped);
  const LinePairs& train = text.train;
  Tokenizers tokenizers = [&] {
    if (mapped) return mapped->tokenizers;
    if (initial != nullptr) return initial->tokenizers;
    return learn_tokenizers(train.source, train.target, r.tokenizer, r.joint_vocabulary, r.threads);
  }();
  TrainingData data{std::move(text.train), std::move(text.valid), std::move(tokenizers), {}, {}};
  if (initial != nullptr) {
    data.initial_weights = weights_sha256(r.init_from);
    data.initial_pieces = initial->limits.source_pieces;
  }
  data.mixed = text.mixed;
  data.longest = longest_tokens(r);
  Workers workers(std::max<std::size_t>(1, r.threads));
  const auto ids = [&](const LinePairs& lines) {
    return IdPairs{encoded(data.tokenizers.source, lines.source, workers),
                   encoded(data.tokenizers.target, lines.target, workers)};
  };
  if (mapped) {
    data.dropped = mapped->ids.counts.lines - mapped->ids.counts.pairs;
    data.mapped = std::move(mapped);
  } else {
    data.pairs = without_too_long(ids(data.train_lines), data.longest, data.dropped);
  }
  data.valid = without_too_long(ids(data.valid_lines), data.longest, data.dropped_valid);
  const std::string why =
      " pair is left: all are empty on one side or longer than " + plural(data.longest, "token");
  if (data.training_pairs().size() == 0) fail("no training" + why);
  if (data.valid.size() == 0) fail("no validation" + why);
  return data;
}

std::string checksum(const LinePairs& lines) {
  Sha256 sum;
  for (const auto* side : {&lines.source, &lines.target}) {
    for (const std::string& line : *side) sum.add(line), sum.add("\n");
  }
  return sum.digest();
}

std::string training_checksum(const TrainingData& data) {
  return data.mapped ? data.mapped->ids.text_checksum : checksum(data.train_lines);
}

namespace {

/// shared_pairs by the marks of the lines.
std::size_t shared_by_marks(const StoredIds& ids, const LinePairs& valid) {
  std::vector<std::uint64_t> marks;
  for (std::size_t i = 0; i < valid.source.size(); ++i) marks.push_back(mark_of(valid.source[i], valid.target[i]));
  const std::set<std::uint64_t> known(marks.begin(), marks.end());
  std::set<std::uint64_t> seen;
  for (std::size_t i = 0; i < ids.counts.lines; ++i) {
    if (known.count(ids.line_marks[i]) != 0) seen.insert(ids.line_marks[i]);
  }
  return static_cast<std::size_t>(
      std::count_if(marks.begin(), marks.end(), [&](std::uint64_t mark) { return seen.count(mark) != 0; }));
}

}  // namespace

std::size_t shared_pairs(const TrainingData& data) {
  if (data.mapped) return shared_by_marks(data.mapped->ids, data.valid_lines);
  std::set<std::pair<std::string_view, std::string_view>> known;
  const LinePairs &train = data.train_lines, &valid = data.valid_lines;
  for (std::size_t i = 0; i < valid.source.size(); ++i) known.emplace(valid.source[i], valid.target[i]);
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < train.source.size(); ++i) {
    const auto found = known.find({train.source[i], train.target[i]});
    if (found != known.end()) seen.insert(*found);
  }
  std::size_t shared = 0;
  for (std::size_t i = 0; i < valid.source.size(); ++i) shared += seen.count({valid.source[i], valid.target[i]});
  return shared;
}

}  // namespace gradus
