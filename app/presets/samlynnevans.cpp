#include "app/presets/presets.hpp"

namespace gradus {

Preset samlynnevans() {
  return {"samlynnevans",
          "pre-norm base model with final norms, embedding scale, Xavier, dropout on attention weights, Adam 1e-4",
          {{"tokenizer", "word", "training"},
           {"vocab", "separate", "masks, training"},
           {"d-model", "512", "training"},
           {"heads", "8", "training"},
           {"layers", "6", "training"},
           {"ffn", "2048", "feed-forward"},
           {"max-length", "80", "positional encoding"},
           {"norm", "pre", "layers, stacks"},
           {"activation", "relu", "feed-forward"},
           {"tied", "false", "Transformer"},
           {"attention-bias", "true", "multi-headed attention"},
           {"output-bias", "true", "Transformer"},
           {"scale-embedding", "true", "positional encoding"},
           {"init", "xavier", "training"},
           {"init-tables", "like-weights", "training"},
           {"init-biases", "true", "training: PyTorch's default"},
           {"dropout", "0.1", "defaults of three classes"},
           {"attention-dropout", "0.1", "attention"},
           {"embedding-dropout", "0", "positional encoding"},
           {"label-smoothing", "0", "training"},
           {"optimizer", "adam", "training"},
           {"learning-rate", "1e-4", "training"},
           {"schedule", "constant", "training"},
           {"warmup", "0", "training"},
           {"adam-beta1", "0.9", "training"},
           {"adam-beta2", "0.98", "training"},
           {"adam-epsilon", "1e-9", "training"},
           {"clip", "0", "training"},
           {"weight-decay", "0", "training"},
           {"average-last", "1", "no mean of several models"}},
          {{"positions", "two columns share a wave length; the text doubles the index and gives each its own"},
           {"norm", "variance over D columns; the text divides by D - 1"},
           {"dropout", "each rate reaches its place; the text's layers build attention without it"},
           {"translation", "without begin mark; the text's begins with it"}},
          {{"norm", "epsilon is 1e-5 inside the root, not 1e-6 added to the deviation"},
           {"search", "greedy in the text: gradus translate --beam-size 1"},
           {"weights", "those of the best validation are kept, not the last"}}};
}

}  // namespace gradus
