#include "gradus/text/pieces/best_path.hpp"

#include <algorithm>
#include <limits>

#include "gradus/text/pieces/piece_normaliser.hpp"

namespace gradus {
namespace {

/// The best way to a place of the text: where its last piece begins, and the sum of the scores. The sum is rounded to a float,
/// as SentencePiece rounds it: two ways that are almost equal compare as they do there.
struct Way {
  static constexpr std::size_t unreached = static_cast<std::size_t>(-1);
  float sum = 0;
  std::size_t start = unreached;
  int id = -1;

  void offer(double other_sum, std::size_t other_start, int other_id) {
    if (start == unreached || other_sum > double{sum})
      *this = {static_cast<float>(other_sum), other_start, other_id};
  }
};

}  // namespace

BestPath::BestPath(const PieceModel& model)
    : model_(model), smallest_(std::numeric_limits<float>::max()), largest_(std::numeric_limits<float>::min()) {
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    const ModelPiece& piece = model.pieces[id];
    if (piece.type == PieceType::normal || piece.type == PieceType::user_defined)
      pieces_.add(piece.text, static_cast<int>(id));
    if (piece.type != PieceType::normal) continue;
    smallest_ = std::min(smallest_, piece.score);
    largest_ = std::max(largest_, piece.score);
  }
}

/// The score of a piece of `length` bytes.
double BestPath::score(int id, std::size_t length) const {
  const ModelPiece& piece = model_.pieces[static_cast<std::size_t>(id)];
  if (piece.type != PieceType::user_defined) return piece.score;
  return double{static_cast<float>(length) * largest_} - 0.1;
}

std::vector<Cut> BestPath::operator()(std::string_view text) const {
  const float unknown = smallest_ - 10;
  std::vector<Way> ways(text.size() + 1);
  for (std::size_t start = 0, length = 0; start < text.size(); start += length) {
    const std::string_view rest = text.substr(start);
    const float sum = ways[start].sum;
    length = character_length(rest);
    bool is_known = false;
    pieces_.at_start(rest, [&](std::size_t bytes, int id) {
      ways[start + bytes].offer(score(id, bytes) + double{sum}, start, id);
      is_known = is_known || bytes == length;
    });
    if (!is_known) ways[start + length].offer(double{unknown + sum}, start, model_.unk_id);
  }
  std::vector<Cut> cuts;
  for (std::size_t end = text.size(); end > 0; end = ways[end].start)
    cuts.push_back({text.substr(ways[end].start, end - ways[end].start), ways[end].id});
  std::reverse(cuts.begin(), cuts.end());
  return cuts;
}

}  // namespace gradus
