#pragma once
/// \file
/// What the two files of the demo share: the model without a past, and the sections on real text.

#include <cstdint>
#include <vector>

#include "09_transformer/greedy.hpp"
#include "09_transformer/model.hpp"

namespace gradus::demo {

/// One pass of the whole model over a source sentence and "<bos> output".
template <class Dev>
struct Pass {
  Pass(const Model<Dev>& model, const Sentence& source, Sentence output) {
    output.insert(output.begin(), Specials{}.bos);
    const auto one = [&](const Sentence& s) {
      return on_device(dev, SegmentTable::packed({static_cast<std::int32_t>(s.size())}));
    };
    const auto sources = one(source), targets = one(output);
    const ModelConfig config = model.config.without_dropout();
    encode(dev, c, on_device(dev, source), sources, model.params, config);
    decode(dev, c, {c.memory(), sources}, on_device(dev, output), targets, model.params, config);
  }
  Dev dev;
  TransformerCache<Dev> c;
};

/// The model without a past: for each word the decoder runs over all words so far.
template <class Dev>
struct KeepsNothing {
  const Model<Dev>& model;
  const Sentence& source;
  std::size_t rows_computed = 0;  // of the decoder

  struct Words {
    std::vector<double> scores;  // log probabilities, largest first
    std::vector<std::int32_t> ids;
  };
  Words after(const Sentence& output, std::size_t candidates) {
    Pass<Dev> pass(model, source, output);
    Dev& dev = pass.dev;
    rows_computed += output.size() + 1;
    const auto logits = dev.kept.matrix(1, model.config.target_vocab), scores = dev.kept.matrix(1, candidates);
    const auto ids = as_matrix(dev.kept.ints(candidates), 1, candidates);
    output_forward(dev, logits, rows(pass.c.output(), output.size(), 1), model.params.output);
    log_probs_top_k(dev, scores, ids, logits);
    std::vector<typename Dev::Real> values;
    Words best;
    read(dev, values, In<Dev, 1>(as_vector(scores)));
    read(dev, best.ids, Ints<Dev, 1>(as_vector(ids)));
    best.scores.assign(values.begin(), values.end());
    return best;
  }
};

/// demo_text.cpp
void subword_merges();
void ngrams_of_one_pair();
void search_of_the_bundled_model();

}  // namespace gradus::demo
