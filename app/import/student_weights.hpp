#pragma once
/// \file
/// The weights of a Marian model under Marian's names, in the layout of gradus.

#include <vector>

#include "09_transformer/config.hpp"
#include "app/import/marian_file.hpp"

namespace gradus {

/// For each of our ids the file's id of the same piece; none for <pad> and <bos>. `count` is the file's number of pieces, of which the
/// first is </s> and the second <unk>.
std::vector<std::size_t> student_rows(std::size_t count);

/// The weights of the model, flat, by the layout of `config` (parse_student_config).
///
/// computes  each matrix as it is multiplied, so int8 matrices transposed, but not tables; queries, keys and values side by side; the
///           tables in the order of student_rows. <bos> has a row of zeros, because Marian's decoder begins with the vector 0. <pad> and
///           <bos> have an output bias so low that their probability is 0, since the file's model has no such words.
/// requires  a tensor of its shape for each parameter. Scales of activations (...QuantMultA) are not read. Other tensors are an Error.
/// ensures   a float is the file's own; an int8 is divided in Real.
template <class Real>
std::vector<Real> student_weights(const MarianFile& file, const ModelConfig& config);

}  // namespace gradus
