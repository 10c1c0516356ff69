#pragma once
/// \file
/// The choices that make a model: sizes, placements, rates.

#include <string>

#include "07_encoder/stack.hpp"

namespace gradus {

/// Which of the three tables (Vocab, D) are one and the same (Press, Wolf 2017).
enum class Tying {
  none,    ///< source embedding, target embedding and output are three tables
  output,  ///< the output table is the target embedding
  all      ///< all three are one; both languages share a vocabulary
};

template <>
struct Names<Tying> {
  static constexpr const char* noun = "tying";
  static constexpr Name<Tying> table[] = {{Tying::none, "none"}, {Tying::output, "output"}, {Tying::all, "all"}};
};

struct ModelConfig {
  std::size_t source_vocab = 0, target_vocab = 0;
  std::size_t d_model = 128;
  std::size_t heads = 4;
  std::size_t ffn = 256;
  std::size_t encoder_layers = 4, decoder_layers = 4;
  Norm norm = Norm::pre;
  Activation activation = Activation::relu;
  Tying tying = Tying::output;
  bool attention_bias = false;   ///< the feed-forward network always has biases, the output table never
  bool scale_embedding = true;   ///< by sqrt(D)
  std::size_t max_length = 256;  ///< positions: no sentence has more tokens, end or begin mark counted
  double embedding_rate = 0;     ///< dropout on word plus position
  double attention_rate = 0;     ///< on attention weights
  double activation_rate = 0;    ///< inside the feed-forward network
  double residual_rate = 0;      ///< on what a sublayer adds

  /// The largest sizes. A file's model passes the same check: what can be trained can be loaded.
  static constexpr std::size_t most_words = 1'000'000, widest = 16384, widest_ffn = 65536, most_layers = 256;
  static constexpr std::size_t longest = 4096;  ///< of max_length: a table of so many positions is made

  /// What a message calls a size, given its field: "d_model", or "--d-model" where a command line chose it.
  using NameOf = std::string (*)(const std::string& field);

  /// Throws UsageError, one line that says what to change, if no such model can be built.
  void check(NameOf name_of = [](const std::string& field) { return field; }) const;

  /// The same model with all rates at 0: for validation and translation.
  ModelConfig without_dropout() const;

  StackOptions encoder() const;
  StackOptions decoder() const;
};

/// How many numbers such a model learns.                                                              (eq:9.5)
std::size_t parameter_count(const ModelConfig& config);

}  // namespace gradus
