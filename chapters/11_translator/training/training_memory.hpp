#pragma once
/// \file
/// How much memory a training takes at least.

#include "11_translator/training/training_request.hpp"

namespace gradus {

/// Bytes that a training on a processor takes at least. A parameter takes 4 bytes as a weight, as each of two moments,
/// as a gradient of each micro-batch; and while a checkpoint is written, two copies of weight and moments: as numbers,
/// and as the bytes of the file. What a batch needs comes on top of that.
double training_memory(const ModelConfig& model, std::size_t micro_batches);

/// Throws Error, with the estimate, if this process cannot get that much. A training on a GPU keeps less here, which is
/// not estimated.
void require_training_memory(const TrainingRequest& request);

}  // namespace gradus
