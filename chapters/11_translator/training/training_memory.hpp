#pragma once
/// \file
/// The memory that a training needs at least.

#include "11_translator/training/training_request.hpp"

namespace gradus {

/// Bytes that a training on a processor needs at least. Each parameter takes 4 bytes as a weight, for each of its
/// two moments, and for each gradient, one in a micro-batch; while a checkpoint is written, also two copies of the
/// weight and moments, as numbers and as bytes of the file. The memory of a batch is extra.
double training_memory(const ModelConfig& model, std::size_t gradients);

/// Throws Error, with the estimate, if this process, which computes so many gradients, cannot get that much memory. A training on a GPU keeps less in
/// this process, so it is not checked.
void require_training_memory(const TrainingRequest& request, std::size_t gradients);

}  // namespace gradus
