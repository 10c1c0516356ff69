#pragma once
/// \file
/// The configuration of a Marian model, as its file of weights has it (special:model.yml).

#include <string>
#include <string_view>

#include "09_transformer/config.hpp"

namespace gradus {

/// Reads the configuration, which need not be trusted. The vocabularies have two words more than the file's: our <pad> and <bos>. Throws
/// Error, one line with `name` and the field, if it is not the text that parse_flat_yaml reads, if a field is not known, or if the model
/// is not one that gradus computes: a transformer with post-norm ("dan"), or with pre-norm ("n", "da") and a norm at the top ("n"); relu or
/// swish; one size of vocabulary; a decoder with an SSRU or with self-attention. Fields that change no result may have any value.
///
/// Without a norm at the top, pre-norm is refused for another reason too: Marian had that field from 1.10 on, and earlier versions do not
/// normalise the keys and values of self-attention. gelu is refused because Marian has had two functions of that name.
ModelConfig parse_student_config(std::string_view text, const std::string& name);

}  // namespace gradus
