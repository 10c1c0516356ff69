#pragma once
/// \file
/// The fields of a model's configuration, each once: what files call it, what messages call it, and what it may be.

#include "09_transformer/config.hpp"
#include "gradus/text/specials.hpp"

namespace gradus {

/// Shows `visit` each field of `c`, a ModelConfig or a const one, in the order in which files list them:
///
///     visit.size(name, label, value, least, most)   a whole number, from `least` to `most`
///     visit.word(name, value)                       an enum with a table of names
///     visit.flag(name, value)
///     visit.rate(name, label, value)                a dropout rate, in [0, 1)
///     visit.epsilon(name, value)                    above 0 and below 1; missing in files if it is the default
///
/// A new field needs one line here to be stored, read and checked. Models that were stored before it lack a new flag, which must be false
/// by default, or a new word, by default its first; no size and no rate came later so far.
template <class Config, class Visitor>
void each_field(Config& c, Visitor&& visit) {
  using M = ModelConfig;
  visit.size("source_vocab", "the source vocabulary's size", c.source_vocab, Specials::count, M::most_words);
  visit.size("target_vocab", "the target vocabulary's size", c.target_vocab, Specials::count, M::most_words);
  visit.size("d_model", "d_model", c.d_model, 2, M::widest);
  visit.size("heads", "heads", c.heads, 1, M::widest);
  visit.size("ffn", "ffn", c.ffn, 1, M::widest_ffn);
  visit.size("encoder_layers", "the number of encoder layers", c.encoder_layers, 1, M::most_layers);
  visit.size("decoder_layers", "the number of decoder layers", c.decoder_layers, 1, M::most_layers);
  visit.word("norm", c.norm);
  visit.word("norm_form", c.norm_form);
  visit.epsilon("norm_epsilon", c.norm_epsilon);
  visit.word("activation", c.activation);
  visit.word("tying", c.tying);
  visit.flag("attention_bias", c.attention_bias);
  visit.flag("attention_output_bias", c.attention_output_bias);
  visit.flag("output_bias", c.output_bias);
  visit.flag("scale_embedding", c.scale_embedding);
  visit.word("positions", c.positions);
  visit.word("decoder", c.decoder_unit);
  visit.size("max_length", "max_length", c.max_length, 1, M::longest);
  visit.rate("embedding_rate", "embedding", c.embedding_rate);
  visit.rate("attention_rate", "attention", c.attention_rate);
  visit.rate("activation_rate", "activation", c.activation_rate);
  visit.rate("residual_rate", "residual", c.residual_rate);
}

}  // namespace gradus
