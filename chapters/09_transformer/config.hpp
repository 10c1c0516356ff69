#pragma once
/// \file
/// The choices that make a model: sizes, placements, rates.

#include <string>

#include "07_encoder/stack.hpp"
#include "gradus/util/names.hpp"

namespace gradus {

/// Which of the three tables (Vocab, D) are the same one (Press, Wolf 2017).
enum class Tying {
  none,    ///< source embedding, target embedding and output are three tables
  output,  ///< the output table is the target embedding
  all      ///< all three are the same; both languages share a vocabulary
};

template <>
struct Names<Tying> {
  static constexpr const char* noun = "tying";
  static constexpr Name<Tying> table[] = {{Tying::none, "none"}, {Tying::output, "output"}, {Tying::all, "all"}};
};

/// What is added to a word to say where in its sentence it stands.
enum class Positions {
  sinusoids,  ///< chapter 02
  none,       ///< nothing, for experiments: the encoder then reads a sentence as a bag of words
  halves,     ///< chapter 02, the sines in the first half of the columns: Marian's models in transformers
  marian      ///< the same with Marian's own frequencies
};

template <>
struct Names<Positions> {
  static constexpr const char* noun = "positions";
  static constexpr Name<Positions> table[] = {{Positions::sinusoids, "sinusoids"},
                                              {Positions::none, "none"},
                                              {Positions::halves, "halves"},
                                              {Positions::marian, "marian"}};
};

struct ModelConfig {
  std::size_t source_vocab = 0, target_vocab = 0;
  std::size_t d_model = 128;
  std::size_t heads = 4;
  std::size_t ffn = 256;
  std::size_t encoder_layers = 4, decoder_layers = 4;
  Norm norm = Norm::pre;
  NormForm norm_form = NormForm::layer;
  double norm_epsilon = layer_norm_epsilon;  ///< added to the variance, inside the root
  Activation activation = Activation::relu;
  Tying tying = Tying::output;
  bool attention_bias = false;  ///< biases of all four projections; the feed-forward network always has biases
  bool attention_output_bias = false;  ///< a bias after W_O alone; attention_bias has it already
  bool output_bias = false;     ///< of the output layer: one number for each target word, also with a tied table
  bool scale_embedding = true;  ///< multiply it by sqrt(D)
  Positions positions = Positions::sinusoids;
  DecoderUnit decoder_unit = DecoderUnit::attention;  ///< what reads the words before, in each layer of the decoder
  std::size_t max_length = 256;  ///< positions: no sentence has more tokens, including its end or begin mark
  double embedding_rate = 0;     ///< dropout on word plus position
  double attention_rate = 0;     ///< on attention weights
  double activation_rate = 0;    ///< inside the feed-forward network
  double residual_rate = 0;      ///< on each sublayer's output

  /// The largest sizes. A model from a file passes the same check: any model that can be trained can be loaded.
  static constexpr std::size_t most_words = 1'000'000, widest = 16384, widest_ffn = 65536, most_layers = 256;
  static constexpr std::size_t longest = 4096;  ///< of max_length: the table of positions has that many rows

  /// The name of a size in messages, from its field: "d_model", or "--d-model" if it comes from a command line.
  using NameOf = std::string (*)(const std::string& field);

  /// Throws UsageError, one line that says what to change, if such a model cannot be built.
  void check(NameOf name_of = [](const std::string& field) { return field; }) const;

  /// The same model with all rates at 0: for validation and translation.
  ModelConfig without_dropout() const;

  StackOptions encoder() const;
  StackOptions decoder() const;
};

/// The number of parameters of such a model.                                                           (eq:9.4)
std::size_t parameter_count(const ModelConfig& config);

}  // namespace gradus
