#pragma once
/// \file
/// All cases of all kernels, one after the other: for the case file, and for the check on a GPU.

#include <string>

#include <sized_kernels_of_all.hpp>  // made by tests/support/sizes.py
#include "chapters/00_foundations/kernel_cases.hpp"
#include "chapters/01_embedding/kernel_cases.hpp"
#include "chapters/02_positional_encoding/kernel_cases.hpp"
#include "chapters/03_attention/kernel_cases.hpp"
#include "chapters/04_masks/kernel_cases.hpp"
#include "chapters/05_layer_norm/kernel_cases.hpp"
#include "chapters/06_feed_forward/kernel_cases.hpp"
#include "chapters/07_encoder/kernel_cases.hpp"
#include "chapters/08_decoder/kernel_cases.hpp"
#include "chapters/09_transformer/kernel_cases.hpp"
#include "chapters/10_training/kernel_cases.hpp"
#include "chapters/11_translator/kernel_cases.hpp"
#include "chapters/12_ssru/kernel_cases.hpp"

namespace gradus::test {

/// f(name, case, options); a name is the number of the case and its component.
template <class F>
void each_kernel(F&& f) {
  int number = 0;
  const auto named = [&](const auto& c, const KernelOptions& options) {
    f(std::to_string(++number) + " " + describe(c).component, c, options);
  };
  each_foundation_kernel(named);
  each_embedding_kernel(named);
  each_position_kernel(named);
  each_attention_kernel(named);
  each_masks_kernel(named);
  each_layer_norm_kernel(named);
  each_feed_forward_kernel(named);
  each_encoder_kernel(named);
  each_decoder_kernel(named);
  each_choice_kernel(named);
  each_transformer_kernel(named);
  each_loss_kernel(named);
  each_model_kernel(named);
  each_optimiser_kernel(named);
  each_past_kernel(named);
  each_ssru_kernel(named);
  each_sized_kernel(named);
}

/// Those that come last, and have to: see each_large_attention.
template <class F>
void each_large_kernel(F&& f) {
  int number = 0;
  each_large_attention([&](const auto& c, const KernelOptions& options) {
    f("large " + std::to_string(++number) + " " + describe(c).component, c, options);
  });
}

}  // namespace gradus::test
