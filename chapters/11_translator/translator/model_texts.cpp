#include "11_translator/translator/model_texts.hpp"

#include <algorithm>

#include "11_translator/warnings/limits.hpp"
#include "gradus/io/unicode.hpp"

namespace gradus {
namespace {

/// Whether the source side has letters at all. A model of digits has none.
bool knows_letters(const Tokenizer& source, const SeenPieces& seen) {
  for (std::size_t id = Specials::count; id < source.size(); ++id)
    if ((seen.empty() || seen[id]) && has_letters(source.piece(static_cast<int>(id)))) return true;
  return false;
}

}  // namespace

ModelTexts::ModelTexts(const ModelFiles& model)
    : source(model.tokenizers.source, model.limits.source_pieces),
      target(model.tokenizers.target, {}),
      seen(model.limits.source_pieces),
      muted(model.limits.muted),
      languages(languages_of(model.tokenizers, seen)) {
  if (model.unusual_below) unusual_below = *model.unusual_below;
  if (model.limits.hesitant_below) {
    hesitant_below = *model.limits.hesitant_below;
  } else {  // a model of an earlier version
    hesitant_below = std::min(earlier_hesitant_share * unusual_below, hesitant_at_most);
    unusual_below = std::min(unusual_below, unusual_at_most);
  }
  const bool is_translated = std::find(muted.begin(), muted.end(), translates_signs) != muted.end();
  copies_signs = !is_translated && knows_letters(model.tokenizers.source, seen);
}

bool ModelTexts::has_seen(std::int32_t source_id) const {
  const auto id = static_cast<std::size_t>(source_id);
  return id < Specials::count || seen.empty() || seen[id];
}

const ModelTexts& no_texts() {
  static const ModelTexts none;
  return none;
}

}  // namespace gradus
