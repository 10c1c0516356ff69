#pragma once
/// \file
/// Small models with random weights and a vocabulary, for the tests of exported files.

#include "11_translator/storage/model_files.hpp"
#include "chapters/11_translator/tiny_models.hpp"
#include "gradus/device/device.hpp"

namespace gradus::test {

/// A model with random weights and a vocabulary of four special and two other words.
inline ModelFiles tiny_files(ModelConfig c, bool joint, const TextRules& rules = {}) {
  const Tokenizers words =
      learn_tokenizers({"a a b"}, {joint ? "a b" : "c d"}, {TokenizerKind::word, 0, 1, rules}, joint);
  c.source_vocab = words.source.size();
  c.target_vocab = words.target.size();
  c.max_length = 6;
  ModelFiles files{c, {}, words};
  Dice dice(7);
  const std::size_t count = transformer_layout<Cpu<float>>(c).size();
  for (std::size_t i = 0; i < count; ++i) files.weights.push_back(static_cast<float>(dice.normal()));
  return files;
}

inline ModelConfig small_config(Norm norm) {
  ModelConfig c;
  c.d_model = 4;
  c.heads = 2;
  c.ffn = 3;
  c.encoder_layers = 1;
  c.decoder_layers = 2;
  c.norm = norm;
  return c;
}

}  // namespace gradus::test
