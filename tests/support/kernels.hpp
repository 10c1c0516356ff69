#pragma once
/// \file
/// The judges of kernels. A chapter lists the cases of its kernels once (kernel_cases.hpp); this code judges them
/// on the host layer, and `gpu_check` runs the same list on a GPU.

#include "gradus/device/cuda.hpp"
#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

struct KernelOptions {
  Bounds bounds;
  bool is_composite = false;  ///< finite differences are for leaves; a composite has dual numbers and parity
  bool has_dual = true;       ///< false: there is no backward, or the case is too large for it
  bool judges_float = true;   ///< false: a case of extreme values, not meant for float
};

/// The component on the device of kernels, and on the reference.
template <class Case>
Component with_kernels(const Case& c, const KernelOptions& options = {}) {
  Component result{describe(c),
                   {runner<Reference<double>>("Reference<double>", c), runner<Cuda<double>>("Cuda<double>", c)},
                   {}};
  if (options.judges_float) result.devices.push_back(runner<Cuda<float>>("Cuda<float>", c));
  if (options.has_dual) result.dual = runner<Reference<Dual>>("Reference<Dual>", c);
  return result;
}

/// Thread orders: ascending, descending and 20 shuffled ones must give the same bits.
Verdicts thread_orders(const Component&, const Runner&);

/// Grids whose blocks in y go over y and z, as those of very large tensors do, must give the same bits.
Verdicts wide_grids(const Component&, const Runner&);

/// All judges of a kernel: parity, contract, thread orders, wide grids; in double also dual numbers and finite differences. The
/// verdicts go into the table of `make kernels`. For the table of `make gradients` only its two judges run.
Verdicts kernel_judges(const Component&, const KernelOptions&);

}  // namespace gradus::test
