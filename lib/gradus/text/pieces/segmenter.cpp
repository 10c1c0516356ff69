#include "gradus/text/pieces/segmenter.hpp"

#include <optional>
#include <utility>

#include "gradus/text/pieces/best_path.hpp"
#include "gradus/text/pieces/byte_pieces.hpp"
#include "gradus/text/pieces/merge_loop.hpp"
#include "gradus/text/pieces/piece_model.hpp"
#include "gradus/text/pieces/piece_normaliser.hpp"
#include "gradus/text/pieces/piece_text.hpp"
#include "gradus/util/error.hpp"
#include "gradus/util/quoted.hpp"

namespace gradus {
namespace {

PrefixTree symbols_of(const PieceModel& model) {
  PrefixTree symbols;
  for (std::size_t id = 0; id < model.pieces.size(); ++id) {
    if (model.pieces[id].type == PieceType::user_defined) symbols.add(model.pieces[id].text, static_cast<int>(id));
  }
  return symbols;
}

}  // namespace

struct Segmenter::Impl {
  Impl(std::string_view bytes, const std::string& name)
      : model(read_piece_model(bytes, name)),
        symbols(symbols_of(model)),
        normalise(model.normaliser, symbols, name + ": normalizer_spec: "),
        byte_ids(256, model.unk_id) {
    model.kind == SubwordModel::bpe ? void(merges.emplace(model, symbols)) : void(path.emplace(model));
    for (std::size_t id = 0; id < model.pieces.size(); ++id) {
      if (model.pieces[id].type == PieceType::byte)
        byte_ids[static_cast<std::size_t>(byte_of_piece(model.pieces[id].text))] = static_cast<int>(id);
    }
  }

  const PieceModel model;
  const PrefixTree symbols;
  const PieceNormaliser normalise;
  std::optional<MergeLoop> merges;  // of the two, the one for the model's kind
  std::optional<BestPath> path;
  std::vector<int> byte_ids;
};

Segmenter::Segmenter(std::string_view bytes, const std::string& name)
    : impl_(std::make_shared<Impl>(bytes, name)) {}

/// Calls found(text, id) for each piece of `text`, unknown characters side by side as one.
template <class Found>
void Segmenter::cut(std::string_view text, const Found& found) const {
  const PieceModel& model = impl_->model;
  const std::string normal = impl_->normalise(text);
  std::string_view unknown;
  for (const Cut& cut : impl_->merges ? (*impl_->merges)(normal) : (*impl_->path)(normal)) {
    if (cut.id == model.unk_id && !model.byte_fallback) {
      const char* const begin = unknown.empty() ? cut.text.data() : unknown.data();
      unknown = {begin, unknown.size() + cut.text.size()};
      continue;
    }
    if (!unknown.empty()) found(std::exchange(unknown, {}), model.unk_id);
    if (model.pieces[static_cast<std::size_t>(cut.id)].type == PieceType::control)
      fail("text cannot be cut into subwords: it holds the control piece " + quoted(std::string(cut.text)));
    if (cut.id != model.unk_id) {
      found(cut.text, cut.id);
      continue;
    }
    for (const char c : cut.text) {
      const int id = impl_->byte_ids[static_cast<unsigned char>(c)];
      found(model.pieces[static_cast<std::size_t>(id)].text, id);
    }
  }
  if (!unknown.empty()) found(unknown, model.unk_id);
}

std::vector<Subwords::Piece> Segmenter::pieces(std::string_view text) const {
  std::vector<Subwords::Piece> pieces;
  cut(text, [&](std::string_view piece, int id) { pieces.push_back({std::string(piece), id}); });
  return pieces;
}

std::vector<int> Segmenter::encode(std::string_view text) const {
  std::vector<int> ids;
  cut(text, [&](std::string_view /*piece*/, int id) { ids.push_back(id); });
  return ids;
}

std::string Segmenter::decode(const std::vector<int>& ids) const {
  for (const int id : ids) piece(id);
  return text_of_pieces(impl_->model, ids);
}

const std::string& Segmenter::piece(int id) const {
  if (id < 0 || id >= size()) {
    fail("subword id " + std::to_string(id) + " does not exist: the vocabulary has ids 0 to " +
         std::to_string(size() - 1));
  }
  return impl_->model.pieces[static_cast<std::size_t>(id)].text;
}

int Segmenter::size() const { return static_cast<int>(impl_->model.pieces.size()); }

const PieceModel& Segmenter::model() const { return impl_->model; }

}  // namespace gradus
