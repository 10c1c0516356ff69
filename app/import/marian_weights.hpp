#pragma once
/// \file
/// The weights of a MarianMT model under the names of transformers, in the layout of gradus.

#include <vector>

#include "app/import/marian_config.hpp"
#include "gradus/io/safetensors.hpp"

namespace gradus {

/// The weights of the model, flat, by the layout of `config.model`.
///
/// computes  each matrix transposed, because PyTorch's linear maps are (out, in); queries, keys and values side by side; the rows of
///           the tables in the order of `rows` (marian_rows). Our <pad> has a row of zeros and an output bias so low that its
///           probability is 0, since the file's model has no such word.
/// requires  a tensor of its shape for each parameter. Tied tables may come once or several times, with equal values; without tying,
///           model.shared.weight stands for an embedding that has no tensor of its own. A table of positions must be that of
///           Positions::halves. Other tensors are an Error.
/// ensures   the values are the file's own, not rounded if Real is at least as wide as they are.
template <class Real>
std::vector<Real> marian_weights(const SafetensorsFile& file, const MarianConfig& config,
                                 const std::vector<std::size_t>& rows);

}  // namespace gradus
