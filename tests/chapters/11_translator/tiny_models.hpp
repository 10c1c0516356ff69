#pragma once
/// \file
/// Random models and sentences, small enough for a brute-force test of every search.

#include <memory>
#include <random>

#include "09_transformer/model.hpp"
#include "11_translator/search/search_host.hpp"

namespace gradus::test {

/// The random numbers of one draw of a test; the draw's number is the seed.
class Dice {
 public:
  explicit Dice(unsigned seed) : generator_(seed) {}

  /// first .. last, both included.
  std::size_t from(std::size_t first, std::size_t last) { return first + generator_() % (last - first + 1); }
  double normal() { return normal_(generator_); }
  template <class T>
  T one_of(std::initializer_list<T> all) {
    return *(all.begin() + generator_() % all.size());
  }

 private:
  std::mt19937 generator_;
  std::normal_distribution<double> normal_;
};

/// A config of one draw: both placements of the norm, both kinds of decoder, all tyings, biases or none, one or two layers and heads.
inline ModelConfig tiny_config(Dice& dice, std::size_t smallest_vocab, std::size_t largest_vocab) {
  ModelConfig c;
  c.target_vocab = dice.from(smallest_vocab, largest_vocab);
  c.tying = dice.one_of({Tying::none, Tying::output, Tying::all});
  c.source_vocab = c.tying == Tying::all ? c.target_vocab : dice.from(5, 9);
  c.heads = dice.from(1, 2);
  c.d_model = dice.one_of<std::size_t>({4, 8});
  c.ffn = dice.from(3, 9);
  c.encoder_layers = dice.from(1, 2);
  c.decoder_layers = dice.from(1, 2);
  c.norm = dice.one_of({Norm::pre, Norm::post});
  c.activation = dice.one_of({Activation::relu, Activation::gelu, Activation::swish});
  c.attention_bias = dice.from(0, 1) == 1;
  c.output_bias = dice.from(0, 1) == 1;
  c.decoder_unit = dice.one_of({DecoderUnit::attention, DecoderUnit::ssru});
  c.max_length = 12;
  c.residual_rate = 0.5;  // decoding has no dropout, whatever the rates of training
  return c;
}

/// All weights random, gains and biases too, because ones and zeros would hide mistakes.
template <class Dev>
std::unique_ptr<Model<Dev>> random_model(Dev& dev, const ModelConfig& config, Dice& dice) {
  auto model = std::make_unique<Model<Dev>>(dev, config);
  std::vector<typename Dev::Real> values(model->layout.size());
  for (auto& x : values) x = static_cast<typename Dev::Real>(0.7 * dice.normal());
  write(dev, model->flat(), values);
  return model;
}

/// A sentence of 1 to `longest` tokens, <eos> included.
inline Sentence random_sentence(Dice& dice, std::size_t vocab, std::size_t longest) {
  Sentence s;
  for (std::size_t words = dice.from(1, longest); words > 1; --words) {
    s.push_back(static_cast<std::int32_t>(dice.from(4, vocab - 1)));
  }
  s.push_back(3);
  return s;
}

}  // namespace gradus::test
