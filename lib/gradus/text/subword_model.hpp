#pragma once
/// \file
/// What the bytes of a subword model are, before SentencePiece sees them: it checks little of what it reads. They are a
/// message of protobuf, fields of a number, a kind and a value.

#include <string_view>

namespace gradus {

/// True if `bytes` are complete parts: pieces, and one piece each of the settings. SentencePiece alone would take a file
/// cut between two pieces for a smaller vocabulary, and would join settings that come twice.
bool whole_model(std::string_view bytes);

/// True if Subwords::train() could have written all of the model. What it never writes is not passed on.
bool as_learnt_here(std::string_view bytes);

}  // namespace gradus
