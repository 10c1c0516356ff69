#include "app/presets/presets.hpp"

namespace gradus {

Preset umar_jamil() {
  return {
      "umar-jamil",
      "pre-norm base model with final norms, Xavier; the text trains nothing: rate and schedule are gradus' own",
      {{"vocab", "separate", "build function: two vocabulary sizes"},
       {"d-model", "512", "build function"},
       {"heads", "8", "build function"},
       {"encoder-layers", "6", "build function"},
       {"decoder-layers", "6", "build function: N"},
       {"ffn", "2048", "build function"},
       {"norm", "pre", "residual connection, both stacks"},
       {"activation", "relu", "feed-forward block"},
       {"tied", "false", "build function"},
       {"attention-bias", "true", "attention block"},
       {"output-bias", "true", "projection layer"},
       {"scale-embedding", "true", "input embeddings"},
       {"init", "xavier", "build function"},
       {"init-tables", "like-weights", "build function"},
       {"init-biases", "true", "build function: PyTorch's default"},
       {"dropout", "0.1", "build function"},
       {"attention-dropout", "0.1", "attention block"},
       {"learning-rate", "0.0005", "gradus' own choice for width 512; the text has none"}},
      {{"cross-attention", "has its own parameters; the text's decoder uses its self-attention twice"},
       {"norm", "a gain and a shift for each column, variance over D; the text has one of each, and D - 1"},
       {"encoder", "its depth can be chosen; the text's is always 6"}},
      {{"norm", "epsilon is 1e-5 inside the root, not 1e-6 added to the deviation"},
       {"longest sentence", "one number for both sides, --max-length; the text has two, without a value"},
       {"padding row", "stays 0; the text's tables have none"},
       {"training", "the text has none: words, batches, optimiser and schedule are gradus' own"}}};
}

}  // namespace gradus
