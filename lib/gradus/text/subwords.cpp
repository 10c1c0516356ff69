#include "gradus/text/subwords.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <unordered_map>
#include <utility>

#include "gradus/io/atomic_file.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/pieces/segmenter.hpp"
#include "gradus/text/single_spaces.hpp"
#include "gradus/util/error.hpp"

namespace gradus {
namespace {

bool has_our_specials(const PieceModel& model) {
  constexpr Specials specials = Subwords::specials;
  const auto is = [&](int id, const char* text, PieceType type) {
    const ModelPiece& piece = model.pieces[static_cast<std::size_t>(id)];
    return piece.text == text && piece.type == type;
  };
  return model.pieces.size() >= Specials::count && is(specials.pad, "<pad>", PieceType::control) &&
         is(specials.unk, "<unk>", PieceType::unknown) && is(specials.bos, "<s>", PieceType::control) &&
         is(specials.eos, "</s>", PieceType::control);
}

/// True if Subwords::train() could have written the model: characters stay as they are, and what is learnt comes last.
bool as_learnt_here(const PieceModel& model) {
  const auto is_learnt = [](const ModelPiece& piece) { return piece.type == PieceType::normal; };
  const auto is_foreign = [](const ModelPiece& piece) {
    return piece.type == PieceType::unused || piece.type == PieceType::byte;
  };
  const auto begin = model.pieces.begin(), end = model.pieces.end();
  const auto learnt = std::find_if(begin, end, is_learnt);
  return model.normaliser.rules.empty() && std::none_of(begin, learnt, is_foreign) &&
         std::all_of(learnt, end, is_learnt);
}

/// Whether a sentence has the subwords of its words, one word after the other. So it is if no piece goes on after a
/// space, and if scores are whole numbers, as the ranks of BPE are: then no sum of scores is rounded, and the words
/// before do not change what is likelier. A space must be a piece, because unknown characters side by side are one.
bool words_are_independent(const Segmenter& segmenter) {
  const std::string space = "\u2581";
  bool has_space = false;
  for (const ModelPiece& piece : segmenter.model().pieces) {
    if (piece.text.find(space, 1) != std::string::npos || piece.score != std::floor(piece.score)) return false;
    has_space = has_space || piece.text == space;
  }
  const auto one = segmenter.encode("a"), two = segmenter.encode("a a");
  return has_space && two.size() == 2 * one.size() && std::equal(one.begin(), one.end(), two.begin()) &&
         std::equal(one.rbegin(), one.rend(), two.rbegin());
}

}  // namespace

Subwords::Subwords(std::shared_ptr<const Segmenter> segmenter) : segmenter_(std::move(segmenter)) {}

Subwords Subwords::from_bytes(const std::string& bytes, const std::string& name) {
  auto segmenter = std::make_shared<const Segmenter>(bytes, name);
  if (!has_our_specials(segmenter->model()))
    fail(name + ": its special pieces are not pad 0, unk 1, bos 2, eos 3; learn it with this program");
  if (!as_learnt_here(segmenter->model()))
    fail(name + ": its pieces or its rules to rewrite characters are foreign; learn it with this program");
  return Subwords(std::move(segmenter));
}

Subwords Subwords::load(const std::string& path) {
  constexpr std::uint64_t longest = 256'000'000;  // bytes
  return from_bytes(read_regular_file(path, longest), path);
}

std::vector<int> Subwords::encode(const std::string& text) const { return segmenter_->encode(single_spaces(text)); }

std::function<std::vector<int>(const std::string&)> Subwords::encoder() const {
  if (!words_are_independent(*segmenter_))
    return [all = *this](const std::string& text) { return all.encode(text); };
  return [segmenter = segmenter_,
          known = std::unordered_map<std::string, std::vector<int>>()](const std::string& text) mutable {
    constexpr std::size_t most_words = 200'000, longest = 64;  // more words, and longer ones, are not remembered
    std::vector<int> ids;
    std::istringstream words(single_spaces(text));
    for (std::string word; std::getline(words, word, ' ');) {
      const auto found = known.find(word);
      const bool is_new = found == known.end();
      const std::vector<int> own = is_new ? segmenter->encode(word) : std::vector<int>();
      const std::vector<int>& of_word = is_new ? own : found->second;
      ids.insert(ids.end(), of_word.begin(), of_word.end());
      if (is_new && known.size() < most_words && word.size() <= longest) known.emplace(word, own);
    }
    return ids;
  };
}

std::vector<Subwords::Piece> Subwords::pieces(const std::string& text) const {
  return segmenter_->pieces(single_spaces(text));
}

std::string Subwords::decode(const std::vector<int>& ids) const { return single_spaces(segmenter_->decode(ids)); }

int Subwords::size() const { return segmenter_->size(); }

std::string Subwords::piece(int id) const { return segmenter_->piece(id); }

}  // namespace gradus
