#include "11_translator/training/training_text.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "10_training/data/batches.hpp"
#include "gradus/io/unicode.hpp"
#include "gradus/io/utf8.hpp"
#include "gradus/text/packed_file.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

bool has_tab(const std::string& line) { return line.find('\t') != line.npos; }

/// A file of pairs that is given as both sides has the same lines on both, and most of them have a tab. `advice` says what to give.
void check_sides(const std::string& path, const LinePairs& lines, const std::string& advice) {
  const auto tabs = static_cast<std::size_t>(std::count_if(lines.source.begin(), lines.source.end(), has_tab));
  if (2 * tabs <= lines.source.size() || lines.source != lines.target) return;
  throw UsageError(path + " is given as both sides, and has pairs with a tab between them; " + advice);
}

LinePairs read_part(const std::string& part, const std::string& pairs, const std::string& source,
                    const std::string& target) {
  if (!pairs.empty()) return read_tab_pairs(pairs, read_packed_file);
  LinePairs lines = read_pairs(source, target, read_packed_file);
  check_sides(source, lines, "give it once, as --" + part + " " + source);
  return lines;
}

bool shows_nothing(const std::string& line) {
  const auto is_plain = [](char c) { return c > ' ' && c < '\x7f'; };
  if (std::any_of(line.begin(), line.end(), is_plain)) return false;
  const std::u32string points = code_points(line);
  return std::all_of(points.begin(), points.end(), [](char32_t c) { return is_white_space(c) || is_ignorable(c); });
}

/// Whether a pair shows something on both sides: a line of spaces or invisible characters judges nothing.
bool is_whole(const LinePairs& lines, std::size_t i) {
  return !shows_nothing(lines.source[i]) && !shows_nothing(lines.target[i]);
}

std::vector<std::size_t> whole_pairs(const LinePairs& lines) {
  std::vector<std::size_t> whole;
  for (std::size_t i = 0; i < lines.source.size(); ++i) {
    if (is_whole(lines, i)) whole.push_back(i);
  }
  return whole;
}

/// Moves pairs that chance chooses out of `lines`; both parts keep their order.
LinePairs split_off(LinePairs& lines, std::size_t count, std::uint64_t seed) {
  const std::size_t all = lines.source.size();
  const std::vector<std::size_t> whole = whole_pairs(lines);
  if (count >= whole.size())
    throw UsageError("--valid-split " + std::to_string(count) + " leaves no pair to train on: the text has " +
                     std::to_string(whole.size()) + (whole.size() == all ? "" : " without an empty side") +
                     "; take fewer");
  std::vector<bool> is_chosen(all);
  for (const std::uint32_t i : chosen_pairs(count, whole.size(), seed)) is_chosen[whole[i]] = true;
  LinePairs chosen, rest;
  for (std::size_t i = 0; i < all; ++i) {
    LinePairs& part = is_chosen[i] ? chosen : rest;
    part.source.push_back(std::move(lines.source[i]));
    part.target.push_back(std::move(lines.target[i]));
  }
  lines = std::move(rest);
  return chosen;
}

bool has_whole_pair(const LinePairs& lines) {
  for (std::size_t i = 0; i < lines.source.size(); ++i)
    if (is_whole(lines, i)) return true;
  return false;
}

/// Adds pairs of another text, so that they are this share of all, or all that there are; their order stays. Returns their number.
std::size_t mix_in(LinePairs& lines, LinePairs other, double share, std::uint64_t seed) {
  const double wanted = share / (1 - share) * static_cast<double>(lines.source.size());
  const std::size_t all = other.source.size(), count = std::min(all, static_cast<std::size_t>(std::lround(wanted)));
  for (const std::uint32_t i : chosen_pairs(count, all, seed)) {
    lines.source.push_back(std::move(other.source[i]));
    lines.target.push_back(std::move(other.target[i]));
  }
  return count;
}

LinePairs older_text(const TrainingRequest& r) {
  LinePairs lines = read_pairs(r.mix_source, r.mix_target, read_packed_file);
  check_sides(r.mix_source, lines, "--mix-source and --mix-target need a file each");
  return lines;
}

}  // namespace

std::vector<std::string> training_files(const TrainingRequest& r) {
  std::vector<std::string> files{r.train_pairs};
  if (r.train_pairs.empty()) files = {r.train_source, r.train_target};
  if (!r.mix_source.empty()) files.insert(files.end(), {r.mix_source, r.mix_target});
  return files;
}

TrainingText training_text(const TrainingRequest& r, bool with_train) {
  TrainingText text;
  if (with_train || r.valid_split != 0)
    text.train = read_part("train", r.train_pairs, r.train_source, r.train_target);
  if (with_train && !has_whole_pair(text.train))
    fail(training_files(r).front() + ": there is nothing to learn from, because each pair has an empty side");
  text.valid = r.valid_split != 0 ? split_off(text.train, r.valid_split, r.plan.seed)
                                  : read_part("valid", r.valid_pairs, r.valid_source, r.valid_target);
  if (!with_train)
    text.train = {};
  else if (!r.mix_source.empty())
    text.mixed = mix_in(text.train, older_text(r), r.mix_share, r.plan.seed);
  return text;
}

}  // namespace gradus
