#pragma once
/// \file
/// The rows that a test binary adds to the table of `make gradients`. They are written at the program's end to the
/// file that GRADUS_GRADIENTS names, if it does.

#include "support/judges.hpp"

namespace gradus::test {

/// `differences` and `duals` of one component on one device, matched by tensor. A tensor without finite differences
/// gets null there; verdicts "zero by theorem" go to a list of their own. Throws Error for a row that is there already:
/// two cases with one name would be one row of the table, and nobody knew whose.
void record_gradients(const Verdicts& differences, const Verdicts& duals);

/// The same of kernels, which are judged at many sizes: of equal rows the larger error is kept.
void record_kernel_gradients(const Verdicts& differences, const Verdicts& duals);

/// True if the table is all that is wanted of this run.
bool only_gradients_wanted();

}  // namespace gradus::test
