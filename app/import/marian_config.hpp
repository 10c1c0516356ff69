#pragma once
/// \file
/// The configuration of a MarianMT model, as transformers writes it (config.json), and its list of pieces (vocab.json).

#include <string>
#include <string_view>
#include <vector>

#include "09_transformer/config.hpp"

namespace gradus {

/// What config.json says of a model.
struct MarianConfig {
  ModelConfig model;             ///< its vocabularies have one word more than the file's: our <pad>
  std::size_t vocab = 0;         ///< the file's own size
  std::size_t eos = 0, pad = 0;  ///< ids of the file; its decoder begins with pad
};

/// Reads config.json, which need not be trusted. Throws Error, one line with `name` and the field, if it is no JSON, or if the model is
/// not one that gradus computes: post-norm, one vocabulary, one table for both embeddings, equal heads and inner widths in both stacks,
/// swish, silu, relu or gelu, a decoder that begins with <pad>. Fields that change no result are not read.
MarianConfig parse_marian_config(std::string_view text, const std::string& name);

/// The pieces of vocab.json in the order of the file's ids. Throws Error, with `name`, unless the ids are 0 to `config.vocab` - 1, each
/// once, and </s>, <unk> and <pad> are there, the first and the last where the configuration has them.
std::vector<std::string> parse_marian_vocabulary(std::string_view text, const std::string& name,
                                                 const MarianConfig& config);

/// For each of our ids the file's id of the same piece; none for our <pad>. Ours begin with <pad>, <unk>, <bos> (the file's <pad>,
/// with which its decoder begins) and </s>; the others follow in the file's order.
std::vector<std::size_t> marian_rows(const std::vector<std::string>& pieces, const MarianConfig& config);

}  // namespace gradus
