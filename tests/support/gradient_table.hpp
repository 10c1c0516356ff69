#pragma once
/// \file
/// The rows that a test binary adds to the table of `make gradients`. They are written at the program's end to the
/// file that GRADUS_GRADIENTS names, if it does.

#include "support/judges.hpp"

namespace gradus::test {

/// `differences` and `duals` of one component on one device, matched by tensor. A tensor without finite differences
/// gets null there; verdicts "zero by theorem" go to the list of their own.
void record_gradients(const Verdicts& differences, const Verdicts& duals);

}  // namespace gradus::test
