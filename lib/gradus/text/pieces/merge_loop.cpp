#include "gradus/text/pieces/merge_loop.hpp"

#include <cstddef>
#include <queue>
#include <unordered_map>

#include "gradus/text/pieces/piece_normaliser.hpp"

namespace gradus {
namespace {

constexpr std::size_t no_part = static_cast<std::size_t>(-1);

/// A part of the text. `before` and `after` are its neighbours, or no_part; a part that was joined to the one before it is empty.
struct TextPart {
  std::string_view text;
  bool is_symbol;
  std::size_t before, after;
};

/// Two neighbours that make a piece, as they were when the pair was found.
struct Neighbours {
  float score;
  std::size_t left, right, length;
  bool operator<(const Neighbours& other) const {
    return score != other.score ? score < other.score : left > other.left;
  }
};

/// `text` as characters and symbols.
std::vector<TextPart> parts_of(std::string_view text, const PrefixTree& symbols) {
  std::vector<TextPart> parts;
  while (!text.empty()) {
    const std::size_t symbol = symbols.longest(text), length = symbol > 0 ? symbol : character_length(text);
    parts.push_back({text.substr(0, length), symbol > 0, parts.size() - 1, parts.size() + 1});
    text.remove_prefix(length);
  }
  if (!parts.empty()) parts.back().after = no_part;
  return parts;
}

/// The text of two neighbours.
std::string_view joined(const TextPart& left, const TextPart& right) {
  return {left.text.data(), left.text.size() + right.text.size()};
}

/// Where an unused piece was joined, the last time that it was found.
using Joints = std::unordered_map<std::string_view, std::size_t>;

/// What is left after all pairs are joined.
class Joining {
 public:
  Joining(const PieceModel& model, std::vector<TextPart>& parts) : model_(model), parts_(parts) {
    for (std::size_t i = 1; i < parts_.size(); ++i) find_pair(i - 1, i);
    while (!pairs_.empty()) {
      const Neighbours pair = pairs_.top();
      pairs_.pop();
      if (still_there(pair)) join(pair);
    }
  }

  const Joints& joints() const { return joints_; }

 private:
  void find_pair(std::size_t left, std::size_t right) {
    if (left == no_part || right == no_part || parts_[left].is_symbol || parts_[right].is_symbol) return;
    const std::string_view text = joined(parts_[left], parts_[right]);
    const auto found = model_.ids.find(text);
    if (found == model_.ids.end()) return;
    const ModelPiece& piece = model_.pieces[static_cast<std::size_t>(found->second)];
    if (piece.type != PieceType::normal && piece.type != PieceType::user_defined && piece.type != PieceType::unused)
      return;
    pairs_.push({piece.score, left, right, text.size()});
    if (piece.type == PieceType::unused) joints_[text] = parts_[left].text.size();
  }

  bool still_there(const Neighbours& pair) const {
    const TextPart &left = parts_[pair.left], &right = parts_[pair.right];
    return !left.text.empty() && !right.text.empty() && left.text.size() + right.text.size() == pair.length;
  }

  void join(const Neighbours& pair) {
    TextPart &left = parts_[pair.left], &right = parts_[pair.right];
    left.text = joined(left, right);
    left.after = right.after;
    if (right.after != no_part) parts_[right.after].before = pair.left;
    right.text = {};
    find_pair(left.before, pair.left);
    find_pair(pair.left, left.after);
  }

  const PieceModel& model_;
  std::vector<TextPart>& parts_;
  std::priority_queue<Neighbours> pairs_;
  Joints joints_;
};

}  // namespace

MergeLoop::MergeLoop(const PieceModel& model, const PrefixTree& symbols) : model_(model), symbols_(symbols) {}

std::vector<Cut> MergeLoop::operator()(std::string_view text) const {
  std::vector<TextPart> parts = parts_of(text, symbols_);
  const Joining joining(model_, parts);
  std::vector<Cut> cuts;
  std::vector<std::string_view> left;  // to be looked up, the next one last
  for (std::size_t i = parts.empty() ? no_part : 0; i != no_part; i = parts[i].after) {
    for (left.push_back(parts[i].text); !left.empty();) {
      const std::string_view part = left.back();
      left.pop_back();
      const auto found = model_.ids.find(part);
      const int id = found == model_.ids.end() ? model_.unk_id : found->second;
      const auto joint = joining.joints().find(part);
      if (joint == joining.joints().end()) {
        cuts.push_back({part, id});
      } else {
        left.push_back(part.substr(joint->second));
        left.push_back(part.substr(0, joint->second));
      }
    }
  }
  return cuts;
}

}  // namespace gradus
