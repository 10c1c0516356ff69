#pragma once
/// \file
/// The rows that a test binary adds to the table of `make gradients`. At the program's end they are written to the
/// file that GRADUS_GRADIENTS names, if it is set.

#include "support/judges.hpp"

namespace gradus::test {

/// `differences` and `duals` of one component on one device, matched by tensor. A tensor without finite differences
/// gets null there; verdicts "zero by theorem" go to a separate list. Throws Error for a row that exists already:
/// two cases with one name would be mixed in one row.
void record_gradients(const Verdicts& differences, const Verdicts& duals);

/// The same for kernels, which are judged at many sizes: of equal rows the larger error is kept.
void record_kernel_gradients(const Verdicts& differences, const Verdicts& duals);

/// True if this run should only make the table.
bool only_gradients_wanted();

}  // namespace gradus::test
