#pragma once
/// \file
/// Wrong ways to join the halves of the model, and to choose a word.

#include <cmath>

#include "09_transformer/log_probs_top_k.hpp"
#include "09_transformer/transformer.hpp"

namespace gradus::wrong {

/// Writes an embedding's gradient where it should add: with tied tables, the output layer's gradient is lost.
/// twin: tied-gradient-overwritten 09_transformer own finite-differences dual-numbers golden parity contract
template <class Base>
struct TiedGradientOverwritten : Base {
  static inline int calls = 0;
};
template <class Base>
void embed_backward(TiedGradientOverwritten<Base>& dev, Acc<Base, 2> dtable, In<Base, 2> dy, Ints<Base, 1> ids,
                    const EmbedOptions& options) {
  ++dev.calls;
  fill(dev, dtable, 0);
  gradus::embed_backward(static_cast<Base&>(dev), dtable, dy, ids, options);
}

/// The decoder attends to the embedded source instead of the encoder's output. Backward is unchanged.
/// twin: encoder-skipped 09_transformer own finite-differences golden parity
template <class Base>
struct EncoderSkipped : Base {
  static inline int calls = 0;
};
template <class Base>
void encoder_forward(EncoderSkipped<Base>& dev, EncoderCache<Base>& c, const Sequences<Base>& x,
                     const EncoderParams<Base>& p, const StackOptions& o) {
  ++dev.calls;
  gradus::encoder_forward(static_cast<Base&>(dev), c, x, p, o);
  c.output = x.rows;
}

/// Normalises over the positions of the batch instead of over the words of the vocabulary.
/// twin: softmax-over-positions 09_transformer tutorial golden parity
template <class Base>
struct SoftmaxOverPositions : Base {
  static inline int calls = 0;
};
template <class Base>
void log_probs_top_k(SoftmaxOverPositions<Base>& dev, Out<Base, 2> scores, OutInts<Base, 2> ids,
                     In<Base, 2> logits) {
  ++dev.calls;
  gradus::log_probs_top_k(static_cast<Base&>(dev), scores, ids, logits);
  for (std::size_t n = 0; n < scores.extent[0]; ++n) {
    for (std::size_t k = 0; k < scores.extent[1]; ++k) {
      const auto word = static_cast<std::size_t>(ids.row(n)[k]);
      typename Base::Real sum = 0;
      for (std::size_t m = 0; m < scores.extent[0]; ++m) sum += std::exp(logits.row(m)[word] - logits.row(n)[word]);
      scores.row(n)[k] = -std::log(sum);
    }
  }
}

/// Takes exp of the logits without subtracting the maximum: right until one of them is large.
/// twin: no-maximum-subtracted 09_transformer tutorial golden -parity
/// twin: no-maximum-subtracted 10_training tutorial golden -finite-differences -dual-numbers -parity
template <class Base>
struct NoMaximumSubtracted : Base {
  static inline int calls = 0;
};
template <class Base>
void log_probs_top_k(NoMaximumSubtracted<Base>& dev, Out<Base, 2> scores, OutInts<Base, 2> ids,
                     In<Base, 2> logits) {
  ++dev.calls;
  gradus::log_probs_top_k(static_cast<Base&>(dev), scores, ids, logits);
  for (std::size_t n = 0; n < scores.extent[0]; ++n) {
    typename Base::Real sum = 0;
    for (std::size_t j = 0; j < logits.extent[1]; ++j) sum += std::exp(logits.row(n)[j]);
    for (std::size_t k = 0; k < scores.extent[1]; ++k) {
      scores.row(n)[k] = std::log(std::exp(logits.row(n)[static_cast<std::size_t>(ids.row(n)[k])]) / sum);
    }
  }
}

}  // namespace gradus::wrong
