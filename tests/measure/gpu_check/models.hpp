#pragma once
/// \file
/// The models that are trained and timed here.

#include "09_transformer/config.hpp"

namespace gradus::test {

/// The sizes of the bundled model: D = 128, 4 heads, F = 512, 4 + 4 layers. Both languages share a table if they
/// share a vocabulary. Tiny: a size that the host layer computes quickly.
inline ModelConfig base_model(std::size_t source_vocab, std::size_t target_vocab, double dropout, bool is_tiny) {
  ModelConfig c;
  c.source_vocab = source_vocab, c.target_vocab = target_vocab;
  c.d_model = 128, c.heads = 4, c.ffn = 512;
  if (is_tiny) c.d_model = 8, c.heads = 2, c.ffn = 16, c.encoder_layers = c.decoder_layers = 1;
  c.tying = source_vocab == target_vocab ? Tying::all : Tying::output;
  c.embedding_rate = c.activation_rate = c.residual_rate = dropout;
  c.attention_rate = dropout / 2;
  return c;
}

}  // namespace gradus::test
