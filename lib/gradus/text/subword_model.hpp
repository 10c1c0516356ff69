#pragma once
/// \file
/// Checks the bytes of a subword model before SentencePiece, which checks little, reads them. The bytes are a
/// protobuf message: fields with a number, a wire type and a value.

#include <string_view>

namespace gradus {

/// True if `bytes` are complete parts: pieces, and each of the settings once. SentencePiece alone would read a file
/// that is cut between two pieces as a smaller vocabulary, and would merge settings that come twice.
bool whole_model(std::string_view bytes);

/// True if Subwords::train() could have written every part of the model. Other models are not passed to
/// SentencePiece.
bool as_learnt_here(std::string_view bytes);

}  // namespace gradus
