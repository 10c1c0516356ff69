#pragma once
/// \file
/// The curves of a training as a table, for programs that draw or compare them.

#include <string>

#include "11_translator/training/record/training_history.hpp"

namespace gradus {

/// CSV (RFC 4180, with line feeds): a line of names, then a row for each step that has a record, in the order of the steps. A row of a
/// step, which is the mean since the row before, has no validation, and a row of a validation alone has only its own columns: they are
/// empty. Numbers are exact in every bit; one that is not finite is nan.
std::string to_csv(const TrainingHistory& history);

}  // namespace gradus
