#pragma once
/// \file
/// Kernels before the judges. A chapter lists the cases of its kernels once (kernel_cases.hpp); here they are judged on
/// the host layer, and `gpu_check` runs the same list on a GPU.

#include "gradus/device/cuda.hpp"
#include "support/case.hpp"
#include "support/judges.hpp"

namespace gradus::test {

struct KernelOptions {
  Bounds bounds;
  bool is_composite = false;  ///< finite differences are for leaves: a composite has dual numbers and parity
  bool has_dual = true;       ///< false: there is no backward, or the case is too large for it
  bool judges_float = true;   ///< float is beside the point for a case of extremes
};

/// The component on the device of kernels, beside the formula.
template <class Case>
Component with_kernels(const Case& c, const KernelOptions& options = {}) {
  Component result{describe(c),
                   {runner<Reference<double>>("Reference<double>", c), runner<Cuda<double>>("Cuda<double>", c)},
                   {}};
  if (options.judges_float) result.devices.push_back(runner<Cuda<float>>("Cuda<float>", c));
  if (options.has_dual) result.dual = runner<Reference<Dual>>("Reference<Dual>", c);
  return result;
}

/// Thread orders: ascending, descending and 20 shuffled ones give the same bits.
Verdicts thread_orders(const Component&, const Runner&);

/// Every judge of a kernel: parity, contract, thread orders; in double dual numbers and finite differences too. The
/// verdicts go into the table that `make kernels` prints. Where that of `make gradients` is wanted, only its two judges
/// are asked.
Verdicts kernel_judges(const Component&, const KernelOptions&);

}  // namespace gradus::test
